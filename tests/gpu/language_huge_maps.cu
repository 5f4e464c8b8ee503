// SPDX-License-Identifier: Apache-2.0
//
// Maps of more than 2^31 elements, of every family: offsets, divisions and coordinates beyond 32 bits.
#include "fuse/stencil.hpp"
#include "support/huge.hpp"

namespace {

using namespace fuse;
using fuse::testing::datum;
using fuse::testing::HugeBuffer;

using Byte = std::uint8_t;

HugeBuffer<Byte> data_of(index_t n, index_t first = 0) {
    return HugeBuffer<Byte>(n, [=] __device__(index_t i) { return datum(first + i); });
}

}  // namespace

TEST_CASE("huge matrices: operands along an axis, coordinates", "[gpu]") {
    fuse::testing::skip_without_memory(6);
    // 2^31 and 0.3 million elements; columns that no vector divides, and such that one does.
    for (const index_t columns : {32771, 32768}) {
        const index_t rows = 65548;
        const index_t n = rows * columns;
        REQUIRE(n > index_t{1} << 31);
        const auto in = data_of(n);
        const HugeBuffer<Byte> out(n);
        const auto per_column = data_of(columns, 1000);
        const auto per_row = data_of(rows, 2000);
        const auto x = view<"x">(in.get(), rows, columns);
        const auto y = view<"y">(out.get(), rows, columns);
        const auto c = view<"c">(per_column.get(), columns);
        const auto r = view<"r">(per_row.get(), rows, 1);
        eval(cuda, y = x + c);
        out.check([=] __device__(index_t i, Byte v) { return v == datum(i) + datum(1000 + i % columns); });
        eval(cuda, y = x + r);
        out.check([=] __device__(index_t i, Byte v) { return v == datum(i) + datum(2000 + i / columns); });
        eval(cuda, y = x + 2 * c + r);
        out.check([=] __device__(index_t i, Byte v) {
            return v == datum(i) + 2 * datum(1000 + i % columns) + datum(2000 + i / columns);
        });
        eval(cuda, y = where(index<1>() <= index<0>(), x, 99));
        out.check([=] __device__(index_t i, Byte v) { return v == (i % columns <= i / columns ? datum(i) : 99); });
        eval(cuda, y = x + flat_index() % 101);
        out.check([=] __device__(index_t i, Byte v) { return v == datum(i) + i % 101; });
        eval(cuda, y = c + r);
        out.check(
            [=] __device__(index_t i, Byte v) { return v == datum(1000 + i % columns) + datum(2000 + i / columns); });
    }
}

TEST_CASE("huge matrices: parts, turned, shifted", "[gpu]") {
    fuse::testing::skip_without_memory(6);
    const index_t rows = 65548;
    const index_t columns = 32771;
    const auto in = data_of(rows * columns);
    const HugeBuffer<Byte> out(rows * columns);
    const auto x = view<"x">(in.get(), rows, columns);
    const auto y = view<"y">(out.get(), rows, columns);
    const auto at = [=] __device__(index_t i, index_t j) { return datum(i * columns + j); };
    eval(cuda, slice<1>(y, 3, {}) = slice<1>(x, 1, -2) + 1);
    out.check([=] __device__(index_t i, Byte v) {
        const index_t j = i % columns;
        return v == (j < 3 ? 0x5AU : at(i / columns, j - 2) + 1);
    });
    eval(cuda, y = flip<1>(x));
    out.check([=] __device__(index_t i, Byte v) { return v == at(i / columns, columns - 1 - i % columns); });
    eval(cuda, y = flip<0>(x) + x);
    out.check([=] __device__(index_t i, Byte v) { return v == at(rows - 1 - i / columns, i % columns) + datum(i); });
    eval(cuda, y = roll(x, 5, axes<1>) + roll(x, -7, axes<0>));
    out.check([=] __device__(index_t i, Byte v) {
        const index_t r = i / columns;
        const index_t c = i % columns;
        return v == at(r, (c + columns - 5) % columns) + at((r + 7) % rows, c);
    });
    eval(cuda, view<"t">(out.get(), columns, rows) = transpose(x) + 1);
    out.check([=] __device__(index_t i, Byte v) { return v == at(i % rows, i / rows) + 1; });
    eval(cuda, y = x + transpose(view<"z">(in.get(), columns, rows)));
    out.check([=] __device__(index_t i, Byte v) { return v == datum(i) + datum(i % columns * rows + i / columns); });
}

TEST_CASE("huge arrays of three axes in any order", "[gpu]") {
    fuse::testing::skip_without_memory(6);
    constexpr index_t A = 1297;
    constexpr index_t B = 1289;
    constexpr index_t C = 1291;
    const auto in = data_of(A * B * C);
    const HugeBuffer<Byte> out(A * B * C);
    const auto x = view<"x">(in.get(), A, B, C);
    const auto at = [=] __device__(index_t i, index_t j, index_t k) { return datum((i * B + j) * C + k); };
    eval(cuda, view<"y">(out.get(), A, C, B) = transpose<0, 2, 1>(x));
    out.check([=] __device__(index_t i, Byte v) { return v == at(i / (B * C), i % B, i / B % C); });
    eval(cuda, view<"y">(out.get(), B, A, C) = transpose<1, 0, 2>(x));
    out.check([=] __device__(index_t i, Byte v) { return v == at(i / C % A, i / (A * C), i % C); });
    eval(cuda, view<"y">(out.get(), C, B, A) = transpose(x));
    out.check([=] __device__(index_t i, Byte v) { return v == at(i % A, i / A % B, i / (A * B)); });
    eval(cuda, view<"y">(out.get(), C, A, B) = transpose<2, 0, 1>(x));
    out.check([=] __device__(index_t i, Byte v) { return v == at(i / B % A, i % B, i / (A * B)); });
}

TEST_CASE("huge images: channels, and operands that do not merge", "[gpu]") {
    fuse::testing::skip_without_memory(6);
    // Planes that vectors divide, that they do not, and that are shorter than a vector.
    const index_t shapes[][4] = {{700, 61, 224, 225}, {684, 61, 227, 227}, {92, 2621441, 3, 3}};
    for (const auto& [n, channels, height, width] : shapes) {
        const index_t plane = height * width;
        const index_t wide = width;
        const index_t many = channels;
        REQUIRE(n * channels * plane > index_t{1} << 31);
        const auto in = data_of(n * channels * plane);
        const HugeBuffer<Byte> out(n * channels * plane);
        const auto of_channels = data_of(channels, 1000);
        const auto of_widths = data_of(width, 2000);
        const auto x = view<"x">(in.get(), n, channels, height, width);
        const auto y = view<"y">(out.get(), n, channels, height, width);
        const auto c = view<"c">(of_channels.get(), 1, channels, 1, 1);
        const auto w = view<"w">(of_widths.get(), width);
        eval(cuda, y = x + c);
        out.check([=] __device__(index_t i, Byte v) { return v == datum(i) + datum(1000 + i / plane % many); });
        eval(cuda, y = x + c + w);
        out.check([=] __device__(index_t i, Byte v) {
            return v == datum(i) + datum(1000 + i / plane % many) + datum(2000 + i % wide);
        });
        eval(cuda, y = x + c + index<2>() % 7 + index<3>() % 3);
        out.check([=] __device__(index_t i, Byte v) {
            return v == datum(i) + datum(1000 + i / plane % many) + i % plane / wide % 7 + i % wide % 3;
        });
    }
}
