// SPDX-License-Identifier: Apache-2.0
//
// A composite of one's own: softmax of every row, as a function of expressions, in one kernel that reads x
// once. --host or --gpu. Ends with 1 if it differs from loops in double.
#include <fuse/fuse.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#if defined(__CUDACC__)
#include "../support/device_buffer.hpp"
#endif

constexpr fuse::index_t rows = 300, columns = 1000;

template <class X>
auto my_softmax(const X& x) {
    const auto e = exp(x - max(x, fuse::axes<-1>, fuse::keepdims));
    return e / sum(e, fuse::axes<-1>, fuse::keepdims);
}

template <class Executor>
void run(const Executor& executor, const float* in, float* out) {
    const auto x = fuse::view<"x">(in, rows, columns);
    const auto y = fuse::view<"y">(out, rows, columns);
    using Plan = fuse::plan<decltype(y = my_softmax(x))>;
    static_assert(Plan::kernels == 1 && Plan::phases == 2 && Plan::template passes<"x"> == 1);
    fuse::eval(executor, y = my_softmax(x));
}

int main(int argc, char** argv) {
    std::vector<float> x(rows * columns);
    std::vector<float> y(rows * columns);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = 10 * std::sin(static_cast<float>(i));
    }
    if (argc > 1 && std::strcmp(argv[1], "--gpu") == 0) {
#if defined(__CUDACC__)
        examples::DeviceBuffer<float> in(x), out(y);
        run(fuse::cuda, in.data(), out.data());
        y = out.copy();
#endif
    } else {
        run(fuse::host, x.data(), y.data());
    }
    double worst = 0;
    for (std::size_t row = 0; row < x.size(); row += columns) {
        double total = 0;
        for (std::size_t i = row; i < row + columns; ++i) {
            total += std::exp(double{x[i]});
        }
        for (std::size_t i = row; i < row + columns; ++i) {
            worst = std::fmax(worst, std::fabs(std::exp(double{x[i]}) / total - double{y[i]}));
        }
    }
    std::printf("largest difference from loops in double: %.2g\n", worst);
    return worst < 1e-6 ? 0 : 1;
}
