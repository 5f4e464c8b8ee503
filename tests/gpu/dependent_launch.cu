// SPDX-License-Identifier: Apache-2.0
//
// Evals whose kernels may be launched before the kernel before them has ended. That one is as bad as can be: it lets the
// next in at once, waits, and only then writes what the eval reads, or reads what the eval writes over. Results of every
// family are numbers that follow from the late values alone.
#include <vector>

#include "fuse/fuse.hpp"
#include "fuse/nn.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

namespace {

using fuse::index_t;
using fuse::testing::check_cuda;
using fuse::testing::DeviceBuffer;
using fuse::testing::skip_without_gpu;
using fuse::testing::Stream;

__device__ unsigned long long nanoseconds() {
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

/// Reads what is there, so that it lies in the L1 of its multiprocessor, lets the next grid in, waits, and copies.
__global__ void copy_late(float* to, const float* from, index_t n, float* read) {
    float sum = 0;
    for (index_t i = threadIdx.x; i < (n < 4096 ? n : 4096); i += blockDim.x) {
        sum += to[i];
    }
    read[blockIdx.x * blockDim.x + threadIdx.x] = sum;
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    constexpr unsigned long long pause = 200000;
    for (const auto start = nanoseconds(); nanoseconds() - start < pause;) {
    }
    for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        to[i] = from[i];
    }
}

constexpr unsigned late_blocks = 132;
constexpr unsigned late_threads = 128;

/// A stream on which `to` becomes `from` late.
struct LateCopies {
    Stream stream;
    DeviceBuffer<float> read{late_blocks * late_threads};

    void copy(const DeviceBuffer<float>& to, const DeviceBuffer<float>& from) const {
        copy_late<<<late_blocks, late_threads, 0, stream.get()>>>(to.get(), from.get(), static_cast<index_t>(to.size()),
                                                                  read.get());
        check_cuda(cudaGetLastError());
    }
    void wait() const { check_cuda(cudaStreamSynchronize(stream.get())); }
};

struct ReadOnHost {
    std::size_t wrong = 0;
    float first = 0;
};
ReadOnHost unlike(const DeviceBuffer<float>& memory, std::size_t count, float expected) {
    ReadOnHost found;
    const auto host = memory.download();
    for (std::size_t i = 0; i < count; ++i) {
        if (host[i] != expected && found.wrong++ == 0) {
            found.first = host[i];
        }
    }
    return found;
}

/// statement(x, y) is run where x was 0 and becomes 1 late; `count` elements of y are `expected` then. Launched on the
/// stream and from a graph, where it may begin early and where it may not.
template <class Make>
void see_late_values(index_t rows, index_t cols, index_t count, float expected, const Make& statement) {
    const auto n = static_cast<std::size_t>(rows * cols);
    const DeviceBuffer<float> zeros(std::vector<float>(n, 0.0F));
    const DeviceBuffer<float> ones(std::vector<float>(n, 1.0F));
    const DeviceBuffer<float> x(n);
    const DeviceBuffer<float> y(n);
    const LateCopies late;
    const auto x_view = fuse::view<"x">(static_cast<const float*>(x.get()), rows, cols);
    for (const bool early : {true, false}) {
        const auto executor = fuse::cuda.on(late.stream.get()).programmatic_dependent_launch(early);
        const auto both = [&] {
            late.copy(x, ones);
            fuse::eval(executor, statement(x_view, y.get()));
        };
        const auto check = [&](const char* how) {
            late.wait();
            const ReadOnHost found = unlike(y, static_cast<std::size_t>(count), expected);
            INFO(how << ", early " << early << ": " << rows << "x" << cols << ", the first wrong is " << found.first);
            CHECK(found.wrong == 0);
        };
        for (int round = 0; round < 3; ++round) {
            x.upload(std::vector<float>(n, 0.0F).data());
            both();
            check("stream");
        }
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t instance = nullptr;
        check_cuda(cudaStreamBeginCapture(late.stream.get(), cudaStreamCaptureModeThreadLocal));
        late.copy(x, zeros);
        both();
        check_cuda(cudaStreamEndCapture(late.stream.get(), &graph));
        check_cuda(cudaGraphInstantiate(&instance, graph, 0));
        for (int round = 0; round < 3; ++round) {
            check_cuda(cudaGraphLaunch(instance, late.stream.get()));
            check("graph");
        }
        check_cuda(cudaGraphExecDestroy(instance));
        check_cuda(cudaGraphDestroy(graph));
    }
}

auto vector_of(float* p, index_t n) {
    return fuse::view<"y">(p, n);
}

}  // namespace

TEST_CASE("maps, transposes and sorts wait for what is written late", "[gpu]") {
    skip_without_gpu();
    for (const index_t rows : {1, 64, 3000}) {
        const index_t cols = 1000;
        see_late_values(rows, cols, rows * cols, 3,
                        [&](const auto& x, float* y) { return fuse::view<"y">(y, rows, cols) = x * 2 + 1; });
        see_late_values(rows, cols, rows * cols, 2, [&](const auto& x, float* y) {
            return fuse::view<"y">(y, cols, rows) = fuse::transpose(x) + 1;
        });
    }
    see_late_values(200, 100, 200 * 100, 1, [](const auto& x, float* y) {
        return fuse::view<"y">(y, 200, 100) = fuse::sort(x, fuse::axes<1>);
    });
}

