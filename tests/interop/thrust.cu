// SPDX-License-Identifier: Apache-2.0
//
// Views of thrust::device_vector, read and written by fuse::cuda.
#include "fuse/interop/thrust.hpp"

#include <thrust/host_vector.h>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

template <class V>
concept Viewable = requires(V&& v) {
    fuse::view<"x">(static_cast<V&&>(v));
};
static_assert(Viewable<thrust::device_vector<float>&> && Viewable<const thrust::device_vector<float>&>);
static_assert(!Viewable<thrust::device_vector<float>>);

TEST_CASE("a device_vector as input and output") {
    const thrust::device_vector<float> in(1000, 2.0F);
    thrust::device_vector<float> out(1000);
    const auto x = fuse::view<"x">(in);
    fuse::eval(fuse::cuda, fuse::view<"y">(out) = x * 3.0F);
    CHECK(fuse::value(fuse::cuda, sum(fuse::view(out))) == 6000.0F);
    const thrust::host_vector<float> result = out;
    CHECK(result[999] == 6.0F);
}
