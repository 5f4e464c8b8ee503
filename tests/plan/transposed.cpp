// SPDX-License-Identifier: Apache-2.0
//
// Turned maps, on paper: in which order a map goes through its domain, which inputs count as transposed, and the launch
// that follows.
#include "fuse/plan/transposed.hpp"
#include "plan/paper.hpp"
#include "support/catch.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

struct Turned {
    std::vector<index_t> extents;
    std::vector<int> axes;
    std::uint64_t transposed = 0;
    int x_axis = -1;
};

/// The inputs' strides, then those of the outputs.
Turned turn(const Shape& extent, int leaves, const std::vector<Shape>& strides) {
    std::vector<OperandLayout> operands;
    for (const Shape& s : strides) {
        operands.push_back({s, 4096, 4});
    }
    DomainLayout domain;
    domain.extent = extent;
    domain.walked = (1U << extent.rank) - 1U;
    domain.operands = operands.data();
    domain.operand_count = static_cast<int>(operands.size());
    Layout layout = make_layout(domain, false);
    turn_map(domain, layout, leaves, (1U << operands.size()) - 1U);
    Turned result{{}, {}, layout.transposed, layout.x_axis};
    for (int d = 0; d < layout.walked.count; ++d) {
        result.extents.push_back(layout.walked.extent[d]);
        result.axes.push_back(layout.walked.axis[d]);
    }
    return result;
}

using Extents = std::vector<index_t>;
using Axes = std::vector<int>;

}  // namespace

TEST_CASE("strides of a transposed operand") {
    CHECK(is_transposed(1, 100));
    CHECK(is_transposed(-1, 100));
    CHECK(is_transposed(2, -100));
    CHECK_FALSE(is_transposed(100, 1));
    CHECK_FALSE(is_transposed(1, 1));  // x(i + j)
    CHECK_FALSE(is_transposed(0, 1));  // a row
    CHECK_FALSE(is_transposed(1, 0));  // a column: its threads read one element
    CHECK_FALSE(is_transposed(0, 0));
}

TEST_CASE("a map goes through its domain as its outputs lie in memory") {
    // y(i, j) = x(j, i)
    const Shape matrix{2, {100, 200}};
    const Turned one = turn(matrix, 1, {{2, {1, 100}}, {2, {200, 1}}});
    CHECK(one.extents == Extents{100, 200});
    CHECK(one.transposed == 1);
    CHECK(one.x_axis == 1);
    // The transposed view is the output.
    const Turned other = turn(matrix, 1, {{2, {200, 1}}, {2, {1, 100}}});
    CHECK(other.axes == Axes{1, 0});
    CHECK(other.transposed == 1);
    CHECK(other.x_axis == 0);
    // Both: one contiguous array.
    const Turned both = turn(matrix, 1, {{2, {1, 100}}, {2, {1, 100}}});
    CHECK(both.extents == Extents{20000});
    CHECK(both.transposed == 0);
    CHECK(both.x_axis == 0);
    // None.
    const Turned none = turn(matrix, 1, {{2, {200, 1}}, {2, {200, 1}}});
    CHECK(none.extents == Extents{20000});
    CHECK(none.transposed == 0);
}

TEST_CASE("the axis of the transposed inputs comes before that of the outputs") {
    // NCHW to NHWC, as (n, h, w, c): h and w are one dimension.
    const Turned images =
        turn({4, {64, 56, 58, 256}}, 1, {{4, {256 * 56 * 58, 58, 1, 56 * 58}}, {4, {256 * 56 * 58, 58 * 256, 256, 1}}});
    CHECK(images.extents == Extents{64, 56 * 58, 256});
    CHECK(images.transposed == 1);
    // Inputs 0 and 2 lie along axis 0, input 1 along axis 1: y is that of the more bytes. Input 3 lies as the output.
    const Shape cube{3, {20, 30, 40}};
    const Turned three = turn(
        cube, 4, {{3, {1, 20, 600}}, {3, {1200, 1, 30}}, {3, {1, 800, 20}}, {3, {1200, 40, 1}}, {3, {1200, 40, 1}}});
    CHECK(three.axes == Axes{1, 0, 2});
    CHECK(three.transposed == 0b101);
    // A row and a column beside them are read where they are used.
    const Turned broadcast = turn({2, {100, 200}}, 3, {{2, {0, 1}}, {2, {1, 0}}, {2, {1, 100}}, {2, {200, 1}}});
    CHECK(broadcast.transposed == 0b100);
}

