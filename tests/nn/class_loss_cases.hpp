// SPDX-License-Identifier: Apache-2.0
//
// nll_loss and cross_entropy with all their options, by name through a target, against loops in double.
#pragma once

#include "fuse/nn.hpp"
#include "nn/tolerance.hpp"

namespace fuse::testing {

/// Rows of logits from `low` on, a target class for each (some are ignored), weights of the classes (some are 0), and
/// rows of probabilities (some are 0).
template <class T>
struct ClassOperands {
    NdArray x, target, weight, p;

    ClassOperands(const Extent& extent, double low)
        : x(held<T>(random_reals(extent, low, low + 8, 81))),
          target(random_integers({extent[0]}, 0, static_cast<int>(extent[1]) - 1, 82)),
          weight(held<T>(random_reals({extent[1]}, 0.25, 2, 83))), p(random_reals(extent, 0, 1, 84)) {
        for (index_t r = 3; r < extent[0]; r += 4) {
            target({r}) = -100;
        }
        for (index_t c = 2; c < extent[1]; c += 5) {
            weight({c}) = 0;
        }
        for (index_t r = 0; r < extent[0]; ++r) {
            double total = 0;
            for (index_t c = 0; c < extent[1]; ++c) {
                p({r, c}) = c % 3 == 1 ? 0 : p({r, c});
                total += p({r, c});
            }
            for (index_t c = 0; c < extent[1]; ++c) {
                p({r, c}) /= total;
            }
        }
        p = held<T>(p);
    }
};

/// The numbers of a cross_entropy: torch.nn.functional's documentation, written out. `each`: of the rows, without the
/// z-loss; `scale`: what the mean divides their sum by; `z`: squares of the rows' logsumexp.
struct ClassLosses {
    NdArray each, z;
    double scale = 0;
    double counted = 0;

