// SPDX-License-Identifier: Apache-2.0
//
// Nonlinear least squares: fits a model of one's own, a decay y = a exp(-b x) + c, to noisy points by gradient
// descent. The derivatives come from calling the model with dual numbers. On the CPU with --host, on the GPU with
// --gpu. Ends with 1 unless the parameters that made the points are found.
#include <fuse/gradient.hpp>
#include <fuse/nn.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

struct Decay {
    FUSE_HD auto operator()(auto x, auto a, auto b, auto c) const {
        using std::exp;
        return a * exp(-b * x) + c;
    }
};

/// points: a row of x and one of y. parameters: a, b, c.
void fit(const auto& executor, auto points, auto parameters) {
    using namespace fuse;
    const auto x = view<"x">(points[0]);
    const auto y = view<"y">(points[1]);
    const auto a = view<"a">(parameters[0]);
    const auto b = view<"b">(parameters[1]);
    const auto c = view<"c">(parameters[2]);
    const auto loss = mse_loss(map(Decay{}, x, a, b, c), y);
    const auto descend = [&](const auto& w) { return w = sgd(w, gradient(loss, w), {.lr = 0.5}); };
    const auto step = prepare(executor, descend(a), descend(b), descend(c));
    for (int i = 0; i < 2000; ++i) {
        step();
    }
}

int main(int argc, char** argv) {
    std::mt19937 engine(7);
    std::normal_distribution<float> noise(0, 0.05F);
    auto points = fuse::tensor<float>(2, 2000);
    auto p = fuse::tensor<float>(3);
    for (int i = 0; i < 2000; ++i) {
        const float x = points(0, i) = 0.002F * static_cast<float>(i);
        points(1, i) = 2.5F * std::exp(-1.3F * x) + 0.5F + noise(engine);
    }
    if (argc < 2 || std::strcmp(argv[1], "--gpu") != 0) {
        fit(fuse::host, fuse::view(points), fuse::view(p));
    }
#if defined(__CUDACC__)
    else {
        const auto points_on_gpu = fuse::device_tensor(points);
        auto p_on_gpu = fuse::device_tensor(p);
        fit(fuse::cuda, fuse::view(points_on_gpu), fuse::view(p_on_gpu));
        p = fuse::tensor(p_on_gpu);
    }
#endif
    std::printf("y = %.3f exp(-%.3f x) + %.3f\n", p(0), p(1), p(2));
    return std::fabs(p(0) - 2.5F) + std::fabs(p(1) - 1.3F) + std::fabs(p(2) - 0.5F) < 0.06F ? 0 : 1;
}
