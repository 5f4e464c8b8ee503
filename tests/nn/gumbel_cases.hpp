// SPDX-License-Identifier: Apache-2.0
//
// gumbel_softmax(..., hard) and the gradients of both kinds through a target, against loops in double of the numbers
// that uniform(seed) gives there.
#pragma once

#include "fuse/gradient.hpp"
#include "fuse/nn.hpp"
#include "nn/numbers.hpp"

namespace fuse::testing {

template <class Target>
void check_gumbel_gradients(const Target& target) {
    constexpr double tau = 0.7;
    for (const Extent& extent : {Extent{1, 1}, Extent{5, 7}, Extent{3, 100}}) {
        INFO("shape " << to_text(extent));
        const NdArray logits = random_reals(extent, -4, 4, 104);
        const NdArray dy = random_reals(extent, -1, 1, 105);
        Tensor<Target, double> x_data(logits), dy_data(dy), u_data(extent), soft_slope(extent), sample(extent),
            sample_slope(extent);
        const auto x = x_data.template const_view<"x", 2>();
        const auto d = dy_data.template const_view<"dy", 2>();
        const auto y = gumbel_softmax(x, 7, tau, hard);
        target.eval(u_data.template view<"u", 2>() = uniform<double>(7));
        target.eval(sample.template view<"y", 2>() = y);
        target.eval(sample_slope.template view<"dx", 2>() = vjp(y, x, d),
                    soft_slope.template view<"soft", 2>() = vjp(gumbel_softmax(x, 7, tau), x, d));
        const NdArray noisy =
            map_reference([](double e, double u) { return (e - std::log(-std::log(u))) / tau; }, logits, u_data.read());
        NdArray one_hot(extent), slope(extent);
        for (index_t row = 0; row < extent[0]; ++row) {
            index_t best = 0;
            double total = 0;
            double weighted = 0;
            for (index_t i = 0; i < extent[1]; ++i) {
                best = noisy({row, i}) > noisy({row, best}) ? i : best;
                total += std::exp(noisy({row, i}));
                weighted += std::exp(noisy({row, i})) * dy({row, i});
            }
            one_hot({row, best}) = 1;
            for (index_t i = 0; i < extent[1]; ++i) {
                slope({row, i}) = std::exp(noisy({row, i})) / total * (dy({row, i}) - weighted / total) / tau;
            }
        }
        check_equal(sample.read(), one_hot);
        check_close(sample_slope.read(), slope, 1e-11, 1e-12);
        check_close(soft_slope.read(), slope, 1e-11, 1e-12);
    }
}

}  // namespace fuse::testing
