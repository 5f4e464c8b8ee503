// SPDX-License-Identifier: Apache-2.0
//
// Merging of dimensions: whatever is merged, every element keeps its address, in row-major order of the domain.
#include <random>
#include <vector>

#include "fuse/plan/layout.hpp"
#include "support/catch.hpp"
#include "support/ndarray.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// Offset of linear index i in merged dimensions.
index_t offset_in(const DomainLayout& domain, const MergedDims& dims, int operand, index_t i) {
    index_t offset = 0;
    for (int d = dims.count - 1; d >= 0; --d) {
        offset += i % dims.extent[d] * domain.stride(operand, dims.axis[d]);
        i /= dims.extent[d];
    }
    return offset;
}

/// Coordinates of the axes in `mask`, as a linear index.
index_t linear_of(const Shape& extent, const Coordinate& at, std::uint32_t mask) {
    index_t linear = 0;
    for (int axis = 0; axis < extent.rank; ++axis) {
        if (((mask >> axis) & 1U) != 0) {
            linear = linear * extent[axis] + at[static_cast<std::size_t>(axis)];
        }
    }
    return linear;
}

OperandLayout operand(const Shape& stride) {
    return OperandLayout{stride, 4096, 4};
}

/// The operands of a domain; the vector must outlive it.
void give(DomainLayout& domain, std::vector<OperandLayout>& operands) {
    domain.operands = operands.data();
    domain.operand_count = static_cast<int>(operands.size());
}

}  // namespace

TEST_CASE("merged dimensions address the same elements") {
    std::mt19937 engine(7);
    for (int round = 0; round < 2000; ++round) {
        const int rank = static_cast<int>(engine() % 6);
        DomainLayout domain;
        domain.extent.rank = rank;
        Extent extent;
        for (int axis = 0; axis < rank; ++axis) {
            domain.extent[axis] = 1 + static_cast<index_t>(engine() % 4);
            extent.push_back(domain.extent[axis]);
        }
        const auto all = (1U << rank) - 1U;
        domain.walked = static_cast<std::uint32_t>(engine()) & all;
        const bool columns = domain.walked != all && engine() % 2 == 0;
        // One operand contiguous, one broadcast along some axes, one with strides of any sign.
        Shape contiguous = row_major(domain.extent);
        Shape stretched = contiguous;
        Shape strange = contiguous;
        for (int axis = 0; axis < rank; ++axis) {
            stretched[axis] = engine() % 2 == 0 ? 0 : stretched[axis];
            strange[axis] = static_cast<index_t>(engine() % 11) - 5;
        }
        std::vector<OperandLayout> operands = {operand(contiguous), operand(stretched), operand(strange)};
        give(domain, operands);

        const Layout layout = make_layout(domain, columns);
        CHECK(layout.kept_size * layout.walked_size * layout.x_size == domain.extent.size());
        bool same = true;
        for_each_coordinate(extent, [&](const Coordinate& at) {
            const index_t walked = linear_of(domain.extent, at, domain.walked);
            const index_t kept = linear_of(domain.extent, at, all & ~domain.walked);
            for (int o = 0; o < domain.operand_count; ++o) {
                index_t expected = 0;
                for (int axis = 0; axis < rank; ++axis) {
                    expected += at[static_cast<std::size_t>(axis)] * domain.stride(o, axis);
                }
                const index_t got = offset_in(domain, layout.walked, o, walked) +
                                    offset_in(domain, layout.kept, o, kept / layout.x_size) +
                                    (columns ? kept % layout.x_size * domain.stride(o, layout.x_axis) : 0);
                same = same && got == expected;
            }
        });
        CHECK(same);
    }
}

TEST_CASE("dimensions that all operands walk as one are merged") {
    DomainLayout domain;
    domain.extent = Shape{4, {2, 3, 1, 5}};
    domain.walked = 0b1111;
    std::vector<OperandLayout> operands = {operand(Shape{4, {15, 5, 5, 1}})};
    give(domain, operands);
    CHECK(make_layout(domain, false).walked.count == 1);
    operands.push_back(operand(Shape{4, {0, 5, 0, 1}}));
    give(domain, operands);
    CHECK(make_layout(domain, false).walked.count == 2);
    operands.push_back(operand(Shape{4, {1, 2, 0, 6}}));
    give(domain, operands);
    CHECK(make_layout(domain, false).walked.count == 3);
    domain.walked = 0b1000;
    CHECK(make_layout(domain, false).kept.count == 2);
}

TEST_CASE("vectors need contiguous and aligned elements wherever one starts") {
    DomainLayout domain;
    domain.extent = Shape{2, {10, 64}};
    domain.walked = 0b10;
    const auto vectors = [&](Shape stride, std::uintptr_t address, int v) {
        std::vector<OperandLayout> operands = {OperandLayout{stride, address, 4}};
        give(domain, operands);
        return vectorises(domain, make_layout(domain, false), 0, v);
    };
    CHECK(vectors(Shape{2, {64, 1}}, 4096, 4));
    CHECK(vectors(Shape{2, {68, 1}}, 4096, 4));
    CHECK(vectors(Shape{2, {0, 1}}, 4096, 4));
    CHECK(vectors(Shape{2, {-64, 1}}, 4096, 4));
    CHECK(vectors(Shape{2, {65, 1}}, 4096, 1));
    CHECK_FALSE(vectors(Shape{2, {65, 1}}, 4096, 4));
    CHECK_FALSE(vectors(Shape{2, {64, 1}}, 4100, 4));
    CHECK_FALSE(vectors(Shape{2, {128, 2}}, 4096, 4));
    CHECK_FALSE(vectors(Shape{2, {64, 0}}, 4096, 4));
    CHECK_FALSE(vectors(Shape{2, {64, -1}}, 4096, 4));
}

TEST_CASE("sizes beyond 32 bits") {
    DomainLayout domain;
    domain.extent = Shape{3, {1 << 14, 1 << 13, 1 << 13}};
    std::vector<OperandLayout> operands = {operand(row_major(domain.extent))};
    give(domain, operands);
    domain.walked = 0b111;
    const Layout all = make_layout(domain, false);
    CHECK(all.walked.count == 1);
    CHECK(all.walked_size == index_t{1} << 40);
    domain.walked = 0b010;
    const Layout middle = make_layout(domain, true);
    CHECK((middle.x_size == 1 << 13 && middle.walked_size == 1 << 13 && middle.kept_size == 1 << 14));
    CHECK(domain.stride(0, middle.kept.axis[0]) == index_t{1} << 26);
}
