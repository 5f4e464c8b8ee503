// SPDX-License-Identifier: Apache-2.0
//
// Steps of training in place, on the host and, in one launch, on the emulated device; which step writes what others read,
// and what has no such order.
#include <array>

#include "lang/training_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

float* const data = nullptr;
const auto x = view<"x">(data, 40, 3);
const auto w = view<"w">(data, 3);
const auto b = view<"b">(data, shape());
const auto bm = view<"bm">(data, shape());
const auto q = view<"q">(data, 3);
const auto s = view<"s">(data, shape());

template <class Steps, std::size_t N>
constexpr std::array<int, N> levels_of_outputs() {
    std::array<int, N> levels{};
    for (std::size_t i = 0; i < N; ++i) {
        levels[i] = Steps::order.step[Steps::order.of_root[i]].level;
    }
    return levels;
}

}  // namespace

TEST_CASE("all parameters of one loss are trained in place on the host") {
    const HostTarget target;
    check_training_of_regression<HostTarget, double, false>(target, 40, 3);
    check_training_of_regression<HostTarget, double, false>(target, 1, 70);
    check_training_of_regression<HostTarget, float, true>(target, 40, 3);
    check_training_of_regression<HostTarget, float, true>(target, 1, 70);
    check_training_of_everything<HostTarget, double>(target, 40, 30);
    check_training_of_everything<HostTarget, double>(target, 300, 1);
    check_training_of_layer_norm<HostTarget, double>(target, 37, 24);
}

// Parameters are written behind a barrier.
TEST_CASE("all parameters of one loss are trained in one launch on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_training_of_regression<EmulatedTarget, float, true>(target, 300, 8);
    check_training_of_regression<EmulatedTarget, double, false>(target, 20, 64);
    check_training_of_everything<EmulatedTarget, double>(target, 70, 64);
    check_training_of_everything<EmulatedTarget, double>(target, 500, 3);
    check_training_of_layer_norm<EmulatedTarget, double>(target, 70, 32);
    CHECK(record.all() == std::set<std::string>{"steps 1"});
}

TEST_CASE("an operand of other steps is written behind them, and nothing else is") {
    const auto residual = sum(x * w, axes<1>) + b;
    const auto loss = mean(square(residual));
    const auto dw = gradient(loss, w);
    const auto db = gradient(loss, b);
    // Into other arrays: rows; then the columns, and what is folded of the rows.
    using Apart = plan<decltype(s = loss), decltype(q = dw), decltype(bm = db)>;
    STATIC_REQUIRE((Apart::steps == 4 && Apart::barriers == 1 && Apart::temporaries == 1));
    // In place: the columns read b once more, so that it is written behind them, and w where it was.
    using InPlace = plan<decltype(s = loss), decltype(w = w - 0.1F * dw), decltype(b = b - 0.1F * db)>;
    STATIC_REQUIRE((InPlace::steps == 5 && InPlace::barriers == 2 && InPlace::temporaries == 2));
    STATIC_REQUIRE(levels_of_outputs<InPlace::in_steps, 3>() == std::array<int, 3>{1, 1, 2});
    // With what is read where it is written.
    using Momentum =
        plan<decltype(w = w - 0.1F * dw), decltype(b = b - 0.1F * (bm + db)), decltype(bm = b * 0 + bm + db)>;
    STATIC_REQUIRE(levels_of_outputs<Momentum::in_steps, 3>() == std::array<int, 3>{1, 2, 2});
}

TEST_CASE("what overlaps an operand of other steps under another name is refused") {
    std::vector<float> samples(12, 1.0F);
    std::vector<float> weights(4, 1.0F);
    float bias = 1;
    const auto v = view<"v">(samples.data(), 3, 4);
    const auto weight = view<"weight">(weights);
    const auto shift = view<"shift">(&bias, shape());
    const auto loss = sum(square(sum(v * weight, axes<1>) + shift));
    CHECK_THROWS_WITH(
        eval(host, weight = weight - gradient(loss, weight),
             view<"other">(&bias, shape()) = shift - gradient(loss, shift)),
        "output other overlaps shift, which another step of the same eval reads or writes after it: write "
        "into another array, or evaluate it on its own");
    CHECK((bias == 1 && weights == std::vector<float>(4, 1.0F)));
}
