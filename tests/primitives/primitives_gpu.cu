// SPDX-License-Identifier: Apache-2.0
//
// The same bodies as the emulated tests, on the GPU.
#include "primitives/fast_divmod_cases.hpp"
#include "primitives/grid_cases.hpp"
#include "primitives/io_cases.hpp"
#include "primitives/warp_cases.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class Group>
void sweep() {
    for_each_shape([](Dim2 block) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_folds<Group, AllThreads>(BoundedRunner{}, block) == 0);
        CHECK(count_wrong_folds<Group, OneThread>(BoundedRunner{}, block) == 0);
    });
}

}  // namespace

TEST_CASE("block folds on the GPU, for any block shape", "[gpu]") {
    skip_without_gpu();
    sweep<AlongX>();
    sweep<AlongY>();
    sweep<WholeBlock>();
}

TEST_CASE("block folds of all types on the GPU", "[gpu]") {
    skip_without_gpu();
    for (Dim2 block : {Dim2{48, 2}, Dim2{64, 3}, Dim2{16, 5}, Dim2{7, 40}, Dim2{1, 33}, Dim2{100, 2}}) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_types<AlongX>(GpuRunner{}, block) == 0);
        CHECK(count_wrong_types<AlongY>(GpuRunner{}, block) == 0);
    }
}

TEST_CASE("warp folds on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_warp_folds(GpuRunner{}) == 0);
}

TEST_CASE("last_block on the GPU", "[gpu]") {
    skip_without_gpu();
    for (Dim2 grid : {Dim2{1, 1}, Dim2{7, 1}, Dim2{3, 50}, Dim2{2000, 1}}) {
        for (Dim2 block : {Dim2{1, 1}, Dim2{40, 1}, Dim2{32, 8}}) {
            INFO("grid " << grid.x << " x " << grid.y << ", block " << block.x << " x " << block.y);
            CHECK(count_wrong_last_blocks(GpuRunner{}, grid, block, false) == 0);
        }
    }
}

TEST_CASE("folds by messages on the GPU", "[gpu]") {
    skip_without_gpu();
    for (const unsigned blocks : {1U, 7U, 150U, 2000U}) {
        for (Dim2 block : {Dim2{1, 1}, Dim2{40, 1}, Dim2{32, 8}}) {
            INFO("grid " << blocks << ", block " << block.x << " x " << block.y);
            CHECK(count_wrong_ticket_folds<Affine, ComposeAffine>(GpuRunner{}, blocks, block, false) == 0);
        }
    }
}

TEST_CASE("grid_sync on the GPU", "[gpu]") {
    skip_without_gpu();
    for (Dim2 grid : {Dim2{1, 1}, Dim2{5, 1}, Dim2{3, 4}, Dim2{32, 1}}) {
        for (Dim2 block : {Dim2{1, 1}, Dim2{33, 1}, Dim2{64, 4}}) {
            INFO("grid " << grid.x << " x " << grid.y << ", block " << block.x << " x " << block.y);
            CHECK(count_wrong_grid_phases(GpuRunner{}, grid, block) == 0);
        }
    }
}

TEST_CASE("reading and writing tiles on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_tiles(GpuRunner{}) == 0);
    CHECK(count_wrong_broadcasts(GpuRunner{}) == 0);
}

TEMPLATE_TEST_CASE("FastDivMod on the GPU", "[gpu]", std::uint32_t, std::uint64_t) {
    skip_without_gpu();
    for (TestType divisor : divisors<TestType>(200)) {
        INFO("divisor " << divisor);
        CHECK(count_wrong_divisions(GpuRunner{}, divisor, 2000) == 0);
    }
}
