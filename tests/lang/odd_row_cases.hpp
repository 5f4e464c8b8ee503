// SPDX-License-Identifier: Apache-2.0
//
// Rows of any length that begin anywhere: every operand has a first element and a distance of rows of its own, and memory
// ends with its last element. What lies between is NaN, so that a result that took it in is wrong, and must survive.
#pragma once

#include "lang/loss_cases.hpp"
#include "lang/short_row_cases.hpp"

namespace fuse::testing {

/// Where rows lie in a buffer, in elements: the first one, and by how much their distance exceeds their length.
struct RowPlace {
    index_t first = 0;
    index_t gap = 0;
};

/// Rows of a matrix in memory of exactly the size that they need.
template <class Target, class T>
class OddRows {
public:
    OddRows(const NdArray& values, RowPlace place)
        : extent_(values.extent), first_(place.first), pitch_(values.extent[1] + place.gap), buffer_(size()) {
        std::fill_n(buffer_.data(), buffer_.size(), filler());
        for_each_coordinate(extent_, [&](const Coordinate& at) { buffer_[offset(at)] = to_element<T>(values(at)); });
    }
    template <fixed_name N>
    auto rows() {
        return strided_view<N>(buffer_.data() + first_, Shape{2, {extent_[0], extent_[1]}}, Shape{2, {pitch_, 1}},
                               std::integer_sequence<int, 0, 1>{});
    }
    /// The elements of the first row.
    template <fixed_name N>
    auto row() {
        return strided_view<N>(buffer_.data() + first_, Shape{1, {extent_[1]}}, Shape{1, {1}},
                               std::integer_sequence<int, 0>{});
    }
    NdArray read() const {
        NdArray result(extent_);
        for_each_coordinate(extent_, [&](const Coordinate& at) { result(at) = from_element(buffer_[offset(at)]); });
        return result;
    }
    bool gaps_intact() const {
        std::vector<bool> used(buffer_.size(), false);
        for_each_coordinate(extent_, [&](const Coordinate& at) { used[offset(at)] = true; });
        const T expected = filler();
        for (std::size_t i = 0; i < buffer_.size(); ++i) {
            if (!used[i] && std::memcmp(&buffer_[i], &expected, sizeof(T)) != 0) {
                return false;
            }
        }
        return true;
    }

private:
    static T filler() {
        if constexpr (std::is_integral_v<T>) {
            return T{101};
        } else {
            return to_element<T>(std::numeric_limits<double>::quiet_NaN());
        }
    }
    std::size_t size() const { return static_cast<std::size_t>(first_ + (extent_[0] - 1) * pitch_ + extent_[1]); }
    std::size_t offset(const Coordinate& at) const { return static_cast<std::size_t>(first_ + at[0] * pitch_ + at[1]); }