TEST_CASE("rows of all lengths wait for what is written late", "[gpu]") {
    skip_without_gpu();
    constexpr index_t shapes[][2] = {{1, 16},     {5000, 16},   {100, 256},  {4096, 1024},
                                     {300, 4095}, {132, 16384}, {64, 65536}, {4, 262144}};
    for (const auto& [rows, cols] : shapes) {
        CAPTURE(rows, cols);
        const auto total = static_cast<float>(cols);
        see_late_values(rows, cols, rows, total, [rows = rows](const auto& x, float* y) {
            return vector_of(y, rows) = fuse::sum(x, fuse::axes<1>);
        });
        see_late_values(rows, cols, rows * cols, 1 / total, [rows = rows, cols = cols](const auto& x, float* y) {
            return fuse::view<"y">(y, rows, cols) = x / fuse::sum(x, fuse::axes<1>, fuse::keepdims);
        });
        see_late_values(rows, cols, rows * cols, 1, [rows = rows, cols = cols](const auto& x, float* y) {
            return fuse::view<"y">(y, rows, cols) = fuse::cumsum(x, fuse::axes<1>) - fuse::index<1>();
        });
    }
}

TEST_CASE("columns and whole arrays wait for what is written late", "[gpu]") {
    skip_without_gpu();
    constexpr index_t shapes[][2] = {{64, 1024}, {1024, 3}, {1024, 256}, {20000, 64}, {3, 100000}};
    for (const auto& [rows, cols] : shapes) {
        CAPTURE(rows, cols);
        const auto height = static_cast<float>(rows);
        const auto all = static_cast<float>(rows * cols);
        see_late_values(rows, cols, cols, height, [cols = cols](const auto& x, float* y) {
            return vector_of(y, cols) = fuse::sum(x, fuse::axes<0>);
        });
        see_late_values(rows, cols, rows * cols, 1 / height, [rows = rows, cols = cols](const auto& x, float* y) {
            return fuse::view<"y">(y, rows, cols) = x / fuse::sum(x, fuse::axes<0>, fuse::keepdims);
        });
        see_late_values(rows, cols, 1, all,
                        [](const auto& x, float* y) { return fuse::view<"y">(y, fuse::shape()) = fuse::sum(x); });
        see_late_values(rows, cols, rows * cols, 1 + all, [rows = rows, cols = cols](const auto& x, float* y) {
            return fuse::view<"y">(y, rows, cols) = x + fuse::sum(x);  // steps
        });
        see_late_values(rows, cols, rows * cols, 1, [rows = rows, cols = cols](const auto& x, float* y) {
            return fuse::view<"y">(y, rows, cols) = fuse::cumsum(x, fuse::axes<0>) - fuse::index<0>();
        });
    }
}

TEST_CASE("value() waits for what is written late", "[gpu]") {
    skip_without_gpu();
    constexpr index_t n = 1 << 16;
    const DeviceBuffer<float> ones(std::vector<float>(n, 1.0F));
    const DeviceBuffer<float> x(std::vector<float>(n, 0.0F));
    const LateCopies late;
    late.copy(x, ones);
    CHECK(fuse::value(fuse::cuda.on(late.stream.get()), fuse::sum(fuse::view<"x">(x.get(), n))) == n);
}

TEST_CASE("what is read late is not written over before", "[gpu]") {
    skip_without_gpu();
    constexpr index_t n = 1 << 20;
    const DeviceBuffer<float> y(std::vector<float>(n, 5.0F));
    const DeviceBuffer<float> seen(std::vector<float>(n, 0.0F));
    const DeviceBuffer<float> x(std::vector<float>(n, 7.0F));
    const LateCopies late;
    late.copy(seen, y);
    fuse::eval(fuse::cuda.on(late.stream.get()), fuse::view<"y">(y.get(), n) = fuse::view<"x">(x.get(), n) + 1);
    late.wait();
    CHECK(unlike(seen, n, 5).wrong == 0);
    CHECK(unlike(y, n, 8).wrong == 0);
}

TEST_CASE("evals behind each other that hand on their results", "[gpu]") {
    skip_without_gpu();
    constexpr index_t n = 1 << 12;
    constexpr int evals = 3000;
    const DeviceBuffer<float> x(std::vector<float>(n, 0.0F));
    const DeviceBuffer<float> total(std::vector<float>(1, 0.0F));
    const Stream stream;
    const auto executor = fuse::cuda.on(stream.get());
    const auto x_view = fuse::view<"x">(x.get(), n);
    const auto last = fuse::view<"last">(total.get(), fuse::shape());
    for (int i = 0; i < evals; ++i) {  // all elements count the evals; each step reads the largest of the one before
        fuse::eval(executor, last = fuse::max(x_view));
        fuse::eval(executor, x_view = x_view * 0 + last + 1);
    }
    check_cuda(cudaStreamSynchronize(stream.get()));
    CHECK(unlike(x, n, evals).wrong == 0);
}
