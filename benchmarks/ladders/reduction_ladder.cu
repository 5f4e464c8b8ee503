// SPDX-License-Identifier: Apache-2.0
//
// The five steps of the reduction lecture (Kirk and Hwu, Programming Massively Parallel Processors, chapter on
// reduction), fuse and CUB on the same sums. docs/ladders.md climbs them.
//
// bench_reduction_ladder [output.json]     checks and times; ends with 1 if a step is wrong
// bench_reduction_ladder check             small lengths only: short enough for compute-sanitizer
#include <cub/device/device_reduce.cuh>

#include <cstring>

#include <fuse/fuse.hpp>

#include "reduction/coarsened.cuh"
#include "reduction/levels.cuh"
#include "reduction/segmented.cuh"
#include "report.cuh"

using namespace bench;

namespace {

using Sum = std::function<void(const float* x, float* out, std::size_t n)>;

struct Step {
    const char* name;
    std::size_t segment;
    Sum sum;
    bool right = true;  ///< at every length so far
};

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
    static Sum atomic_step(void (*kernel)(const float*, float*, std::size_t), std::size_t segment) {
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

struct Expected {
    double sum = 0;
    double scale = 0;
};

Expected reference(const float* x, std::size_t n, std::vector<float>& host) {
    check(cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost), "download");
    Expected e;
    for (std::size_t i = 0; i < n; ++i) {
        e.sum += static_cast<double>(host[i]);
        e.scale += std::abs(static_cast<double>(host[i]));
    }
    return e;
}

/// All steps on both kinds of data; x is left uniform.
void compare(std::vector<Contender>& contenders, float* x, const Buffer<float>& out, std::size_t n,
             std::vector<float>& host) {
    for (const Data kind : {Data::integers, Data::uniform}) {
        fill(kind, x, n);
        const Expected e = reference(x, n, host);
        for (Contender& c : contenders) {
            check(cudaMemset(out.get(), 0xff, sizeof(float)), "clear");
            c.run(0);
            check(cudaGetLastError(), c.name.c_str());
            c.judge(kind, std::abs(static_cast<double>(out.download()[0]) - e.sum) / e.scale, n);
        }
    }
}

/// Checks one length and, with a report, times what was right at all lengths so far.
bool climb(std::vector<Step>& steps, std::size_t n, std::vector<float>& host, Report* report) {
    const double bytes = static_cast<double>(n * sizeof(float));
    const int sets = report != nullptr ? sets_for(bytes) : 1;
    const std::size_t stride = set_stride(n);
    Buffer<float> x(stride * static_cast<std::size_t>(sets));
    Buffer<float> out(1);
    std::vector<Contender> contenders;
    for (const Step& step : steps) {
        contenders.push_back({step.name, step.segment, [&x, &out, stride, n, sum = step.sum](int k) {
                                  sum(x.get() + stride * static_cast<std::size_t>(k), out.get(), n);
                              }});
    }
    compare(contenders, x.get(), out, n, host);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].right = contenders[i].right = contenders[i].right && steps[i].right;
    }
    if (report != nullptr) {
        fill(Data::uniform, x.get(), x.size());
        time_all(contenders, sets);
        report->add(n, bytes, contenders);
    }
    return std::all_of(steps.begin(), steps.end(), [](const Step& s) { return s.right; });
}

}  // namespace

int main(int argc, char** argv) {
    const bool check_only = argc > 1 && std::strcmp(argv[1], "check") == 0;
    const std::size_t largest = std::size_t{1} << (check_only ? 23 : 28);
    Ladder ladder(largest);
    std::vector<Step> steps = ladder.steps();
    std::vector<float> host(largest);
    bool right = true;
    // Both sides of a segment, of a coarsened segment, and of what two and three launches of steps 1 to 3 can sum.
    for (const std::size_t n : {1, 2, 31, 1025, 2047, 2048, 2049, 16383, 16384, 16385, 100003, 4194304, 4194305}) {
        right = climb(steps, n, host, nullptr) && right;
    }
    if (!check_only) {
        Report report("reduction", true);
        for (const std::size_t n : {std::size_t{1} << 20, (std::size_t{1} << 24) - 3, std::size_t{1} << 24, largest}) {
            right = climb(steps, n, host, &report) && right;
        }
        if (argc > 1) {
            report.write_json(argv[1]);
        }
    }
    std::printf(right ? "all sums are right\n" : "a sum is WRONG\n");
    return right ? 0 : 1;
}
