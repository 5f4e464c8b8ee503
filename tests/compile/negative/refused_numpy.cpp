// SPDX-License-Identifier: Apache-2.0
//
// Functions of NumPy and PyTorch that make arrays, which fuse does not have.
// expect 1: fuse: parts of an array are written one by one
// expect 2: fuse: parts of an array are written one by one
// expect 3: fuse: parts of an array are written one by one
// expect 4: fuse: arrays are put into a larger one one by one
// expect 5: fuse: the k largest of each row are two kernels
// expect 6: fuse: the k largest of each row are two kernels
// expect 7: fuse: a class as ones and zeros is a comparison: expand_dims<1>(label) == arange(classes)
// expect 8: fuse: a class as ones and zeros is a comparison
// expect 9: fuse: an array of zeros is tensor<float>(rows, cols), and y = 1 fills it
// expect 10: fuse: an array of zeros is tensor<float>(rows, cols), and y = 1 fills it
// expect 11: fuse: an array of zeros is tensor<float>(rows, cols), and y = 1 fills it
// expect 12: fuse: an array of zeros is tensor<float>(rows, cols), and y = 1 fills it
#include <fuse/fuse.hpp>

#include <stack>

namespace own {
template <class T>
T ones(const T& x) {
    return x;
}
template <class... T>
auto one_hot(const T&... x) {
    return (x + ...);
}
}  // namespace own

void f(float* p, int* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(p, 8, 8);
    [[maybe_unused]] const auto label = fuse::view<"label">(q, 4);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, y = fuse::concat(x, x));
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, y = fuse::concat(0, x, fuse::axes<0>));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, y = cat(x, x, 0));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, y = stack(x, x));
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, y = topk(x, 3));
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, y = fuse::topk(3, x));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, y = one_hot(label, 8));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, y = fuse::one_hot(3, 8));
#elif FUSE_WRONG == 9
    fuse::eval(fuse::host, y = fuse::zeros(8, 8));
#elif FUSE_WRONG == 10
    fuse::eval(fuse::host, y = fuse::zeros<float>(8, 8));
#elif FUSE_WRONG == 11
    fuse::eval(fuse::host, y = fuse::full(fuse::shape(8, 8), 0.5F));
#elif FUSE_WRONG == 12
    fuse::eval(fuse::host, y = fuse::ones(y.shape()) * y);
#else
    // std::stack stays what it is, and a function of the user's is chosen before one of these.
    using namespace std;   // NOLINT
    using namespace fuse;  // NOLINT
    const stack<int> s;
    const auto full = [](auto value) { return value; };
    using own::one_hot;
    fuse::eval(fuse::host, y = own::ones(x) + one_hot(1, 2) + full(x) + static_cast<float>(s.size()));
#endif
}
