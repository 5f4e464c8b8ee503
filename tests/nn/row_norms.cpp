// SPDX-License-Identifier: Apache-2.0
//
// layer_norm and rms_norm with their statistics, and of a sum, on the host and on the emulated device; their plans,
// which say that what the outputs share is computed once.
#include "support/targets.hpp"

#include "nn/row_norm_cases.hpp"
#include "nn/rows.hpp"

namespace {

using namespace fuse::testing;

using Layer = decltype(layer_norm_with_statistics(matrix<"x">(), vector<"gamma">(), vector<"beta">()));
using LayerNorm = fuse::plan<decltype(matrix<"y">() = std::declval<Layer>().output),
                             decltype(vector<"m">() = std::declval<Layer>().mean),
                             decltype(vector<"r">() = std::declval<Layer>().rstd)>;
static_assert(LayerNorm::kernels == 1 && LayerNorm::phases == 2 && LayerNorm::passes<"x"> == 1);
static_assert(LayerNorm::planner::ir_reductions::size == 2);

using Rms = decltype(rms_norm_with_statistics(matrix<"x">(), vector<"gamma">()));
using RmsNorm = fuse::plan<decltype(matrix<"y">() = std::declval<Rms>().output),
                           decltype(vector<"r">() = std::declval<Rms>().rstd)>;
static_assert(RmsNorm::kernels == 1 && RmsNorm::phases == 1 && RmsNorm::passes<"x"> == 1);
static_assert(RmsNorm::planner::ir_reductions::size == 1);

using AddRms = decltype(add_rms_norm(matrix<"x">(), matrix<"s">(), vector<"gamma">()));
using AddRmsNorm = fuse::plan<decltype(matrix<"y">() = std::declval<AddRms>().output),
                              decltype(matrix<"s">() = std::declval<AddRms>().sum)>;
static_assert(AddRmsNorm::kernels == 1 && AddRmsNorm::phases == 1);
static_assert(AddRmsNorm::passes<"x"> == 1 && AddRmsNorm::passes<"s"> == 1);

using AddLayer = decltype(add_layer_norm(matrix<"x">(), matrix<"s">(), vector<"gamma">(), vector<"beta">()));
using AddLayerNorm = fuse::plan<decltype(matrix<"y">() = std::declval<AddLayer>().output),
                                decltype(matrix<"t">() = std::declval<AddLayer>().sum)>;
static_assert(AddLayerNorm::kernels == 1 && AddLayerNorm::phases == 2);
static_assert(AddLayerNorm::passes<"x"> == 1 && AddLayerNorm::passes<"s"> == 1);

using Scaled = decltype(layer_norm_with_statistics(matrix<"x">(), vector<"gamma">()));
using ScaledNorm = fuse::plan<decltype(matrix<"y">() = std::declval<Scaled>().output),
                              decltype(vector<"m">() = std::declval<Scaled>().mean),
                              decltype(vector<"r">() = std::declval<Scaled>().rstd)>;
static_assert(ScaledNorm::kernels == 1 && ScaledNorm::phases == 2 && ScaledNorm::passes<"x"> == 1);
static_assert(ScaledNorm::planner::ir_reductions::size == 2);

}  // namespace

TEMPLATE_TEST_CASE("norms with statistics", "", HostTarget, EmulatedTarget) {
    check_norms_with_statistics(TestType{});
}

TEMPLATE_TEST_CASE("norms of sums", "", HostTarget, EmulatedTarget) {
    check_norms_of_sums(TestType{});
}

TEMPLATE_TEST_CASE("layer norms without a bias", "", HostTarget, EmulatedTarget) {
    check_layer_norms_without_bias(TestType{});
}

TEST_CASE("norms with statistics and of sums of 16-bit floats") {
    check_norms_with_statistics<fuse::bfloat16>(HostTarget{}, 1.0 / 128);
    check_norms_of_sums<fuse::bfloat16>(HostTarget{}, 1.0 / 128);
}

TEST_CASE("norms with statistics and without a bias in double") {
    check_layer_norms_without_bias<double>(HostTarget{}, 1e-12);
    check_norms_with_statistics<double>(HostTarget{}, 1e-12);
}

TEST_CASE("norms of sums with an eps, down the columns and without gamma") {
    const std::vector<float> a{1, 2, 3, 4};
    const std::vector<float> b{2, -1, 4, 1};
    std::vector<float> layer(4);
    std::vector<float> rms(4);
    std::vector<float> square_root(4);
    const auto x = fuse::view<"x">(a, 2, 2);
    const auto r = fuse::view<"r">(b, 2, 2);  // x + r is 3, 1; 7, 5
    fuse::eval(fuse::host, fuse::view<"y">(layer, 2, 2) = add_layer_norm(x, r, 3.0).output,
               fuse::view<"z">(rms, 2, 2) = add_rms_norm(x, r, 4.0).output);
    fuse::eval(fuse::host, fuse::view<"c">(square_root, 2, 2) = add_rms_norm(x, r, fuse::axes<0>, 3.0).output);
    const double sum[] = {3, 1, 7, 5};
    for (std::size_t i = 0; i < 4; ++i) {
        const double row = i < 2 ? 5 : 37;
        const double column = i % 2 == 0 ? 29 : 13;
        check_close(layer[i], i % 2 == 0 ? 0.5 : -0.5);
        check_close(rms[i], sum[i] / std::sqrt(row + 4));
        check_close(square_root[i], sum[i] / std::sqrt(column + 3));
    }
}

TEST_CASE("norms with statistics of rows of zeros and of an expression without a name") {
    const std::vector<float> in{0, 0, 0, 2, 4, 6};
    std::vector<float> out(6);
    std::vector<float> means(2);
    std::vector<float> rates(2);
    const auto [y, m, r] =
        layer_norm_with_statistics(fuse::view(in.data(), 2, 3) * 0.5F, fuse::axes<-1>, 1.0 / 3);  // var of row 1: 2 / 3
    fuse::eval(fuse::host, fuse::view<"y">(out.data(), 2, 3) = y, fuse::view<"m">(means) = m,
               fuse::view<"r">(rates) = r);
    CHECK(means == std::vector<float>{0, 2});
    for (std::size_t i = 0; i < 6; ++i) {
        check_close(out[i], i < 3 ? 0 : static_cast<double>(i) - 4);
    }
    check_close(rates[0], std::sqrt(3.0));
    check_close(rates[1], 1);
}
