// SPDX-License-Identifier: Apache-2.0
//
// Every reduction op of the table against its reference: folded in order, in chunks and in random trees of
// merges, for all lengths and types; then NaN, ties, empties, integer overflow and user-defined ops.
#include "ops/check.hpp"
#include "ops/reduction_table.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <random>

using namespace fuse;
using namespace fuse::testing;

namespace {

/// Reduces [begin, end) by merging two random halves; ranges of up to three elements are folded in order.
template <class R, class T>
auto random_tree(R r, const std::vector<T>& v, std::size_t begin, std::size_t end, std::mt19937& engine) {
    if (end - begin <= 3) {
        auto a = r.init();
        for (std::size_t i = begin; i < end; ++i)
            a = r.reduce(a, v[i], static_cast<index_t>(i));
        return a;
    }
    const std::size_t middle = std::uniform_int_distribution<std::size_t>(begin, end)(engine);
    const auto left = random_tree(r, v, begin, middle == end ? end - 1 : middle, engine);
    const auto right = random_tree(r, v, middle == end ? end - 1 : middle, end, engine);
    // A commutative op may get its operands in any order.
    if (engine() % 3 == 0) {
        return append(r, left, right);
    }
    return R::commutative && engine() % 2 == 0 ? r.combine(right, left) : r.combine(left, right);
}

template <class T>
Numbers widened(const std::vector<T>& v) {
    Numbers numbers;
    for (const T x : v)
        numbers.push_back(static_cast<double>(x));
    return numbers;
}

template <class A>
constexpr double epsilon = std::is_same_v<A, float> ? 0x1p-23 : 0x1p-52;

template <class T>
void check(auto record, const std::vector<T>& v, unsigned seed) {
    using Op = typename decltype(record)::op;
    using R = reduction_op_t<Op, T>;
    static_assert(ReductionOp<R>);
    std::mt19937 engine(seed);
    const Numbers expected = record.reference(widened(v));
    const double n = static_cast<double>(v.size());
    const double tolerance = record.scale(widened(v)) * epsilon<typename R::result> * (n + 2);
    for (int repeat = 0; repeat < 4; ++repeat) {
        const auto a = random_tree(R{}, v, 0, v.size(), engine);
        const Numbers got = numbers_of(R{}.project(a, static_cast<index_t>(v.size())));
        REQUIRE(got.size() == expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            INFO(R::name << " of " << v.size() << " got " << got[i] << " expected " << expected[i]);
            const bool close = std::fabs(got[i] - expected[i]) <= tolerance || got[i] == expected[i];
            CHECK((std::isnan(expected[i]) ? std::isnan(got[i]) : close));
        }
    }
}

template <class T>
void check_all() {
    static constexpr std::array<std::size_t, 8> lengths{1, 2, 3, 4, 7, 64, 65, 1000};
    for_each_record(reduction_records(), [](auto record) {
        if constexpr (!decltype(record)::integers_only || std::is_integral_v<T>) {
            for (const std::size_t n : lengths) {
                check(record, random_values<T>(record.x, n, static_cast<unsigned>(n)), 5);
            }
        }
    });
}

template <class Op, class T>
auto reduced(const std::vector<T>& v) {
    const reduction_op_t<Op, T> r;
    auto a = r.init();
    for (std::size_t i = 0; i < v.size(); ++i)
        a = r.reduce(a, v[i], static_cast<index_t>(i));
    return r.project(a, static_cast<index_t>(v.size()));
}

}  // namespace

TEST_CASE("reductions equal their reference in every merge order") {
    check_all<float>();
    check_all<double>();
    check_all<std::int32_t>();
    check_all<std::uint8_t>();
    check_all<std::int64_t>();
    check_all<bool>();
}

TEST_CASE("NaN, infinities and ties in random positions") {
    std::mt19937 engine(3);
    for_each_record(reduction_records(), [&](auto record) {
        using Record = decltype(record);
        if constexpr (!Record::integers_only) {
            for (unsigned repeat = 0; repeat < 50; ++repeat) {
                const std::array<float, 6> few{0.f, -0.f, 1.f, -1.f, INFINITY, -INFINITY};
                std::vector<float> v(1 + engine() % 40);
                for (float& x : v)
                    x = few[engine() % (repeat % 2 == 0 ? 4 : 6)];
                if (repeat % 3 != 0) {
                    for (unsigned i = 0; i < 1 + repeat % 5; ++i)
                        v[engine() % v.size()] = NAN;
                }
                check(record, v, repeat);
            }
            check(record, std::vector<float>(5, NAN), 1);
            check(record, std::vector<float>(5, -INFINITY), 1);
            check(record, std::vector<float>(5, INFINITY), 1);
        }
    });
}

