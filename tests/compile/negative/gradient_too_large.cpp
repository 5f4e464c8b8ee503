// SPDX-License-Identifier: Apache-2.0
//
// A derivative that would overflow the stack: each power stands twice in the next.
// expect 1: fuse: this derivative has more bytes than a stack has room for, as all that an expression is made of stands in it as often as it is used: evaluate parts of the formula into arrays, and go back from part to part with vjp (docs/gradients.md)
#include <fuse/gradient.hpp>

template <int Twice, class E>
auto power(const E& e) {
    if constexpr (Twice == 0) {
        return e;
    } else {
        return power<Twice - 1>(e * e);
    }
}

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4);
#if FUSE_WRONG == 1
    static_cast<void>(fuse::gradient(sum(power<14>(x)), x));
#else
    static_cast<void>(fuse::gradient(sum(power<9>(x)), x));
#endif
}
