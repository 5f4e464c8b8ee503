// SPDX-License-Identifier: Apache-2.0
//
// argmax and argmin of rows and columns of any length, for which kernels take whole vectors: ties, NaN and infinities at
// every place, also where nothing but what the identity equals is found.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// NumPy's argmax (largest) or argmin, and nanargmax with -1 where nothing is left: a plain loop.
template <class T>
inline index_t arg_reference(const std::vector<T>& x, bool largest, bool ignore_nan) {
    index_t best = -1;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto v = static_cast<double>(x[i]);
        if (std::isnan(v)) {
            if (ignore_nan) {
                continue;
            }
            return static_cast<index_t>(i);
        }
        const bool first = best < 0;
        const auto b = first ? 0.0 : static_cast<double>(x[static_cast<std::size_t>(best)]);
        if (first || (largest ? v > b : v < b)) {
            best = static_cast<index_t>(i);
        }
    }
    return best;
}

/// `x` as the rows of a matrix, or as its columns, of which there are `count` of `length` elements.
template <class T, class Target>
void check_arg_vectors(const Target& target, const std::vector<T>& x, index_t count, index_t length, bool as_rows) {
    const auto at = [&](index_t c, index_t i) {
        return static_cast<std::size_t>(as_rows ? c * length + i : i * count + c);
    };
    const auto n = static_cast<std::size_t>(count);
    using Indices = typename Target::template Array<index_t>;
    typename Target::template Array<T> in(x.size());
    Indices most(n), least(n), most_number(n), least_number(n), beside(n);
    typename Target::template Array<double> total(n);
    std::copy(x.begin(), x.end(), in.data());
    for (Indices* indices : {&most, &least, &most_number, &least_number, &beside}) {
        std::fill_n(indices->data(), n, index_t{-7});
    }
    std::fill_n(total.data(), n, -7.0);
    const auto run = [&](const auto& v, auto axis) {
        target.eval(view<"most">(most.data(), count) = argmax(v, axis),
                    view<"least">(least.data(), count) = argmin(v, axis),
                    view<"most_number">(most_number.data(), count) = argmax(v, nan::ignore, axis),
                    view<"least_number">(least_number.data(), count) = argmin(v, nan::ignore, axis));
        target.eval(view<"beside">(beside.data(), count) = argmax(v, axis),
                    view<"total">(total.data(), count) = sum(cast<double>(v == v), axis));
    };
    if (as_rows) {
        run(view<"x">(in.data(), count, length), axes<1>);
    } else {
        run(view<"x">(in.data(), length, count), axes<0>);
    }
    for (index_t c = 0; c < count; ++c) {
        std::vector<T> one;
        double numbers = 0;
        for (index_t i = 0; i < length; ++i) {
            one.push_back(x[at(c, i)]);
            numbers += one.back() == one.back() ? 1 : 0;
        }
        CAPTURE(as_rows, count, length, c);
        const auto k = static_cast<std::size_t>(c);
        CHECK(most[k] == arg_reference(one, true, false));
        CHECK(least[k] == arg_reference(one, false, false));
        CHECK(most_number[k] == arg_reference(one, true, true));
        CHECK(least_number[k] == arg_reference(one, false, true));
        CHECK(beside[k] == arg_reference(one, true, false));
        CHECK(total[k] == numbers);
    }
}

/// Arrays of these numbers of rows or columns and their lengths.
template <class T, class Target>
void check_arg_vectors(const Target& target, const std::vector<std::pair<index_t, index_t>>& shapes) {
    std::mt19937 random(7);
    for (const bool as_rows : {true, false}) {
        for (const auto& [count, length] : shapes) {
            // Few values, so that there are ties everywhere; then the least and the largest of the type alone.
            for (const int kind : {0, 1, 2}) {
                std::vector<T> x(static_cast<std::size_t>(count * length));
                for (T& v : x) {
                    const auto draw = static_cast<int>(random() % 100);
                    using number = std::numeric_limits<std::conditional_t<std::is_same_v<T, bfloat16>, float, T>>;
                    const T low = static_cast<T>(number::has_infinity ? -number::infinity() : number::lowest());
                    const T high = static_cast<T>(number::has_infinity ? number::infinity() : number::max());
                    v = kind == 0 ? static_cast<T>(draw % 5) : kind == 1 ? low : high;
                    if (number::has_quiet_NaN && (kind == 0 ? draw < 2 : draw < 60)) {
                        v = static_cast<T>(number::quiet_NaN());
                    } else if (kind == 0 && draw == 99) {
                        v = random() % 2 == 0 ? low : high;
                    }
                }
                check_arg_vectors(target, x, count, length, as_rows);
            }
        }
    }
}

}  // namespace fuse::testing