    NdArray with_z(double coefficient) const {
        return map_reference([=](double a, double b) { return a + coefficient * b; }, each, z);
    }
    double mean(double coefficient = 0) const {
        return sum_reference(each.value) / scale +
               coefficient * (coefficient == 0 ? 0 : sum_reference(z.value) / counted);
    }
};
/// weighted: by operands.weight, else by 1. Of the class indices, or of the probabilities.
template <class T>
ClassLosses class_losses(const ClassOperands<T>& operands, bool weighted, double smoothing, bool of_probabilities) {
    const auto& [x, target, weight, p] = operands;
    const index_t rows = x.extent[0];
    const index_t classes = x.extent[1];
    const NdArray logsum = reduce_reference(logsumexp_reference, x, 0b10);
    ClassLosses result{NdArray({rows}), NdArray({rows})};
    for (index_t r = 0; r < rows; ++r) {
        const auto at = static_cast<index_t>(target({r}));
        if (!of_probabilities && at == -100) {
            continue;
        }
        double loss = 0;
        for (index_t c = 0; c < classes; ++c) {
            const double wanted = of_probabilities ? p({r, c}) : c == at;
            const double smooth = wanted * (1 - smoothing) + smoothing / static_cast<double>(classes);
            loss += smooth * (weighted ? weight({c}) : 1) * (logsum({r}) - x({r, c}));
        }
        result.each({r}) = loss;
        result.z({r}) = logsum({r}) * logsum({r});
        result.scale += of_probabilities || !weighted ? 1 : weight({at});
        result.counted += 1;
    }
    return result;
}

/// One loss per row. The mean and the sum of each are those of check_class_loss_totals. Of other types than float those
/// with all options, which hold the parts of the others.
template <class T, class Target>
void check_class_losses(const Target& target, const std::vector<Extent>& shapes) {
    using C = Computed<T>;
    for (const Extent& extent : shapes) {
        for (const double low : {-4.0, 80.0}) {
            INFO("shape " << to_text(extent) << " from " << low);
            const ClassOperands<T> data(extent, low);
            Tensor<Target, T> x_data(data.x), weight_data(data.weight), p_data(data.p);
            Tensor<Target, std::int32_t> target_data(data.target);
            const auto x = x_data.template const_view<"x", 2>();
            const auto w = weight_data.template const_view<"w", 1>();
            const auto p = p_data.template const_view<"p", 2>();
            const auto t = target_data.template const_view<"t", 1>();
            auto out = outputs<Target, C>(6, {extent[0]});
            const auto view = [&]<fixed_name N>(std::size_t i) { return out[i].template view<N, 1>(); };
            const loss::label_smoothing smoothing(0.25);
            const loss::z_loss z(0.125);
            constexpr bool each_option = std::is_same_v<T, float>;
            const auto check = [&](std::size_t i, const char* what, const NdArray& expected, double scale = 16) {
                INFO(what);
                check_rounded<T>(out[i].read(), expected, scale);
            };

            const auto of_nll = view.template operator()<"a">(0) = nll_loss(x, t, w, reduction::none);
            const auto of_all = view.template operator()<"b">(1) =
                cross_entropy(x, t, w, smoothing, z, reduction::none);
            if constexpr (each_option) {
                target.eval(of_nll, of_all, view.template operator()<"c">(2) = nll_loss(x, t, reduction::none),
                            view.template operator()<"d">(3) = cross_entropy(x, t, reduction::none, smoothing),
                            view.template operator()<"e">(4) = cross_entropy(x, t, z, reduction::none),
                            view.template operator()<"f">(5) = cross_entropy(x, t, w, reduction::none));
            } else {
                target.eval(of_nll, of_all);
            }
            NdArray picked({extent[0]});
            NdArray weighted({extent[0]});
            for (index_t r = 0; r < extent[0]; ++r) {
                const auto at = static_cast<index_t>(data.target({r}));
                picked({r}) = at < 0 ? 0 : -data.x({r, at});
                weighted({r}) = at < 0 ? 0 : -data.x({r, at}) * data.weight({at});
            }
            const double squares = 1.0 / 8 * (std::fabs(low) + 16) * (std::fabs(low) + 16);
            check(0, "nll_loss, weighted", weighted);
            check(1, "weighted, smoothed, z-loss", class_losses(data, true, 0.25, false).with_z(0.125), squares);
            if constexpr (each_option) {
                check(2, "nll_loss", picked);
                check(3, "smoothed", class_losses(data, false, 0.25, false).each);
                check(4, "z-loss", class_losses(data, false, 0, false).with_z(0.125), squares);
                check(5, "weighted", class_losses(data, true, 0, false).each);
            }

            const auto of_probabilities = view.template operator()<"a">(0) =
                cross_entropy(x, p, w, reduction::none, z, smoothing);
            if constexpr (each_option) {
                target.eval(of_probabilities, view.template operator()<"b">(1) = cross_entropy(x, p, reduction::none),
                            view.template operator()<"c">(2) = cross_entropy(x, p, smoothing, reduction::none),
                            view.template operator()<"d">(3) = cross_entropy(x, p, w, reduction::none));
                check(1, "probabilities", class_losses(data, false, 0, true).each);
                check(2, "probabilities, smoothed", class_losses(data, false, 0.25, true).each);
                check(3, "probabilities, weighted", class_losses(data, true, 0, true).each);
            } else {
                target.eval(of_probabilities);
            }
            check(0, "probabilities, weighted, smoothed, z-loss", class_losses(data, true, 0.25, true).with_z(0.125),
                  squares);
        }
    }
}

/// The mean, which is the default, and the sum.
template <class Target>
void check_class_loss_totals(const Target& target) {
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        const ClassOperands<float> data(extent, -4);
        Tensor<Target, float> x_data(data.x), weight_data(data.weight), p_data(data.p);
        Tensor<Target, std::int64_t> target_data(data.target);
        const auto x = x_data.template const_view<"x", 2>();
        const auto w = weight_data.template const_view<"w", 1>();
        const auto p = p_data.template const_view<"p", 2>();
        const auto t = target_data.template const_view<"t", 1>();
        const loss::label_smoothing smoothing(0.25);
        const loss::z_loss z(0.125);
        const auto check = [](const char* what, float got, double expected, double scale = 16) {
            INFO(what);
            check_rounded<float>(got, expected, scale);
        };
        const auto [smoothed, z_mean, z_sum, weighted, weighted_sum, all] = target.value(
            cross_entropy(x, t, smoothing), cross_entropy(x, t, z), cross_entropy(x, t, reduction::sum, z),
            cross_entropy(x, t, w), cross_entropy(x, t, w, reduction::sum), cross_entropy(x, t, w, z, smoothing));
        const double n = static_cast<double>(extent[0]);
        const ClassLosses plain = class_losses(data, false, 0, false);
        const ClassLosses of_weights = class_losses(data, true, 0, false);
        check("smoothed", smoothed, class_losses(data, false, 0.25, false).mean());
        check("z-loss", z_mean, plain.mean(0.125), 32);
        check("z-loss, sum", z_sum, sum_reference(plain.with_z(0.125).value), 32 * n);
        check("weighted", weighted, of_weights.mean());
        check("weighted, sum", weighted_sum, sum_reference(of_weights.each.value), 16 * n);
        check("weighted, smoothed, z-loss", all, class_losses(data, true, 0.25, false).mean(0.125), 64);

        const auto [soft, soft_weighted, soft_all, soft_sum, nll, nll_weighted, nll_sum] = target.value(
            cross_entropy(x, p), cross_entropy(x, p, w), cross_entropy(x, p, w, z, smoothing),
            cross_entropy(x, p, reduction::sum), nll_loss(x, t), nll_loss(x, t, w), nll_loss(x, t, w, reduction::sum));
        check("probabilities", soft, class_losses(data, false, 0, true).mean());
        check("probabilities, weighted", soft_weighted, class_losses(data, true, 0, true).mean());
        check("probabilities, weighted, smoothed, z-loss", soft_all, class_losses(data, true, 0.25, true).mean(0.125),
              32);
        check("probabilities, sum", soft_sum, sum_reference(class_losses(data, false, 0, true).each.value), 16 * n);
        double picked = 0;
        double picked_weighted = 0;
        for (index_t r = 0; r < extent[0]; ++r) {
            if (const auto at = static_cast<index_t>(data.target({r})); at >= 0) {
                picked -= data.x({r, at});
                picked_weighted -= data.x({r, at}) * data.weight({at});
            }
        }
        check("nll_loss", nll, picked / plain.counted);
        check("nll_loss, weighted", nll_weighted, picked_weighted / of_weights.scale);
        check("nll_loss, weighted, sum", nll_sum, picked_weighted, 16 * n);
    }
}

