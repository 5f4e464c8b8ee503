// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of norms, losses and broadcasts on the GPU.
#include "lang/gradient_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("gradients on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    for (const Extent& extent : {Extent{5, 7}, Extent{6, 300}}) {
        check_gradients_of_norms(target, extent);
        check_gradients_of_losses(target, extent);
        check_gradients_of_broadcasts(target, extent);
    }
}

namespace {

/// nvcc takes no generic lambda on the device: a functor with a call operator that is a template.
struct ScaledCube {
    double factor;
    template <class V>
    __host__ __device__ V operator()(V v) const {
        return v * v * v * factor;
    }
};

}  // namespace

TEST_CASE("gradients of functors of the user on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    const NdArray x = random_reals({300}, -2, 2, 31);
    Tensor<CudaTarget, double> x_data(x);
    Tensor<CudaTarget, double> slope(x.extent);
    const auto u = x_data.const_view<"x", 1>();
    target.eval(slope.view<"dx", 1>() = gradient(sum(map(ScaledCube{0.7}, u)), u));
    check_close(slope.read(), map_reference([](double v) { return 2.1 * v * v; }, x), 1e-13);
}
