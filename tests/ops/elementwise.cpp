// SPDX-License-Identifier: Apache-2.0
//
// Every functor of the op table on the host: random operands of its domain for each type it takes, and all
// special values of float and double against the reference.
#include "ops/check.hpp"
#include "ops/op_table.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <type_traits>

using namespace fuse::testing;

namespace {

constexpr std::size_t count = 2000;

template <class T>
void check_unary(const std::vector<T>& values, auto record) {
    using F = typename decltype(record)::functor;
    for (const T x : values) {
        const double wide = static_cast<double>(x);
        check_value(F::name, F{}(x), record.reference(wide), record.ulp, wide);
    }
}

template <class T>
void check_binary(const std::vector<T>& xs, const std::vector<T>& ys, auto record) {
    using F = typename decltype(record)::functor;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const double x = static_cast<double>(xs[i]), y = static_cast<double>(ys[i]);
        check_value(F::name, F{}(xs[i], ys[i]), record.reference(x, y), record.ulp, x, y);
    }
}

template <class T>
void check_ternary(const std::vector<T>& xs, const std::vector<T>& ys, const std::vector<T>& zs, auto record) {
    using F = typename decltype(record)::functor;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const double x = static_cast<double>(xs[i]), y = static_cast<double>(ys[i]);
        const double z = static_cast<double>(zs[i]);
        check_value(F::name, F{}(xs[i], ys[i], zs[i]), record.reference(x, y, z), record.ulp, x, y, z);
    }
}

template <class T>
void check_random() {
    for_each_record(unary_records(), [](auto record) { check_unary(random_values<T>(record.x, count, 1), record); });
    for_each_record(binary_records(), [](auto record) {
        using F = typename decltype(record)::functor;
        if constexpr (std::is_invocable_v<F, T, T>) {
            auto ys = random_values<T>(record.y, count, 3);
            if (divides<T, F>)
                std::replace(ys.begin(), ys.end(), T(0), T(1));
            check_binary(random_values<T>(record.x, count, 2), ys, record);
        }
    });
    for_each_record(ternary_records(), [](auto record) {
        check_ternary(random_values<T>(record.x, count, 4), random_values<T>(record.y, count, 5),
                      random_values<T>(record.z, count, 6), record);
    });
}

template <class T>
void check_special() {
    const std::vector<T> special = special_values<T>();
    std::vector<T> xs, ys, zs;
    for_each_record(unary_records(), [&](auto record) { check_unary(special, record); });
    for (const T x : special) {
        for (const T y : special) {
            xs.push_back(x);
            ys.push_back(y);
        }
    }
    for_each_record(binary_records(), [&](auto record) {
        using F = typename decltype(record)::functor;
        if constexpr (std::is_invocable_v<F, T, T>)
            check_binary(xs, ys, record);
    });
    for (const T z : special) {
        zs.assign(xs.size(), z);
        for_each_record(ternary_records(), [&](auto record) { check_ternary(xs, ys, zs, record); });
    }
}

}  // namespace

TEST_CASE("functors of float and double equal their reference") {
    check_random<float>();
    check_random<double>();
    SUCCEED("all records compared");
}

TEST_CASE("functors of integers equal their reference") {
    check_random<std::int8_t>();
    check_random<std::uint8_t>();
    check_random<std::int16_t>();
    check_random<std::int32_t>();
    check_random<std::int64_t>();
    SUCCEED("all records compared");
}

TEST_CASE("functors treat NaN, infinities, zeros, subnormals and extremes as their reference does") {
    check_special<float>();
    check_special<double>();
    SUCCEED("all records compared");
}
