// SPDX-License-Identifier: Apache-2.0
//
// Softmax regression, trained by stochastic gradient descent with momentum. The model comes first, as an expression; its
// gradients are derived. The Trainer keeps the arrays and evaluates on an executor. What is one kernel here is one eval,
// and the evals are counted.
#pragma once

#include <fuse/gradient.hpp>
#include <fuse/nn.hpp>

#include <algorithm>

#include "data.hpp"

namespace digits {

using fuse::axes;
using fuse::expand_dims;

/// x(n, 64) times w(64, 10) plus b(10): a broadcast product (n, 64, 10), summed over its middle axis.
template <class X, class W, class B>
auto logits(const X& x, const W& w, const B& b) {
    return sum(expand_dims<2>(x) * w, axes<1>) + b;
}

/// Buffer<T> is memory that Executor can reach, filled from a std::vector<T>.
template <class Executor, template <class> class Buffer>
class Trainer {
public:
    Trainer(const Executor& executor, const Data& data, std::int64_t batch_size)
        : executor_(executor), training_(data.training), held_out_(data.held_out), batch_(batch_size),
          weights_(std::vector<float>(pixels * classes)), bias_(std::vector<float>(classes)),
          weights_momentum_(std::vector<float>(pixels * classes)), bias_momentum_(std::vector<float>(classes)),
          logits_(std::vector<float>(static_cast<std::size_t>(std::max(batch_size, held_out_.count) * classes))),
          gradient_(std::vector<float>(static_cast<std::size_t>(batch_size * classes))),
          losses_(std::vector<float>(static_cast<std::size_t>(steps_per_epoch()))) {}

    /// One pass over the training rows. Returns the mean of the loss over its steps.
    double train_epoch(const fuse::SgdOptions& options) {
        for (std::int64_t step = 0; step < steps_per_epoch(); ++step) {
            train_step(step, options);
        }
        return fuse::value(executor_, mean(fuse::view<"losses">(losses_.data(), steps_per_epoch())));
    }

    /// The share of held-out rows that are read correctly: 1 kernel after the logits.
    double accuracy() {
        const auto z = logits_view(held_out_.count);
        run(z = logits(images(held_out_, 0, held_out_.count), weights(), bias()));
        return fuse::value(executor_, mean(argmax(z, axes<1>) == labels(held_out_, 0, held_out_.count)));
    }

    /// Calls f(statements...) with those of the kernel that computes the loss and its gradient.
    template <class F>
    auto with_main_kernel(F&& f) {
        const std::int64_t n = std::min(batch_, training_.count);
        const auto z = logits_view(n);
        const auto loss = cross_entropy(z, labels(training_, 0, n));
        return f(loss_view(0) = loss, gradient_view(n) = gradient(loss, z));
    }

    std::int64_t steps_per_epoch() const { return (training_.count + batch_ - 1) / batch_; }
    std::int64_t steps() const { return steps_; }
    /// Kernels launched by all steps so far.
    std::int64_t step_kernels() const { return step_kernels_; }

private:
    struct Set {
        explicit Set(const Images& images) : pixel(images.pixel), label(images.label), count(images.count()) {}
        Buffer<float> pixel;
        Buffer<std::int32_t> label;
        std::int64_t count;
    };

    void train_step(std::int64_t step, const fuse::SgdOptions& options) {
        const std::int64_t kernels_before = kernels_;
        const std::int64_t first = step * batch_;
        const std::int64_t n = std::min(batch_, training_.count - first);
        const auto w = weights();
        const auto b = bias();
        const auto z = logits_view(n);
        const auto dz = gradient_view(n);
        const auto model = logits(images(training_, first, n), w, b);
        const auto loss = cross_entropy(z, labels(training_, first, n));
        run(z = model);
        run(loss_view(step) = loss, dz = gradient(loss, z));

        ++steps_;
        const auto mw = fuse::view<"weights_momentum">(weights_momentum_.data(), fuse::extents<pixels, classes>{});
        const auto mb = fuse::view<"bias_momentum">(bias_momentum_.data(), fuse::extents<classes>{});
        const auto new_w = sgd(w, vjp(model, w, dz), mw, steps_, options);
        const auto new_b = sgd(b, vjp(model, b, dz), mb, steps_, options);
        run(w = new_w.param, mw = new_w.momentum_buffer, b = new_b.param, mb = new_b.momentum_buffer);
        step_kernels_ += kernels_ - kernels_before;
    }

    /// One eval, which is one kernel.
    template <class... S>
    void run(const S&... statements) {
        fuse::eval(executor_, statements...);
        kernels_ += fuse::plan<S...>::kernels;
    }

    static auto images(Set& set, std::int64_t first, std::int64_t n) {
        return fuse::view<"x">(set.pixel.data() + first * pixels, fuse::extents<fuse::dynamic, pixels>{n});
    }
    static auto labels(Set& set, std::int64_t first, std::int64_t n) {
        return fuse::view<"target">(set.label.data() + first, n);
    }
    auto weights() { return fuse::view<"weights">(weights_.data(), fuse::extents<pixels, classes>{}); }
    auto bias() { return fuse::view<"bias">(bias_.data(), fuse::extents<classes>{}); }
    auto logits_view(std::int64_t n) {
        return fuse::view<"logits">(logits_.data(), fuse::extents<fuse::dynamic, classes>{n});
    }
    auto gradient_view(std::int64_t n) {
        return fuse::view<"gradient">(gradient_.data(), fuse::extents<fuse::dynamic, classes>{n});
    }
    auto loss_view(std::int64_t step) { return fuse::view<"loss">(losses_.data() + step, fuse::shape()); }

    Executor executor_;
    Set training_;
    Set held_out_;
    std::int64_t batch_;
    Buffer<float> weights_;
    Buffer<float> bias_;
    Buffer<float> weights_momentum_;
    Buffer<float> bias_momentum_;
    Buffer<float> logits_;
    Buffer<float> gradient_;
    Buffer<float> losses_;
    std::int64_t kernels_ = 0;
    std::int64_t step_kernels_ = 0;
    std::int64_t steps_ = 0;
};

}  // namespace digits
