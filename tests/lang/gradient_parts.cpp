// SPDX-License-Identifier: Apache-2.0
//
// Derivatives through parts, roll and pad on the host and on the emulated device; of products, of themselves, and what is
// refused.
#include "lang/gradient_part_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("gradients through parts") {
    const HostTarget target;
    check_neighbour_gradients(target);
    check_slice_gradients(target);
    check_matrix_part_gradients(target);
    check_folds_beside_turned_axes(target);
    check_ring_derivatives(target);
}
TEST_CASE("gradients through parts on the emulated device") {
    check_folds_beside_turned_axes(EmulatedTarget());
    check_padded_loss(EmulatedTarget());
}

TEST_CASE("what is differentiated is a part of the variable that is given") {
    std::vector<double> data(8, 2), other(8), out(8);
    const auto x = fuse::view<"x">(data);
    const auto y = fuse::view<"x">(other);
    const auto dx = fuse::view<"dx">(out);
    CHECK_THROWS_AS(gradient(sum(square(diff(x))), y), fuse::argument_error);
    CHECK_THROWS_AS(gradient(sum(square(x[3])), y), fuse::argument_error);
    CHECK_THROWS_AS(gradient(sum(roll(x, 1)), y), fuse::argument_error);
    // Of a part without elements, of a column of ones that is stretched.
    fuse::eval(fuse::host, dx = gradient(sum(slice<0>(x, 5, 2)) + sum(pad(slice<0>(x, 8, 8), 1, 1)), x));
    CHECK(out == std::vector<double>(8, 0));
    fuse::eval(fuse::host, dx = gradient(sum(square(slice<0>(x, 7, 20))), x));
    CHECK(out == std::vector<double>{0, 0, 0, 0, 0, 0, 0, 4});
}

TEST_CASE("second derivatives through parts: the Hessian times a vector") {
    constexpr std::size_t n = 37;
    std::vector<double> at(n), along(n), found(n);
    for (std::size_t i = 0; i < n; ++i) {
        at[i] = std::sin(static_cast<double>(i) * 1.7);
        along[i] = std::cos(static_cast<double>(i) * 0.9);
    }
    const auto u = fuse::view<"u">(at);
    const auto v = fuse::view<"v">(along);
    constexpr auto cubed = fuse::constant<3>;
    const auto product = [&](const auto& loss) {
        fuse::eval(fuse::host, fuse::view<"Hv">(found) = gradient(sum(gradient(loss, u) * v), u));
    };
    const auto check = [&](const auto& wanted) {
        for (std::size_t i = 0; i < n; ++i) {
            INFO(i);
            CHECK(found[i] == Catch::Approx(wanted(i)).margin(1e-12));
        }
    };
    // Of cubed differences: 6 (u[k + 1] - u[k]) (v[k + 1] - v[k]), taken from one neighbour and given to the other.
    const auto flow = [&](std::size_t k, std::size_t next) {
        return 6 * (at[next] - at[k]) * (along[next] - along[k]);
    };
    product(sum(pow(diff(u), cubed)));
    check([&](std::size_t i) { return (i > 0 ? flow(i - 1, i) : 0) - (i + 1 < n ? flow(i, i + 1) : 0); });
    product(sum(pow(u - roll(u, 1), cubed)));
    check([&](std::size_t i) { return flow((i + n - 1) % n, i) - flow(i, (i + 1) % n); });

    product(sum(pow(slice<0>(u, 3, 30), cubed)) + u[0] * square(u[1]));
    check([&](std::size_t i) {
        const double beside = i == 0 ? 2 * at[1] * along[1] : i == 1 ? 2 * (at[1] * along[0] + at[0] * along[1]) : 0;
        return (i >= 3 && i < 30 ? 6 * at[i] * along[i] : 0) + beside;
    });
}