TEST_CASE("no elements") {
    for_each_record(reduction_records(), [](auto record) {
        using R = reduction_op_t<typename decltype(record)::op, int>;
        CHECK(R::has_identity == !record.empty.empty());
        if (R::has_identity) {
            const double got = numbers_of(R{}.project(R{}.init(), 0))[0];
            CHECK((std::isnan(record.empty[0]) ? std::isnan(got) : got == record.empty[0]));
        }
    });
    CHECK(std::isnan(reduced<Mean>(std::vector<float>{})));
    CHECK(reduced<BitAnd<>>(std::vector<bool>{}));
}

TEST_CASE("argmax takes the lowest index of a tie and the first NaN") {
    CHECK(reduced<ArgMax>(std::vector<float>{1, 3, 3, 2}) == 1);
    CHECK(reduced<ArgMax>(std::vector<float>{-INFINITY, -INFINITY}) == 0);
    CHECK(reduced<ArgMax>(std::vector<float>{1, NAN, 3, NAN}) == 1);
    CHECK(reduced<ArgMin>(std::vector<float>{0.f, -0.f}) == 0);
    CHECK(reduced<ArgMin>(std::vector<int>{2147483647, 2147483647}) == 0);
    CHECK(reduced<ArgMaxIgnoreNan>(std::vector<float>{NAN, -INFINITY, -INFINITY}) == 1);
    CHECK(reduced<ArgMinIgnoreNan>(std::vector<float>{NAN, NAN}) == -1);
    CHECK(std::isnan(reduced<MaxIgnoreNan<>>(std::vector<float>{NAN, NAN})));
    CHECK(reduced<MaxIgnoreNan<>>(std::vector<float>{NAN, -INFINITY}) == -INFINITY);
}

TEST_CASE("integers accumulate in 64 bits and bool counts") {
    CHECK(reduced<Add<>>(std::vector<int>(10, 2000000000)) == 20000000000);
    CHECK(reduced<Add<>>(std::vector<std::uint8_t>(1000, 255)) == 255000u);
    CHECK(reduced<Add<>>(std::vector<bool>{true, false, true}) == 2);
    CHECK(reduced<Mul<>>(std::vector<std::int8_t>(6, 100)) == 1000000000000);
    CHECK(reduced<Mean>(std::vector<int>(3, 2147483647)) == 2147483647.0);
    CHECK(reduced<Mean>(std::vector<std::int64_t>(4, std::numeric_limits<std::int64_t>::lowest())) == -0x1p63);
    CHECK(reduced<Mean>(std::vector<std::uint64_t>(4, std::uint64_t{1} << 63)) == 0x1p63);
    CHECK(reduced<Add<>>(std::vector<std::int64_t>(2, std::numeric_limits<std::int64_t>::max())) == -2);
}

template <class Op, class T, class Acc, class Accumulator, class Result>
constexpr bool reduces_as = std::is_same_v<typename reduction_op_t<Op, T, Acc>::accumulator, Accumulator>&&
    std::is_same_v<typename reduction_op_t<Op, T, Acc>::result, Result>;

