// SPDX-License-Identifier: Apache-2.0
//
// Block scans and look-backs on the GPU: the bodies of the emulated tests.
#include "primitives/lookback_cases.hpp"
#include "primitives/scan_cases.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("block scans on the GPU, for any block shape", "[gpu]") {
    skip_without_gpu();
    for_each_shape([](Dim2 block) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_scans<AlongX>(GpuRunner{}, block) == 0);
        CHECK(count_wrong_scans<AlongY>(GpuRunner{}, block) == 0);
        CHECK(count_wrong_scans<WholeBlock>(GpuRunner{}, block) == 0);
    });
}

TEST_CASE("block scans of all types and Cumsum on the GPU", "[gpu]") {
    skip_without_gpu();
    for (Dim2 block : {Dim2{48, 2}, Dim2{64, 3}, Dim2{16, 5}, Dim2{7, 40}, Dim2{1, 33}, Dim2{100, 2}, Dim2{256, 1}}) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_scan_types<AlongX>(GpuRunner{}, block) == 0);
        CHECK(count_wrong_scan_types<AlongY>(GpuRunner{}, block) == 0);
        CHECK(count_wrong_scan_types<WholeBlock>(GpuRunner{}, block) == 0);
        CHECK(count_wrong_cumsums(GpuRunner{}, block) == 0);
    }
}

TEST_CASE("look-backs on the GPU", "[gpu]") {
    skip_without_gpu();
    for (const index_t tiles : {1, 2, 127, 128, 129, 5000}) {
        INFO(tiles << " tiles");
        CHECK(count_wrong_lookbacks<testing::Affine, testing::ComposeAffine, AffineValue>(GpuRunner{}, 128, tiles, 1, false) == 0);
        CHECK(count_wrong_lookbacks<Matrix2, MultiplyMatrix, MatrixValue>(GpuRunner{}, 128, tiles, 3, false) == 0);
    }
    LookbackState<GpuRunner> state(lookback_state_words(5000, 1, 128, 1));
    const auto first = state.launch<float, SumOf<float>, FloatValue>(GpuRunner{}, 128, 5000, 1, 5, false);
    for (int repetition = 0; repetition < 20; ++repetition) {
        CHECK((state.launch<float, SumOf<float>, FloatValue>(GpuRunner{}, 128, 5000, 1, 5, false)) == first);
    }
}
