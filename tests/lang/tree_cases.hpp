// SPDX-License-Identifier: Apache-2.0
//
// Random expression trees. A seed, a template argument, draws a tree of maps and reductions over three named leaves:
// x(rows, columns), row(columns), column(rows, 1). Each tree is built twice from the same type: from nodes of the
// library, and as a recursion over coordinates in double that carries a bound of the rounding error along.
#pragma once

#include <map>

#include "lang/axes_cases.hpp"
#include "support/tensor.hpp"

namespace fuse::testing::tree {

/// A value and how far float arithmetic may be from it.
struct Approx {
    double value = 0;
    double error = 0;
};

inline constexpr double rounding = 1.2e-7;

/// What a tree is evaluated on. Values of reductions are remembered, by the address of a tag of their type.
struct Data {
    NdArray x, row, column;
    mutable std::map<std::pair<const char*, Coordinate>, Approx> known{};
};

/// Leaf number I of the three.
template <int I>
struct Leaf {
    static Approx at(const Data& d, const Coordinate& c) {
        return {I == 0 ? d.x(c) : I == 1 ? d.row(c) : d.column(c), 0};
    }
    template <class Views>
    static auto build(const Views& v) {
        if constexpr (I == 0) {
            return v.x;
        } else if constexpr (I == 1) {
            return v.row;
        } else {
            return v.column;
        }
    }
};

template <class Op, class A>
struct Unary {
    static Approx at(const Data& d, const Coordinate& c) { return Op::apply(A::at(d, c)); }
    template <class Views>
    static auto build(const Views& v) {
        return Op::node(A::build(v));
    }
};
template <class Op, class A, class B>
struct Binary {
    static Approx at(const Data& d, const Coordinate& c) { return Op::apply(A::at(d, c), B::at(d, c)); }
    template <class Views>
    static auto build(const Views& v) {
        return Op::node(A::build(v), B::build(v));
    }
};
/// A reduction over the axes in Mask, kept with extent 1, so that it broadcasts back.
template <class Op, std::uint32_t Mask, class A>
struct Reduction {
    static constexpr char tag = 0;

    static Approx at(const Data& d, const Coordinate& c) {
        Coordinate from = c;
        Extent extent = d.x.extent;
        for (std::size_t axis = 0; axis < extent.size(); ++axis) {
            from[axis] = is_reduced(Mask, axis) ? 0 : c[axis];
            extent[axis] = is_reduced(Mask, axis) ? extent[axis] : 1;
        }
        const std::pair<const char*, Coordinate> key{&tag, from};
        if (const auto found = d.known.find(key); found != d.known.end()) {
            return found->second;
        }
        std::vector<Approx> values;
        for_each_coordinate(extent, [&](const Coordinate& step) {
            values.push_back(A::at(d, {from[0] + step[0], from[1] + step[1]}));
        });
        return d.known[key] = Op::apply(values);
    }
    template <class Views>
    static auto build(const Views& v) {
        return Op::node(A::build(v), axes_of<Mask>);
    }
};

inline Approx rounded(double value, double error) {
    return {value, error + rounding * (std::fabs(value) + 1e-3)};
}

struct Negate {
    static Approx apply(Approx a) { return {-a.value, a.error}; }
    static auto node(const auto& a) { return -a; }
};
struct Magnitude {
    static Approx apply(Approx a) { return {std::fabs(a.value), a.error}; }
    static auto node(const auto& a) { return abs(a); }
};
struct Wave {
    static Approx apply(Approx a) { return rounded(std::sin(a.value), a.error + 2 * rounding); }
    static auto node(const auto& a) { return sin(a); }
};
struct Bounded {
    static Approx apply(Approx a) { return rounded(std::tanh(a.value), a.error + 2 * rounding); }
    static auto node(const auto& a) { return tanh(a); }
};
struct Half {
    static Approx apply(Approx a) { return rounded(a.value * 0.5, a.error * 0.5); }
    static auto node(const auto& a) { return a * 0.5; }
};
struct Plus {
    static Approx apply(Approx a, Approx b) { return rounded(a.value + b.value, a.error + b.error); }
    static auto node(const auto& a, const auto& b) { return a + b; }
};
struct Minus {
    static Approx apply(Approx a, Approx b) { return rounded(a.value - b.value, a.error + b.error); }
    static auto node(const auto& a, const auto& b) { return a - b; }
};
struct Times {
    static Approx apply(Approx a, Approx b) {
        return rounded(a.value * b.value, std::fabs(a.value) * b.error + std::fabs(b.value) * a.error);
    }
    static auto node(const auto& a, const auto& b) { return a * b; }
};
struct Larger {
    static Approx apply(Approx a, Approx b) { return {std::fmax(a.value, b.value), std::fmax(a.error, b.error)}; }
    static auto node(const auto& a, const auto& b) { return max(a, b); }
};
struct Average {
    static Approx apply(const std::vector<Approx>& v) {
        Approx total;
        double size = 0;
        for (const Approx& a : v) {
            total = {total.value + a.value, total.error + a.error};
            size += std::fabs(a.value);
        }
        const auto n = static_cast<double>(v.size());
        return rounded(total.value / n, (total.error + rounding * size * (4 + std::log2(n))) / n);
    }
    static auto node(const auto& a, const auto& axes) { return mean(a, axes, keepdims); }
};
struct Largest {
    static Approx apply(const std::vector<Approx>& v) {
        Approx most = v.front();
        for (const Approx& a : v) {
            most = {std::fmax(most.value, a.value), std::fmax(most.error, a.error)};
        }
        return most;
    }
    static auto node(const auto& a, const auto& axes) { return max(a, axes, keepdims); }
};

/// One draw of a linear congruential generator (D. E. Knuth's MMIX): the high bits are the random ones.
constexpr std::uint64_t next(std::uint64_t state) {
    return state * 6364136223846793005U + 1442695040888963407U;
}
constexpr int draw(std::uint64_t state, int n) {
    return static_cast<int>((state >> 33U) % static_cast<std::uint64_t>(n));
}

template <int N, class... T>
using nth = at_t<type_list<T...>, N>;

/// The tree of a generator state. All reductions of a tree have one Mask, or they would not be one kernel; their
/// operand holds x, so that it spans the domain.
template <std::uint64_t State, int Depth, std::uint32_t Mask>
struct Draw {
    static constexpr std::uint64_t s1 = next(State), s2 = next(s1 ^ 0x51U), s3 = next(s2 ^ 0x7fU);
    static constexpr int kind = Depth == 0 ? 0 : 1 + draw(s1, 6);

