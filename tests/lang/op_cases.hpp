// SPDX-License-Identifier: Apache-2.0
//
// Every functor and every reduction op of the op table through an executor, against the reference of its record.
// Several are the outputs of one kernel, each of operands of its own: planning kernels takes most of the compile time.
#pragma once

#include <array>
#include <utility>

#include "ops/check.hpp"
#include "ops/op_table.hpp"
#include "ops/reduction_table.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

inline constexpr std::size_t ops_of_a_kernel = 8;

/// "x0", "x1", ...: the operands and results of a kernel.
template <char Letter, std::size_t I>
inline constexpr char numbered_text[] = {Letter, static_cast<char>('0' + I), '\0'};
template <char Letter, std::size_t I>
inline constexpr fixed_name numbered = numbered_text<Letter, I>;

template <class T>
NdArray operand_of(fuse::testing::Domain domain, const Extent& extent, unsigned seed) {
    NdArray a(extent);
    const auto values = fuse::testing::random_values<T>(domain, a.value.size(), seed);
    for (std::size_t i = 0; i < values.size(); ++i) {
        a.value[i] = static_cast<double>(values[i]);
    }
    return a;
}

/// Results with the error bound of a record; the place only for the message.
template <class F, class T>
void check_record(const NdArray& got, const NdArray& expected, double ulp) {
    for (std::size_t i = 0; i < got.value.size(); ++i) {
        fuse::testing::check_value(F::name, static_cast<T>(got.value[i]), expected.value[i], ulp,
                                   static_cast<double>(i));
    }
}

template <class T, class Target, class... Record>
void check_unary(const Target& target, const Record&... record) {
    using Data = std::array<Tensor<Target, T>, sizeof...(Record)>;
    Data x{Tensor<Target, T>(operand_of<T>(record.x, {3, 39}, 1))...};
    Data y{(static_cast<void>(record), Tensor<Target, T>(Extent{3, 39}))...};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        target.eval((y[I].template view<numbered<'y', I>, 2>() =
                         map(typename Record::functor{}, x[I].template const_view<numbered<'x', I>, 2>()))...);
        (check_record<typename Record::functor, T>(y[I].read(), map_reference(record.reference, x[I].read()),
                                                   record.ulp),
         ...);
    }
    (std::index_sequence_for<Record...>{});
}

template <class T, class Target, class... Record>
void check_binary(const Target& target, const Record&... record) {
    using Data = std::array<Tensor<Target, T>, sizeof...(Record)>;
    Data x{Tensor<Target, T>(operand_of<T>(record.x, {3, 39}, 2))...};
    Data y{Tensor<Target, T>(operand_of<T>(record.y, {3, 1}, 3))...};
    Data z{(static_cast<void>(record), Tensor<Target, T>(Extent{3, 39}))...};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        target.eval((z[I].template view<numbered<'z', I>, 2>() =
                         map(typename Record::functor{}, x[I].template const_view<numbered<'x', I>, 2>(),
                             y[I].template const_view<numbered<'y', I>, 2>()))...);
        (check_record<typename Record::functor, T>(
             z[I].read(), map_reference(record.reference, x[I].read(), y[I].read()), record.ulp),
         ...);
    }
    (std::index_sequence_for<Record...>{});
}

template <class T, class Target, class... Record>
void check_ternary(const Target& target, const Record&... record) {
    using Data = std::array<Tensor<Target, T>, sizeof...(Record)>;
    Data x{Tensor<Target, T>(operand_of<T>(record.x, {3, 39}, 4))...};
    Data y{Tensor<Target, T>(operand_of<T>(record.y, {39}, 5))...};
    Data z{Tensor<Target, T>(operand_of<T>(record.z, {3, 1}, 6))...};
    Data w{(static_cast<void>(record), Tensor<Target, T>(Extent{3, 39}))...};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        target.eval((w[I].template view<numbered<'w', I>, 2>() =
                         map(typename Record::functor{}, x[I].template const_view<numbered<'x', I>, 2>(),
                             y[I].template const_view<numbered<'y', I>, 1>(),
                             z[I].template const_view<numbered<'z', I>, 2>()))...);
        (check_record<typename Record::functor, T>(
             w[I].read(), map_reference(record.reference, x[I].read(), y[I].read(), z[I].read()), record.ulp),
         ...);
    }
    (std::index_sequence_for<Record...>{});
}

template <class T, class Target>
void check_functors(const Target& target) {
    using namespace fuse::testing;
    for_each_batch<ops_of_a_kernel>(unary_records(), [&](const auto&... record) { check_unary<T>(target, record...); });
    const auto takes = []<class R>(const R&) -> std::is_invocable<typename R::functor, T, T> { return {}; };
    for_each_batch<ops_of_a_kernel>(records_that(binary_records(), takes),
                                    [&](const auto&... record) { check_binary<T>(target, record...); });
    for_each_batch<ops_of_a_kernel>(ternary_records(),
                                    [&](const auto&... record) { check_ternary<T>(target, record...); });
}

struct First {
    template <class R>
    FUSE_HD constexpr auto operator()(const R& r) const {
        if constexpr (requires { r.min; }) {
            return r.min;
        } else {
            return r;
        }
    }
};

/// The type of a reduction's result, or of its first field.
template <class Record, class T>
using first_result_t =
    std::remove_cvref_t<decltype(First{}(std::declval<typename reduction_op_t<typename Record::op, T>::result>()))>;

/// Reductions over axis Axis of matrices. Of a result with several fields the first is compared.
template <int Axis, class T, class Target, class... Record>
void check_reductions(const Target& target, const Record&... record) {
    constexpr std::uint32_t mask = 1U << Axis;
    const Extent extent{37, 42};
    const Extent kept{extent[1 - Axis]};
    std::array<Tensor<Target, T>, sizeof...(Record)> x{Tensor<Target, T>(operand_of<T>(record.x, extent, 7))...};
    std::tuple<Tensor<Target, first_result_t<Record, T>>...> y{Tensor<Target, first_result_t<Record, T>>(kept)...};
    const auto check = [&](const auto& one, const NdArray& operand, const NdArray& got) {
        const NdArray expected = reduce_reference([&](const Numbers& v) { return one.reference(v)[0]; }, operand, mask);
        const NdArray scale = reduce_reference([&](const Numbers& v) { return one.scale(v); }, operand, mask);
        using R = reduction_op_t<typename std::remove_cvref_t<decltype(one)>::op, T>;
        INFO(R::name);
        const double rounding = std::is_same_v<T, double> ? 2.3e-16 : 1.2e-7;
        for (std::size_t i = 0; i < got.value.size(); ++i) {
            CHECK(std::fabs(got.value[i] - expected.value[i]) <= 12 * rounding * scale.value[i]);
        }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        target.eval((std::get<I>(y).template view<numbered<'y', I>, 1>() =
                         map(First{}, reduce(typename Record::op{}, x[I].template const_view<numbered<'x', I>, 2>(),
                                             axes<Axis>)))...);
        (check(record, x[I].read(), std::get<I>(y).read()), ...);
    }
    (std::index_sequence_for<Record...>{});
}

template <int Axis, class T, class Target>
void check_all_reductions(const Target& target) {
    using namespace fuse::testing;
    const auto takes = []<class R>(const R&) -> std::bool_constant<!R::integers_only || std::is_integral_v<T>> {
        return {};
    };
    for_each_batch<ops_of_a_kernel>(records_that(reduction_records(), takes),
                                    [&](const auto&... record) { check_reductions<Axis, T>(target, record...); });
}

}  // namespace fuse::testing