TEST_CASE("accumulator and result types") {
    STATIC_REQUIRE(reduces_as<Add<>, float, void, float, float>);
    STATIC_REQUIRE(reduces_as<Add<>, float16, void, float, float>);
    STATIC_REQUIRE(reduces_as<Add<>, float, double, double, double>);
    STATIC_REQUIRE(reduces_as<Add<>, bool, void, std::int64_t, std::int64_t>);
    STATIC_REQUIRE(reduces_as<Mul<>, std::uint16_t, void, std::uint64_t, std::uint64_t>);
    STATIC_REQUIRE(reduces_as<Mean, std::int8_t, void, std::int64_t, double>);
    STATIC_REQUIRE(reduces_as<Mean, std::uint32_t, void, std::uint64_t, double>);
    STATIC_REQUIRE(reduces_as<Mean, std::uint64_t, void, double, double>);
    STATIC_REQUIRE(reduces_as<Mean, index_t, void, double, double>);
    STATIC_REQUIRE(reduces_as<Mean, std::int64_t, std::int64_t, std::int64_t, double>);
    STATIC_REQUIRE(reduces_as<Mean, bfloat16, void, float, float>);
    STATIC_REQUIRE(reduces_as<Mean, float, double, double, double>);
    STATIC_REQUIRE(reduces_as<Max<>, std::int8_t, void, std::int8_t, std::int8_t>);
    STATIC_REQUIRE(std::is_same_v<reduction_op_t<ArgMax, float>::result, index_t>);
    STATIC_REQUIRE(std::is_same_v<reduction_op_t<MinMax, int>::result, MinMaxResult<int>>);
    STATIC_REQUIRE(std::is_same_v<reduction_op_t<CountNonzero, float>::result, std::int64_t>);
    STATIC_REQUIRE(std::is_same_v<reduction_op_t<LogicalOr<>, int>, reduction_op_t<Any, int>>);
    STATIC_REQUIRE(reduction_op_t<ArgMax, float>::has_index);
    STATIC_REQUIRE_FALSE(reduction_op_t<Add<>, float>::has_index);
}

namespace {

/// 2x2 matrices under multiplication: associative, not commutative.
struct Matrix {
    int a, b, c, d;
    friend constexpr bool operator==(const Matrix&, const Matrix&) = default;
};
struct MatrixProduct {
    static constexpr bool commutative = false;
    static constexpr Matrix identity{1, 0, 0, 1};
    constexpr Matrix operator()(Matrix x, Matrix y) const {
        return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
    }
};
struct GreatestCommonDivisor {
    static constexpr const char* name = "gcd";
    static constexpr int identity() { return 0; }
    template <class T>
    constexpr T operator()(T x, T y) const {
        while (y != 0) {
            const T rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }
};
struct Widest {
    template <class T>
    static constexpr T identity() {
        return T(0);
    }
    template <class T>
    constexpr T operator()(T x, T y) const {
        return x * x > y * y ? x : y;
    }
};
/// A protocol op that leaves out all that has a default.
struct Range {
    struct accumulator {
        double lo, hi;
    };
    using result = double;
    constexpr accumulator init() const { return {1e300, -1e300}; }
    constexpr accumulator leaf(double v, index_t) const { return {v, v}; }
    constexpr accumulator combine(accumulator a, accumulator b) const {
        return {a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    }
    constexpr double project(accumulator a, index_t) const { return a.hi - a.lo; }
};

/// Whose accumulator converts to what it gives by a constructor that is explicit.
struct RoundedSum {
    using accumulator = float;
    using result = bfloat16;
    constexpr accumulator init() const { return 0; }
    constexpr accumulator leaf(float v, index_t) const { return v; }
    constexpr accumulator combine(accumulator a, accumulator b) const { return a + b; }
};

}  // namespace

TEST_CASE("user-defined reductions") {
    using Product = reduction_op_t<MatrixProduct, Matrix>;
    STATIC_REQUIRE(ReductionOp<Product>);
    STATIC_REQUIRE_FALSE(Product::commutative);
    const Matrix x{1, 1, 0, 1}, y{1, 0, 1, 1};
    CHECK(reduced<MatrixProduct>(std::vector<Matrix>{x, y}) == MatrixProduct{}(x, y));
    CHECK(reduced<MatrixProduct>(std::vector<Matrix>{}) == MatrixProduct::identity);

    STATIC_REQUIRE(reduction_op_t<GreatestCommonDivisor, int>::commutative);
    CHECK(std::string(reduction_op_t<GreatestCommonDivisor, int>::name) == "gcd");
    CHECK(reduced<GreatestCommonDivisor>(std::vector<std::int64_t>{84, 126, 210}) == 42);
    CHECK(reduced<Widest>(std::vector<float>{1, -3, 2}) == -3);
    CHECK(std::is_same_v<reduction_op_t<Widest, float, double>::accumulator, double>);

    using Spread = reduction_op_t<Range, float>;
    STATIC_REQUIRE(ReductionOp<Spread>);
    STATIC_REQUIRE(std::is_same_v<Spread::value_type, float>);
    CHECK(reduced<Range>(std::vector<float>{3, -1, 7}) == 8);
    CHECK(static_cast<float>(reduced<RoundedSum>(std::vector<float>{256, 1})) == 256);
}
