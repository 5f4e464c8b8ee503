// SPDX-License-Identifier: Apache-2.0
//
// Rows of drawn shapes on the GPU: the bodies of tests/lang.
#include "lang/arg_vector_cases.hpp"
#include "lang/staged_row_cases.hpp"
#include "support/cuda_target.hpp"
#include "support/drawn_shapes.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

RowPlace drawn_place(DrawnShapes& draw) {
    return {draw.below(2) == 0 ? 0 : draw.below(8), draw.below(2) == 0 ? 0 : draw.below(6)};
}

template <class T>
void check_drawn_rows(double tolerance) {
    skip_without_gpu();
    const CudaTarget target;
    DrawnShapes draw;
    for (int i = 0; i < 48; ++i) {
        const index_t n = draw.length(60000);
        const index_t rows = draw.count(n);
        const RowPlace in = drawn_place(draw);
        const RowPlace out = drawn_place(draw);
        INFO("FUSE_SEED=" << draw.seed());
        check_odd_softmax<T>(target, rows, n, in, out, tolerance);
        check_odd_operands<T>(target, rows, n, in, out, tolerance);
        check_odd_layer_norm<T>(target, rows, n, in, out, tolerance);
        check_odd_folds<T>(target, rows * n, {in.first, 0}, {out.first, 0}, 1e-5);
    }
}

}  // namespace

TEST_CASE("rows of drawn shapes on the GPU, float", "[gpu]") {
    check_drawn_rows<float>(3e-6);
}
TEST_CASE("rows of drawn shapes on the GPU, bfloat16", "[gpu]") {
    check_drawn_rows<bfloat16>(1e-2);
}

TEMPLATE_TEST_CASE("argmax and argmin of drawn shapes on the GPU", "[gpu]", float, bfloat16, std::int8_t) {
    skip_without_gpu();
    DrawnShapes draw;
    for (int i = 0; i < 24; ++i) {
        const index_t n = draw.length(60000);
        INFO("FUSE_SEED=" << draw.seed());
        check_arg_vectors<TestType>(CudaTarget{}, {{draw.count(n), n}});
    }
}