TEST_CASE("lines that follow each other are turned however short they are") {
    for (const index_t n : {2, 15, 16}) {
        // A row longer in memory than it is.
        const std::uint64_t turned = n < least_turned_extent ? 0 : 1;
        CHECK(turn({2, {n, 200}}, 1, {{2, {1, n + 1}}, {2, {200, 1}}}).transposed == turned);
        CHECK(turn({2, {200, n}}, 1, {{2, {1, 200}}, {2, {n + 1, 1}}}).transposed == turned);
        CHECK(turn({2, {n, 200}}, 1, {{2, {1, n}}, {2, {200, 1}}}).transposed == 1);
        CHECK(turn({2, {200, n}}, 1, {{2, {1, 200}}, {2, {n, 1}}}).transposed == 1);
    }
    // Outputs that lie along different axes have none in common.
    CHECK(turn({2, {100, 200}}, 1, {{2, {1, 100}}, {2, {200, 1}}, {2, {1, 100}}}).transposed == 0);
    CHECK(turn({0, {}}, 1, {{0, {}}, {0, {}}}).transposed == 0);
    CHECK(turn({2, {0, 50}}, 1, {{2, {0, 0}}, {2, {0, 0}}}).transposed == 0);
}

TEST_CASE("tiles fit shared memory and their threads") {
    for (const int narrowest : {1, 2, 4, 8, 16}) {
        for (int together = narrowest; together <= 256; together += narrowest) {
            const TransposeTile t = transpose_tile(narrowest, narrowest, together);
            INFO(narrowest << " and " << together << " bytes: " << t.elements << " by " << t.vector);
            CHECK(t.vector * narrowest == 16);
            const int least = t.vector * static_cast<int>(transpose_threads);
            CHECK(t.elements >= least);
            CHECK((t.elements * together <= transpose_bytes || t.elements == least));
        }
    }
    CHECK(transpose_tile(1, 4, 1).vector == 8);
    CHECK(transpose_tile(1, 8, 9).vector == 4);
    CHECK(transpose_tile(12, 12, 12).vector == 1);
}

TEST_CASE("the sides of tiles") {
    const auto sides = [](index_t x, index_t y, bool flat_x = false, bool flat_y = false, std::uintptr_t places = 0) {
        Layout layout;
        layout.flat_x = flat_x;
        layout.flat_y = flat_y;
        layout.places = places;
        layout.transposed = 0b1101;
        const TileSides s = fuse::detail::tile_sides(layout, {8, 8192}, 8192, x, y);
        const TileSides same = TileSides::of(s.pack());
        CHECK((same.x == s.x && same.y == s.y && same.lead == s.lead));
        CHECK((same.flat_x == s.flat_x && same.flat_y == s.flat_y));
        CHECK((same.y_tiles == s.y_tiles && same.leaves == s.leaves));
        return Extents{s.x, s.y, s.lead};
    };
    CHECK(sides(8192, 8192) == Extents{64, 128, 0});
    CHECK(sides(8191, 8193, false, false, 1) == Extents{64, 128, 8});
    // The last tile is no smaller than the others.
    CHECK(sides(100, 8192) == Extents{64, 128, 0});
    CHECK(sides(8192, 20) == Extents{208, 32, 0});
    CHECK(sides(8192, 20, false, true) == Extents{368, 20, 0});
    CHECK(sides(3, 50176, true) == Extents{3, 2656, 0});
    CHECK(sides(50176, 3, false, true) == Extents{1632, 3, 0});
    CHECK(sides(3, 50175, true, false, 1) == Extents{3, 2656, 0});
    // Lines of outputs between vectors, as one up to some length; else in parts.
    CHECK(sides(201, 50175, true, false, 1) == Extents{201, 48, 0});
    CHECK(sides(200, 50175, true) == Extents{64, 128, 0});
    CHECK(sides(201, 50175, false, false, 1) == Extents{64, 128, 8});
    CHECK(sides(273, 50175, true, false, 1) == Extents{64, 128, 8});
    CHECK(sides(131, 49, true, true, 1) == Extents{131, 49, 0});
}

TEST_CASE("whole sides are no longer than a tile has room for") {
    for (int together = 8; together <= 256; together *= 2) {
        const TransposeTile tile = transpose_tile(8, 8, together);
        for (const bool flat_x : {false, true}) {
            for (index_t x : {16, 33, 64, 101, 127, 1000}) {
                for (index_t y : {16, 40, 64}) {
                    Layout layout;
                    layout.flat_x = flat_x;
                    layout.flat_y = true;
                    layout.places = static_cast<std::uintptr_t>(x);
                    const TileSides s = fuse::detail::tile_sides(layout, tile, tile.elements, x, y);
                    INFO(together << " bytes, " << x << " x " << y << ": " << s.x << " x " << s.y);
                    // A side of two vectors is the least.
                    CHECK(s.x * s.y <= 2 * tile.elements);
                    CHECK((s.x * s.y <= tile.elements || !s.flat_x || !s.flat_y));
                }
            }
        }
    }
}

