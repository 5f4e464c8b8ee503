// SPDX-License-Identifier: Apache-2.0
//
// A project that cannot be called must not be taken for none.
// expect: fuse: the project of a reduction op takes its accumulator and the number of elements, an index_t
#include <fuse/fuse.hpp>

struct Share {
    using accumulator = long;
    FUSE_HD long init() const { return 0; }
    FUSE_HD long leaf(float v, fuse::index_t) const { return v > 0; }
    FUSE_HD long combine(long a, long b) const { return a + b; }
#ifdef FUSE_CONTROL
    FUSE_HD double project(long a, fuse::index_t n) const {
        return static_cast<double>(a) / static_cast<double>(n);
    }
#else
    FUSE_HD double project(long a) const {
        return static_cast<double>(a);
    }
#endif
};

double f(const float* p) {
    return fuse::value(fuse::host, fuse::reduce(Share{}, fuse::view<"x">(p, 8)));
}
