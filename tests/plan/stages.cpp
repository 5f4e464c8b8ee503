// SPDX-License-Identifier: Apache-2.0
//
// How reductions are arranged in stages, along which axes results vary, and which programs are refused for what reason.
#include <string>
#include <vector>

#include "plan/graphs.hpp"
#include "support/catch.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::detail;
using fuse::testing::graph_of;
using fuse::testing::refusal;

namespace {

float* const data = nullptr;
const auto x = view<"x">(data, 4, 8);
const auto t = view<"t">(data, 4, 8);
const auto y = view<"y">(data, 4, 8);
const auto per_row = view<"r">(data, 4);
const auto per_column = view<"c">(data, 8);
const auto scalar_out = view<"s">(data, shape());
const auto cube = view<"cube">(data, 2, 3, 4);
const auto cube_out = view<"cube_out">(data, 2, 3, 4);

constexpr unsigned both = kir::kept_axes | kir::walked_axes;

struct Last {
    static constexpr bool commutative = false;
    static constexpr float identity = 0;
    FUSE_HD constexpr float operator()(float, float b) const { return b; }
};

}  // namespace

TEST_CASE("a loss is two phases and an epilogue, each with what it reads") {
    const auto e = exp(x - max(x, axes<1>, keepdims));
    using P = plan<decltype(scalar_out = mean(log(sum(e, axes<1>)) - sum(x * t, axes<1>)))>;
    constexpr Nodes n = P::planner::graph::nodes;
    constexpr Arrangement a = P::planner::graph::arrangement;
    STATIC_REQUIRE((a.reduced == 0b10 && a.fit == Fit::exact && a.phases == 2 && a.stages() == 3));
    // max(x) and sum(x * t), then sum(exp(x - max)), then the mean of one value per row.
    constexpr StageSets first = stage_at(n, a, 0);
    constexpr StageSets second = stage_at(n, a, 1);
    constexpr StageSets last = stage_at(n, a, 2);
    STATIC_REQUIRE((first.axes == 0b10 && first.size() == 2 && first.leaves == 0b11 && first.stages == 0));
    STATIC_REQUIRE((second.axes == 0b10 && second.size() == 1 && second.leaves == 0b01 && second.stages == 0b001));
    STATIC_REQUIRE((last.axes == 0b11 && last.size() == 1 && last.leaves == 0 && last.stages == 0b011));
    STATIC_REQUIRE((a.epilogue == last.reductions && in_set(last.reductions, last.at(0))));
    // Reductions are counted stage by stage: the sum of products, third in the array, is second in the program.
    STATIC_REQUIRE((n.reduction_node(1).depth == 2 && n.reduction_node(2).depth == 1));
    STATIC_REQUIRE(
        (place_in_program(n, a, 0) == 0 && place_in_program(n, a, 1) == 2 && place_in_program(n, a, 2) == 1));
    STATIC_REQUIRE((in_program_order(n, a, 0b0110) == 0b0110 && in_program_order(n, a, 0b0010) == 0b0100));

    using Program = typename P::program;
    STATIC_REQUIRE(Program::stages::size == 3);
    STATIC_REQUIRE((at_t<Program::stages, 1>::axes == kir::walked_axes && at_t<Program::stages, 2>::axes == both));
    STATIC_REQUIRE((at_t<Program::stages, 2>::reads::stages == 0b11 && at_t<Program::stages, 2>::reads::leaves == 0));
    STATIC_REQUIRE((Program::phases::size == 2 && Program::epilogue::size == 1 && Program::epilogue_items == 0));
    STATIC_REQUIRE((at_t<Program::outputs, 0>::extent == kir::Extent::once));
    STATIC_REQUIRE((at_t<Program::outputs, 0>::reads::stages == 0b100 && !leaf_sets<Program>::once_reads_phases));
}

TEST_CASE("an epilogue folds values per row, elements, or both") {
    const auto most = max(x, axes<1>, keepdims);
    using P = plan<decltype(scalar_out = sum(max(x, axes<1>)) + sum(x - most))>;
    using Program = typename P::program;
    STATIC_REQUIRE((Program::stages::size == 2 && Program::epilogue::size == 2 && Program::epilogue_items == 0b10));
    STATIC_REQUIRE((Program::epilogue::at<0>::along == kir::kept_axes && Program::epilogue::at<1>::along == both));
    STATIC_REQUIRE((at_t<Program::stages, 1>::reads::leaves == 0b1 && leaf_sets<Program>::items == 0b1));
}

