// SPDX-License-Identifier: Apache-2.0
//
// Columns, scans, sorts and transposes of drawn shapes on the GPU: the bodies of tests/lang.
#include "lang/odd_column_cases.hpp"
#include "lang/scan_cases.hpp"
#include "lang/sort_cases.hpp"
#include "lang/transpose_cases.hpp"
#include "support/cuda_target.hpp"
#include "support/drawn_shapes.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// (a, rows, n), of which any may be the long one.
Extent drawn_extent(DrawnShapes& draw) {
    const index_t n = draw.length(20000);
    const index_t rows = draw.count(n);
    const index_t a = draw.below(2) == 0 ? 1 : draw.length(1 + (index_t{1} << 18) / (n * rows));
    return {a, rows, n};
}

}  // namespace

TEMPLATE_TEST_CASE("columns of drawn shapes on the GPU", "[gpu]", float, bfloat16, std::int8_t) {
    skip_without_gpu();
    DrawnShapes draw;
    for (int i = 0; i < 48; ++i) {
        const Extent extent = drawn_extent(draw);
        INFO("FUSE_SEED=" << draw.seed());
        const ColumnPlaces of_x{draw.below(16), draw.below(2) == 0 ? 0 : draw.below(6), draw.below(3) == 0};
        check_odd_columns<TestType>(CudaTarget{}, extent, of_x, {draw.below(16)});
    }
}

TEST_CASE("scans of drawn shapes on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    DrawnShapes draw;
    for (int i = 0; i < 32; ++i) {
        const Extent extent = drawn_extent(draw);
        INFO("FUSE_SEED=" << draw.seed());
        const Placement placement = all_placements[draw.below(static_cast<index_t>(std::size(all_placements)))];
        check_scans<2, float>(target, {extent}, placement);
        check_scans<1, float>(target, {extent}, placement);
    }
}

TEST_CASE("sorts of drawn shapes on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    DrawnShapes draw;
    for (int i = 0; i < 32; ++i) {
        const index_t n = draw.length(4000);
        INFO("FUSE_SEED=" << draw.seed());
        check_sort<float>(target, 1 + draw.below((index_t{1} << 16) / n), n);
        check_compact<float>(target, draw.length(1000000), 0);
    }
}

TEMPLATE_TEST_CASE("transposes of drawn shapes on the GPU", "[gpu]", std::int8_t, bfloat16, float, double) {
    skip_without_gpu();
    const AxisList orders[] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    DrawnShapes draw;
    for (int i = 0; i < 48; ++i) {
        const Extent extent = drawn_extent(draw);
        INFO("FUSE_SEED=" << draw.seed());
        check_turned<TestType, 3>(CudaTarget{}, extent, orders[draw.below(6)], orders[draw.below(6)]);
    }
}
