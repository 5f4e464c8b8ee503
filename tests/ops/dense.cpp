// SPDX-License-Identifier: Apache-2.0
//
// Float functions with formulas of their own, over all of their range, on the host.
#include "ops/dense.hpp"

using namespace fuse::testing;

TEST_CASE("formulas of float functions hold over all of their range") {
    check_dense_functors([](auto functor, const std::vector<float>& x) {
        std::vector<float> result;
        for (const float v : x) {
            result.push_back(functor(v));
        }
        return result;
    });
}