TEST_CASE("an output says along which axes it varies") {
    const auto most = max(x, axes<1>, keepdims);
    using P = plan<decltype(y = x - most), decltype(per_row = max(x, axes<1>)), decltype(scalar_out = sum(most)),
                   decltype(per_column = sum(most))>;
    using O = typename P::program::outputs;
    STATIC_REQUIRE((at_t<O, 0>::extent == kir::Extent::item && P::planner::outputs::axes[0].mask() == 0b11));
    STATIC_REQUIRE((at_t<O, 1>::extent == kir::Extent::kept && P::planner::outputs::axes[1].mask() == 0b01));
    STATIC_REQUIRE((at_t<O, 2>::extent == kir::Extent::once && at_t<O, 2>::filled == 0));
    STATIC_REQUIRE((at_t<O, 3>::extent == kir::Extent::once && at_t<O, 3>::filled == 1 && kir::is_fill<at_t<O, 3>>));
    // Nothing is kept in a map or in a full reduction.
    STATIC_REQUIRE((at_t<typename plan<decltype(y = x)>::program::outputs, 0>::extent == kir::Extent::item));
    using Full = plan<decltype(y = x - max(x)), decltype(scalar_out = max(x))>;
    STATIC_REQUIRE((at_t<typename Full::program::outputs, 0>::extent == kir::Extent::item));
    STATIC_REQUIRE((Full::program::kept_rank == 0 && at_t<typename Full::program::stages, 0>::axes == 0b10));
}

TEST_CASE("three sets of axes are described, whatever kernels can do") {
    const auto first = sum(cube, axes<0>, keepdims);
    const auto second = sum(cube, axes<1>, keepdims);
    const auto third = sum(cube - first, axes<2>, keepdims);
    using G = graph_of<decltype(cube_out = cube / first / second / third)>;
    constexpr Nodes n = G::nodes;
    STATIC_REQUIRE(n.reductions == 3);
    STATIC_REQUIRE((n.reduction_node(0).axes == 0b001 && n.reduction_node(0).varies == 0b110));
    STATIC_REQUIRE((n.reduction_node(1).axes == 0b010 && n.reduction_node(1).varies == 0b101));
    STATIC_REQUIRE((n.reduction_node(2).axes == 0b100 && n.reduction_node(2).varies == 0b011));
    STATIC_REQUIRE((n.reduction_node(1).depth == 1 && n.reduction_node(2).depth == 2));
    STATIC_REQUIRE((n.root_node(0).needs == 0b111 && n.root_node(0).results == 0b111));
    STATIC_REQUIRE((n.reduction_node(2).needs == 0b101 && n.operand_of(n.reduction_node(2)).leaves == 0b1));
    STATIC_REQUIRE(G::arrangement.fit == Fit::no);
    STATIC_REQUIRE(refusal_of(n, G::arrangement) == Refusal::several_programs);
}

TEST_CASE("what one program cannot do is done in steps, and no more of them than it needs") {
    const auto most = max(x, axes<1>, keepdims);
    const auto total = sum(max(x, axes<1>));
    const auto running = cumsum(x, axes<1>);
    const auto in_steps = []<class... S>(int steps, int barriers, int temporaries, const S&...) {
        using P = plan<S...>;
        const int planned[] = {P::kernels, P::steps, P::barriers, P::temporaries};
        INFO(planned[1] << " steps, " << planned[2] << " barriers, " << planned[3] << " temporaries");
        CHECK(std::vector<int>(planned, planned + 4) == std::vector<int>{1, steps, barriers, temporaries});
    };
    in_steps(1, 0, 0, y = x - most, scalar_out = total);
    in_steps(2, 0, 0, per_row = sum(x, axes<1>), per_column = sum(x, axes<0>));
    in_steps(2, 0, 0, per_column = sum(x, axes<0>), scalar_out = sum(x));
    in_steps(2, 1, 1, y = x / most / max(x, axes<0>));
    in_steps(3, 2, 2, scalar_out = sum(exp(x - total)));
    in_steps(2, 1, 1, y = cummax(running, axes<1>));
    in_steps(2, 0, 0, y = running, scalar_out = sum(x));
    in_steps(2, 1, 1, y = running / sum(x, axes<1>, keepdims));
    in_steps(2, 1, 1, scalar_out = reduce(Last{}, x - most));
    in_steps(3, 2, 2, y = (x - most) * total);
    // Rows that are softened and summed up along their columns: one pass for both. What the rows need from elsewhere comes
    // first.
    const auto soft = softmax(x);
    in_steps(2, 1, 2, y = soft, per_column = sum(soft, axes<0>));
    using P = plan<decltype(y = soft), decltype(per_column = sum(soft, axes<0>))>;
    STATIC_REQUIRE((P::passes<"x"> == 1 && P::step<0>::family == Family::rows && P::step<0>::phases == 2));
    STATIC_REQUIRE(P::step<1>::family == Family::columns);
    // Each phase along columns is a step: blocks share them.
    in_steps(4, 2, 3, y = softmax(x, axes<0>) / sum(x));
    // A mean and a variance are one.
    in_steps(3, 1, 3, y = (x - mean(x, axes<0>)) * rsqrt(var(x, axes<0>)) / sum(x));
}

