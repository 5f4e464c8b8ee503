// SPDX-License-Identifier: Apache-2.0
//
// Walks over the records of the op table, each of a type of its own: one by one, or several at a time, as a kernel with
// several outputs costs hardly more time to compile than one with a single output.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace fuse::testing {

template <class Records, class Visit>
void for_each_record(const Records& records, Visit&& visit) {
    std::apply([&](const auto&... record) { (visit(record), ...); }, records);
}

/// The records for which keep(record), a constant of type std::bool_constant, is true.
template <class Records, class Keep>
auto records_that(const Records& records, Keep keep) {
    const auto choose = [&](const auto& record) {
        if constexpr (decltype(keep(record))::value) {
            return std::tuple(record);
        } else {
            return std::tuple<>();
        }
    };
    return std::apply([&](const auto&... record) { return std::tuple_cat(choose(record)...); }, records);
}

/// Calls visit(a, b, ...) with N records at a time, in the end with what is left.
template <std::size_t N, class Records, class Visit>
void for_each_batch(const Records& records, Visit&& visit) {
    constexpr std::size_t count = std::tuple_size_v<Records>;
    const auto batch = [&]<std::size_t First, std::size_t... I>(std::index_sequence<First>, std::index_sequence<I...>) {
        visit(std::get<First + I>(records)...);
    };
    [&]<std::size_t... B>(std::index_sequence<B...>) {
        (batch(std::index_sequence<N * B>{}, std::make_index_sequence<(count - N * B < N ? count - N * B : N)>{}), ...);
    }
    (std::make_index_sequence<(count + N - 1) / N>{});
}

}  // namespace fuse::testing
