// SPDX-License-Identifier: Apache-2.0
//
// Every member of a reduction op runs on the device: here combine is not marked, in an op that is otherwise complete.
// expect: calling a __host__ function("
// expect: Largest::combine(float, float) const")
#include <fuse/fuse.hpp>

struct Largest {
    using accumulator = float;
    using value_type = float;
    using result = float;
    static constexpr const char* name = "largest";
    static constexpr bool commutative = true;
    static constexpr bool has_index = false;
    static constexpr bool has_identity = true;
    FUSE_HD float init() const { return 0; }
    FUSE_HD float leaf(float v, fuse::index_t) const { return v; }
    FUSE_HD float reduce(float a, float v, fuse::index_t) const { return a < v ? v : a; }
#ifdef FUSE_CONTROL
    FUSE_HD
#endif
    float combine(float a, float b) const {
        return a < b ? b : a;
    }
    FUSE_HD float project(float a, fuse::index_t) const {
        return a;
    }
};

void f(const float* p, float* q) {
    fuse::eval(fuse::cuda, fuse::view<"y">(q, fuse::shape()) = fuse::reduce(Largest{}, fuse::view<"x">(p, 8)));
}