TEST_CASE("each mistake has its reason") {
    const auto most = max(x, axes<1>, keepdims);
    const auto running = cumsum(x, axes<1>);
    STATIC_REQUIRE(refusal<decltype(y = x - most), decltype(scalar_out = sum(max(x, axes<1>)))> == Refusal::none);
    STATIC_REQUIRE(refusal<decltype(y = sort(x)), decltype(per_row = sum(x, axes<1>))> == Refusal::sort_and_reduction);
    STATIC_REQUIRE(refusal<decltype(y = sort(sort(x)))> == Refusal::sort_and_reduction);
    STATIC_REQUIRE(refusal<decltype(y = sort(x))> == Refusal::none);
    STATIC_REQUIRE(refusal<decltype(y = x + fuse::expand_dims<1>(sort(per_row)))> == Refusal::sort_axis);
    STATIC_REQUIRE(refusal<decltype(y = running), decltype(per_row = sum(x, axes<1>))> == Refusal::none);
    STATIC_REQUIRE(refusal<decltype(scalar_out = reduce(Last{}, max(x, axes<1>)))> == Refusal::none);
    // An index counts where the operand that it stands in has an extent, not where only others have one.
    const auto first = expand_dims<1>(per_row) == index<1>();
    STATIC_REQUIRE(refusal<decltype(y = where(first, x, 0))> == Refusal::none);
    STATIC_REQUIRE(refusal<decltype(y = first)> == Refusal::index_extent);
    STATIC_REQUIRE(refusal<decltype(scalar_out = sum(first))> == Refusal::index_extent);
    STATIC_REQUIRE(refusal<decltype(y = x + softmax(cast<float>(first)))> == Refusal::index_extent);
    STATIC_REQUIRE(refusal<decltype(y = x * (most + index<1>()))> == Refusal::none);
    STATIC_REQUIRE(refusal<decltype(y = x * sum(most + index<1>(), axes<1>, keepdims))> == Refusal::index_extent);
}

TEST_CASE("leaves with outputs, and reductions, are counted before sets of them are made") {
    const auto sums = []<int... I>(std::integer_sequence<int, I...>) {
        return (... + sum(x * static_cast<float>(I)));
    };
    const auto few = scalar_out = sums(std::make_integer_sequence<int, 62>{});
    const auto leaves = scalar_out = sums(std::make_integer_sequence<int, 63>{});
    STATIC_REQUIRE(refusal<decltype(few)> == Refusal::none);
    STATIC_REQUIRE(refusal<decltype(leaves)> == Refusal::leaves);
    const auto powers = []<int... I>(std::integer_sequence<int, I...>) {
        return (... + sum(x + constant<I>));
    };
    const auto many = scalar_out = powers(std::make_integer_sequence<int, 64>{});
    const auto reductions = scalar_out = powers(std::make_integer_sequence<int, 65>{});
    STATIC_REQUIRE(refusal<decltype(many)> == Refusal::none);
    STATIC_REQUIRE(refusal<decltype(reductions)> == Refusal::reductions);
}

namespace {

/// The phases fold an axis that is neither that of the first reduction nor that of the next one.
template <class Target>
void check_any_order_of_axes(const Target& target) {
    using fuse::testing::Tensor;
    Tensor<Target, float> a_data(fuse::testing::random_reals({3}, -2, 2, 1));
    Tensor<Target, float> b_data(fuse::testing::random_reals({5}, -2, 2, 2));
    Tensor<Target, float> c_data(fuse::testing::random_reals({3, 5, 40}, -2, 2, 3));
    Tensor<Target, float> first({1}), second({1}), third({1});
    const auto a = expand_dims<1>(expand_dims<1>(a_data.template const_view<"a", 1>()));
    const auto b = expand_dims<1>(b_data.template const_view<"b", 1>());
    const auto c = c_data.template const_view<"c", 3>();
    const auto of_a = first.template view<"of a", 1>() = sum(a);
    const auto of_b = second.template view<"of b", 1>() = sum(b);
    const auto of_c = third.template view<"of c", 1>() = sum(max(c + a + b, axes<2>));
    using P = plan<std::remove_const_t<decltype(of_a)>, std::remove_const_t<decltype(of_b)>,
                   std::remove_const_t<decltype(of_c)>>;
    STATIC_REQUIRE((P::reduced_axes == 0b100 && P::phases == 1 && P::epilogue && P::family == Family::rows));
    target.eval(of_a, of_b, of_c);

    double sums[3] = {};
    fuse::testing::for_each_coordinate({3, 5, 40}, [&](const fuse::testing::Coordinate& at) {
        sums[0] += at[1] + at[2] == 0 ? a_data.read()({at[0]}) : 0;
        sums[1] += at[0] + at[2] == 0 ? b_data.read()({at[1]}) : 0;
    });
    const auto values = c_data.read();
    for (index_t i = 0; i < 3; ++i) {
        for (index_t j = 0; j < 5; ++j) {
            double most = values({i, j, 0});
            for (index_t k = 1; k < 40; ++k) {
                most = std::max(most, values({i, j, k}));
            }
            sums[2] += most + a_data.read()({i}) + b_data.read()({j});
        }
    }
    CHECK(first.read()({0}) == Approx(sums[0]));
    CHECK(second.read()({0}) == Approx(sums[1]));
    CHECK(third.read()({0}) == Approx(sums[2]));
}

}  // namespace

