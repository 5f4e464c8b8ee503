// SPDX-License-Identifier: Apache-2.0
//
// A per-row loss, its mean over the rows and its gradient for every element, from one kernel: the epilogue.
#pragma once

#include "lang/phase_cases.hpp"

namespace fuse::testing {

template <class Target>
void check_cross_entropy(const Target& target, const std::vector<Extent>& shapes,
                         Placement placement = Placement::row_major) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
        const index_t rows = extent[0];
        Tensor<Target, float> x_data(random_reals(extent, -4, 4, 11), placement);
        const NdArray x = x_data.read();
        const NdArray label = random_integers({rows}, 0, static_cast<int>(extent[1]) - 1, 12);
        const NdArray logsum = reduce_reference(logsumexp_reference, x, 0b10);
        NdArray loss({rows});
        NdArray gradient(extent);
        for_each_coordinate(extent, [&](const Coordinate& at) {
            const bool hit = static_cast<double>(at[1]) == label({at[0]});
            gradient(at) = (std::exp(x(at) - logsum({at[0]})) - (hit ? 1 : 0)) / static_cast<double>(rows);
            if (hit) {
                loss({at[0]}) = logsum({at[0]}) - x(at);
            }
        });

        Tensor<Target, std::int32_t> label_data(label, placement);
        Tensor<Target, float> gradient_data(extent, placement);
        Tensor<Target, float> loss_data(Extent{rows});
        Tensor<Target, float> mean_data{Extent{}};
        Tensor<Target, std::int64_t> hits_data{Extent{}};
        const auto v = x_data.template const_view<"x", 2>();
        const auto t = label_data.template const_view<"label", 1>();
        const auto most = max(v, axes<-1>, keepdims);
        const auto e = exp(v - most);
        const auto total = sum(e, axes<-1>, keepdims);
        const auto onehot = cast<float>(index<1>() == expand_dims<1>(t));
        const auto row_loss = logsumexp(v, axes<-1>) - take(v, t, axes<-1>);
        target.eval(gradient_data.template view<"g", 2>() = (e / total - onehot) / scalar(static_cast<float>(rows)),
                    loss_data.template view<"loss", 1>() = row_loss,
                    mean_data.template view<"mean", 0>() = mean(row_loss),
                    hits_data.template view<"hits", 0>() = sum(argmax(v, axes<1>) == t));
        check_close(gradient_data.read(), gradient, 2e-5, 1e-7);
        CHECK(gradient_data.gaps_intact());
        check_close(loss_data.read(), loss, 2e-6, 2e-6);
        check_close(mean_data.read(), reduce_reference(mean_reference, loss, 0b1), 2e-6, 2e-6);
        const NdArray guess = reduce_reference(argmax_reference, x, 0b10);
        const NdArray hit = map_reference([](double a, double b) { return a == b ? 1.0 : 0.0; }, guess, label);
        check_equal(hits_data.read(), reduce_reference(sum_reference, hit, 0b1));
    }
}

/// Epilogues over every element: the sum of squared distances to the row means.
template <class Target>
void check_item_epilogue(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent));
        Tensor<Target, float> x_data(random_reals(extent, -4, 4, 13));
        const NdArray x = x_data.read();
        const NdArray means = reduce_reference(mean_reference, x, 0b10, true);
        const NdArray squares = map_reference([](double a, double b) { return (a - b) * (a - b); }, x, means);
        const auto v = x_data.template const_view<"x", 2>();
        const float got = target.value(sum(square(v - mean(v, axes<1>, keepdims))));
        CHECK(static_cast<double>(got) == Catch::Approx(sum_reference(squares.value)).epsilon(1e-5).margin(1e-6));
    }
}

}  // namespace fuse::testing
