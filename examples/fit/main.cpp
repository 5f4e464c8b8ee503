// SPDX-License-Identifier: Apache-2.0
//
// Nonlinear least squares: fits a model of one's own, a decay y = a exp(-b x) + c, to noisy points by gradient descent with momentum. The
// derivatives come from calling the model with dual numbers. On the CPU with --host, on the GPU with --gpu. Ends with 1
// unless the parameters that made the points are found.
#include <fuse/gradient.hpp>
#include <fuse/nn.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#if defined(__CUDACC__)
#include "../support/device_buffer.hpp"
#endif

struct Decay {
    template <class X, class P>
    FUSE_HD auto operator()(X x, P a, P b, P c) const {
        using std::exp;
        return a * exp(-b * x) + c;
    }
};

/// p: a, b, c, then their momenta.
template <class Executor>
void fit(const Executor& executor, const float* px, const float* py, fuse::index_t n, float* p) {
    using namespace fuse;
    const auto x = view<"x">(px, n);
    const auto y = view<"y">(py, n);
    const auto a = view<"a">(p, shape());
    const auto b = view<"b">(p + 1, shape());
    const auto c = view<"c">(p + 2, shape());
    const auto ma = view<"ma">(p + 3, shape());
    const auto mb = view<"mb">(p + 4, shape());
    const auto mc = view<"mc">(p + 5, shape());
    const auto loss = mse_loss(map(Decay{}, x, a, b, c), y);
    for (int step = 1; step <= 600; ++step) {
        const SgdOptions options{.lr = 0.1, .momentum = 0.9};
        const auto [next_a, next_ma] = sgd(a, gradient(loss, a), ma, step, options);
        const auto [next_b, next_mb] = sgd(b, gradient(loss, b), mb, step, options);
        const auto [next_c, next_mc] = sgd(c, gradient(loss, c), mc, step, options);
        eval(executor, a = next_a, ma = next_ma, b = next_b, mb = next_mb, c = next_c, mc = next_mc);
    }
}

int main(int argc, char** argv) {
    const bool on_gpu = argc > 1 && std::strcmp(argv[1], "--gpu") == 0;
    std::mt19937 engine(7);
    std::normal_distribution<float> noise(0, 0.05F);
    std::vector<float> x(2000), y(2000), p(6);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = 0.002F * static_cast<float>(i);
        y[i] = 2.5F * std::exp(-1.3F * x[i]) + 0.5F + noise(engine);
    }
#if defined(__CUDACC__)
    if (on_gpu) {
        examples::DeviceBuffer<float> gx(x), gy(y), gp(p);
        fit(fuse::cuda, gx.data(), gy.data(), 2000, gp.data());
        p = gp.copy();
    }
#endif
    if (!on_gpu) {
        fit(fuse::host, x.data(), y.data(), 2000, p.data());
    }
    std::printf("y = %.3f exp(-%.3f x) + %.3f\n", p[0], p[1], p[2]);
    return std::fabs(p[0] - 2.5F) + std::fabs(p[1] - 1.3F) + std::fabs(p[2] - 0.5F) < 0.06F ? 0 : 1;
}