TEST_CASE("the axes of the phases are those of any reduction") {
    check_any_order_of_axes(fuse::testing::HostTarget{});
    fuse::testing::LaunchRecord record;
    check_any_order_of_axes(fuse::testing::EmulatedTarget{fuse::testing::EmulatedExecutor(record)});
}

TEST_CASE("a reduction over fewer axes than its phase is explained in that phase") {
    const std::vector<float> values(24);
    std::vector<float> sums(2);
    float total = 0;
    const auto c = view<"c">(values.data(), 2, 3, 4);
    const auto w = view<"w">(values.data(), 4);
    const std::string text =
        explain(host, view<"sums">(sums) = sum(c * w, axes<1, 2>), view<"total">(&total, shape()) = sum(w));
    INFO(text);
    CHECK(text.find("= sum(w)\n") != std::string::npos);
    CHECK(text.find("phase 1: b") != std::string::npos);
    CHECK(text.find("epilogue") == std::string::npos);
}

TEST_CASE("exp(log_softmax(x)) is what softmax(x) is") {
    const auto formula = [](const auto& shift, const auto& e) {
        return exp((x - shift) - log(sum(e, axes<1>, keepdims)));
    };
    const auto most = max(x, axes<1>, keepdims);
    using Quotient = plan<decltype(y = softmax(x))>;
    STATIC_REQUIRE((std::is_same_v<plan<decltype(y = exp(log_softmax(x)))>::program, Quotient::program>));
    STATIC_REQUIRE((std::is_same_v<plan<decltype(y = formula(most, exp(x - most)))>::program, Quotient::program>));
    STATIC_REQUIRE((std::is_same_v<plan<decltype(y = exp(log_softmax(x, axes<0>)))>::program,
                                   plan<decltype(y = softmax(x, axes<0>))>::program>));
    STATIC_REQUIRE((std::is_same_v<plan<decltype(cube_out = exp(log_softmax(cube, axes<0, 2>)))>::program,
                                   plan<decltype(cube_out = softmax(cube, axes<0, 2>))>::program>));
    // With a shift that is not the maximum the sum may be 0 or infinite.
    const auto least = min(x, axes<1>, keepdims);
    using Other = plan<decltype(y = formula(least, exp(x - least)))>::program;
    using Written = at_t<Other::outputs, 0>::expression;
    STATIC_REQUIRE(
        (std::is_same_v<Written, kir::Call<Exp<>, -1,
                                           kir::Call<Sub<>, -1, kir::Call<Sub<>, -1, kir::Leaf<0>, kir::Result<0>>,
                                                     kir::Call<Log<>, -1, kir::Result<1>>>>>));
}

TEST_CASE("exponentials are terms of three instructions where no output of 32 bits has them") {
    const auto narrow = view<"narrow">(static_cast<const bfloat16*>(nullptr), 4, 8);
    const auto narrow_out = view<"narrow_out">(static_cast<bfloat16*>(nullptr), 4, 8);
    STATIC_REQUIRE((!folds_terms<plan<decltype(y = softmax(x))>::program>));
    STATIC_REQUIRE((folds_terms<plan<decltype(y = log_softmax(x))>::program>));
    STATIC_REQUIRE((folds_terms<plan<decltype(per_row = sum(softmax(x) * log_softmax(x), axes<1>))>::program>));
    STATIC_REQUIRE((folds_terms<plan<decltype(narrow_out = softmax(narrow) - softmax(x))>::program>));
    STATIC_REQUIRE((!folds_terms<plan<decltype(narrow_out = softmax(x)), decltype(y = softmax(x))>::program>));
    // Its error would grow.
    STATIC_REQUIRE((!folds_terms<plan<decltype(narrow_out = log(softmax(narrow)))>::program>));
}
