// SPDX-License-Identifier: Apache-2.0
//
// The list of cases, the only one: the programs, the Python peers and the report all take theirs from here.
#pragma once

#include "case.hpp"

namespace bench {

struct Listed {
    Case c;
    bool quick;          ///< also in a short run
    const char* origin;  ///< "fixed", "length" (one of a sweep over the row length), "foreign" or "drawn"
};

/// Everything that is measured on a GPU; `drawn` cases come from the seed.
std::vector<Listed> gpu_cases(std::uint64_t seed, int drawn);
/// The cases of the host executor.
std::vector<Listed> host_cases();

}  // namespace bench
