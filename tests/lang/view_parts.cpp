// SPDX-License-Identifier: Apache-2.0
//
// Views of views in expressions: what is read and written through them, for every pair of parts of one array, on the
// host and on emulated blocks; their types, names and single elements, and what is refused.
#include <numeric>
#include <vector>

#include "lang/positions.hpp"
#include "lang/shape_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <int Rank, class X>
std::vector<X> parts_of(const X& x) {
    std::vector<X> parts{
        x,
        flip(x),
        flip<0>(x),
        flip<-1>(x),
        transpose(x),
        slice<0>(x, 1, {}),
        slice<0>(x, {}, -1),
        slice<-1>(x, {}, {}, 2),
        slice<-1>(x, 1, {}, 2),
        slice<0>(x, {}, {}, -2),
        slice<0>(x, 0, 0),
        slice<-1>(x, {}, {}, -1),
        slice<0>(slice<-1>(x, {}, 1), {}, 1),
        flip<0>(transpose(slice<-1>(x, -3, {}))),
    };
    if constexpr (Rank == 3) {
        parts.push_back(transpose<1, 0, 2>(x));
        parts.push_back(transpose<0, 2, 1>(slice<1>(x, {}, {}, -2)));
    }
    if (x.size() > 0) {
        parts.push_back(slice<0>(view(expand_dims<0>(x[-1])), 0, 1));
        parts.push_back(squeeze<Rank>(view(expand_dims<Rank>(flip<0>(x)))));
    }
    return parts;
}

/// What a part has, read off the memory that it is a view of.
template <class V>
NdArray elements_of(const V& v) {
    NdArray result(to_extent(v.shape()));
    const Positions p = positions_of(v.strided());
    for (std::size_t i = 0; i < p.at.size(); ++i) {
        result.value[i] = v.data()[p.at[i]];
    }
    return result;
}

/// All elements of y are as they were, but those of its part, which are `expected`.
template <class V>
void check_written(std::vector<float> memory, const float* origin, const V& part, const NdArray& expected,
                   const std::vector<float>& got) {
    const Positions p = positions_of(part.strided());
    for (std::size_t i = 0; i < p.at.size(); ++i) {
        memory[static_cast<std::size_t>(part.data() - origin + p.at[i])] = static_cast<float>(expected.value[i]);
    }
    CHECK(memory == got);
}

template <int Rank, class Target>
void check_parts(const Target& target) {
    for (const Extent& extent : shapes_of_rank(Rank)) {
        const auto count = static_cast<std::size_t>(size_of(extent));
        if (count > 300) {
            continue;
        }
        std::vector<float> in(count);
        std::iota(in.begin(), in.end(), 1.0F);
        std::vector<float> other(count);
        const Shape shape = to_shape(extent);
        const auto as_view = [&](std::vector<float>& v) {
            return strided_view<"x">(v.data(), shape, row_major(shape), std::make_integer_sequence<int, Rank>{});
        };
        const auto whole = view(as_view(in));
        const auto out = view(as_view(other));
        const auto from = parts_of<Rank>(whole);
        const auto to = parts_of<Rank>(out);
        const auto within = parts_of<Rank>(whole);
        for (std::size_t i = 0; i < from.size(); ++i) {
            const NdArray read = elements_of(from[i]);
            CHECK(target.value(sum(from[i])) == static_cast<float>(sum_reference(read.value)));
            for (std::size_t j = 0; j < to.size(); ++j) {
                if (from[i].shape() != to[j].shape()) {
                    continue;
                }
                INFO("shape " << to_text(extent) << ", parts " << i << " and " << j);
                std::fill(other.begin(), other.end(), -1.0F);
                const std::vector<float> before_other = other;
                target.eval(to[j] = from[i] * 2);
                NdArray twice = read;
                for (double& v : twice.value) {
                    v *= 2;
                }
                check_written(before_other, other.data(), to[j], twice, other);

                // Within one array: refused, or as if all had been read before any was written.
                const std::vector<float> before = in;
                bool refused = false;
                try {
                    target.eval(within[j] = from[i] * 2);
                } catch (const argument_error&) {
                    refused = true;
                }
                if (refused) {
                    CHECK(in == before);
                } else {
                    check_written(before, before.data() - before.data() + in.data(), within[j], twice, in);
                }
                const bool disjoint_or_same = read.size() == 0 || i == j;
                CHECK((!disjoint_or_same || !refused));
                in = before;
            }
        }
    }
}

}  // namespace

