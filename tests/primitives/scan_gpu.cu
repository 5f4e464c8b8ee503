// SPDX-License-Identifier: Apache-2.0
//
// Scans of warps and blocks, Cumsum and look-backs on the GPU: the bodies of the emulated tests.
#include "primitives/cumsum_cases.hpp"
#include "primitives/lookback_cases.hpp"
#include "primitives/scan_cases.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse::testing;
using fuse::index_t;

namespace {

template <class Group>
void sweep() {
    for_each_shape([](Dim2 block) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_scans<Group>(BoundedRunner{}, block) == 0);
    });
    for (Dim2 block : scan_type_shapes) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_scan_types<Group>(BoundedRunner{}, block) == 0);
    }
}

using Triangle64 = Triangle<std::uint64_t>;
using MultiplyTriangle64 = MultiplyTriangle<std::uint64_t>;
using TriangleValue64 = TriangleValue<std::uint64_t>;

}  // namespace

TEST_CASE("warp scans on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_warp_scans(BoundedRunner{}) == 0);
}

TEST_CASE("block scans on the GPU, for any block shape and type", "[gpu]") {
    skip_without_gpu();
    sweep<ScanAlongX>();
    sweep<ScanAlongY>();
    sweep<ScanWholeBlock>();
}

TEST_CASE("Cumsum on the GPU", "[gpu]") {
    skip_without_gpu();
    for (Dim2 block : cumsum_shapes) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_cumsums<1>(BoundedRunner{}, block) == 0);
        CHECK(count_wrong_cumsums<2>(BoundedRunner{}, block) == 0);
        CHECK(count_wrong_cumsums<4>(BoundedRunner{}, block) == 0);
    }
}

TEST_CASE("look-backs on the GPU", "[gpu]") {
    skip_without_gpu();
    const GpuRunner run;
    for (const index_t tiles : {1, 2, 127, 128, 129, 5000}) {
        INFO(tiles << " tiles");
        CHECK(count_wrong_lookbacks<Affine, ComposeAffine, AffineValue>(run, 128, tiles, 1, false) == 0);
        CHECK(count_wrong_lookbacks<Matrix2, MultiplyMatrix, MatrixValue>(run, 128, tiles, 3, false) == 0);
        CHECK(count_wrong_lookbacks<Triangle64, MultiplyTriangle64, TriangleValue64>(run, 33, tiles, 2, false) == 0);
        CHECK(count_wrong_column_lookbacks<Affine, ComposeAffine, AffineValue>(GpuRunner{}, Dim2{8, 32}, tiles, 3,
                                                                               false) == 0);
    }
}

TEST_CASE("look-backs on the GPU give the same bits every time", "[gpu]") {
    skip_without_gpu();
    LookbackState<GpuRunner> state(fuse::lookback_state_words(5000, 1, 128, 1));
    const auto launch = [&state] {
        return state.launch<float, SumOf<float>, FloatValue>(GpuRunner{}, 128, 5000, 1, 5, false);
    };
    const std::vector<float> first = launch();
    for (int repetition = 0; repetition < 20; ++repetition) {
        INFO("repetition " << repetition);
        CHECK(same_bits(launch(), first));
    }
}
