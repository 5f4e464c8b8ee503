// SPDX-License-Identifier: Apache-2.0
//
// sort, argsort and compact against std::stable_sort and a loop. Values repeat, and where the type has them there are
// NaN, infinities and both zeros, so that the order of equal keys and the place of NaN show.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/tensor.hpp"

namespace fuse::testing {

template <class T>
T sort_value(index_t i) {
    const auto small = static_cast<double>((i * 7919 + i / 13) % 101 - 50);
    if constexpr (limits<compute_t<T>>::has_nan) {
        if (i % 17 == 3) {
            return to_element<T>(std::numeric_limits<double>::quiet_NaN());
        }
        if (i % 19 == 5) {
            return to_element<T>(i % 2 == 0 ? HUGE_VAL : -HUGE_VAL);
        }
        if (i % 23 == 7) {
            return to_element<T>(-0.0);
        }
    }
    return to_element<T>(std::is_unsigned_v<T> ? std::fabs(small) : small);
}

/// Whether a stands before b: NaN last in either direction.
inline bool sorts_before(double a, double b, bool largest_first) {
    if (std::isnan(a) || std::isnan(b)) {
        return !std::isnan(a) && std::isnan(b);
    }
    return largest_first ? a > b : a < b;
}

inline bool same_number(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// Sorts rows of x, doubled on the way in and moved on the way out, beside their argsort in descending order.
template <class T, class Target>
void check_sort(const Target& target, index_t rows, index_t n) {
    INFO(rows << " rows of " << n);
    const auto size = static_cast<std::size_t>(rows * n);
    typename Target::template Array<T> in(size), out(size), last_out(size);
    typename Target::template Array<index_t> positions(size);
    for (std::size_t i = 0; i < size; ++i) {
        in[i] = sort_value<T>(static_cast<index_t>(i));
    }
    const auto x = view<"x">(in.data(), rows, n);
    target.eval(view<"y">(out.data(), rows, n) = sort(x, axes<-1>),
                view<"k">(positions.data(), rows, n) = argsort(x, descending));
    target.eval(view<"z">(last_out.data(), rows, n) = sort(-x, axes<1>));
    index_t wrong = 0;
    for (index_t row = 0; row < rows; ++row) {
        const auto at = [&](index_t i) { return static_cast<std::size_t>(row * n + i); };
        std::vector<double> ascending;
        std::vector<index_t> order;
        for (index_t i = 0; i < n; ++i) {
            ascending.push_back(from_element(in[at(i)]));
            order.push_back(i);
        }
        std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) {
            return sorts_before(from_element(in[at(a)]), from_element(in[at(b)]), true);
        });
        std::stable_sort(ascending.begin(), ascending.end(),
                         [](double a, double b) { return sorts_before(a, b, false); });
        std::vector<double> negated = ascending;
        for (double& v : negated) {
            v = from_element(to_element<T>(-v));
        }
        std::stable_sort(negated.begin(), negated.end(), [](double a, double b) { return sorts_before(a, b, false); });
        for (index_t i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            wrong += !same_number(from_element(out[at(i)]), ascending[k]);
            wrong += positions[at(i)] != order[k];
            wrong += !same_number(from_element(last_out[at(i)]), negated[k]);
        }
    }
    CHECK(wrong == 0);
}

/// The elements above a threshold, scaled, with their places and number and the sum of all, in one kernel.
template <class T, class Target>
void check_compact(const Target& target, index_t n, double threshold) {
    INFO(n << " elements above " << threshold);
    const auto size = static_cast<std::size_t>(n);
    typename Target::template Array<T> in(size), out(size);
    typename Target::template Array<index_t> count(1), places(size);
    typename Target::template Array<double> total(1);
    std::vector<double> kept;
    std::vector<index_t> kept_places;
    double sum_of_all = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const double v = static_cast<double>((static_cast<index_t>(i) * 7919) % 101) - 50;
        in[i] = to_element<T>(v);
        out[i] = to_element<T>(99);
        places[i] = -1;
        sum_of_all += v;
        if (v > threshold) {
            kept.push_back(2 * v);
            kept_places.push_back(static_cast<index_t>(i));
        }
    }
    const auto x = view<"x">(in.data(), n);
    const auto keep = x > threshold;
    target.eval(view<"y">(out.data(), n) = compact(x * 2, keep),
                view<"places">(places.data(), n) = compact(index<0>(), keep),
                view<"n">(count.data(), shape()) = count_nonzero(keep),
                view<"s">(total.data(), shape()) = sum(x, accumulate<double>));
    index_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i) {
        wrong += from_element(out[i]) != (i < kept.size() ? kept[i] : 99);
        wrong += places[i] != (i < kept.size() ? kept_places[i] : -1);
    }
    CHECK(wrong == 0);
    CHECK(count[0] == static_cast<index_t>(kept.size()));
    CHECK(total[0] == sum_of_all);
}

/// What is kept of scans in both directions, beside scans in both that are outputs; the elements chosen by such a scan.
template <class Target>
void check_compact_of_scans(const Target& target, index_t n) {
    INFO(n << " elements");
    const auto size = static_cast<std::size_t>(n);
    typename Target::template Array<double> in(size), out(size), places(size), chosen(size), both(size);
    std::vector<double> forwards(size), backwards(size), kept, kept_places, kept_by_scan;
    for (std::size_t i = 0; i < size; ++i) {
        in[i] = static_cast<double>((static_cast<index_t>(i) * 7919) % 101) - 50;
        out[i] = places[i] = chosen[i] = 99;
        forwards[i] = in[i] + (i > 0 ? forwards[i - 1] : 0);
    }
    for (std::size_t i = size; i-- > 0;) {
        backwards[i] = in[i] + (i + 1 < size ? backwards[i + 1] : 0);
    }
    for (std::size_t i = 0; i < size; ++i) {
        if (in[i] > 0) {
            kept.push_back(backwards[i] + in[i]);
            kept_places.push_back(static_cast<double>(i) * 1000 + backwards[i] - forwards[i]);
        }
        if (backwards[i] > forwards[i]) {
            kept_by_scan.push_back(in[i]);
        }
    }
    const auto x = view<"x">(in.data(), n);
    const auto back = cumsum(x, reverse);
    target.eval(view<"y">(out.data(), n) = compact(back + x, x > 0),
                view<"places">(places.data(), n) = compact(index<0>() * 1000 + back - cumsum(x), x > 0),
                view<"both">(both.data(), n) = back - cumsum(x));
    target.eval(view<"chosen">(chosen.data(), n) = compact(x, back > cumsum(x)));
    index_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i) {
        wrong += out[i] != (i < kept.size() ? kept[i] : 99);
        wrong += places[i] != (i < kept.size() ? kept_places[i] : 99);
        wrong += chosen[i] != (i < kept_by_scan.size() ? kept_by_scan[i] : 99);
        wrong += both[i] != backwards[i] - forwards[i];
    }
    CHECK(wrong == 0);
}

}  // namespace fuse::testing
