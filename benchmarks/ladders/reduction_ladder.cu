// SPDX-License-Identifier: Apache-2.0
//
// The five steps of the reduction lecture (Kirk and Hwu, Programming Massively Parallel Processors, chapter on
// reduction), fuse and CUB on the same sums. docs/ladders.md climbs them.
//
// bench_reduction_ladder [output.json]     checks and times; ends with 1 if a step is wrong
// bench_reduction_ladder check             small lengths only: short enough for compute-sanitizer
#include <cub/device/device_reduce.cuh>

#include <fuse/fuse.hpp>

#include "climb.cuh"
#include "reduction/coarsened.cuh"
#include "reduction/levels.cuh"
#include "reduction/segmented.cuh"

using namespace bench;

namespace {

void fuse_sum(const float* x, float* out, std::size_t n) {
    // [snippet:fuse]
    fuse::eval(fuse::cuda, fuse::view<"out">(out, fuse::shape()) = fuse::sum(fuse::view<"x">(x, n)));
    // [snippet:end]
}

/// 32-bit lengths, CUB's fastest.
std::size_t cub_bytes(std::size_t n) {
    std::size_t bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, bytes, static_cast<const float*>(nullptr), static_cast<float*>(nullptr),
                                 static_cast<int>(n)),
          "cub");
    return bytes;
}

/// The sums of arrays up to a given length.
class Ladder {
public:
    explicit Ladder(std::size_t largest) : levels_(largest), cub_memory_(cub_bytes(largest)) {}

    std::vector<Step> steps() {
        using namespace reduction;
        const std::size_t coarse = items * std::size_t{block_threads};
        return {
            {"1 simple", segment_items, [this](auto... a) { levels_.simple(a...); }},
            {"2 convergent", segment_items, [this](auto... a) { levels_.convergent(a...); }},
            {"3 shared", segment_items, [this](auto... a) { levels_.shared(a...); }},
            {"4 segmented", segment_items, atomic_step(segmented_sum, segment_items)},
            {"5 coarsened", coarse, atomic_step(coarsened_sum, coarse)},
            {"fuse::sum", 0, fuse_sum},
            {"cub::DeviceReduce::Sum", 0, [this](auto... a) { cub_sum(a...); }},
        };
    }

private:
    /// Clearing the word that the blocks add to is part of the step.
    static Step::Run atomic_step(void (*kernel)(const float*, float*, std::size_t), std::size_t segment) {
        return [=](const float* x, float* out, std::size_t n) {
            check(cudaMemsetAsync(out, 0, sizeof(float)), "memset");
            kernel<<<unsigned((n + segment - 1) / segment), reduction::block_threads>>>(x, out, n);
        };
    }

    void cub_sum(const float* x, float* out, std::size_t n) {
        std::size_t bytes = cub_memory_.size();
        check(cub::DeviceReduce::Sum(cub_memory_.get(), bytes, x, out, static_cast<int>(n)), "cub");
    }

    reduction::Levels levels_;
    Buffer<unsigned char> cub_memory_;
};

/// Of a sum, relative to the sum of absolute values.
double error_of(const std::vector<float>& in, const std::vector<float>& out, std::size_t n, std::size_t) {
    double sum = 0, scale = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += static_cast<double>(in[i]);
        scale += std::abs(static_cast<double>(in[i]));
    }
    return std::abs(static_cast<double>(out[0]) - sum) / scale;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments(argc, argv, std::size_t{1} << 23);
    // Both sides of a segment, of a coarsened segment, and of what two and three launches of steps 1 to 3 can sum.
    const Task task{"reduction",
                    "sum",
                    true,
                    error_of,
                    {1, 2, 31, 1025, 2047, 2048, 2049, 16383, 16384, 16385, 100003, 4194304, 4194305}};
    Ladder ladder(arguments.largest);
    return climb(task, arguments, ladder.steps());
}