TEMPLATE_TEST_CASE("parts as inputs and outputs of one rank", "", HostTarget, EmulatedTarget) {
    check_parts<1>(TestType{});
    check_parts<2>(TestType{});
    check_parts<3>(TestType{});
}

TEST_CASE("parts keep the static extents that they have") {
    std::vector<float> data(2 * 3 * 4);
    const auto x = view<"x">(data, extents<dynamic, 3, 4>{2});
    const auto same = []<class V, index_t... E>(const V&, extents<E...> e) {
        return V::static_shape == Shape{sizeof...(E), {E...}} && is_named<typename V::name_type> == false &&
               e.rank == V::rank;
    };
    CHECK(same(x[1], extents<3, 4>{}));
    CHECK(same(select<-1>(x, 0), extents<dynamic, 3>{2}));
    CHECK(same(row(x[0], -1), extents<4>{}));
    CHECK(same(column(x[0], 1), extents<3>{}));
    CHECK(same(slice<1>(x, 1, {}), extents<dynamic, dynamic, 4>{2, 2}));
    CHECK(same(flip<0, 2>(x), extents<dynamic, 3, 4>{2}));
    CHECK(same(transpose(x), extents<4, 3, dynamic>{2}));
    CHECK(same(transpose<1, -1, 0>(x), extents<3, 4, dynamic>{2}));
    CHECK(same(reshape(x, extents<dynamic, 12>{-1}), extents<dynamic, 12>{2}));
    CHECK(same(reshape(x, 6, -1), extents<dynamic, dynamic>{6, 4}));
    CHECK(same(view(expand_dims<1>(x)), extents<dynamic, 1, 3, 4>{2}));
    CHECK(same(squeeze<1>(view(expand_dims<1>(x))), extents<dynamic, 3, 4>{2}));
    CHECK(squeeze<1>(view(expand_dims<1>(x))).shape() == x.shape());
    CHECK((x.size() == 24 && x[0].size() == 12 && x[0][1].size() == 4 && x[0][1][2].size() == 1));
}

TEST_CASE("elements on the host") {
    std::vector<float> data(6);
    std::iota(data.begin(), data.end(), 0.0F);
    const auto x = view<"x">(data, 2, 3);
    CHECK((x(1, 2) == 5 && x(-1, -3) == 3 && flip(x)(0, 0) == 5 && transpose(x)(2, 1) == 5 && x[1][0]() == 3));
    x(0, 1) = 10;
    CHECK(data[1] == 10);
    const auto fixed = view(static_cast<const float*>(data.data()), 6);
    static_assert(std::is_same_v<decltype(fixed(0)), const float&>);
    CHECK_THROWS_WITH(x(2, 0), "index 2 is outside axis 0 of x(2, 3)");
    CHECK_THROWS_WITH(x(0, -4), "index -4 is outside axis 1 of x(2, 3)");
    CHECK_THROWS_WITH(static_cast<void>(x[2]), "index 2 is outside axis 0 of x(2, 3)");
    CHECK_THROWS_WITH(static_cast<void>(x[0][3]), "index 3 is outside axis 0 of x[...](3)");
    CHECK_THROWS_AS(view(data.data(), 0)(0), argument_error);
}

