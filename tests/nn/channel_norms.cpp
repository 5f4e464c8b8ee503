// SPDX-License-Identifier: Apache-2.0
//
// batch_norm, instance_norm and group_norm on the host and on the emulated device; their plans; and unflatten.
#include "support/targets.hpp"

#include "nn/channel_norm_cases.hpp"

namespace {

using namespace fuse::testing;

template <fuse::fixed_name N>
fuse::View<float, fuse::name_t<N>, fuse::dynamic, fuse::dynamic, fuse::dynamic, fuse::dynamic> images();
template <fuse::fixed_name N>
fuse::View<float, fuse::name_t<N>, fuse::dynamic> channels();
template <fuse::fixed_name N>
fuse::View<float, fuse::name_t<N>, fuse::dynamic, fuse::dynamic> rows();

// One kernel that reads x once, for the output and all statistics, old and new.
using Training = decltype(batch_norm_training(images<"x">(), channels<"gamma">(), channels<"beta">(), channels<"rm">(),
                                              channels<"rv">()));
using BatchNorm = fuse::plan<decltype(images<"y">() = std::declval<Training>().output),
                             decltype(channels<"m">() = std::declval<Training>().mean),
                             decltype(channels<"r">() = std::declval<Training>().rstd),
                             decltype(channels<"rm">() = std::declval<Training>().running_mean),
                             decltype(channels<"rv">() = std::declval<Training>().running_var)>;
static_assert(BatchNorm::kernels == 1 && BatchNorm::temporaries == 0 && BatchNorm::phases == 1);
static_assert(BatchNorm::passes<"x"> == 1 && BatchNorm::passes<"gamma"> == 1 && BatchNorm::passes<"rm"> == 1);
using Rows = decltype(batch_norm_training(rows<"x">()));
using BatchNormOfRows = fuse::plan<decltype(rows<"y">() = std::declval<Rows>().output),
                                   decltype(channels<"m">() = std::declval<Rows>().mean)>;
static_assert(BatchNormOfRows::kernels == 1 && BatchNormOfRows::family == fuse::Family::columns);
static_assert(BatchNormOfRows::phases == 1 && BatchNormOfRows::passes<"x"> == 1);
using Inference = fuse::plan<decltype(images<"y">() = batch_norm(images<"x">(), channels<"rm">(), channels<"rv">(),
                                                                 channels<"gamma">(), channels<"beta">()))>;
static_assert(Inference::kernels == 1 && Inference::family == fuse::Family::map && Inference::passes<"x"> == 1);

using Instance = decltype(instance_norm_with_statistics(images<"x">(), channels<"gamma">(), channels<"beta">()));
using InstanceNorm = fuse::plan<decltype(images<"y">() = std::declval<Instance>().output),
                                decltype(rows<"m">() = std::declval<Instance>().mean),
                                decltype(rows<"r">() = std::declval<Instance>().rstd)>;
static_assert(InstanceNorm::kernels == 1 && InstanceNorm::family == fuse::Family::rows && InstanceNorm::phases == 2);
static_assert(InstanceNorm::passes<"x"> == 1);

using Group = decltype(group_norm_with_statistics(images<"x">(), 8, channels<"gamma">(), channels<"beta">()));
using GroupNorm =
    fuse::plan<decltype(unflatten<1>(images<"y">(), 8, -1) = silu(std::declval<Group>().output)),
               decltype(rows<"m">() = std::declval<Group>().mean), decltype(rows<"r">() = std::declval<Group>().rstd)>;
static_assert(GroupNorm::kernels == 1 && GroupNorm::family == fuse::Family::rows && GroupNorm::phases == 2);
static_assert(GroupNorm::passes<"x<1>"> == 1 && GroupNorm::passes<"gamma<0>"> == 1);

}  // namespace

TEMPLATE_TEST_CASE("batch_norm", "", HostTarget, EmulatedTarget) {
    check_batch_norm<4>(TestType{}, {{1, 1, 1, 2}, {2, 3, 4, 5}, {3, 5, 1, 1}, {2, 3, 40, 33}});
    check_batch_norm<2>(TestType{}, {{2, 1}, {5, 7}, {70, 3}, {300, 40}});
    check_batch_norm_edges(TestType{});
}

TEMPLATE_TEST_CASE("batch_norm of 16-bit floats with statistics in float", "", HostTarget, EmulatedTarget) {
    check_batch_norm<3, fuse::bfloat16>(TestType{}, {{2, 3, 1}, {4, 5, 37}}, 1.0 / 128);
}

TEST_CASE("batch_norm and group_norm in double") {
    check_batch_norm<3, double>(HostTarget{}, {{2, 3, 1}, {4, 5, 37}}, 1e-12);
    check_group_norm<double>(HostTarget{}, 1e-12);
}

