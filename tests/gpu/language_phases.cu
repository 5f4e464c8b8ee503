// SPDX-License-Identifier: Apache-2.0
//
// Reductions along columns, expressions of several phases and losses with an epilogue on the GPU: the bodies of
// tests/lang.
#include "lang/column_cases.hpp"
#include "lang/deviation_cases.hpp"
#include "lang/early_output_cases.hpp"
#include "lang/loss_cases.hpp"
#include "lang/online_cases.hpp"
#include "lang/phase_cases.hpp"
#include "lang/plane_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("several phases over rows on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    for (const Placement placement : {Placement::row_major, Placement::padded, Placement::transposed}) {
        check_softmax<0b100, float>(target, row_shapes(), placement, 3e-6);
        check_layer_norm<0b100, float>(target, row_shapes(), placement, 3e-6);
    }
    check_softmax<0b100, float>(target, {{300, 7, 64}, {100, 3, 4096}, {3, 2, 40000}}, Placement::row_major, 3e-6);
}

TEST_CASE("maxima and the sums they shift on the GPU", "[gpu]") {
    skip_without_gpu();
    check_online_rows(CudaTarget{}, {1, 3, 33, 250, 1024, 4096, 8192, 12001, 30000, 50257});
}

TEST_CASE("several phases over a middle axis on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    for (const Placement placement : {Placement::row_major, Placement::reversed}) {
        for (const auto& shapes : {middle_shapes(), {{1, 20000, 64}, {2, 9000, 37}, {3, 5000, 300}}}) {
            check_softmax<0b010, float>(target, shapes, placement, 3e-6);
            check_layer_norm<0b010, float>(target, shapes, placement, 3e-6);
        }
    }
}

TEST_CASE("softmax of 16-bit numbers along a middle axis on the GPU", "[gpu]") {
    skip_without_gpu();
    check_softmax<0b010, fuse::bfloat16>(
        CudaTarget{}, {{2, 5, 16}, {3, 1030, 49}, {2, 70, 65}, {64, 1024, 49}, {3, 1024, 100}, {9, 300, 1}},
        Placement::row_major, 4e-3);
}

TEST_CASE("reductions along columns on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    for (const auto& shapes : {column_shapes(), {{100003, 3}, {5000, 49}, {30000, 64}, {3000, 1000}}}) {
        check_columns<float>(target, shapes);
        check_columns<fuse::bfloat16>(target, shapes);
    }
    check_long_columns(target, 100000, 37);
    check_long_columns(target, 30000, 256);
}

TEST_CASE("several phases over everything and over separated axes on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_softmax<0b111, float>(target, full_shapes(), Placement::row_major, 3e-6);
    check_layer_norm<0b111, float>(target, {{3, 5, 70}, {10, 100, 1000}}, Placement::row_major, 3e-6);
    check_softmax<0b101, float>(target, full_shapes(), Placement::row_major, 3e-6);
    check_softmax<0b101, float>(target, {{300, 3, 900}, {301, 5, 77}}, Placement::row_major, 3e-6);
    check_layer_norm<0b101, float>(target, {{300, 3, 900}, {301, 5, 77}}, Placement::row_major, 3e-6);
}

TEST_CASE("variances in one sweep on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_all_deviations<float>(target, {1, 3, 70, 1000, 40001, 1000003}, 1e-5);
    check_all_deviations<fuse::bfloat16>(target, {33, 5000, 300001}, 1e-5);
}

TEST_CASE("losses with their mean and gradient on the GPU", "[gpu]") {
    skip_without_gpu();
    check_cross_entropy(CudaTarget{}, {{1, 1}, {3, 10}, {33, 7}, {5000, 64}, {5, 1000}, {1, 515}, {3, 8195}});
    check_item_epilogue(CudaTarget{}, {{1, 1}, {3, 10}, {77, 36}, {3000, 100}, {2, 8195}});
}

TEST_CASE("outputs per element that a full reduction writes on its way, on the GPU", "[gpu]") {
    skip_without_gpu();
    check_early_outputs(CudaTarget{}, {{1, 1}, {0, 5}, {1, 7}, {33, 37}, {130, 129}, {300, 1000}, {2000, 1003}});
}

TEST_CASE("planes beside what is the same along each of them, on the GPU", "[gpu]") {
    skip_without_gpu();
    check_all_planes(CudaTarget{});
}
