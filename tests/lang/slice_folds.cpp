// SPDX-License-Identifier: Apache-2.0
//
// Folds of slices beside the whole array.
#include "lang/slice_fold_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("folds of slices beside the array") {
    check_slice_folds(HostTarget());
}
TEST_CASE("gradients of folds of slices") {
    check_gradients_of_slice_folds(HostTarget());
}
TEST_CASE("folds of slices beside the array on the emulated device") {
    check_slice_folds(EmulatedTarget());
}
TEST_CASE("what has all elements of an axis is as long as its array, in any order") {
    std::vector<double> data(6), out(6);
    const auto x = fuse::view<"x">(data, 3, 2);
    const auto o = fuse::view<"o">(out, 3, 2);
    const auto steps = [](auto statement) { return fuse::plan<decltype(statement)>::steps; };
    CHECK(steps(o = x - mean(flip<0>(x), fuse::axes<0>)) == 1);
    CHECK(steps(o = x - mean(flip(x), fuse::axes<1>, fuse::keepdims)) == 1);
    CHECK(steps(o = flip<0>(x) / sum(transpose(flip<0>(transpose(x))), fuse::axes<0>)) == 1);
    const auto part = slice<0>(x, 0, 2);
    CHECK(steps(slice<0>(o, 0, 2) = part - mean(flip<1>(part), fuse::axes<1>, fuse::keepdims)) == 1);
    CHECK(steps(o = x - mean(flip<0>(slice<0>(x, 0, 2)), fuse::axes<0>)) == 2);
    CHECK(steps(o = x - mean(slice<0>(flip<0>(x), 0, 2), fuse::axes<0>)) == 2);
}
TEST_CASE("views without names have one length in an eval") {
    std::vector<double> data(6, 1), out(6, 7);
    const auto x = fuse::view(data, 3, 2);
    const auto o = fuse::view(out, 3, 2);
    CHECK_THROWS_AS(fuse::eval(fuse::host, o = x - mean(slice<0>(x, 0, 2), fuse::axes<0>)), fuse::shape_error);
    CHECK_THROWS_AS(fuse::eval(fuse::host, slice<0>(o, 0, 2) = slice<0>(x / sum(x, fuse::axes<0>), 0, 2)),
                    fuse::shape_error);
    CHECK(out == std::vector<double>(6, 7));
}
