// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/execution_and_determinism.md that needs a GPU.
#include <fuse/fuse.hpp>

#include <cuda_runtime_api.h>

#include "support/catch.hpp"

namespace {

/// Managed memory, filled with ones.
struct Managed {
    explicit Managed(std::size_t n) {
        cudaMallocManaged(&data, n * sizeof(float));
        for (std::size_t i = 0; i < n; ++i) {
            data[i] = 1;
        }
    }
    ~Managed() { cudaFree(data); }
    Managed(const Managed&) = delete;
    Managed& operator=(const Managed&) = delete;
    float* data = nullptr;
};

struct Pool {
    void* allocate_async(std::size_t bytes, cudaStream_t stream) {
        void* p = nullptr;
        ++taken;
        return cudaMallocAsync(&p, bytes, stream) == cudaSuccess ? p : nullptr;
    }
    void deallocate_async(void* p, std::size_t, cudaStream_t stream) { cudaFreeAsync(p, stream); }
    int taken = 0;
};

constexpr fuse::index_t n = 1 << 20;

}  // namespace

TEST_CASE("streams, workspaces and graphs") {
    const Managed memory(n);
    const Managed result(n);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    auto x = fuse::view<"x">(memory.data, n);
    auto s = fuse::view<"s">(result.data, fuse::shape());
    // [snippet:stream]
    fuse::eval(fuse::cuda.on(stream), s = sum(x));  // one launch; returns before it has run
    cudaStreamSynchronize(stream);
    // [snippet:end]
    CHECK(result.data[0] == n);

    // [snippet:workspace]
    auto on_stream = fuse::cuda.on(stream);
    fuse::workspace memory_of_mine(workspace_bytes(on_stream, s = sum(x)));
    fuse::eval(on_stream.with(memory_of_mine), s = sum(x));  // makes no memory call
    // [snippet:end]
    cudaStreamSynchronize(stream);
    CHECK(result.data[0] == n);

    Pool pool;
    // [snippet:memory]
    std::size_t kept = fuse::workspace_bytes_held();  // of all devices
    fuse::release_workspaces();                       // gives back those of evals that are done; waits for nothing
    fuse::eval(on_stream.with(pool), s = sum(x));     // takes it from a pool with RMM's interface, and gives it back
    // [snippet:end]
    cudaStreamSynchronize(stream);
    CHECK((kept > 0 && fuse::workspace_bytes_held() == 0 && pool.taken == 1 && result.data[0] == n));

    const Managed other(n);
    other.data[0] = 2;
    // [snippet:prepare]
    auto step = fuse::prepare(on_stream, s = sum(x));
    for (int i = 0; i < 100; ++i) {
        step();  // one launch; also while the stream captures a graph
    }
    step.rebind(fuse::view<"x">(other.data, n));  // another x of this shape, checked as by eval
    step();
    // [snippet:end]
    cudaStreamSynchronize(stream);
    CHECK(result.data[0] == n + 1);

    // [snippet:graph]
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    fuse::eval(on_stream.with(memory_of_mine), s = sum(x));
    cudaStreamEndCapture(stream, &graph);
    // [snippet:end]
    cudaGraphExec_t executable = nullptr;
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    result.data[0] = 0;
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    cudaStreamSynchronize(stream);
    CHECK(result.data[0] == n);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

TEST_CASE("a lambda on both sides") {
    const Managed memory(1000);
    const Managed result(1000);
    auto x = fuse::view<"x">(memory.data, 1000);
    auto y = fuse::view<"y">(result.data, 1000);
    const float k = 3;
    // [snippet:lambda]
    auto scaled = [k] __host__ __device__(float v) { return k * v; };  // compiled with --extended-lambda
    fuse::eval(fuse::cuda, y = fuse::map(scaled, x));
    // [snippet:end]
    cudaDeviceSynchronize();
    CHECK(result.data[999] == 3);
    fuse::eval(fuse::cuda, y = fuse::map([] __host__ __device__(float a, float b) { return a + b; }, x, x));
    cudaDeviceSynchronize();
    CHECK(result.data[999] == 2);
    // In a .cu file the host executor runs them as well.
    fuse::eval(fuse::host, y = fuse::map(scaled, x) + fuse::map([] __host__ __device__(float a) { return a + 1; }, x));
    CHECK(result.data[999] == 5);
}

TEST_CASE("arrays in device memory") {
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    // [snippet:device_tensor]
    auto on = fuse::cuda.on(stream);
    auto numbers = fuse::tensor<float>({{1, 2, 3}, {4, 5, 6}});
    auto a = fuse::device_tensor(numbers, on);      // a copy on the device; waits for the stream
    auto b = fuse::device_tensor<float>(on, 2, 3);  // zeros, allocated in the stream's order
    auto x = fuse::view<"x">(a);
    fuse::eval(on, b = softmax(x));
    auto c = fuse::device_tensor(on, sum(x, fuse::axes<1>));  // for the values of an expression
    auto sums = tensor(c);                                    // a copy on the host; waits for the stream
    copy(numbers, a);                                         // into an array that is there
    // [snippet:end]
    CHECK(sums(1) == 15);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
}
