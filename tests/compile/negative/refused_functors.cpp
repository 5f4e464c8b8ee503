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
// expect 11: fuse: accumulate<> has no effect on an op that defines its accumulator
// expect 12: fuse: the accumulator of a reduction must be trivially copyable
// expect 13: fuse: the elements do not convert to the value_type of this reduction op
// expect 14: fuse: a reduction functor must be callable with two accumulators
// expect 15: fuse: a map functor travels in the parameters of a kernel, which hold 32,764 bytes
// expect 16: fuse: a reduction op needs leaf(v, i)
// expect 17: fuse: a reduction op needs leaf(v, i)
// expect 18: fuse: a reduction op names the type of its accumulator
// expect 19: fuse: a reduction op needs init()
// expect 20: fuse: a reduction op needs combine(a, b)
// expect 21: fuse: a reduction functor needs identity()
// expect 21: a struct with operator() and that member
// expect 22: and its operator() const (no mutable lambda)
// expect 23: and its operator() const (no mutable lambda)
// expect 24: fuse: a reduction op or functor must be trivially copyable and default constructible
// expect 24: none const
// expect 25: fuse: the accumulator of a reduction must be trivially copyable, and have no const members
// expect 26: fuse: map takes a functor or a lambda, no pointer to a member
#include <fuse/fuse.hpp>

#include <functional>
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

struct Table {
    float at[10000];
    FUSE_HD float operator()(float x) const { return at[static_cast<int>(x)]; }
};

struct Pair {
    float a, b;
};
struct Distances {
    using accumulator = float;
    using value_type = float;
    FUSE_HD float init() const { return 0; }
    FUSE_HD float leaf(float v, fuse::index_t) const { return v; }
    FUSE_HD float combine(float a, float b) const { return a + b; }
};
struct Kept {
    using accumulator = std::vector<float>;
    accumulator init() const { return {}; }
    accumulator leaf(float v, fuse::index_t) const { return {v}; }
    accumulator combine(const accumulator& a, const accumulator&) const { return a; }
};
struct OfThree {
    static constexpr float identity = 0;
    FUSE_HD float operator()(float a, float b, float c) const { return a + b + c; }
};
struct WithoutAccumulator {
    float init() const { return 0; }
    float leaf(float v, fuse::index_t) const { return v; }
    float combine(float a, float b) const { return a + b; }
};
struct WithoutLeaf {
    using accumulator = float;
    float init() const { return 0; }
    float combine(float a, float b) const { return a + b; }
};
struct LeafWithoutIndex : WithoutLeaf {
    float leaf(double v) const { return static_cast<float>(v); }
};
struct WithoutInit {
    using accumulator = float;
    float leaf(float v, fuse::index_t) const { return v; }
    float combine(float a, float b) const { return a + b; }
};
struct WithoutCombine {
    using accumulator = float;
    float init() const { return 0; }
    float leaf(float v, fuse::index_t) const { return v; }
};
struct ConstMember {
    const float least = 1;
    using accumulator = float;
    float init() const { return 0; }
    float leaf(float v, fuse::index_t) const { return v > least ? v : 0; }
    float combine(float a, float b) const { return a + b; }
};
struct ConstAccumulator {
    struct accumulator {
        const float sum = 0;
    };
    accumulator init() const { return {}; }
    accumulator leaf(float v, fuse::index_t) const { return {v}; }
    accumulator combine(accumulator a, accumulator b) const { return {a.sum + b.sum}; }
};
struct NotConst {
    float operator()(float v) { return v; }
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
#elif FUSE_WRONG == 11
    static_cast<void>(fuse::reduce(Distances{}, x, fuse::accumulate<double>));
#elif FUSE_WRONG == 12
    static_cast<void>(fuse::reduce(Kept{}, x));
#elif FUSE_WRONG == 13
    static_cast<void>(fuse::reduce(Distances{}, pairs));
#elif FUSE_WRONG == 14
    static_cast<void>(fuse::reduce(OfThree{}, x));
#elif FUSE_WRONG == 15
    static_cast<void>(map(Table{}, x));
#elif FUSE_WRONG == 16
    *q = fuse::value(fuse::host, fuse::reduce(WithoutLeaf{}, x));
#elif FUSE_WRONG == 17
    *q = fuse::value(fuse::host, fuse::reduce(LeafWithoutIndex{}, x));
#elif FUSE_WRONG == 18
    *q = fuse::value(fuse::host, fuse::reduce(WithoutAccumulator{}, x));
#elif FUSE_WRONG == 19
    *q = fuse::value(fuse::host, fuse::reduce(WithoutInit{}, x));
#elif FUSE_WRONG == 20
    fuse::eval(fuse::host, y = fuse::scan(WithoutCombine{}, x, fuse::axes<1>));
#elif FUSE_WRONG == 21
    *q = fuse::value(fuse::host, fuse::reduce(std::plus<float>{}, x));
#elif FUSE_WRONG == 22
    fuse::eval(fuse::host, y = map(NotConst{}, x));
#elif FUSE_WRONG == 23
    fuse::eval(fuse::host, y = fuse::map([i = 0.F](float v) mutable { return v + i++; }, x));
#elif FUSE_WRONG == 24
    *q = fuse::value(fuse::host, fuse::reduce(ConstMember{2}, x));
#elif FUSE_WRONG == 25
    static_cast<void>(fuse::reduce(ConstAccumulator{}, x));
#elif FUSE_WRONG == 26
    *q = fuse::value(fuse::host, sum(map(&Pair::b, pairs)));
#else
    static_cast<void>(fuse::reduce(Distances{}, x));
    static_cast<void>(fuse::reduce(Saturating{3}, x));
    static_cast<void>(fuse::cast<int>(x) & 1);
#endif
}