TEMPLATE_TEST_CASE("instance_norm", "", HostTarget, EmulatedTarget) {
    check_instance_norm(TestType{});
}

TEMPLATE_TEST_CASE("group_norm", "", HostTarget, EmulatedTarget) {
    check_group_norm(TestType{});
}

TEST_CASE("unflatten gives views of the same memory, whatever the strides, and keeps what is static") {
    std::vector<float> data(12);
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<float>(i);
    }
    const auto backwards = flip(transpose(fuse::view<"x">(data, 2, 6)));  // (6, 2): 11, 5; 10, 4; ...
    const auto parts = fuse::unflatten<0>(backwards, -1, 3);
    CHECK(parts.shape() == fuse::shape(2, 3, 2));
    for (int i = 0; i < 6; ++i) {
        CHECK(parts(i / 3, i % 3, 0) == static_cast<float>(11 - i));
        CHECK(parts(i / 3, i % 3, 1) == static_cast<float>(5 - i));
    }
    const auto fixed = fuse::unflatten<-1>(fuse::view(data.data(), fuse::extents<2, 6>{}), 2, 3);
    static_assert(decltype(fixed)::static_shape == fuse::Shape{3, {2, fuse::dynamic, fuse::dynamic}});
    fuse::eval(fuse::host, fixed = fixed + 1);
    CHECK(data[11] == 12);
    CHECK(fuse::unflatten<1>(fixed, fuse::shape(2, -1)).shape() == fuse::shape(2, 2, 1, 3));
    CHECK(fuse::unflatten<0>(fuse::view(data.data(), 0), 4, -1).shape() == fuse::shape(4, 0));
}

TEST_CASE("a view that is unflattened in two ways in one eval") {
    std::vector<float> data{1, 2, 3, 4, 5, 6};
    const auto x = fuse::view<"x">(data);
    const auto total = [&](const auto& a, const auto& b) { return fuse::value(fuse::host, sum(a) + sum(b)); };
    CHECK(total(fuse::unflatten<0>(x, 2, 3), fuse::unflatten<0>(x, 2, 3) * 2) == 63);
    CHECK_THROWS_AS(total(fuse::unflatten<0>(x, 2, 3), fuse::unflatten<0>(x, 3, 2)), fuse::shape_error);
}

TEST_CASE("unflatten of maps is a map of views, whatever broadcasts in it") {
    std::vector<float> data{1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<float> column{10, 20};
    std::vector<float> out(8);
    const auto x = fuse::view<"x">(data, 2, 4);
    const auto c = fuse::view<"c">(column, 2, 1);
    const auto r = fuse::view<"r">(data.data(), 4);
    const auto y = fuse::view<"y">(out, 2, 2, 2);
    const auto sum = let(x * 2, [&](const auto& v) { return v * v + c; }) + fuse::named<"h">(r * 3);
    fuse::eval(fuse::host, y = fuse::unflatten<1>(sum, 2, -1));
    for (std::size_t i = 0; i < 8; ++i) {
        const float v = 2 * data[i];
        CHECK(out[i] == v * v + column[i / 4] + 3 * data[i % 4]);
    }
    // Of an axis that an operand does not have.
    fuse::eval(fuse::host, fuse::view<"z">(out, 1, 2, 4) = fuse::unflatten<0>(x + r, -1, 2));
    CHECK(out[5] == 8);
    using P = fuse::plan<decltype(y = fuse::unflatten<1>(sum, 2, -1))>;
    static_assert(P::passes<"x<1>"> == 1 && P::planner::ir_leaves::size == 5);  // x, 2, c, r, 3
    CHECK_THROWS_WITH(fuse::unflatten<1>(x + c, 3, -1),
                      "unflatten: axis 1 of (x + c)(2, 4) has extent 4, which is not that of (3, -1)");
}

TEST_CASE("group_norm of groups that do not divide the channels, and of what is in groups already") {
    std::vector<float> in{1, 3, 5, 9};
    std::vector<float> out(4);
    const auto x = fuse::view<"x">(in, 1, 4);
    const auto y = fuse::view<"y">(out, 1, 4);
    CHECK_THROWS_AS(group_norm(x, 3), fuse::shape_error);
    CHECK_THROWS_WITH(group_norm(x, 3), "unflatten: axis 1 of x(1, 4) has extent 4, which is not that of (3, -1)");
    fuse::eval(fuse::host, unflatten<1>(y, 2, -1) = group_norm(unflatten<1>(x, 2, -1) * 2, 0.0));
    CHECK(out == std::vector<float>{-1, 1, -1, 1});
    const std::vector<float> ones{0, 1, 2, 3};
    const auto beta = fuse::view<"beta">(ones);
    fuse::eval(fuse::host, unflatten<1>(y, 2, -1) = group_norm(-x, 2, beta * 0 + 2, beta, 0.0));
    CHECK(out == std::vector<float>{2, -1, 4, 1});
}
