// SPDX-License-Identifier: Apache-2.0
//
// A small program that uses the package, compiled as plain C++.
#include <fuse/fuse.hpp>

#include <cstdio>

int main() {
    const float a[] = {1, 2, 3};
    const float b[] = {1, 4, 7};
    const float loss = fuse::value(fuse::host, fuse::mean(fuse::square(fuse::view<"a">(a, 3) - fuse::view<"b">(b, 3))));
    std::printf("fuse %d.%d.%d: %g\n", FUSE_VERSION_MAJOR, FUSE_VERSION_MINOR, FUSE_VERSION_PATCH, loss);
    return loss > 6.66F && loss < 6.67F ? 0 : 1;
}
