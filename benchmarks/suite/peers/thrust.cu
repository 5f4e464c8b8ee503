// SPDX-License-Identifier: Apache-2.0
//
// Thrust, as its users write it: each call allocates, waits and returns a number. The same number by CUB, with memory
// that is kept and one copy, is the least that one can write by hand.
#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform_reduce.h>
#include <thrust/version.h>

#include "cub_entry.cuh"

namespace bench {
namespace {

struct SquareDifference {
    template <class Pair>
    __host__ __device__ float operator()(const Pair& pair) const {
        const float d = thrust::get<0>(pair) - thrust::get<1>(pair);
        return d * d;
    }
};

auto pairs(const Setup& s, int k) {
    return thrust::make_zip_iterator(static_cast<const float*>(s.at<float>("a", k)),
                                     static_cast<const float*>(s.at<float>("b", k)));
}

const AddEntry value({"mse_value", Type::f32, "Thrust",
                      [](const Setup& s) -> Launch {
                          return [&s](int k) {
                              const auto in = pairs(s, k);
                              *s.at<float>("out", k) =
                                  thrust::transform_reduce(thrust::cuda::par.on(s.stream()), in, in + s.extent(0),
                                                           SquareDifference{}, 0.0F, cuda::std::plus<float>{}) /
                                  static_cast<float>(s.extent(0));
                          };
                      },
                      false});

const AddEntry by_hand({"mse_value", Type::f32, "CUB",
                        [](const Setup& s) -> Launch {
                            const auto reduce = [&s](int k, void* memory, std::size_t& bytes, float* out) {
                                must(cub::DeviceReduce::TransformReduce(memory, bytes, pairs(s, k), out, s.extent(0),
                                                                        cuda::std::plus<float>{}, SquareDifference{},
                                                                        0.0F, s.stream()));
                            };
                            std::size_t bytes = 0;
                            reduce(0, nullptr, bytes, nullptr);
                            const auto memory = std::make_shared<Buffer<unsigned char>>(bytes);
                            const auto sum = std::make_shared<Buffer<float>>(1);
                            return [&s, reduce, memory, sum](int k) {
                                std::size_t size = memory->size();
                                float* const out = s.at<float>("out", k);
                                reduce(k, memory->get(), size, sum->get());
                                cudaMemcpyAsync(out, sum->get(), sizeof(float), cudaMemcpyDeviceToHost, s.stream());
                                cudaStreamSynchronize(s.stream());
                                *out /= static_cast<float>(s.extent(0));
                            };
                        },
                        false});

const AddVersion version("thrust", std::to_string(THRUST_MAJOR_VERSION) + "." + std::to_string(THRUST_MINOR_VERSION) +
                                       "." + std::to_string(THRUST_SUBMINOR_VERSION));

}  // namespace
}  // namespace bench
