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
    check_ring_derivatives(target);
}
TEST_CASE("gradients through parts on the emulated device") {
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
