// SPDX-License-Identifier: Apache-2.0
//
// A view does not own its data, so a temporary container would be gone before the expression runs.
// expect: a_temporary_would_be_gone_before_the_expression_runs
#include <fuse/fuse.hpp>

#include <utility>
#include <vector>

void f() {
    std::vector<float> data(8);
#ifdef FUSE_CONTROL
    const auto x = fuse::view<"x">(data);
#else
    const auto x = fuse::view<"x">(std::move(data));
#endif
    static_cast<void>(x);
}
