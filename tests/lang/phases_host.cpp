// SPDX-License-Identifier: Apache-2.0
//
// Softmax and layer norm over every kind of axes on the host, in float and double.
#include "lang/deviation_cases.hpp"
#include "lang/early_output_cases.hpp"
#include "lang/phase_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

namespace {

template <std::uint32_t Mask, class T>
void check_both(const std::vector<Extent>& shapes, double tolerance) {
    const HostTarget target;
    for (const Placement placement : {Placement::row_major, Placement::transposed, Placement::padded}) {
        check_softmax<Mask, T>(target, shapes, placement, tolerance);
        check_layer_norm<Mask, T>(target, shapes, placement, tolerance);
    }
}

}  // namespace

TEST_CASE("several phases over rows on the host") {
    check_both<0b100, float>(row_shapes(), 2e-6);
    check_both<0b110, double>(full_shapes(), 1e-14);
}

TEST_CASE("several phases over columns and middle axes on the host") {
    check_both<0b010, float>(middle_shapes(), 2e-6);
    check_both<0b001, float>(middle_shapes(), 2e-6);
    check_both<0b011, double>(middle_shapes(), 1e-14);
}

TEST_CASE("several phases over separated axes and over everything on the host") {
    check_both<0b101, float>(full_shapes(), 2e-6);
    check_both<0b111, float>(full_shapes(), 2e-6);
}

TEST_CASE("variances in one sweep on the host") {
    const HostTarget target;
    check_all_deviations<float>(target, {1, 2, 3, 70, 1000, 40001}, 1e-5);
    for (const fuse::index_t n : {1, 5, 3000}) {
        check_deviations<0b011, double>(target, {1, n, deviation_kinds}, 1e-13);
        for (fuse::index_t kind = 0; kind < deviation_kinds; ++kind) {
            check_deviations<0b111, double>(target, {1, 1, n}, 1e-13, kind);
        }
    }
    for (const fuse::index_t n : {33, 5000}) {
        check_deviations<0b101, fuse::bfloat16>(target, {2, deviation_kinds, n}, 1e-5);
    }
}

TEST_CASE("variances of nothing, and beside longer columns, on the host") {
    float x[5] = {1, 2, 3, 4, 5};
    float y[10] = {1, 2, 3, 4, 5, 5, 4, 3, 2, 1};
    float none[5], one[5], sums[5];
    const auto empty = fuse::view<"e">(x, 0, 5);
    const auto row = fuse::view<"x">(x, 1, 5);
    fuse::eval(fuse::host, fuse::view<"v">(none) = var(empty, fuse::axes<0>));
    fuse::eval(fuse::host, fuse::view<"v">(one) = var(row, fuse::axes<0>),
               fuse::view<"s">(sums) = sum(row + fuse::view<"y">(y, 2, 5), fuse::axes<0>));
    CHECK(std::isnan(none[4]));
    CHECK((one[4] == 0 && sums[4] == 16));
    CHECK(std::isnan(fuse::value(fuse::host, var(empty))));
}

TEST_CASE("outputs per element that a full reduction writes on its way, on the host") {
    check_early_outputs(HostTarget{}, {{1, 1}, {0, 5}, {1, 7}, {3, 64}, {33, 37}, {130, 701}});
    check_early_outputs(CpuTarget<fuse::HostExecutor>{}, {{5, 17}, {130, 701}});
}
