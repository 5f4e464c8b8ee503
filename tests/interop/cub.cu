// SPDX-License-Identifier: Apache-2.0
//
// unique, which CUB does: the distinct values of a sorted row.
#include "fuse/interop/cub.hpp"

#include <algorithm>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse::testing;

TEST_CASE("the distinct values of a sorted array", "[gpu]") {
    skip_without_gpu();
    for (const fuse::index_t n : {1, 2, 100, 5000}) {
        INFO(n << " elements");
        const auto size = static_cast<std::size_t>(n);
        ManagedBuffer<int> in(size), sorted(size), out(size);
        ManagedBuffer<fuse::index_t> count(1);
        std::vector<int> expected;
        for (std::size_t i = 0; i < size; ++i) {
            in[i] = static_cast<int>(i * 7919 % 101);
            expected.push_back(in[i]);
        }
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        const auto s = fuse::view<"s">(sorted.data(), n);
        fuse::eval(fuse::cuda, s = sort(fuse::view<"x">(in.data(), n)));
        fuse::unique(fuse::cuda, s, fuse::view<"u">(out.data(), n), fuse::view<"n">(count.data(), fuse::shape()));
        check_cuda(cudaDeviceSynchronize());
        REQUIRE(count[0] == static_cast<fuse::index_t>(expected.size()));
        CHECK(std::equal(expected.begin(), expected.end(), out.data()));
    }
}

TEST_CASE("unique refuses views that do not fit", "[gpu]") {
    skip_without_gpu();
    ManagedBuffer<int> data(10);
    ManagedBuffer<fuse::index_t> count(1);
    const auto n = fuse::view<"n">(count.data(), fuse::shape());
    const auto x = fuse::view<"x">(data.data(), 5);
    CHECK_THROWS_AS(fuse::unique(fuse::cuda, x, fuse::view<"u">(data.data() + 5, 4), n), fuse::shape_error);
    CHECK_THROWS_AS(fuse::unique(fuse::cuda, x, fuse::view<"u">(data.data() + 2, 5), n), fuse::argument_error);
    const auto spaced = fuse::view<"v">(data.data(), fuse::shape(5), fuse::strides(2));
    CHECK_THROWS_AS(fuse::unique(fuse::cuda, spaced, fuse::view<"u">(data.data(), 5), n), fuse::argument_error);
}
