// SPDX-License-Identifier: Apache-2.0
//
// Six ways to scan within a block, and the inclusive scan of the whole array by fuse and CUB. The steps of the ladder
// scan the array segment by segment and leave the segments apart, so theirs is the easier task: they say what the part
// inside a block costs. docs/ladders.md climbs them.
//
// bench_scan_ladder [output.json]     checks and times; ends with 1 if a step is wrong
// bench_scan_ladder check             small lengths and other block shapes only: short enough for compute-sanitizer
#include <cub/device/device_scan.cuh>

#include <fuse/fuse.hpp>

#include "climb.cuh"
#include "scan/brent_kung.cuh"
#include "scan/coarsened.cuh"
#include "scan/double_buffer.cuh"
#include "scan/naive.cuh"
#include "scan/shared.cuh"
#include "scan/warp.cuh"

using namespace bench;

namespace {

/// The whole array with fuse.
void fuse_scan(const float* in, float* out, std::size_t n) {
    // [snippet:fuse]
    fuse::eval(fuse::cuda, fuse::view<"y">(out, n) = fuse::cumsum(fuse::view<"x">(in, n), fuse::axes<0>));
    // [snippet:end]
}

/// The whole array with CUB; 32-bit lengths, its fastest.
class CubScan {
public:
    explicit CubScan(std::size_t largest) : memory_(bytes_for(largest)) {}
    void operator()(const float* in, float* out, std::size_t n) const {
        std::size_t bytes = memory_.size();
        check(cub::DeviceScan::InclusiveSum(memory_.get(), bytes, in, out, static_cast<int>(n)), "cub");
    }

private:
    static std::size_t bytes_for(std::size_t n) {
        std::size_t bytes = 0;
        check(cub::DeviceScan::InclusiveSum(nullptr, bytes, static_cast<const float*>(nullptr),
                                            static_cast<float*>(nullptr), static_cast<int>(n)),
              "cub");
        return bytes;
    }
    Buffer<unsigned char> memory_;
};

template <unsigned T>
Step block_step(const std::string& name, std::size_t segment, void (*kernel)(const float*, float*, std::size_t)) {
    return {name, segment, [=](const float* in, float* out, std::size_t n) {
                kernel<<<unsigned((n + segment - 1) / segment), T>>>(in, out, n);
            }};
}

template <unsigned T, unsigned Items>
void add_ladder(std::vector<Step>& steps, const std::string& shape = "") {
    using namespace scan;
    steps.push_back(block_step<T>("1 naive" + shape, T, naive_scan<T>));
    steps.push_back(block_step<T>("2 shared" + shape, T, shared_scan<T>));
    steps.push_back(block_step<T>("3 double buffer" + shape, T, double_buffer_scan<T>));
    steps.push_back(block_step<T>("(work-efficient)" + shape, 2 * T, brent_kung_scan<T>));
    steps.push_back(block_step<T>("4 warp" + shape, T, warp_scan<T>));
    steps.push_back(block_step<T>("5 coarsened" + shape, T * Items, coarsened_scan<T, Items>));
}

/// Largest error of the inclusive sums of each segment, relative to the sum of absolute values up to there.
double worst_error(const std::vector<float>& in, const std::vector<float>& out, std::size_t n, std::size_t segment) {
    double worst = 0;
    for (std::size_t begin = 0; begin < n; begin += segment) {
        double sum = 0, scale = 0;
        const std::size_t end = std::min(n, begin + segment);
        for (std::size_t i = begin; i < end; ++i) {
            sum += static_cast<double>(in[i]);
            scale += std::abs(static_cast<double>(in[i]));
            const double error = std::abs(static_cast<double>(out[i]) - sum);
            if (!(error <= worst * scale)) {  // a NaN too
                worst = scale > 0 && !std::isnan(error) ? error / scale : INFINITY;
            }
        }
    }
    return worst;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments(argc, argv, std::size_t{1} << 17);
    const Task task{"scan",
                    "scan",
                    false,
                    worst_error,
                    {1, 2, 31, 95, 96, 97, 511, 512, 513, 1023, 1025, 8191, 8192, 8193, 100003}};
    const CubScan cub_scan(arguments.largest);

    std::vector<Step> shapes;  // one warp, three warps, fewer than 32 warps, 32 warps
    add_ladder<32, 4>(shapes, " of 32 threads");
    add_ladder<96, 16>(shapes, " of 96 threads");
    add_ladder<256, 32>(shapes, " of 256 threads");
    add_ladder<1024, 8>(shapes, " of 1024 threads");
    std::vector<Step> steps;
    add_ladder<512, 16>(steps);
    steps.push_back({"fuse::cumsum", 0, fuse_scan});
    steps.push_back({"cub::DeviceScan::InclusiveSum", 0, [&](auto... a) { cub_scan(a...); }});
    return climb(task, arguments, steps, shapes);
}
