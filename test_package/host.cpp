// SPDX-License-Identifier: Apache-2.0
//
// The smallest program that uses the package, compiled as plain C++.
#include <fuse/fuse.hpp>
#include <fuse/version.hpp>

#include <cstdio>

int main() {
    std::printf("fuse %d.%d.%d\n", FUSE_VERSION_MAJOR, FUSE_VERSION_MINOR, FUSE_VERSION_PATCH);
}
