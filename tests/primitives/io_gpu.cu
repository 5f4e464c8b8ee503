// SPDX-License-Identifier: Apache-2.0
//
// The bodies of the emulated IO, elementwise and random tests, on the GPU.
#include "primitives/broadcast_tile_cases.hpp"
#include "primitives/elementwise_cases.hpp"
#include "primitives/gather_cases.hpp"
#include "primitives/path_cases.hpp"
#include "primitives/random_cases.hpp"
#include "primitives/tile2d_cases.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("2-D tiles on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_tiles2d(GpuRunner{}) == 0);
    CHECK(count_wrong_types2d(GpuRunner{}) == 0);
    CHECK(count_wrong_large_tiles(GpuRunner{}) == 0);
    CHECK(count_wrong_narrow_tile<2>(GpuRunner{}) == 0);
    CHECK(count_wrong_narrow_tile<3>(GpuRunner{}) == 0);
    CHECK(count_wrong_narrow_tile<4>(GpuRunner{}) == 0);
}

TEST_CASE("gathered tiles on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_broadcast_tiles(GpuRunner{}) == 0);
    CHECK(count_wrong_gathers(GpuRunner{}) == 0);
    CHECK(count_wrong_broadcast_gather(GpuRunner{}) == 0);
}

TEST_CASE("packs along a path, and with a stride, on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_pieces<std::int16_t, 8>(GpuRunner{}) == 0);
    CHECK(count_wrong_paths<float>(GpuRunner{}) == 0);
    CHECK(count_wrong_paths<std::int16_t>(GpuRunner{}) == 0);
    CHECK(count_wrong_paths<double>(GpuRunner{}) == 0);
    CHECK(count_wrong_strides(GpuRunner{}) == 0);
}

TEST_CASE("elementwise primitives on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_elementwise(GpuRunner{}) == 0);
    CHECK(count_wrong_cycles(GpuRunner{}) == 0);
}

TEST_CASE("philox on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_answers(GpuRunner{}) == 0);
}

TEMPLATE_TEST_CASE("random arrays on the GPU", "[gpu]", RandomBits, Uniform<float>, Uniform<double>, Normal<float>,
                   Normal<double>) {
    skip_without_gpu();
    CHECK(count_wrong_random<TestType>(GpuRunner{}) == 0);
}
