// SPDX-License-Identifier: Apache-2.0
//
// Outputs without elements beside others that have some, in one walk and in steps: a maximum of no elements that only the
// former need keeps nobody from being written, and one that an output with elements needs is refused.
#include <cmath>
#include <vector>

#include "fuse/nn.hpp"
#include "support/catch.hpp"
#include "support/targets.hpp"
#include "support/tensor.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class Target>
struct NoRows {
    const Target& target;
    Tensor<Target, float> x{NdArray(Extent{0, 5})}, o{Extent{0, 5}}, s{Extent{5}};

    auto input() { return x.template const_view<"x", 2>(); }
    auto output() { return o.template view<"o", 2>(); }
    auto sums() { return s.template view<"s", 1>(); }

    /// The sums of no elements beside an output of `e`.
    template <class E>
    void check(const E& e) {
        target.eval(output() = e, sums() = sum(input(), axes<0>));
        CHECK(s.read().value == std::vector<double>(5, 0.0));
    }
};

template <class Target>
void check_empty_outputs(const Target& target) {
    NoRows<Target> columns{target};
    const auto x = columns.input();
    columns.check(softmax(x, axes<0>));
    columns.check(softmax(softmax(x, axes<0>), axes<1>));
    columns.check(cumsum(log_softmax(x, axes<0>), axes<1>));
    columns.check(softmax(x - min(max(x, axes<0>, keepdims)), axes<1>));

    // Rows of none: a maximum that another statement has an identity for.
    Tensor<Target, float> r(NdArray(Extent{5, 0})), none(Extent{5, 0}), logs(Extent{5});
    const auto rows = r.template const_view<"r", 2>();
    target.eval(none.template view<"none", 2>() = softmax(rows, axes<1>),
                logs.template view<"logs", 1>() = logsumexp(rows, axes<1>));
    for (const double v : logs.read().value) {
        CHECK((std::isinf(v) && v < 0));
    }
    target.eval(logs.template view<"logs", 1>() = logsumexp(rows, axes<1>),
                none.template view<"none", 2>() = rows - max(rows, axes<1>, keepdims));

    // Needed by an output with elements, itself or by way of another result.
    CHECK_THROWS_AS(target.eval(columns.output() = softmax(x, axes<0>), columns.sums() = max(x, axes<0>)), shape_error);
    CHECK_THROWS_AS(target.eval(columns.output() = softmax(softmax(x, axes<0>), axes<1>),
                                columns.sums() = max(x, axes<0>) - sum(max(x, axes<0>))),
                    shape_error);
    CHECK_THROWS_AS(target.eval(logs.template view<"logs", 1>() = logsumexp(rows, axes<1>) + max(rows, axes<1>)),
                    shape_error);
}

}  // namespace

TEST_CASE("outputs without elements on the host") {
    check_empty_outputs(HostTarget{});
}

TEST_CASE("outputs without elements on the emulated device") {
    check_empty_outputs(EmulatedTarget{EmulatedExecutor()});
}

TEST_CASE("extents beside one of 0 may be as large as they like") {
    const index_t most = std::numeric_limits<index_t>::max();
    float one = 1;
    const auto none = view<"none">(&one, 0, most, most);
    CHECK(value(host, sum(view<"none">(&one, most, most, 0))) == 0);
    CHECK(value(host, sum(none)) == 0);
    CHECK(value(host, sum(sum(none, axes<0, 1, 2>, keepdims))) == 0);
}
