// SPDX-License-Identifier: Apache-2.0
//
// Steps of optimizers through a target, in place, against the algorithms of torch.optim as loops in double.
#pragma once

#include "fuse/nn.hpp"
#include "nn/numbers.hpp"

namespace fuse::testing {

/// Parameters and moments as doubles, and a step of each algorithm, element by element, as PyTorch's documentation has
/// it.
struct ReferenceState {
    Numbers param, first, second;
};
inline void sgd_reference(ReferenceState& s, const Numbers& grad, int step, const SgdOptions& o) {
    for (std::size_t i = 0; i < grad.size(); ++i) {
        const double g = grad[i] + o.weight_decay * s.param[i];
        s.first[i] = step > 1 && o.momentum != 0 ? o.momentum * s.first[i] + (1 - o.dampening) * g : g;
        s.param[i] -= o.lr * (o.nesterov ? g + o.momentum * s.first[i] : s.first[i]);
    }
}
template <class Options>
void adam_reference(ReferenceState& s, const Numbers& grad, int step, const Options& o, bool decoupled) {
    for (std::size_t i = 0; i < grad.size(); ++i) {
        if (decoupled) {
            s.param[i] -= o.lr * o.weight_decay * s.param[i];
        }
        const double g = decoupled ? grad[i] : grad[i] + o.weight_decay * s.param[i];
        s.first[i] = o.beta1 * s.first[i] + (1 - o.beta1) * g;
        s.second[i] = o.beta2 * s.second[i] + (1 - o.beta2) * g * g;
        const double m = s.first[i] / (1 - std::pow(o.beta1, step));
        const double v = s.second[i] / (1 - std::pow(o.beta2, step));
        s.param[i] -= o.lr * m / (std::sqrt(v) + o.eps);
    }
}
inline void lion_reference(ReferenceState& s, const Numbers& grad, const LionOptions& o) {
    for (std::size_t i = 0; i < grad.size(); ++i) {
        const double update = o.beta1 * s.first[i] + (1 - o.beta1) * grad[i];
        s.param[i] = s.param[i] * (1 - o.lr * o.weight_decay) - o.lr * (update > 0 ? 1 : update < 0 ? -1 : 0);
        s.first[i] = o.beta2 * s.first[i] + (1 - o.beta2) * grad[i];
    }
}

inline const std::vector<Extent> optimizer_extents{{0, 3}, {1, 1}, {5, 7}, {3, 1000}};

/// Runs some steps: evaluate(p, g, m, v, step) on the target's views, follow(state, gradient, step) beside it. A
/// gradient of zeros is among them.
template <class Target, class Evaluate, class Follow>
void check_steps(const Extent& extent, Evaluate evaluate, Follow follow) {
    INFO("shape " << to_text(extent));
    const NdArray start = random_floats(extent, -1, 1, 81);
    Tensor<Target, float> p(start);
    Tensor<Target, float> m(NdArray(extent, 0));
    Tensor<Target, float> v(NdArray(extent, 0));
    ReferenceState state{start.value, Numbers(start.value.size(), 0), Numbers(start.value.size(), 0)};
    for (int step = 1; step <= 4; ++step) {
        const NdArray grad =
            step == 3 ? NdArray(extent) : random_floats(extent, -2, 2, 90U + static_cast<unsigned>(step));
        Tensor<Target, float> g(grad);
        evaluate(p.template view<"p", 2>(), g.template const_view<"g", 2>(), m.template view<"m", 2>(),
                 v.template view<"v", 2>(), step);
        follow(state, grad.value, step);
    }
    check_close(p.read(), numbers(extent, state.param), 2e-6, 2e-6);
    check_close(m.read(), numbers(extent, state.first), 2e-6, 2e-6);
    check_close(v.read(), numbers(extent, state.second), 4e-6, 1e-9);
}

template <class Target>
void check_sgd(const Target& target, const SgdOptions& o) {
    for (const Extent& extent : optimizer_extents) {
        check_steps<Target>(
            extent,
            [&](const auto& p, const auto& g, const auto& m, const auto&, int step) {
                const auto [param, buffer] = sgd(p, g, m, step, o);
                target.eval(p = param, m = buffer);
            },
            [&](ReferenceState& s, const Numbers& g, int step) { sgd_reference(s, g, step, o); });
    }
}

template <class Target>
void check_adam(const Target& target) {
    const AdamOptions decayed{.lr = 0.01, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-4, .weight_decay = 0.1};
    const AdamWOptions decoupled{.lr = 0.02, .eps = 1e-3, .weight_decay = 0.5};
    for (const Extent& extent : optimizer_extents) {
        check_steps<Target>(
            extent,
            [&](const auto& p, const auto& g, const auto& m, const auto& v, int step) {
                const auto [param, exp_avg, exp_avg_sq] = adam(p, g, m, v, step, decayed);
                target.eval(p = param, m = exp_avg, v = exp_avg_sq);
            },
            [&](ReferenceState& s, const Numbers& g, int step) { adam_reference(s, g, step, decayed, false); });
        check_steps<Target>(
            extent,
            [&](const auto& p, const auto& g, const auto& m, const auto& v, int step) {
                const auto [param, exp_avg, exp_avg_sq] = adamw(p, g, m, v, step, decoupled);
                target.eval(p = param, m = exp_avg, v = exp_avg_sq);
            },
            [&](ReferenceState& s, const Numbers& g, int step) { adam_reference(s, g, step, decoupled, true); });
    }
}

/// With the step in memory, where a captured graph reads it.
template <class Target>
void check_adam_of_counted_steps(const Target& target) {
    const AdamWOptions o{.lr = 0.02, .weight_decay = 0.5};
    Tensor<Target, std::int64_t> count(NdArray(Extent{}, 0));
    const auto counter = count.template view<"step", 0>();
    check_steps<Target>(
        {5, 7},
        [&](const auto& p, const auto& g, const auto& m, const auto& v, int) {
            target.eval(counter += 1);
            const auto [param, exp_avg, exp_avg_sq] = adamw(p, g, m, v, counter, o);
            target.eval(p = param, m = exp_avg, v = exp_avg_sq);
        },
        [&](ReferenceState& s, const Numbers& g, int step) { adam_reference(s, g, step, o, true); });
}

template <class Target>
void check_lion(const Target& target) {
    const LionOptions o{.lr = 0.01, .weight_decay = 0.2};
    for (const Extent& extent : optimizer_extents) {
        check_steps<Target>(
            extent,
            [&](const auto& p, const auto& g, const auto& m, const auto&, int) {
                const auto [param, exp_avg] = lion(p, g, m, o);
                target.eval(p = param, m = exp_avg);
            },
            [&](ReferenceState& s, const Numbers& g, int) { lion_reference(s, g, o); });
    }
}

/// The gradient is clipped by its norm in the kernel that makes the step; and the norm alone, in place.
template <class Target>
void check_clip_grad_norm(const Target& target) {
    for (const Extent& extent : nn_extents) {
        for (const double longest : {0.5, 1e6}) {
            INFO("shape " << to_text(extent) << " to " << longest);
            const NdArray grad = random_floats(extent, -2, 2, 95);
            const NdArray start = random_floats(extent, -1, 1, 96);
            Tensor<Target, float> g(grad);
            Tensor<Target, float> p(start);
            Tensor<Target, float> norm(Extent{});
            const auto v = g.template view<"g", 2>();
            const auto w = p.template view<"p", 2>();
            const auto [clipped, total] = clip_grad_norm(v, longest);
            target.eval(w = sgd(w, clipped, {.lr = 0.5}));
            target.eval(v = clipped, norm.template view<"n", 0>() = total);
            const double length = std::sqrt(sum_reference(squares(grad).value));
            const double factor = std::min(1.0, longest / (length + 1e-6));
            const NdArray expected = map_reference([=](double e) { return e * factor; }, grad);
            check_close(norm.read(), numbers({}, {length}), 2e-6);
            check_close(g.read(), expected, 4e-6);
            check_close(p.read(), map_reference([](double a, double b) { return a - 0.5 * b; }, start, expected), 4e-6,
                        1e-6);
        }
    }
    Tensor<Target, float> zeros(NdArray({2, 3}, 0));
    const auto z = zeros.template view<"z", 2>();
    target.eval(z = clip_grad_norm<inf>(z, 1).output);
    check_equal(zeros.read(), NdArray({2, 3}, 0));
}

/// Learning rates of a schedule: in memory, where a kernel has written them, or with a name.
template <class Target>
void check_scheduled_rates(const Target& target) {
    const auto rate_of = [](int step) { return 0.25 / (1 << step); };
    Tensor<Target, float> rate(NdArray(Extent{}, 0.25));
    const auto lr = rate.template view<"lr", 0>();
    const auto next = [&] { target.eval(lr *= 0.5F); };
    const auto follow = [&](auto options, auto algorithm) {
        return [=](ReferenceState& s, const Numbers& g, int step) {
            auto o = options;
            o.lr = rate_of(step);
            algorithm(s, g, step, o);
        };
    };
    const auto start = [&] { target.eval(lr = scalar(0.25F)); };

    const SgdOptions momentum{.lr = 77, .momentum = 0.9, .weight_decay = 0.1};
    check_steps<Target>(
        {5, 7},
        [&](const auto& p, const auto& g, const auto& m, const auto&, int step) {
            next();
            const auto [param, buffer] = sgd(p, g, m, step, lr, momentum);
            target.eval(p = param, m = buffer);
        },
        follow(momentum, sgd_reference));
    start();
    const AdamWOptions decoupled{.lr = 77, .weight_decay = 0.5};
    check_steps<Target>(
        {5, 7},
        [&](const auto& p, const auto& g, const auto& m, const auto& v, int step) {
            next();
            const auto [param, exp_avg, exp_avg_sq] = adamw(p, g, m, v, step, lr, decoupled);
            target.eval(p = param, m = exp_avg, v = exp_avg_sq);
        },
        follow(decoupled, [](ReferenceState& s, const Numbers& g, int step, const AdamWOptions& o) {
            adam_reference(s, g, step, o, true);
        }));
    const AdamOptions decayed{.lr = 77, .weight_decay = 0.1};
    check_steps<Target>(
        {5, 7},
        [&](const auto& p, const auto& g, const auto& m, const auto& v, int step) {
            const auto named = scalar<"rate">(rate_of(step));
            const auto [param, exp_avg, exp_avg_sq] = adam(p, g, m, v, step, named, decayed);
            target.eval(p = param, m = exp_avg, v = exp_avg_sq);
        },
        follow(decayed, [](ReferenceState& s, const Numbers& g, int step, const AdamOptions& o) {
            adam_reference(s, g, step, o, false);
        }));
    start();
    const LionOptions lion_options{.lr = 77, .weight_decay = 0.5};
    check_steps<Target>(
        {5, 7},
        [&](const auto& p, const auto& g, const auto& m, const auto&, int) {
            next();
            const auto [param, exp_avg] = lion(p, g, m, lr, lion_options);
            target.eval(p = param, m = exp_avg);
        },
        follow(lion_options,
               [](ReferenceState& s, const Numbers& g, int, const LionOptions& o) { lion_reference(s, g, o); }));
    start();
    const SgdOptions plain{.lr = 77};
    check_steps<Target>(
        {5, 7},
        [&](const auto& p, const auto& g, const auto&, const auto&, int) {
            next();
            target.eval(p = sgd(p, g, lr, plain));
        },
        follow(plain, [](ReferenceState& s, const Numbers& g, int, const SgdOptions& o) {
            for (std::size_t i = 0; i < g.size(); ++i) {
                s.param[i] -= o.lr * g[i];
            }
        }));
}

}  // namespace fuse::testing
