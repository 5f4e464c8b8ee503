// SPDX-License-Identifier: Apache-2.0
//
// An array that is about to end is no more to be viewed than a temporary container.
// expect: a_temporary_would_be_gone_before_the_expression_runs
#include <fuse/fuse.hpp>

#include <utility>

float f() {
    float data[3] = {1, 2, 3};
#ifdef FUSE_CONTROL
    return fuse::value(fuse::host, sum(fuse::view<"x">(data)));
#else
    return fuse::value(fuse::host, sum(fuse::view<"x">(std::move(data))));
#endif
}
