// SPDX-License-Identifier: Apache-2.0
//
// What users of NumPy and PyTorch type by habit: assignments in place, shifts, reductions that skip NaN, differences;
// expected numbers are written out or computed in double.
#pragma once

#include <limits>

#include "lang/special_cases.hpp"

namespace fuse::testing {

template <class Target>
void check_in_place(const Target& target) {
    NdArray x = matrix(2, 3, {1, 2, 3, 4, 5, 6});
    const NdArray row = vector_of({10, 20, 40});
    Tensor<Target, float> x_data(x, Placement::padded), row_data(row);
    const auto v = x_data.template view<"x", 2>();
    const auto r = row_data.template const_view<"r", 1>();
    target.eval(v += r);
    check_equal(x_data.read(), matrix(2, 3, {11, 22, 43, 14, 25, 46}));
    target.eval(v -= 1);
    target.eval(v *= expand_dims<1>(sum(v, axes<1>)) / 8);
    check_equal(x_data.read(), matrix(2, 3, {91.25, 191.625, 383.25, 133.25, 246, 461.25}));
    target.eval(v /= constant<1, 8>);
    check_equal(x_data.read(), matrix(2, 3, {730, 1533, 3066, 1066, 1968, 3690}));
    CHECK(x_data.gaps_intact());

    // Two statements of one eval: each reads what was there before.
    Tensor<Target, int> a_data(vector_of({1, 2, 3})), b_data(vector_of({10, 20, 30}));
    const auto a = a_data.template view<"a", 1>();
    const auto b = b_data.template view<"b", 1>();
    target.eval(a += b, b -= a);
    check_equal(a_data.read(), vector_of({11, 22, 33}));
    check_equal(b_data.read(), vector_of({9, 18, 27}));
    CHECK_THROWS_AS(target.eval(a += 1, a *= 2), argument_error);
    Tensor<Target, float> one_row(matrix(1, 3, {1, 2, 3}));
    CHECK_THROWS_AS(target.eval(one_row.template view<"one", 2>() += v), shape_error);
}

template <class Target>
void check_shifts(const Target& target) {
    Tensor<Target, std::int32_t> x_data(vector_of({1, -1, 5, -8, 0x40000000, 7}));
    Tensor<Target, std::int32_t> by_data(vector_of({31, 32, 0, 2, 1, -1}));
    Tensor<Target, std::int32_t> left(Extent{6}), right(Extent{6}), inverse(Extent{6});
    Tensor<Target, std::uint8_t> byte_data(vector_of({1, 255, 5, 8, 64, 0})), bytes(Extent{6});
    Tensor<Target, bool> negated(Extent{6});
    const auto x = x_data.template const_view<"x", 1>();
    const auto by = by_data.template const_view<"by", 1>();
    const auto byte = byte_data.template const_view<"byte", 1>();
    target.eval(left.template view<"left", 1>() = x << by, right.template view<"right", 1>() = x >> by,
                inverse.template view<"inverse", 1>() = ~x, bytes.template view<"bytes", 1>() = ~byte,
                negated.template view<"negated", 1>() = ~(byte > 5));
    // numpy: what is shifted by 32 bits or a negative number of them is 0, or -1.
    check_equal(left.read(), vector_of({-2147483648.0, 0, 5, -32, -2147483648.0, 0}));
    check_equal(right.read(), vector_of({0, -1, 5, -2, 0x20000000, 0}));
    check_equal(inverse.read(), vector_of({-2, 0, -6, 7, -0x40000001, -8}));
    check_equal(bytes.read(), vector_of({254, 0, 250, 247, 191, 255}));
    check_equal(negated.read(), vector_of({1, 0, 1, 0, 0, 1}));
    // The same of numbers without a sign, whose highest bit is one like the others.
    Tensor<Target, std::uint32_t> u_data(vector_of({4294967295.0, 4294967295.0, 2147483648.0, 6}));
    Tensor<Target, std::uint32_t> count_data(vector_of({31, 32, 4294967295.0, 1})), shifted(Extent{4});
    target.eval(shifted.template view<"shifted", 1>() =
                    u_data.template const_view<"u", 1>() >> count_data.template const_view<"count", 1>());
    check_equal(shifted.read(), vector_of({1, 0, 0, 3}));
    // What is shifted keeps its sign and its type, whatever counts the bits.
    Tensor<Target, std::int32_t> s_data(vector_of({-8, -8, -8, 6})), signs(Extent{4}), numbers(Extent{4});
    Tensor<Target, std::int8_t> small_data(vector_of({-8, 100, -1, 3}));
    Tensor<Target, std::uint64_t> long_data(vector_of({1, 2, 40, 0}));
    Tensor<Target, double> narrow(Extent{4}), powers(Extent{4});
    const auto s = s_data.template const_view<"s", 1>();
    const auto wide = long_data.template const_view<"long", 1>();
    const auto of_byte = small_data.template const_view<"small", 1>() << wide;
    static_assert(std::is_same_v<value_t<decltype(of_byte)>, int>);
    static_assert(std::is_same_v<value_t<decltype(s >> wide)>, std::int32_t>);
    static_assert(std::is_same_v<value_t<decltype(wide >> s)>, std::uint64_t>);
    static_assert(std::is_same_v<value_t<decltype(1 << wide)>, std::int64_t>);
    static_assert(std::is_same_v<value_t<decltype(1 << s)>, int>);
    target.eval(signs.template view<"signs", 1>() = s >> count_data.template const_view<"count", 1>(),
                numbers.template view<"numbers", 1>() = (s >> 1U) + (1 << wide),
                narrow.template view<"narrow", 1>() = of_byte, powers.template view<"powers", 1>() = 1 << wide);
    check_equal(signs.read(), vector_of({-1, -1, -1, 3}));
    check_equal(numbers.read(), vector_of({-2, 0, -4, 4}));
    check_equal(narrow.read(), vector_of({-16, 400, 0, 3}));
    check_equal(powers.read(), vector_of({2, 4, 0x1p40, 1}));
}

/// nansum, nanmean and ptp of rows, columns and everything; dot.
template <class Target>
void check_named_reductions(const Target& target) {
    NdArray x = special_rows();
    x({4, 0}) = 0;  // no row adds up infinities of both signs
    Tensor<Target, float> x_data(x);
    const Extent rows{7}, columns{5};
    Tensor<Target, float> sums(rows), means(rows), ranges(rows);
    Tensor<Target, double> column_means(columns);
    const auto v = x_data.template const_view<"x", 2>();
    target.eval(sums.template view<"sums", 1>() = nansum(v, axes<1>),
                means.template view<"means", 1>() = nanmean(v, axes<1>),
                ranges.template view<"ranges", 1>() = ptp(v, axes<1>));
    check_equal(sums.read(), vector_of({12, 13, 1, 0, inf_v, -inf_v, 20}));
    check_close(means.read(), vector_of({2.4, 3.25, 1.0 / 3, nan_v, inf_v, -inf_v, 4}), 1e-6);
    check_equal(ranges.read(), vector_of({7, nan_v, nan_v, nan_v, inf_v, nan_v, 0}));

    const auto part =
        strided_view<"part">(x_data.origin(), Shape{2, {3, 5}}, Shape{2, {5, 1}}, std::make_integer_sequence<int, 2>{});
    target.eval(column_means.template view<"m", 1>() = nanmean(part * 1.0F, axes<0>, fuse::accumulate<double>));
    check_equal(column_means.read(), vector_of({1, 3, 2.5, 16.0 / 3, -1}));
    CHECK(target.value(nansum(part)) == 26);
    CHECK(target.value(ptp(where(isnan(part), 0, part) * 2)) == 36);

    Tensor<Target, std::int32_t> large(vector_of({1 << 30, -3, 1 << 20})), factor(vector_of({4, 5, 1 << 15}));
    const auto a = large.template const_view<"a", 1>();
    const auto b = factor.template const_view<"b", 1>();
    CHECK(target.value(dot(a, b)) == (std::int64_t{1} << 32) - 15 + (std::int64_t{1} << 35));
    CHECK(target.value(dot(a * 0.5, b, fuse::accumulate<double>)) == 0x1p31 - 7.5 + 0x1p34);
    CHECK_THROWS_AS(dot(a, strided_view<"one">(factor.origin(), Shape{1, {1}}, Shape{1, {1}},
                                               std::make_integer_sequence<int, 1>{})),
                    shape_error);
    Tensor<Target, std::uint8_t> levels(vector_of({255, 3, 0}));
    Tensor<Target, std::uint32_t> counts(vector_of({4294967295.0, 3, 1}));
    Tensor<Target, std::int8_t> weights(vector_of({-128, 7, 1}));
    const auto w = weights.template const_view<"w", 1>();
    CHECK(target.value(dot(levels.template const_view<"levels", 1>(), w)) == -255 * 128 + 21);
    CHECK(target.value(dot(w, counts.template const_view<"counts", 1>())) == -4294967295 * 128 + 22);
    CHECK(target.value(nansum(a)) == (1 << 30) - 3 + (1 << 20));
    CHECK(target.value(nanmean(b)) == 32777.0 / 3);
}

/// Several results of one kernel, each of its own type.
template <class Target>
void check_several_values(const Target& target) {
    NdArray x({40, 33});
    for (std::size_t i = 0; i < x.value.size(); ++i) {
        x.value[i] = static_cast<double>(i * 7919 % 640) - 320;
    }
    Tensor<Target, float> x_data(x);
    const auto v = x_data.template const_view<"x", 2>();
    double total = 0, most = -inf_v;
    std::int64_t place = 0;
    for (std::size_t i = 0; i < x.value.size(); ++i) {
        total += x.value[i];
        place = x.value[i] > most ? static_cast<std::int64_t>(i) : place;
        most = std::fmax(most, x.value[i]);
    }
    const auto [s, m, at, positive] = target.value(sum(v), max(v), argmax(v), any(v > 0));
    static_assert(std::is_same_v<decltype(s), const float> && std::is_same_v<decltype(at), const std::int64_t> &&
                  std::is_same_v<decltype(positive), const bool>);
    CHECK(s == static_cast<float>(total));
    CHECK(m == static_cast<float>(most));
    CHECK(at == place);
    CHECK(positive);
}

template <class Target>
void check_differences(const Target& target) {
    NdArray x({3, 130});
    for (std::size_t i = 0; i < x.value.size(); ++i) {
        x.value[i] = static_cast<double>(i * i % 101);
    }
    NdArray along({3, 129}), down({2, 130}), squares({3, 129}), falls({2, 130});
    for_each_coordinate(along.extent, [&](const Coordinate& at) {
        const double next = x({at[0], at[1] + 1}), here = x({at[0], at[1]});
        along(at) = next - here;
        squares(at) = next * next - here * here;
    });
    for_each_coordinate(down.extent, [&](const Coordinate& at) {
        down(at) = x({at[0] + 1, at[1]}) - x({at[0], at[1]});
        falls(at) = x({at[0] + 1, 129}) - x({at[0], 129}) - down(at);  // x[:, 129:] - x
    });
    for (const Placement placement : all_placements) {
        Tensor<Target, float> x_data(x, placement), along_data(along.extent, placement), down_data(down.extent);
        const auto v = x_data.template const_view<"x", 2>();
        target.eval(along_data.template view<"along", 2>() = diff(v));
        target.eval(down_data.template view<"down", 2>() = diff(v, axes<0>));
        check_equal(along_data.read(), along);
        check_equal(down_data.read(), down);
        CHECK(along_data.gaps_intact());
        // Of expressions: what stands at the two places, operands of extent 1 at both.
        target.eval(along_data.template view<"along", 2>() = diff(square(v)));
        target.eval(down_data.template view<"down", 2>() = diff(slice<1>(v, 129, {}) - v, axes<-2>));
        check_equal(along_data.read(), squares);
        check_equal(down_data.read(), falls);
        CHECK(along_data.gaps_intact());
    }
    Tensor<Target, bool> flags(vector_of({0, 1, 1, 0})), turns(Extent{3});
    target.eval(turns.template view<"turns", 1>() = diff(flags.template const_view<"flags", 1>()));
    check_equal(turns.read(), vector_of({1, 0, 1}));
    target.eval(turns.template view<"turns", 1>() = diff(!flags.template const_view<"flags", 1>()));
    check_equal(turns.read(), vector_of({1, 0, 1}));
    Tensor<Target, std::uint32_t> bytes(vector_of({3, 2, 2})), steps(Extent{2});
    target.eval(steps.template view<"steps", 1>() = diff(bytes.template view<"bytes", 1>()));
    check_equal(steps.read(), vector_of({4294967295.0, 0}));
    for (const index_t n : {index_t{0}, index_t{1}}) {  // nothing to take a difference of
        Tensor<Target, float> few(NdArray({n}, 3)), none(Extent{0});
        target.eval(none.template view<"none", 1>() = diff(few.template const_view<"few", 1>()));
        CHECK(target.value(sum(diff(few.template const_view<"few", 1>()))) == 0);
        CHECK(target.value(sum(diff(exp(few.template const_view<"few", 1>())))) == 0);
    }
}

/// lerp reaches both ends; its error is that of the numbers it adds. nan_to_num in the type of its operand.
/// As in numpy any number is a condition: true unless it is 0, so NaN is true and -0 is not.
template <class Target>
void check_conditions(const Target& target) {
    Tensor<Target, float> floats(vector_of({0, -0.0, nan_v, 0x1p-149, -inf_v})), chosen(Extent{5});
    Tensor<Target, std::int64_t> integers(vector_of({0, 256, 0x1p32, -1, 0}));
    Tensor<Target, bfloat16> halves(vector_of({nan_v, 0x1p-133, 0, -0.0, -2}));
    const auto y = chosen.template view<"y", 1>();
    target.eval(y = where(floats.template const_view<"f", 1>(), 1, 0));
    check_equal(chosen.read(), vector_of({0, 0, 1, 1, 1}));
    target.eval(y = where(integers.template const_view<"i", 1>(), 1.0F, -1));
    check_equal(chosen.read(), vector_of({-1, 1, 1, 1, -1}));
    target.eval(y = where(halves.template const_view<"h", 1>(), 1, 0));
    check_equal(chosen.read(), vector_of({1, 1, 0, 0, 1}));
    // Numbers adapt to each other, not to the condition.
    static_assert(std::is_same_v<value_t<decltype(where(floats.template const_view<"f", 1>(), 1, 0))>, int>);
}

template <class Target>
void check_lerp_and_limits(const Target& target) {
    const Numbers from{-3, 7, 1e10, 0.1, -0.5}, to{5, 7, -1e10, 0.3, 1e-3}, weight{0, 0.25, 0.5, 1, 1.5};
    Tensor<Target, float> x(vector_of(from)), y(vector_of(to)), w(vector_of(weight)), z(Extent{5}), limited(Extent{3});
    const auto a = x.template const_view<"x", 1>();
    const auto b = y.template const_view<"y", 1>();
    target.eval(z.template view<"z", 1>() = lerp(a, b, w.template const_view<"w", 1>()));
    const Numbers got = z.read().value, starts = x.read().value, ends = y.read().value;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double exact = starts[i] + weight[i] * (ends[i] - starts[i]);
        CHECK(std::fabs(got[i] - exact) <= 2.4e-7 * (std::fabs(starts[i]) + 2 * std::fabs(ends[i])));
    }
    CHECK(got[0] == starts[0]);
    CHECK(got[3] == ends[3]);

