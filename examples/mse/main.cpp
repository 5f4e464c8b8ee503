// SPDX-License-Identifier: Apache-2.0
//
// The mean squared error of two arrays, written as combinators and as maths: the same kernel. On the CPU with
// --host, on the GPU with --gpu. Ends with 1 if it differs from a loop in double.
#include <fuse/fuse.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#if defined(__CUDACC__)
#include "../support/device_buffer.hpp"
#endif

template <class Executor>
bool check(const Executor& executor, const float* pa, const float* pb, fuse::index_t n, double expected) {
    using namespace fuse;
    const auto a = view<"a">(pa, n);
    const auto b = view<"b">(pb, n);
    const auto combinators = reduce(Mean{}, map(Square<>{}, broadcast(a, b)));
    const auto maths = mean(square(a - b));

    const float first = value(executor, combinators);
    const float second = value(executor, maths);
    std::printf("combinators %.7f, maths %.7f, double loop %.7f\n", first, second, expected);
    return std::fabs(first - expected) < 1e-6 && std::fabs(second - expected) < 1e-6;
}

int main(int argc, char** argv) {
    constexpr std::size_t n = 1000003;
    std::vector<float> a(n);
    std::vector<float> b(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = std::sin(static_cast<float>(i));
        b[i] = std::cos(static_cast<float>(i));
        const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += d * d;
    }
    const double expected = sum / n;
    if (argc > 1 && std::strcmp(argv[1], "--gpu") == 0) {
#if defined(__CUDACC__)
        examples::DeviceBuffer<float> on_device_a(a);
        examples::DeviceBuffer<float> on_device_b(b);
        return check(fuse::cuda, on_device_a.data(), on_device_b.data(), n, expected) ? 0 : 1;
#else
        std::puts("built without CUDA");
        return 1;
#endif
    }
    return check(fuse::host, a.data(), b.data(), n, expected) ? 0 : 1;
}
