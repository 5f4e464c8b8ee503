// SPDX-License-Identifier: Apache-2.0
//
// Programs that people who had not written the library tried, and that once gave a wrong number without a word, or were
// refused without need: word for word, as far as all targets allow. The kinds they belong to are swept elsewhere
// (spanning_cases.hpp, strided_rows.cpp, tests/fuzz).
#pragma once

#include <initializer_list>

#include "support/tensor.hpp"

namespace fuse::testing {

/// Numbers that every target can reach.
template <class Target, class T>
class Data {
public:
    Data(std::initializer_list<T> values) : items_(values.size()) {
        std::size_t i = 0;
        for (const T v : values) {
            items_[i++] = v;
        }
    }
    Data(std::size_t count, T value) : items_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            items_[i] = value;
        }
    }
    T* data() { return items_.data(); }
    T& operator[](std::size_t i) { return items_[i]; }
    bool holds(std::initializer_list<T> expected) const {
        bool same = items_.size() == expected.size();
        std::size_t i = 0;
        for (const T v : expected) {
            same = same && items_[i++] == v;
        }
        return same;
    }

private:
    typename Target::template Array<T> items_;
};

/// A functor with state, of one type for all states.
struct AddNumber {
    float k;
    FUSE_HD float operator()(float e) const { return e + k; }
};

struct FractionPositive {
    using accumulator = std::int64_t;
    FUSE_HD std::int64_t init() const { return 0; }
    FUSE_HD std::int64_t leaf(float v, index_t) const { return v > 0 ? 1 : 0; }
    FUSE_HD std::int64_t combine(std::int64_t a, std::int64_t b) const { return a + b; }
    FUSE_HD double project(std::int64_t a, index_t n) const { return static_cast<double>(a) / static_cast<double>(n); }
};

template <class Target>
void check_reported_pairs(const Target& target) {
    Data<Target, float> a{1, 2, 3, 4, 5, 6}, b{10, 20, 30}, results{0, 0, 0, 0};
    const auto x = view<"x">(a.data(), 2, 3);
    const auto v = view<"v">(b.data(), 3);
    const auto S = view<"S">(results.data(), shape());
    const auto T = view<"T">(results.data() + 1, shape());
    CHECK(target.value(sum(x) + sum(v)) == 81);
    CHECK(target.value(sum(v * x) / sum(v)) == Catch::Approx(460.0 / 60));
    target.eval(S = sum(x), T = sum(v));
    CHECK(results.holds({21, 60, 0, 0}));
    CHECK(target.value(mean(x) - mean(v)) == -16.5F);
    CHECK(target.value(mean(sum(x, axes<1>)) + sum(v)) == 70.5F);

    Data<Target, float> ones(12, 1), twos(4, 2);
    const auto m = view<"m">(ones.data(), 3, 4);
    const auto w = view<"w">(twos.data(), 4);
    CHECK(target.value(mean(max(m, axes<1>)) + max(w)) == 3);

    Data<Target, float> cube(24, 1);
    Data<Target, index_t> position{7};
    const auto t3 = view<"t3">(cube.data(), 2, 3, 4);
    target.eval(view<"s">(position.data(), shape()) = argmax(w), view<"q">(results.data(), shape()) = sum(t3));
    CHECK(position[0] == 0);
    CHECK(results[0] == 24);
    CHECK(target.value(sum(t3) + sum(w)) == 32);
    CHECK(target.value(sum(t3) + sum(m)) == 36);
    const auto thin = view<"t3">(a.data(), 3, 1, 2);
    const auto pair = view<"m">(b.data(), 1, 2);
    CHECK(target.value(sum(thin) + sum(pair)) == 51);
    target.eval(S = mean(sum(x, axes<1>)), T = max(x));
    CHECK(results[0] == 10.5F);
    CHECK(results[1] == 6);
}

