// SPDX-License-Identifier: Apache-2.0
//
// pow of integer views, by views, numbers and constants: floating point, whatever the ranks are.
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class T, class Target>
void check_powers(const Target& target) {
    const std::vector<T> base{0, 1, 2, 3, 100, 127};
    const std::vector<T> exponent{0, 1, 5};
    std::vector<double> of_views(6);
    std::vector<double> of_number(6);
    std::vector<double> of_negative(6);
    std::vector<double> of_constant(6);
    std::vector<double> of_base(6);
    const auto x = view<"x">(base.data(), 2, 3);
    const auto e = view<"e">(exponent);
    static_assert(std::is_same_v<value_t<decltype(pow(x, e))>, std::conditional_t<(sizeof(T) > 2), double, float>>);
    static_assert(std::is_same_v<value_t<decltype(pow(x, 2))>, double>);
    static_assert(std::is_same_v<value_t<decltype(pow(x, constant<3>))>, double>);
    target.eval(view<"a">(of_views.data(), 2, 3) = pow(x, e), view<"b">(of_number.data(), 2, 3) = pow(x, 2),
                view<"c">(of_negative.data(), 2, 3) = pow(x, -1),
                view<"d">(of_constant.data(), 2, 3) = pow(x, constant<3>), view<"f">(of_base.data(), 2, 3) = pow(2, x));
    for (std::size_t i = 0; i < 6; ++i) {
        const auto b = static_cast<double>(base[i]);
        const auto close = [](double expected) { return Catch::Approx(expected).epsilon(1e-6); };
        CHECK(of_views[i] == close(std::pow(b, static_cast<double>(exponent[i % 3]))));
        CHECK(of_number[i] == close(b * b));
        CHECK((i == 0 ? std::isinf(of_negative[i]) : of_negative[i] == close(1 / b)));
        CHECK(of_constant[i] == close(b * b * b));
        CHECK(of_base[i] == close(std::exp2(b)));
    }
    CHECK(target.value(pow(sum(x), scalar(2))) == 233.0 * 233.0);
}

}  // namespace

TEMPLATE_TEST_CASE("powers of integer views", "", std::int8_t, std::uint8_t, std::int16_t, std::int32_t, std::uint32_t,
                   std::int64_t, std::uint64_t) {
    check_powers<TestType>(HostTarget{});
    check_powers<TestType>(EmulatedTarget{});
}
