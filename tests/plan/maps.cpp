// SPDX-License-Identifier: Apache-2.0
//
// Which kernel a map over several axes has on a device: by how its operands lie, and how far.
#include "plan/paper.hpp"
#include "support/catch.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// turning: kernels of transposed maps, which come first. That of tiles, and from three axes on those of channels.
template <class Statement>
MapKernels kernel_of(const Statement& statement, int turning = 1) {
    const Launch l = plan_launch(statement).launch;
    REQUIRE(std::string(l.name) == "map");
    return static_cast<MapKernels>(l.kernel - turning);
}

auto matrix(index_t rows, index_t columns) {
    return view<"x">(paper<const float>(0), rows, columns);
}
auto result(index_t rows, index_t columns) {
    return view<"y">(paper<float>(1), rows, columns);
}
auto vector(index_t n) {
    return view<"b">(paper<const float>(2), n);
}

}  // namespace

TEST_CASE("operands that lie as along one axis are one line") {
    CHECK(kernel_of(result(1000, 1001) = matrix(1000, 1001) * 2) == MapKernels::line);
    CHECK(kernel_of(result(70000, 70000) = matrix(70000, 70000) * 2) == MapKernels::line);
}

TEST_CASE("vectors beside operands of fewer axes lie in one or two runs") {
    CHECK(kernel_of(result(1000, 1001) = matrix(1000, 1001) + vector(1001)) == MapKernels::runs);
    CHECK(kernel_of(result(1000, 1001) = matrix(1000, 1001) * expand_dims<1>(vector(1000))) == MapKernels::runs);
    // Of more than 2^31 elements, too, where those that lie otherwise are small.
    CHECK(kernel_of(result(70000, 70000) = matrix(70000, 70000) + vector(70000)) == MapKernels::runs);
}

TEST_CASE("short innermost axes, and offsets beyond 31 bits, go element by element") {
    CHECK(kernel_of(result(1000, 3) = matrix(1000, 3) * expand_dims<1>(vector(1000))) == MapKernels::steps);
    const auto rows = expand_dims<1>(view<"rows">(paper<float>(3), 1000));
    CHECK(kernel_of(result(1000, 3) = matrix(1000, 3) * rows + vector(3)) == MapKernels::steps);
    CHECK(kernel_of(result(70000, 69999) = slice<1>(matrix(70000, 70000), 0, 69999) * 2) == MapKernels::steps);
    CHECK(kernel_of(result(7000, 6999) = slice<1>(matrix(7000, 7000), 0, 6999) * 2) == MapKernels::runs);
    // The scale does not vary along the last axis; along the innermost one that has elements it does.
    const auto x = view<"x">(paper<const float>(0), 10, 100, 1);
    const auto y = view<"y">(paper<float>(1), 10, 100, 1);
    CHECK(kernel_of(y = x * expand_dims<1>(vector(100)), 4) == MapKernels::steps);
}

TEST_CASE("beside numbers of a short innermost axis alone it is asked where in a round a vector begins") {
    for (const index_t channels : {2, 3}) {
        CHECK(kernel_of(result(1000, channels) = matrix(1000, channels) + vector(channels)) == MapKernels::cycles);
    }
    CHECK(kernel_of(result(1000, 4) = matrix(1000, 4) + vector(4)) == MapKernels::runs);
    CHECK(kernel_of(result(1000, 3) = slice<1>(matrix(1000, 5), 0, 3) + vector(3)) == MapKernels::steps);
    CHECK(kernel_of(result(1000, 3) = matrix(1000, 3) + vector(3) + cast<float>(index<1>())) == MapKernels::cycles);
    CHECK(kernel_of(result(1000, 3) = matrix(1000, 3) + vector(3) + cast<float>(index<0>())) == MapKernels::steps);
}

TEST_CASE("vectors have 16 bytes of the narrowest operand, and no more of what is written") {
    const auto vector = [](auto statement) { return plan_launch(statement).launch.vector; };
    const auto h = view<"h">(paper<bfloat16>(0), 64, 4096);
    const auto f = view<"f">(paper<float>(1), 64, 4096);
    const auto c = view<"c">(paper<std::int8_t>(2), 64, 4096);
    const auto h_out = view<"ho">(paper<bfloat16>(3), 64, 4096);
    const auto f_out = view<"fo">(paper<float>(4), 64, 4096);
    const auto d_out = view<"do">(paper<double>(5), 64, 4096);
    const auto one = view<"one">(paper<float>(6), shape());
    const auto rows = view<"rows">(paper<float>(7), 64);
    CHECK(vector(h_out = h * 2) == 8);
    CHECK(vector(h_out = h + f) == 8);
    CHECK(vector(f_out = h + f) == 4);
    CHECK(vector(f_out = cast<float>(c) * 0.5F) == 4);
    CHECK(vector(h_out = cast<bfloat16>(cast<float>(c))) == 8);
    CHECK(vector(d_out = cast<double>(f)) == 2);
    CHECK(vector(f_out = h - mean(cast<float>(h), axes<0>)) == 4);
    // Bulk copies of rows that are staged take 16 bytes.
    CHECK(vector(f_out = softmax(cast<float>(h))) == 8);
    // What is written once for a row does not count; of all operands of a fold of everything there may be 32 bytes.
    CHECK(vector(rows = sum(h, axes<1>)) == 8);
    CHECK(vector(one = mean(square(h - h_out))) == 8);
    CHECK(vector(one = mean(square(h - f))) == 4);
}