TEST_CASE("a part has no name until it is given one") {
    std::vector<float> data{1, 2, 3, 4, 5, 6};
    std::vector<float> out(3);
    const auto x = view<"x">(data, 2, 3);
    const auto y = view<"y">(out);
    eval(host, y = x[0] * 10 + x[1]);
    CHECK(out == std::vector<float>{14, 25, 36});
    const auto r = view<"r">(x[1]);
    using Named = plan<decltype(y = r / sum(r))>;
    using Unnamed = plan<decltype(y = x[1] / sum(x[1]))>;
    STATIC_REQUIRE((Named::planner::ir_leaves::size == 1 && Unnamed::planner::ir_leaves::size == 2));
    eval(host, y = softmax(x[1]) + 0 * r);
    CHECK(out[0] < out[2]);
    const auto h = [&](index_t i) { return named<"h">(x[i] * 2.0F); };
    CHECK_THROWS_AS(eval(host, y = h(0) + h(1)), argument_error);
    eval(host, x[0] = x[1], x[1] = x[0]);  // two views of one array that do not overlap
    CHECK(data == std::vector<float>{4, 5, 6, 1, 2, 3});
    eval(host, column(x, 0) = column(x, 2) * 2);
    CHECK(data == std::vector<float>{12, 5, 6, 6, 2, 3});
    eval(host, view(expand_dims<0>(y)) = sum(x, axes<0>, keepdims));
    CHECK(out == std::vector<float>{18, 7, 9});
}

TEST_CASE("what is no part, or no whole container") {
    std::vector<float> data(12);
    const auto x = view<"x">(data, 3, 4);
    CHECK_THROWS_WITH(static_cast<void>(slice<0>(x, 0, 1, 0)), "slice of x(3, 4): the step is 0");
    CHECK_THROWS_WITH(static_cast<void>(squeeze<0>(x)), "squeeze: axis 0 of x(3, 4) has extent 3, not 1");
    CHECK_THROWS_WITH(static_cast<void>(reshape(x, 5, -1)),
                      "reshape: x(3, 4) has 12 elements, which do not fill (5, -1)");
    CHECK_THROWS_AS(static_cast<void>(reshape(x, -1, -1)), shape_error);
    CHECK_THROWS_AS(static_cast<void>(reshape(x, -2, -6)), shape_error);
    CHECK_THROWS_AS(static_cast<void>(reshape(slice<0>(x, 0, 0), -1, 0)), shape_error);
    CHECK(reshape(slice<0>(x, 0, 0), 7, 0, 2).size() == 0);
    CHECK_THROWS_WITH(
        static_cast<void>(reshape(transpose(x), 12)),
        "reshape: the elements of x[...](4, 3), which has strides (1, 4), are no view of shape (12) where "
        "they lie. Evaluate it into a contiguous view first");
    CHECK_THROWS_AS(static_cast<void>(flip(view(data.data(), -3))), shape_error);

    const float* none = nullptr;
    CHECK_THROWS_AS(value(host, sum(view(none, 3, 4)[1])), argument_error);
    CHECK(value(host, sum(slice<0>(view(none, 0), {}, {}, -1))) == 0);
    constexpr auto far = std::numeric_limits<index_t>::max();
    CHECK((slice<0>(x, -far, far, far).shape() == Shape{2, {1, 4}} &&
           slice<0>(x, far, -far - 1, -far - 1).shape() == Shape{2, {1, 4}}));
    CHECK(slice<0>(x, far, -far - 1, -far - 1).data() == data.data() + 8);

    CHECK((view<"v">(data, -1, 6).shape() == Shape{2, {2, 6}} && view(data, shape(12)).size() == 12));
    CHECK_THROWS_WITH(static_cast<void>(view<"v">(data, 5, 2)),
                      "view v(5, 2) does not have the 12 elements of its container");
    CHECK_THROWS_AS(static_cast<void>(view(data, index_t{1} << 32, (index_t{1} << 32) + 12)), shape_error);
    CHECK(view<"v">(data, shape(4, 3), strides(1, 4)).extent(0) == 4);
    CHECK(view<"v">(data, shape(12), strides(0)).size() == 12);
    CHECK_THROWS_WITH(static_cast<void>(view<"v">(data, shape(4, 3), strides(1, 5))),
                      "view v(4, 3) with strides (1, 5) leaves its container, which has 12 elements");
    CHECK_THROWS_AS(static_cast<void>(view<"v">(data, shape(2), strides(-1))), shape_error);
    CHECK_THROWS_AS(static_cast<void>(view<"v">(data, shape(4, 3), strides(far / 2, far / 2))), shape_error);
    CHECK(value(host, sum(view<"v">(data, shape(0, 100), strides(100, 1)))) == 0);
}
