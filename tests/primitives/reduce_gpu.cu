// SPDX-License-Identifier: Apache-2.0
//
// Batched folds, integer warp folds and Sort on the GPU: the same bodies as the emulated tests.
#include "primitives/batched_cases.hpp"
#include "primitives/batched_warp_cases.hpp"
#include "primitives/block_sum_cases.hpp"
#include "primitives/sort_cases.hpp"
#include "primitives/warp_cases.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr std::size_t shared_limit = 200 * 1024;

template <class Group>
void sweep() {
    for (Dim2 block : batched_shapes) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_batches<Group, AllThreads>(BoundedRunner{}, block, BatchSizes{}, shared_limit) == 0);
        CHECK(count_wrong_batches<Group, OneThread>(BoundedRunner{}, block, std::integer_sequence<int, 3, 8>{},
                                                    shared_limit) == 0);
    }
}

}  // namespace

TEST_CASE("batched folds over the block on the GPU", "[gpu]") {
    skip_without_gpu();
    sweep<BatchedWholeBlock>();
}

TEST_CASE("batched folds over rows and columns on the GPU", "[gpu]") {
    skip_without_gpu();
    sweep<BatchedAlongX>();
    sweep<BatchedAlongY>();
}

TEST_CASE("batched folds of all types on the GPU", "[gpu]") {
    skip_without_gpu();
    for (Dim2 block : {Dim2{48, 2}, Dim2{64, 3}, Dim2{16, 5}, Dim2{7, 3}, Dim2{1, 33}, Dim2{100, 2}}) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_batch_types<BatchedWholeBlock>(BoundedRunner{}, block) == 0);
        CHECK(count_wrong_batch_types<BatchedAlongX>(BoundedRunner{}, block) == 0);
        CHECK(count_wrong_batch_types<BatchedAlongY>(BoundedRunner{}, block) == 0);
    }
}

TEST_CASE("batched warp folds on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_warp_batches(BoundedRunner{}, BatchSizes{}) == 0);
}

TEST_CASE("warp folds of integers on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_warp_integers(BoundedRunner{}) == 0);
}

TEST_CASE("BlockReduceSum and BlockReduceMax on the GPU", "[gpu]") {
    skip_without_gpu();
    for (Dim2 block : batched_shapes) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_sums_and_maxima(BoundedRunner{}, block) == 0);
    }
}

TEST_CASE("Sort on the GPU: any number of keys, any block", "[gpu]") {
    skip_without_gpu();
    for (Dim2 block : sort_shapes) {
        for (unsigned num : sort_nums) {
            for (Keys kind : all_keys) {
                INFO("block " << block.x << " x " << block.y << ", num " << num << ", keys " << static_cast<int>(kind));
                CHECK(count_wrong_keys<float>(BoundedRunner{}, block, num, kind) == 0);
            }
        }
    }
}

TEST_CASE("Sort of keys of any type on the GPU", "[gpu]") {
    skip_without_gpu();
    for (Keys kind : all_keys) {
        INFO("keys " << static_cast<int>(kind));
        CHECK(count_wrong_key_types(BoundedRunner{}, Dim2{33, 2}, 257, kind) == 0);
    }
}
