// SPDX-License-Identifier: Apache-2.0
//
// Complex numbers and structs where numbers are meant.
// expect 1: fuse: an output of numbers holds no complex number or struct
// expect 2: fuse: an output of numbers holds no complex number or struct
// expect 3: fuse: an output of numbers holds no complex number or struct
// expect 4: fuse: an output of numbers holds no complex number or struct
// expect 5: fuse: a sort compares elements with <, which complex numbers and most structs have not
// expect 6: fuse: a sort compares elements with <, which complex numbers and most structs have not
// expect 7: fuse: a sort compares elements with <, which complex numbers and most structs have not
// expect 8: fuse: pad adds numbers, and these elements are structs
// expect 9: fuse: an array of the values of an expression has their type
// expect 10: fuse: an array of the values of an expression has their type
#include <fuse/fuse.hpp>
#include <fuse/stencil.hpp>

#include <complex>

struct Pair {
    float a, b;
};
struct Weighted {
    float weight;
    int item;
};
FUSE_HD constexpr bool operator<(const Weighted& a, const Weighted& b) {
    return a.weight < b.weight;
}

void f(float* p, std::complex<float>* complex, [[maybe_unused]] Pair* both, [[maybe_unused]] Weighted* weighted) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto z = fuse::view<"z">(complex, 4, 8);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, x = z);
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, x = fuse::view<"s">(both, 4, 8));
#elif FUSE_WRONG == 3
    auto t = fuse::tensor<float>(4, 8);
    fuse::eval(fuse::host, t = z);
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, fuse::view<"v">(p, 8) = compact(z[0], x[0] > 0));
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, z = sort(z));
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, x = argsort(z));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, fuse::view<"s">(both, 4, 8) = sort(fuse::view<"s">(both, 4, 8), fuse::descending));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, fuse::view<"o">(both, 6) = pad(fuse::view<"s">(both, 4), 1, 1));
#elif FUSE_WRONG == 9
    static_cast<void>(fuse::tensor<float>(fuse::host, x * 2));
#elif FUSE_WRONG == 10
    static_cast<void>(fuse::tensor<double>(x * 2));
#else
    fuse::eval(fuse::host, z = x);
    fuse::eval(fuse::host, x = fuse::map([](std::complex<float> v) { return v.real(); }, z));
    fuse::eval(fuse::host, x = argsort(fuse::map([](std::complex<float> v) { return v.real(); }, z)));
    fuse::eval(fuse::host, fuse::view<"w">(weighted, 4) = sort(fuse::view<"w">(weighted, 4)));
    fuse::eval(fuse::host, fuse::view<"s">(both, 4) = fuse::view<"t">(both + 4, 4));
    auto t = fuse::tensor<double>(x.shape());
    fuse::eval(fuse::host, t = x * 2);
    fuse::eval(fuse::host, fuse::view<"o">(complex, 6, 8) = pad(z, 1, 1, fuse::axes<0>));
#endif
}
