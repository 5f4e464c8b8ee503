// SPDX-License-Identifier: Apache-2.0
//
// The array of nodes that the planner reads: each value once, after its operands, with what it varies along and needs.
#include <functional>
#include <vector>

#include "plan/graphs.hpp"
#include "support/catch.hpp"

using namespace fuse;
using namespace fuse::detail;
using fuse::testing::graph_of;

namespace {

float* const data = nullptr;
const auto x = view<"x">(data, 4, 8);
const auto weight = view<"weight">(data, 8);
const auto y = view<"y">(data, 4, 8);
const auto z = view<"z">(data, 4, 8);
const auto per_row = view<"r">(data, 4);

struct Scale {
    float factor;
    FUSE_HD float operator()(float v) const { return factor * v; }
};

/// What holds for every array.
template <class G>
constexpr bool well_formed() {
    constexpr Nodes n = G::nodes;
    constexpr int count = G::order.count;
    int leaves = 0;
    int reductions = 0;
    for (int i = 0; i < count; ++i) {
        const NodeRecord& node = n.node[i];
        for (int k = 0; k < node.operand_count; ++k) {
            const int from = n.operand[node.first_operand + k];
            if (from < 0 || from >= i || (n.node[from].varies & ~node.varies & ~node.axes) != 0) {
                return false;
            }
        }
        if (node.user >= 0 && n.operand[n.node[node.user].first_operand + node.used_as] != i) {
            return false;
        }
        leaves += is_leaf(node.kind) ? 1 : 0;
        reductions += is_reduction(node.kind) ? 1 : 0;
    }
    return leaves == n.leaves && reductions == n.reductions;
}
/// From number to type and back.
template <class G>
constexpr bool finds_its_types() {
    return []<int... I>(std::integer_sequence<int, I...>) {
        return ((G::template find<typename G::template type_of<I>::type> == I) && ...);
    }
    (std::make_integer_sequence<int, G::order.count>{});
}

template <int N, class E>
auto negated(const E& e) {
    if constexpr (N == 0) {
        return e;
    } else {
        return negated<N - 1>(-e);
    }
}
/// E + E, and that again, N times.
template <int N, class E>
struct doubled : doubled<N - 1, ir::Call<std::plus<>, stateless_id, E, E>> {};
template <class E>
struct doubled<0, E> {
    using type = E;
};

}  // namespace

TEST_CASE("softmax is six values in the order in which they can be computed") {
    const auto e = exp(x - max(x, axes<1>, keepdims));
    using G = graph_of<decltype(y = e / sum(e, axes<1>, keepdims))>;
    STATIC_REQUIRE((well_formed<G>() && finds_its_types<G>()));
    constexpr const auto& node = G::array.node;
    STATIC_REQUIRE(G::order.count == 6);
    STATIC_REQUIRE((node[0].kind == NodeKind::leaf && node[0].number == 0 && node[0].axes == 0b11));
    STATIC_REQUIRE((node[1].kind == NodeKind::reduction && node[1].axes == 0b10 && node[1].varies == 0b01));
    STATIC_REQUIRE((node[2].kind == NodeKind::call && node[2].operand_count == 2));
    STATIC_REQUIRE((G::nodes.operand_of(node[2], 0).kind == NodeKind::leaf));
    STATIC_REQUIRE((G::nodes.operand_of(node[2], 1).kind == NodeKind::reduction));
    STATIC_REQUIRE((node[3].kind == NodeKind::call && node[3].operand_count == 1));
    STATIC_REQUIRE((node[4].kind == NodeKind::reduction && node[4].number == 1 && node[4].depth == 2));
    STATIC_REQUIRE((node[5].kind == NodeKind::call && G::array.root[0] == 5 && node[5].user == -1));
    // What a value reads itself, and what it needs through reductions.
    STATIC_REQUIRE((node[3].leaves == 0b1 && node[3].results == 0b01 && node[3].needs == 0b01 && node[3].depth == 1));
    STATIC_REQUIRE((node[4].leaves == 0 && node[4].results == 0b10 && node[4].needs == 0b11));
    STATIC_REQUIRE((node[5].leaves == 0b1 && node[5].results == 0b11 && node[5].varies == 0b11));
}

