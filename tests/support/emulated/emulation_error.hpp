// SPDX-License-Identifier: Apache-2.0
//
// What the emulated block reports: an exception that reaches the caller of emulate(), with the collective,
// the place in the source where a thread called it, and the thread.
#pragma once

#include <stdexcept>
#include <string>

namespace fuse::testing {

class emulation_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A call of a collective in the source. std::source_location needs a newer clang than we support.
struct Site {
    const char* file = "";
    int line = 0;

    bool operator==(const Site&) const = default;
};

inline std::string to_string(const Site& site) {
    return std::string(site.file) + ":" + std::to_string(site.line);
}

}  // namespace fuse::testing
