// SPDX-License-Identifier: Apache-2.0
//
// What gradients of the catalogue cost: those of losses of elements a map, those of rows the phases of the function
// itself, x read once. Those of fuse.hpp are in lang/gradient_edges.cpp.
#include "fuse/gradient.hpp"
#include "fuse/nn.hpp"
#include "nn/rows.hpp"

namespace {

using namespace fuse;
using namespace fuse::testing;

using X = decltype(matrix<"x">());
const auto x = view<"x">(static_cast<float*>(nullptr), 4, 5);
const auto t = view<"t">(static_cast<float*>(nullptr), 4, 5);
const auto dy = view<"dy">(static_cast<float*>(nullptr), 4, 5);
const auto row_dy = view<"dy">(static_cast<float*>(nullptr), 4);
const auto scale = view<"scale">(static_cast<float*>(nullptr), 5);
const auto weight = view<"weight">(static_cast<float*>(nullptr), 5);
const auto target = view<"target">(static_cast<int*>(nullptr), 4);

template <class D, int Phases>
constexpr bool costs_of = [] {
    using P = plan<decltype(matrix<"dx">() = std::declval<D>())>;
    return P::kernels == 1 && P::steps == 1 && P::temporaries == 0 && P::phases == Phases &&
           P::template passes<"x"> == 1;
}();
template <int Phases, class Loss>
constexpr bool gradient_takes(const Loss&) {
    return costs_of<decltype(gradient(std::declval<Loss>(), std::declval<X>())), Phases>;
}
template <int Phases, class Y>
constexpr bool vjp_takes(const Y&) {
    using Dy = std::conditional_t<Y::rank == 1, decltype(row_dy), decltype(dy)>;
    return costs_of<decltype(vjp(std::declval<Y>(), std::declval<X>(), std::declval<Dy>())), Phases>;
}

}  // namespace

TEST_CASE("gradients of losses of elements are maps") {
    CHECK(gradient_takes<0>(huber_loss(x, t)));
    CHECK(gradient_takes<0>(smooth_l1_loss(x, t)));
    CHECK(gradient_takes<0>(binary_cross_entropy(x, t)));
    CHECK(gradient_takes<0>(sigmoid_focal_loss(x, t, reduction::mean)));
    CHECK(gradient_takes<0>(margin_ranking_loss(x, t, t)));
    CHECK(gradient_takes<0>(nll_loss(x, target, reduction::sum)));
}

TEST_CASE("gradients of norms and statistics take the phases of the function") {
    CHECK(vjp_takes<2>(softmin(x)));
    CHECK(vjp_takes<2>(masked_softmax(x, t > 0)));
    CHECK(vjp_takes<2>(causal_softmax(x)));
    CHECK(vjp_takes<2>(gumbel_softmax(x, 7, hard)));
    CHECK(vjp_takes<2>(layer_norm(x, scale, scale)));
    CHECK(vjp_takes<1>(rms_norm(x, scale)));
    CHECK(vjp_takes<1>(l2_normalize(x)));
    CHECK(vjp_takes<2>(standardize(x)));
    CHECK(vjp_takes<2>(minmax_scale(x)));  // how many are equal is counted behind the extrema
    CHECK(vjp_takes<1>(cosine_similarity(x, t)));
    CHECK(vjp_takes<2>(correlation(x, t, axes<1>)));
    // One more than the function: what the mean gets is summed behind the moments.
    CHECK(vjp_takes<3>(skewness(x, axes<1>)));
    CHECK(vjp_takes<3>(kurtosis(x, axes<1>)));
}

TEST_CASE("gradients of losses of rows take the phases of the losses") {
    CHECK(gradient_takes<2>(cross_entropy(x, target, weight, reduction::sum)));
    CHECK(gradient_takes<2>(cross_entropy(x, target, loss::label_smoothing(0.1), loss::z_loss(0.1), reduction::sum)));
    CHECK(gradient_takes<2>(cross_entropy(x, t)));
    CHECK(gradient_takes<2>(distillation_loss(x, t)));
    CHECK(gradient_takes<1>(triplet_margin_loss(x, t, t)));
    CHECK(gradient_takes<1>(dice_loss(x, t)));
}

TEST_CASE("the gradient of group_norm takes its two phases") {
    const auto image = view<"x">(static_cast<float*>(nullptr), 2, 4, 3);
    const auto normal = group_norm(image, 2);
    const auto slope = view<"dy">(static_cast<float*>(nullptr), 2, 4, 3);
    using P = plan<decltype(unflatten<1>(image, 2, -1) = vjp(normal, image, unflatten<1>(slope, 2, -1)))>;
    CHECK((P::kernels == 1 && P::steps == 1 && P::phases == 2));
}