TEST_CASE("the array of docs/life_of_an_expression.md") {
    using G = graph_of<decltype(y = x * rsqrt(mean(square(x), axes<1>, keepdims)))>;
    constexpr const auto& node = G::array.node;
    constexpr Nodes n = G::nodes;
    STATIC_REQUIRE(G::order.count == 5);
    STATIC_REQUIRE((node[0].kind == NodeKind::leaf && node[0].axes == 0b11 && node[0].varies == 0b11));
    STATIC_REQUIRE((node[1].varies == 0b11 && n.operand[node[1].first_operand] == 0 && node[1].leaves == 0b1));
    STATIC_REQUIRE((node[2].kind == NodeKind::reduction && node[2].axes == 0b10 && node[2].varies == 0b01));
    STATIC_REQUIRE((node[2].leaves == 0 && node[2].results == 0b1 && node[2].needs == 0b1 && node[2].depth == 1));
    STATIC_REQUIRE((node[3].varies == 0b01 && n.operand[node[3].first_operand] == 2 && node[3].results == 0b1));
    STATIC_REQUIRE((n.operand[node[4].first_operand] == 0 && n.operand[node[4].first_operand + 1] == 3));
    STATIC_REQUIRE((node[4].varies == 0b11 && node[4].leaves == 0b1 && node[4].results == 0b1 && node[4].depth == 1));
}

TEST_CASE("values that statements share stand once") {
    const auto most = max(x, axes<1>, keepdims);
    using G = graph_of<decltype(y = x - most), decltype(z = x * most), decltype(per_row = max(x, axes<1>))>;
    STATIC_REQUIRE((well_formed<G>() && finds_its_types<G>()));
    STATIC_REQUIRE((G::order.count == 4 && G::array.leaves == 1 && G::array.reductions == 1));
    // The third statement's expression is an operand of the others.
    STATIC_REQUIRE((G::array.root[0] == 2 && G::array.root[1] == 3 && G::array.root[2] == 1));
    STATIC_REQUIRE(G::array.node[1].used_as == 2);
}

TEST_CASE("unnamed numbers are values of their own, constants and equal names are not") {
    using Two = graph_of<decltype(y = (x + 1.0F) * (x + 1.0F))>;
    STATIC_REQUIRE((Two::array.leaves == 3 && Two::order.count == 6));
    using One = graph_of<decltype(y = square(x) * square(x) + weight)>;
    STATIC_REQUIRE((One::array.leaves == 2 && One::order.count == 5));
    STATIC_REQUIRE((well_formed<Two>() && finds_its_types<Two>() && well_formed<One>() && finds_its_types<One>()));
    STATIC_REQUIRE(One::array.node[One::array.leaf[1]].varies == 0b10);
}

TEST_CASE("functors with state are numbered by their state") {
    const auto twice = map(Scale{2}, x);
    using G = graph_of<decltype(y = twice + map(Scale{3}, weight)), decltype(z = map(Scale{4}, x))>;
    STATIC_REQUIRE((well_formed<G>() && finds_its_types<G>()));
    STATIC_REQUIRE((G::array.states == 3 && G::order.count == 6));
    using Named = graph_of<decltype(y = named<"s">(twice) + named<"s">(twice)), decltype(z = named<"s">(twice))>;
    STATIC_REQUIRE((Named::array.states == 1 && Named::order.count == 3));
    STATIC_REQUIRE((Named::nodes.root_node(1).number == 0 && Named::nodes.root_node(0).number == -1));
}

TEST_CASE("a scan varies along the axis that it folds, a reduction does not") {
    const auto running = cumsum(x, axes<1>);
    using G = graph_of<decltype(y = running), decltype(per_row = sum(x, axes<1>)), decltype(z = sort(x, axes<1>))>;
    STATIC_REQUIRE((well_formed<G>() && finds_its_types<G>()));
    constexpr Nodes n = G::nodes;
    STATIC_REQUIRE((n.root_node(0).kind == NodeKind::scan && n.root_node(0).varies == 0b11));
    STATIC_REQUIRE((n.root_node(1).kind == NodeKind::reduction && n.root_node(1).varies == 0b01));
    STATIC_REQUIRE((n.root_node(2).kind == NodeKind::sort && n.root_node(2).varies == 0b11));
}

TEST_CASE("each lambda is a functor of its own") {
    const auto a = map([](float v) { return v + 1; }, x);
    const auto b = map([](float v) { return v + 1; }, x);
    using Two = graph_of<decltype(y = a * b)>;
    STATIC_REQUIRE((Two::order.count == 4 && well_formed<Two>() && finds_its_types<Two>()));
    using One = graph_of<decltype(y = a * a)>;
    STATIC_REQUIRE((One::order.count == 3 && well_formed<One>() && finds_its_types<One>()));
}

TEST_CASE("a value is visited once, however many paths lead to it") {
    using G = NumberedNodes<doubled<40, ir::Constant<float, 1, 1>>::type>;
    STATIC_REQUIRE((G::order.count == 41 && G::array.root[0] == 40 && well_formed<G>()));
}

TEST_CASE("an array of a hundred nodes") {
    const std::vector<float> in{1, 2, 3};
    std::vector<float> out(3);
    const auto e = negated<101>(view<"in">(in));
    const auto statement = view<"out">(out) = e;
    using G = graph_of<decltype(statement)>;
    STATIC_REQUIRE((G::order.count == 102 && well_formed<G>()));
    eval(host, view<"out">(out) = e);
    CHECK(out == std::vector<float>{-1, -2, -3});
}