    static auto pick() {
        if constexpr (kind == 0) {
            return Leaf<draw(s1, 3)>{};
        } else if constexpr (kind <= 2) {
            using Op = nth<draw(s2, 5), Negate, Magnitude, Wave, Bounded, Half>;
            return Unary<Op, typename Draw<s2, Depth - 1, Mask>::type>{};
        } else if constexpr (kind <= 4) {
            using Op = nth<draw(s2, 4), Plus, Minus, Times, Larger>;
            return Binary<Op, typename Draw<s2, Depth - 1, Mask>::type, typename Draw<s3, Depth - 1, Mask>::type>{};
        } else {
            using Op = nth<draw(s2, 2), Average, Largest>;
            using Join = nth<draw(s3, 2), Plus, Times>;
            return Reduction<Op, Mask, Binary<Join, Leaf<0>, typename Draw<s2, Depth - 1, Mask>::type>>{};
        }
    }
    using type = decltype(pick());
};

template <class X, class Row, class Column>
struct Views {
    X x;
    Row row;
    Column column;
};

/// Builds tree number Seed and compares it on some shapes. The root adds x, so that the output has its shape.
template <unsigned Seed, int Depth, class Target>
void check_tree(const Target& target, const std::vector<Extent>& shapes, unsigned data_seed) {
    constexpr std::uint32_t mask = 1 + Seed % 3;
    using Root = Binary<Plus, typename Draw<next(Seed), Depth, mask>::type, Leaf<0>>;
    for (const Extent& extent : shapes) {
        INFO("tree " << Seed << ", depth " << Depth << ", data seed " << data_seed << ", shape " << to_text(extent));
        Tensor<Target, float> x_data(random_reals(extent, -2, 2, data_seed));
        Tensor<Target, float> row_data(random_reals({extent[1]}, -2, 2, data_seed + 1));
        Tensor<Target, float> column_data(random_reals({extent[0], 1}, -2, 2, data_seed + 2));
        Tensor<Target, float> y_data(extent);
        const auto x = x_data.template view<"x", 2>();
        const auto row = row_data.template view<"row", 1>();
        const auto column = column_data.template view<"column", 2>();
        const auto e = Root::build(Views<decltype(x), decltype(row), decltype(column)>{x, row, column});
        target.eval(y_data.template view<"y", 2>() = e);

        const Data data{x_data.read(), row_data.read(), column_data.read()};
        const NdArray got = y_data.read();
        std::string first;
        for_each_coordinate(extent, [&](const Coordinate& c) {
            const Approx expected = Root::at(data, c);
            if (first.empty() && !(std::fabs(got(c) - expected.value) <= 4 * expected.error)) {
                first = to_text(c) + ": got " + std::to_string(got(c)) + ", expected " +
                        std::to_string(expected.value) + " within " + std::to_string(4 * expected.error);
            }
        });
        CHECK(first == "");
    }
}

template <int Depth, unsigned First, unsigned... I, class Target>
void check_trees(const Target& target, const std::vector<Extent>& shapes, unsigned data_seed,
                 std::integer_sequence<unsigned, I...>) {
    (check_tree<First + I, Depth>(target, shapes, data_seed), ...);
}

}  // namespace fuse::testing::tree
