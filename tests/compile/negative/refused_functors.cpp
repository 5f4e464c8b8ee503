// SPDX-License-Identifier: Apache-2.0
//
// Functors and ops that do not fit their operands: the line before the sentence names them.
// expect 1: fuse: a map functor must be callable with the element types of its operands
// expect 2: fuse: a map functor must be callable with the element types of its operands
// expect 2 g++: BitAnd
// expect 3: fuse: a map functor must be callable with the element types of its operands
// expect 3 g++: Exp
// expect 4: fuse: this reduction is defined for numbers
// expect 5: fuse: this reduction is defined for numbers
// expect 6: fuse: this reduction is defined for numbers
// expect 7: fuse: a reduction functor needs identity()
// expect 8: fuse: a reduction op or functor must be trivially copyable and default constructible
// expect 9: fuse: a reduction op or functor must be trivially copyable and default constructible
// expect 10: fuse: a reduction op or functor must be trivially copyable and default constructible
#include <fuse/fuse.hpp>

#include <vector>

struct Weighted {
    std::vector<float> weights;
    float identity() const { return 0; }
    float operator()(float a, float b) const { return a + b; }
};
struct Saturating {
    float most;
    float identity() const { return 0; }
    float operator()(float a, float b) const { return a + b < most ? a + b : most; }
};

struct Pair {
    float a, b;
};

void f(float* p, float* q, Pair* both) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
    [[maybe_unused]] const auto pairs = fuse::view<"pairs">(both, 4);
#if FUSE_WRONG == 1
    static_cast<void>(fuse::map([](float a, float b) { return a + b; }, x));
#elif FUSE_WRONG == 2
    static_cast<void>(x & 1);
#elif FUSE_WRONG == 3
    static_cast<void>(exp(pairs));
#elif FUSE_WRONG == 4
    static_cast<void>(max(pairs));
#elif FUSE_WRONG == 5
    static_cast<void>(mean(pairs));
#elif FUSE_WRONG == 6
    static_cast<void>(fuse::reduce(fuse::BitAnd<>{}, x));
#elif FUSE_WRONG == 7
    static_cast<void>(fuse::reduce([](float a, float b) { return a + b; }, x));
#elif FUSE_WRONG == 8
    static_cast<void>(fuse::reduce([q](float a, float b) { return a + b + *q; }, x));
#elif FUSE_WRONG == 9
    static_cast<void>(fuse::reduce(Weighted{}, x));
#elif FUSE_WRONG == 10
    static_cast<void>(fuse::scan(Saturating{3}, x, fuse::axes<1>));
#else
    static_cast<void>(fuse::reduce(Saturating{3}, x));
    static_cast<void>(fuse::cast<int>(x) & 1);
#endif
}