template <class Target>
void check_reported_shapes(const Target& target) {
    Data<Target, float> a{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, c{1, 1, 1, 1}, y(12, 0), z(30, -1), s{-1, -1};
    const auto x = view<"x">(a.data(), 3, 4);
    target.eval(view<"z">(z.data(), 5, 6) = sum(x));
    CHECK((z[0] == 78 && z[29] == 78));
    target.eval(view<"z">(z.data(), 4) = sum(x) * 2);
    CHECK((z[0] == 156 && z[3] == 156 && z[4] == 78));
    const auto row = view<"c">(c.data(), 1, 4);
    target.eval(view<"y">(y.data(), 3, 4) = x + sum(row * index<0>(), axes<1>, keepdims));
    CHECK(y.holds({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    Data<Target, float> column{1, 2, 4};
    target.eval(view<"y">(y.data(), 3, 4) = x / max(view<"k">(column.data(), 3, 1)));
    CHECK((y[0] == 0.25F && y[11] == 3));
    CHECK(target.value(sum(sum(x, axes<1>, keepdims))) == 78);
    const auto two = view<"two">(a.data(), 2, 1);
    Data<Target, float> out{0, 0};
    target.eval(view<"out">(out.data(), 2, 1) = two / max(view<"v">(column.data() + 1, 2)));
    CHECK(out.holds({0.25F, 0.5F}));

    // Empty outputs beside others.
    float* const none = nullptr;
    const auto e = view<"e">(none, 0, 3);
    const auto w = view<"w">(column.data(), 3);
    target.eval(view<"n">(none, 0, 3) = softmax(e), view<"s">(s.data(), shape()) = sum(w));
    CHECK(s[0] == 7);
    target.eval(view<"n">(none, 0) = sum(e, axes<1>), view<"s">(s.data(), shape()) = view<"a">(a.data(), shape()) * 2);
    CHECK(s[0] == 2);
    Data<Target, float> rows{-1, -1, -1};
    const auto flat = view<"flat">(none, 3, 0);
    target.eval(view<"n">(none, 3, 0) = cummax(flat, axes<1>), view<"m">(rows.data(), 3) = sum(flat, axes<1>));
    CHECK(rows.holds({0, 0, 0}));
}

template <class Target>
void check_reported_values(const Target& target) {
    Data<Target, float> a{1, 2, 3, -4};
    const auto x = view<"x">(a.data(), 4);
    CHECK_THROWS_AS(target.value(sum(named<"h">(map(AddNumber{1}, x))) - sum(named<"h">(map(AddNumber{100}, x)))),
                    argument_error);
    CHECK(target.value(reduce(FractionPositive{}, x)) == 0.75);

    Data<Target, std::int32_t> i{60000, 80000};
    CHECK(target.value(norm<2>(view<"i">(i.data(), 2))) == 100000);
    Data<Target, std::int64_t> l{3000000000, 4000000000};
    CHECK(target.value(norm<2>(view<"l">(l.data(), 2))) == 5e9);
    Data<Target, std::int32_t> cubes{3000, 4000};
    CHECK(target.value(norm<3>(view<"k">(cubes.data(), 2))) == Catch::Approx(4497.9414));
    Data<Target, std::int32_t> lowest{std::numeric_limits<std::int32_t>::min(), 0};
    CHECK(target.value(norm<1>(view<"low">(lowest.data(), 2))) == 2147483648.0);
    Data<Target, std::uint32_t> u{1, 2, 3};
    CHECK(target.value(logsumexp(view<"u">(u.data(), 3))) == Catch::Approx(3.40760596));
    Data<Target, double> p{0, 0, 0};
    target.eval(view<"p">(p.data(), 3) = softmax(view<"u">(u.data(), 3)));
    CHECK(p[2] == Catch::Approx(0.66524096));
    target.eval(view<"p">(p.data(), 3) = pow(view<"u">(u.data(), 3), -1));
    CHECK(p[1] == 0.5);
}

}  // namespace fuse::testing
