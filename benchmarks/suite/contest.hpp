// SPDX-License-Identifier: Apache-2.0
//
// The contest of one case: every entry is checked, and those that are right are timed in turns. One implementation for
// the GPU (contest.cu), one for the CPU (contest_host.cpp).
#pragma once

#include "entry.hpp"

namespace bench {

struct Options {
    int samples = 11;
};

/// The result of a case as a line of JSON.
std::string measure(const Case& c, const Options& options);
/// What is measured on and with: device, versions.
std::string environment();

/// Versions of libraries, which their entries add.
std::vector<std::pair<std::string, std::string>>& versions();
struct AddVersion {
    AddVersion(const char* library, const std::string& version) { versions().emplace_back(library, version); }
};

}  // namespace bench