/// What PyTorch's documentation leaves to the numbers: nothing left to count, logits of -infinity, classes that are
/// none.
template <class Target>
void check_class_loss_edges(const Target& target) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    Tensor<Target, float> x_data(numbers({2, 3}, {0, 0, 0, -inf, 1, 2}));
    Tensor<Target, float> nothing_data(NdArray({2, 3}, -inf));
    Tensor<Target, float> weight_data(numbers({3}, {1, 2, 4}));
    Tensor<Target, float> p_data(numbers({2, 3}, {0, 0, 1, 0, 1, 0}));
    Tensor<Target, std::int32_t> ignored_data(NdArray({2}, -100)), beyond_data(numbers({2}, {1, 3})),
        last_data(numbers({2}, {2, 2}));
    const auto x = x_data.template const_view<"x", 2>();
    const auto nothing = nothing_data.template const_view<"x", 2>();
    const auto w = weight_data.template const_view<"w", 1>();
    const auto p = p_data.template const_view<"p", 2>();
    const auto ignored = ignored_data.template const_view<"t", 1>();
    const auto beyond = beyond_data.template const_view<"t", 1>();
    const auto last = last_data.template const_view<"t", 1>();
    const loss::label_smoothing smoothing(0.5);
    const loss::z_loss z(0.5);
    const auto of_classes = [&](const auto& v, const auto& t) {
        return target.value(nll_loss(v, t), nll_loss(v, t, w), cross_entropy(v, t, w), cross_entropy(v, t, z),
                            nll_loss(v, t, w, reduction::sum), cross_entropy(v, t, w, smoothing, z, reduction::sum));
    };
    const auto beside_probabilities = [&](const auto& v, const auto& t) {
        return target.value(cross_entropy(v, p), cross_entropy(v, p, w), cross_entropy(v, t, w, reduction::sum),
                            cross_entropy(v, t, smoothing));
    };

    const auto [nll, nll_w, ce_w, ce_z, nll_sum, ce_sum] = of_classes(x, ignored);
    CHECK((std::isnan(nll) && std::isnan(nll_w) && std::isnan(ce_w) && std::isnan(ce_z)));
    CHECK((nll_sum == 0 && ce_sum == 0));

    const auto outside = of_classes(x, beyond);
    CHECK((std::get<0>(outside) == inf && std::isnan(std::get<1>(outside))));
    CHECK((std::get<3>(outside) == inf && std::isnan(std::get<2>(outside))));

    // A class that cannot be: no loss where the target gives it nothing, all of it where the target asks for it, and
    // where smoothing does.
    const double of_two = std::log1p(std::exp(-1.0));
    const auto [soft, soft_w, hard, smoothed] = beside_probabilities(x, last);
    check_rounded<float>(soft, (std::log(3.0) + 1 + of_two) / 2);
    check_rounded<float>(soft_w, (4 * std::log(3.0) + 2 * (1 + of_two)) / 2);
    check_rounded<float>(hard, 4 * (std::log(3.0) + of_two));
    CHECK(smoothed == inf);
    CHECK(std::isnan(std::get<2>(of_classes(nothing, last))));
    CHECK(std::isnan(std::get<0>(beside_probabilities(nothing, last))));
}

}  // namespace fuse::testing
