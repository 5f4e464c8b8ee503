// SPDX-License-Identifier: Apache-2.0
//
// Columns of narrow types whose rows lie as no vectors, on the emulated device.
#include <atomic>

#include "lang/odd_column_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

namespace {

/// Sees what is no element.
struct NotesGaps {
    static constexpr std::int8_t gap = 101;
    static inline std::atomic<bool> met = false;

    float operator()(std::int8_t code) const {
        met = met || code == gap;
        return code;
    }
};

/// Sums of codes (a, rows, n) at these strides, in memory with gaps.
void check_strided_columns(const fuse::Shape& shape, const fuse::Shape& strides) {
    INFO("(" << shape[0] << ", " << shape[1] << ", " << shape[2] << ") at " << strides[0] << ", " << strides[1]);
    const auto place = [&](const Coordinate& at) { return at[0] * strides[0] + at[1] * strides[1] + at[2]; };
    const Extent extent{shape[0], shape[1], shape[2]};
    std::vector<std::int8_t> memory(static_cast<std::size_t>(place({shape[0] - 1, shape[1] - 1, shape[2] - 1}) + 1),
                                    NotesGaps::gap);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        memory[static_cast<std::size_t>(place(at))] = static_cast<std::int8_t>(place(at) % 7);
    });
    NdArray codes(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) { codes(at) = static_cast<double>(place(at) % 7); });
    Tensor<EmulatedTarget, float> sums(Extent{shape[0], shape[2]});
    NotesGaps::met = false;
    EmulatedTarget{}.eval(sums.view<"s", 2>() = fuse::sum(
                              fuse::map(NotesGaps{}, strided_view<"x">(memory.data(), shape, strides,
                                                                       std::integer_sequence<int, 0, 1, 2>{})),
                              fuse::axes<1>));
    check_equal(sums.read(), reduce_reference(sum_reference, codes, 0b010));
    CHECK(!NotesGaps::met);
}

}  // namespace

TEST_CASE("functors meet elements alone, though vectors of columns are read in pieces") {
    check_strided_columns(fuse::shape(1, 40, 33), fuse::shape(0, 33, 1));
    check_strided_columns(fuse::shape(1, 40, 33), fuse::shape(0, 38, 1));
    check_strided_columns(fuse::shape(3, 40, 33), fuse::shape(40 * 33 + 5, 33, 1));
    check_strided_columns(fuse::shape(2, 5, 33), fuse::shape(60, 1, 1));  // as many elements as there are items
}

TEST_CASE("columns of narrow types that begin anywhere, on the emulated device") {
    check_all_odd_columns(EmulatedTarget{});
}

TEST_CASE("columns of narrow types that many blocks share, on the emulated device") {
    const fuse::Device device{.units = 8, .threads_per_unit = 512, .block_threads = 512};
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record).with(device)};
    check_odd_columns<fuse::bfloat16>(target, {1, 3000, 33}, {1}, {2});
    check_odd_columns<std::int8_t>(target, {1, 2000, 131}, {3}, {0});
    CHECK(record.saw("column split"));
}