TEST_CASE("launches of transposed maps") {
    const auto launch = [](index_t rows, index_t columns, index_t x_row, index_t x_column) {
        return plan_launch(view<"y">(paper<float>(1), rows, columns) =
                               2.0F * view<"x">(paper<const float>(0), shape(rows, columns), strides(x_row, x_column)))
            .launch;
    };
    const Launch turned = launch(8192, 4100, 1, 8192);
    CHECK(std::string(turned.name) == "transpose");
    CHECK(turned.grid == 65 * 64);
    CHECK(turned.threads() == 128);
    // Of short lines between vectors larger tiles the more there are of them, and the smallest where there are few.
    const auto joined = [&](index_t rows) { return launch(rows, 129, 1, rows).grid; };
    CHECK(joined(400000) == ceil_div(400000, 64));
    CHECK(joined(100000) == ceil_div(100000, 32));
    CHECK(joined(2000) == ceil_div(2000, 8));
    CHECK(std::string(launch(8192, 4100, 4100, 1).name) == "map");
    CHECK(std::string(launch(8192, 15, 1, 8192).name) == "transpose");
    CHECK(std::string(launch(8192, 15, 1, 8200).name) == "transpose");
    CHECK(std::string(launch(15, 8192, 1, 16).name) == "map");
    CHECK(std::string(launch(30, 30, 1, 30).name) == "map");
    CHECK(std::string(launch(8192, 1, 1, 8192).name) == "map");
    // More tiles than a grid has blocks.
    CHECK(std::string(launch(index_t{1} << 22, index_t{1} << 22, 1, index_t{1} << 22).name) == "map");
}

TEST_CASE("what is not transposed takes no shared memory from tiles") {
    const auto launch = [](auto other) {
        auto prepared =
            plan_launch(view<"y">(paper<float>(1), shape(64, 64, 3136), strides(64 * 3136, 3136, 1)) =
                            view<"x">(paper<const float>(0), shape(64, 64, 3136), strides(64 * 3136, 1, 64)) * other);
        Launch l = prepared.launch;
        prepared.with_kernel([&]<class K>() { complete<K>(l); });
        return l;
    };
    const Launch alone = launch(2.0F);
    const Launch beside = launch(view<"m">(paper<const float>(2), 64, 1));
    CHECK(std::string(alone.name) == "transpose");
    CHECK(alone.share == beside.share);
    CHECK(alone.own_bytes > 64 * 64 * sizeof(float));
    CHECK(alone.own_bytes == beside.own_bytes);
}

TEST_CASE("launches of few channels") {
    const auto planes = [](index_t batch, index_t channels, index_t positions, int misplaced = 0) {
        auto* const y = reinterpret_cast<float*>(paper<float>(1)) + misplaced;
        return plan_launch(view<"y">(y, batch, channels, positions) =
                               cast<float>(view<"x">(paper<const std::uint8_t>(0), shape(batch, channels, positions),
                                                     strides(channels * positions, 1, channels))) *
                               view<"m">(paper<const float>(2), channels, 1))
            .launch;
    };
    const auto pixels = [](index_t batch, index_t channels, index_t positions) {
        return plan_launch(view<"y">(paper<float>(1), batch, positions, channels) =
                               2.0F * view<"x">(paper<const float>(0), shape(batch, positions, channels),
                                                strides(channels * positions, 1, positions)))
            .launch;
    };
    const Launch image = planes(64, 3, 224 * 224);
    CHECK(std::string(image.name) == "channels");
    CHECK((image.vector == 8 && image.vectors == 3 && image.threads() == 256));
    CHECK(image.grid == 64 * 224 * 224 / 8 / 256);
    for (const index_t channels : {2, 3, 4}) {
        CHECK(std::string(planes(1, channels, 4096).name) == "channels");
        // Four floats of a position fill half a sector of what is written, and the next thread's the other.
        CHECK(std::string(pixels(2, channels, 4096).name) == (channels < 4 ? "channels" : "transpose"));
    }
    CHECK(std::string(planes(1, 5, 4096).name) == "transpose");
    CHECK(std::string(planes(1, 3, 4097).name) == "transpose");
    CHECK(std::string(planes(1, 3, 4096, 1).name) == "transpose");
    CHECK(std::string(planes(1, 3, 256).name) == "map");
    // Threads are numbered in 31 bits.
    CHECK(std::string(planes((index_t{1} << 22) - 1, 3, 4096).name) == "channels");
    CHECK(std::string(planes(index_t{1} << 22, 3, 4096).name) == "transpose");
}