    Extent extent_;
    index_t first_;
    index_t pitch_;
    typename Target::template Array<T> buffer_;
};

/// softmax, log_softmax in double, and the place of the maximum: operands of three types.
template <class T, class Target>
void check_odd_softmax(const Target& target, index_t rows, index_t n, RowPlace in, RowPlace out, double tolerance) {
    INFO("softmax of " << rows << " x " << n << ", from " << in.first << " + " << in.gap << " to " << out.first << " + "
                       << out.gap);
    const Extent extent{rows, n};
    OddRows<Target, T> x_data(random_reals(extent, -6, 9, 31), in);
    OddRows<Target, T> soft_data(NdArray(extent), out);
    OddRows<Target, double> log_data(NdArray(extent), in);
    Tensor<Target, std::int64_t> best_data(Extent{rows});
    const NdArray x = x_data.read();
    const NdArray logsum = reduce_reference(logsumexp_reference, x, 0b10, true);
    const auto v = x_data.template rows<"x">();
    const auto shifted = v - max(v, axes<1>, keepdims);
    const auto total = sum(exp(shifted), axes<1>, keepdims);
    target.eval(soft_data.template rows<"soft">() = exp(shifted) / total,
                log_data.template rows<"log">() = shifted - log(total),
                best_data.template view<"best", 1>() = argmax(v, axes<1>));
    const NdArray logs = map_reference([](double a, double b) { return a - b; }, x, logsum);
    check_close(soft_data.read(), map_reference([](double a) { return std::exp(a); }, logs), tolerance * 10);
    check_close(log_data.read(), logs, 2e-6, 2e-5);
    check_equal(best_data.read(), reduce_reference(argmax_reference, x, 0b10));
    CHECK(x_data.gaps_intact());
    CHECK(soft_data.gaps_intact());
    CHECK(log_data.gaps_intact());
}

/// Layer norm, whose scale and shift begin elsewhere than any row.
template <class T, class Target>
void check_odd_layer_norm(const Target& target, index_t rows, index_t n, RowPlace in, RowPlace out, double tolerance) {
    INFO("layer norm of " << rows << " x " << n << ", from " << in.first << " + " << in.gap << " to " << out.first
                          << " + " << out.gap);
    constexpr double epsilon = 1e-3;
    const Extent extent{rows, n};
    OddRows<Target, T> x_data(random_reals(extent, -1, 3, 32), in);
    OddRows<Target, T> scale_data(random_reals({1, n}, 0.5, 2, 33), RowPlace{out.first, 0});
    OddRows<Target, T> shift_data(random_reals({1, n}, -1, 1, 34), RowPlace{(in.first + 3) % 8, 0});
    OddRows<Target, T> y_data(NdArray(extent), out);
    const NdArray x = x_data.read();
    const NdArray means = reduce_reference(mean_reference, x, 0b10, true);
    const NdArray vars = reduce_reference(variance_reference, x, 0b10, true);
    const auto formula = [](double a, double mu, double var, double g, double b) {
        return (a - mu) / std::sqrt(var + epsilon) * g + b;
    };
    const auto v = x_data.template rows<"x">();
    const auto centred = v - mean(v, axes<1>, keepdims);
    const auto rate = rsqrt(mean(square(centred), axes<1>, keepdims) + static_cast<float>(epsilon));
    target.eval(y_data.template rows<"y">() =
                    centred * rate * scale_data.template row<"scale">() + shift_data.template row<"shift">());
    check_close(y_data.read(), map_reference(formula, x, means, vars, scale_data.read(), shift_data.read()),
                tolerance * 10, tolerance * 10);
    CHECK(y_data.gaps_intact());
}

/// What holds one operand, and none of its exponentials; two; and one beside another that is read as it is written.
template <class T, class Target>
void check_odd_operands(const Target& target, index_t rows, index_t n, RowPlace in, RowPlace other, double tolerance) {
    INFO("operands of " << rows << " x " << n << ", from " << in.first << " + " << in.gap << " and " << other.first
                        << " + " << other.gap);
    const Extent extent{rows, n};
    OddRows<Target, T> x_data(random_reals(extent, -4, 4, 37), in);
    OddRows<Target, T> z_data(random_reals(extent, -4, 4, 38), other);
    OddRows<Target, T> log_data(NdArray(extent), in);
    OddRows<Target, T> product_data(NdArray(extent), in);
    OddRows<Target, T> slope_data(NdArray(extent), other);
    const NdArray x = x_data.read();
    const NdArray z = z_data.read();
    const auto minus = [](double a, double b) { return a - b; };
    const auto by_exp = [](double a, double b) { return a * std::exp(b); };
    const NdArray logs = map_reference(minus, z, reduce_reference(logsumexp_reference, z, 0b10, true));
    const NdArray weighted = map_reference(by_exp, x, logs);
    const NdArray total = reduce_reference(sum_reference, weighted, 0b10, true);
    const auto u = x_data.template rows<"x">();
    const auto v = z_data.template rows<"z">();
    target.eval(log_data.template rows<"log">() = log_softmax(v));
    target.eval(product_data.template rows<"product">() = u * softmax(v));
    target.eval(slope_data.template rows<"slope">() = softmax(v) * (u - sum(u * softmax(v), axes<1>, keepdims)));
    check_close(log_data.read(), logs, tolerance * 10, tolerance * 10);
    check_close(product_data.read(), weighted, tolerance * 10, tolerance);
    check_close(slope_data.read(), map_reference(by_exp, map_reference(minus, x, total), logs), tolerance * 10,
                tolerance);
    CHECK(log_data.gaps_intact());
    CHECK(product_data.gaps_intact());
    CHECK(slope_data.gaps_intact());
}

/// One result of two arrays that begin anywhere, and the place of the largest element of one: shared by blocks, in vectors.
template <class T, class Target>
void check_odd_folds(const Target& target, index_t n, RowPlace of_a, RowPlace of_b, double tolerance) {
    INFO("folds of " << n << ", from " << of_a.first << " and " << of_b.first);
    OddRows<Target, T> a_data(random_reals({1, n}, -1, 1, 35), of_a);
    OddRows<Target, T> b_data(random_reals({1, n}, -1, 1, 36), of_b);
    Tensor<Target, float> sum_data(Extent{});
    Tensor<Target, std::int64_t> best_data(Extent{});
    const auto a = a_data.template row<"a">();
    target.eval(sum_data.template view<"sum", 0>() = sum(square(a - b_data.template row<"b">())));
    target.eval(best_data.template view<"best", 0>() = argmax(a));
    const NdArray x = a_data.read();
    const NdArray y = b_data.read();
    double expected = 0;
    double best = 0;
    for (std::size_t i = 0; i < x.value.size(); ++i) {
        expected += (x.value[i] - y.value[i]) * (x.value[i] - y.value[i]);
        best = x.value[i] > x.value[static_cast<std::size_t>(best)] ? static_cast<double>(i) : best;
    }
    check_close(sum_data.read(), NdArray(Extent{}, expected), tolerance, tolerance);
    check_equal(best_data.read(), NdArray(Extent{}, best));
}

/// Around the widths of vectors, of what a thread, a warp and a block hold, and where lanes begin to be empty.
inline constexpr index_t odd_lengths[] = {1,  2,  3,  5,  7,   8,   9,   13,  14,  15,   16,   17,   31,  33,
                                          37, 63, 65, 73, 127, 129, 255, 257, 371, 1023, 1025, 4095, 4097};

/// One type: all lengths, first elements 0 to 7, inputs and outputs apart or not, rows side by side or not.
template <class T, class Target>
void check_odd_type(const Target& target, double tolerance) {
    index_t turn = 0;
    for (const index_t n : odd_lengths) {
        const index_t rows = n > 2000 ? 2 : n > 100 ? 5 : 37;
        ++turn;
        check_odd_softmax<T>(target, rows, n, {}, {}, tolerance);
        check_odd_softmax<T>(target, rows, n, {turn % 8, 0}, {turn % 8, 0}, tolerance);
        check_odd_softmax<T>(target, rows, n, {turn % 8, 1}, {turn * 3 % 8, 4}, tolerance);
        check_odd_operands<T>(target, rows, n, {}, {}, tolerance);
        check_odd_operands<T>(target, rows, n, {turn % 8, turn % 2}, {turn * 3 % 8, 0}, tolerance);
        check_odd_layer_norm<T>(target, rows, n, {}, {}, tolerance);
        check_odd_layer_norm<T>(target, rows, n, {turn * 5 % 8, 3}, {turn % 8, turn % 2}, tolerance);
    }
    for (const index_t n : {1, 2, 7, 8, 9, 31, 33, 1023, 4097, 20011}) {
        for (const index_t first : {1, 3, 7}) {
            check_odd_folds<T>(target, n, {first, 0}, {first, 0}, 2e-6);
            check_odd_folds<T>(target, n, {first, 0}, {first - 1, 0}, 2e-6);
        }
    }
    // Every offset of a row, and of what is written against what is read, at a length with whole vectors and one without.
    for (index_t first = 0; first < 8; ++first) {
        for (const index_t n : {64, 61}) {
            check_odd_softmax<T>(target, 3, n, {first, 0}, {(first * 3 + 1) % 8, 0}, tolerance);
            check_odd_layer_norm<T>(target, 3, n, {first, 0}, {first, 0}, tolerance);
        }
    }
}

template <class Target>
void check_odd_rows(const Target& target) {
    check_odd_type<float>(target, 2e-6);
    check_odd_type<bfloat16>(target, 1e-2);
    check_odd_type<double>(target, 1e-6);
    check_odd_softmax<float>(target, 1, 16381, {1, 0}, {1, 0}, 2e-6);
    check_odd_softmax<float>(target, 2, 16381, {}, {2, 1}, 2e-6);
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::padded}) {
        std::vector<Extent> shapes;
        for (const index_t n : {17, 31, 33, 65, 129, 257, 1025}) {
            shapes.push_back({1, 5, n});
        }
        check_mixed_rows(target, shapes, placement, Placement::row_major);
        check_mixed_rows(target, shapes, Placement::misaligned, placement);
        check_cross_entropy(target, {{33, 17}, {5, 65}, {7, 131}, {3, 1023}, {2, 4095}}, placement);
    }
    // Rows that are not contiguous, which have no vectors, and several axes that cannot be merged.
    for (const Placement placement : {Placement::transposed, Placement::spaced, Placement::reversed}) {
        check_softmax<0b100, float>(target, {{2, 3, 33}, {1, 2, 1023}}, placement, 2e-6);
    }
    check_softmax<0b110, float>(target, {{3, 5, 33}, {2, 9, 127}}, Placement::padded, 2e-6);
    check_item_epilogue(target, {{5, 33}, {40, 17}, {2, 1023}});
}

}  // namespace fuse::testing