    NdArray grid({81, 81});
    NdArray steps({81});
    for_each_coordinate(steps.extent, [&](const Coordinate& at) { steps(at) = static_cast<double>(at[0] - 40) / 16; });
    for_each_coordinate(grid.extent, [&](const Coordinate& at) {
        grid(at) = std::log(std::exp(steps({at[0]})) + std::exp(steps({at[1]})));
    });
    Tensor<Target, float> step_data(steps), sums(grid.extent);
    const auto s = step_data.template const_view<"s", 1>();
    target.eval(sums.template view<"sums", 2>() = logaddexp(expand_dims<1>(s), s));
    check_close(sums.read(), grid, 2e-7, 2 * 0x1p-24 * 2.5);  // the terms are below 2.5, and may cancel

    Tensor<Target, float> wild(vector_of({nan_v, inf_v, -inf_v}));
    const auto v = wild.template const_view<"v", 1>();
    const double most = static_cast<double>(std::numeric_limits<float>::max());
    target.eval(limited.template view<"limited", 1>() = nan_to_num(v));
    check_equal(limited.read(), vector_of({0, most, -most}));
    target.eval(limited.template view<"limited", 1>() = nan_to_num(v, -1, 2, 3));
    check_equal(limited.read(), vector_of({-1, 2, 3}));
    target.eval(limited.template view<"limited", 1>() = isclose(v, v) || isclose(v, 1));
    check_equal(limited.read(), vector_of({0, 1, 1}));
}

}  // namespace fuse::testing
