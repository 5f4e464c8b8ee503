// SPDX-License-Identifier: Apache-2.0
//
// With FUSE_NVTX every eval is an NVTX range that is called like its statements, also one that throws.
#include <nvtx3/nvToolsExt.h>

#include <string>
#include <vector>

namespace {

std::string ranges;

int push(const char* name) {
    ranges += std::string("<") + name + ">";
    return 0;
}
int pop() {
    ranges += "</>";
    return 0;
}

}  // namespace

// What fuse calls; the toolkit's functions do nothing without a profiler.
#define nvtxRangePushA push
#define nvtxRangePop pop
#define FUSE_NVTX
#include "fuse/fuse.hpp"
#include "support/catch.hpp"

TEST_CASE("an NVTX range around every eval") {
    using namespace fuse;
    std::vector<float> data(6, 1.0F);
    const auto x = view<"x">(data, 2, 3);
    eval(host, x = x * 2);
    CHECK(value(host, sum(x)) == 12);
    CHECK_THROWS_AS(eval(host, x = x + view<"t">(data.data(), 2)), shape_error);
    CHECK(ranges == "<x = (x * 2)></><value = sum(x)></><x = (x + t)></>");
}
