// SPDX-License-Identifier: Apache-2.0
//
// What surrounds a launch: the memory between blocks for many streams and threads, beside captures and without any
// left; values of every kind; prepared evals; where operands may lie. Sums are of integers and exact.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

namespace {

using fuse::testing::check_cuda;
using fuse::testing::DeviceBuffer;
using fuse::testing::skip_without_gpu;
using fuse::testing::Stream;

constexpr std::size_t n = 1 << 15;  // several blocks share the sum

/// n elements of this value.
std::vector<float> filled(float value) {
    return std::vector<float>(n, value);
}
auto total(float* out, const float* x) {
    return fuse::view<"s">(out, fuse::shape()) = fuse::sum(fuse::view<"x">(x, n));
}

template <class Run>
void on_threads(int count, const Run& run) {
    std::vector<std::thread> threads;
    std::vector<std::string> thrown(static_cast<std::size_t>(count));
    for (int t = 0; t < count; ++t) {
        threads.emplace_back([&run, &thrown, t] {
            try {
                run(t);
            } catch (const std::exception& e) {
                thrown[static_cast<std::size_t>(t)] = e.what();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const std::string& what : thrown) {
        REQUIRE(what == "");
    }
}

std::size_t free_bytes() {
    std::size_t free = 0;
    std::size_t total_bytes = 0;
    check_cuda(cudaMemGetInfo(&free, &total_bytes));
    return free;
}

/// All memory of the device, and of the pool.
class TakenMemory {
public:
    TakenMemory() {
        for (std::size_t bytes = std::size_t{1} << 36; bytes >= 512; bytes /= 2) {
            void* p = nullptr;
            while (cudaMalloc(&p, bytes) == cudaSuccess) {
                plain_.push_back(p);
            }
            while (cudaMallocAsync(&p, bytes, nullptr) == cudaSuccess) {
                pooled_.push_back(p);
            }
        }
        cudaGetLastError();
    }
    TakenMemory(const TakenMemory&) = delete;
    ~TakenMemory() {
        for (void* p : plain_) {
            cudaFree(p);
        }
        for (void* p : pooled_) {
            cudaFreeAsync(p, nullptr);
        }
        cudaDeviceSynchronize();
    }

private:
    std::vector<void*> plain_;
    std::vector<void*> pooled_;
};

struct Pool {
    void* allocate_async(std::size_t bytes, cudaStream_t stream) {
        void* p = nullptr;
        check_cuda(cudaMallocAsync(&p, bytes, stream));
        ++taken;
        return p;
    }
    void deallocate_async(void* p, std::size_t, cudaStream_t stream) {
        check_cuda(cudaFreeAsync(p, stream));
        ++given_back;
    }
    int taken = 0;
    int given_back = 0;
};

}  // namespace

TEST_CASE("eight threads on eight streams each", "[gpu]") {
    skip_without_gpu();
    const DeviceBuffer<float> x(filled(2));
    const DeviceBuffer<float> out(64);
    on_threads(8, [&](int t) {
        std::vector<Stream> streams(8);
        for (int i = 0; i < 10000; ++i) {
            fuse::eval(fuse::cuda.on(streams[i % 8].get()), total(out.get() + 8 * t + i % 8, x.get()));
        }
        check_cuda(cudaStreamSynchronize(streams[7].get()));
    });
    check_cuda(cudaDeviceSynchronize());
    REQUIRE(out.download() == std::vector<float>(64, 2.F * n));
}

TEST_CASE("streams that are destroyed leave bounded memory", "[gpu]") {
    skip_without_gpu();
    const DeviceBuffer<float> x(filled(1));
    const DeviceBuffer<float> out(1);
    const std::size_t before = free_bytes();
    for (int i = 0; i < 100000; ++i) {
        const Stream stream;
        fuse::eval(fuse::cuda.on(stream.get()), total(out.get(), x.get()));
    }
    check_cuda(cudaDeviceSynchronize());
    REQUIRE(out.first() == 1.F * n);
    REQUIRE(fuse::workspace_bytes_held() > 0);
    REQUIRE(fuse::workspace_bytes_held() < (std::size_t{16} << 20));
    REQUIRE(before < free_bytes() + (std::size_t{128} << 20));
    fuse::release_workspaces();
    REQUIRE(fuse::workspace_bytes_held() == 0);
    fuse::eval(fuse::cuda, total(out.get(), x.get()));
    REQUIRE(out.first() == 1.F * n);
}

TEST_CASE("a capture beside evals that need memory", "[gpu]") {
    skip_without_gpu();
    constexpr int evals = 40;
    const DeviceBuffer<float> x(filled(3));
    const DeviceBuffer<float> out(2 * evals + 2);
    const std::vector<Stream> streams(2 * evals + 2);
    const cudaStream_t capturing = streams[2 * evals].get();
    cudaGraph_t graph = nullptr;
    check_cuda(cudaDeviceSynchronize());
    fuse::release_workspaces();
    check_cuda(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeGlobal));
    fuse::eval(fuse::cuda.on(capturing), total(out.get() + 2 * evals, x.get()));
    on_threads(2, [&](int t) {
        for (int i = t * evals; i < (t + 1) * evals; ++i) {  // each allocates, or looks for memory that nobody uses
            fuse::eval(fuse::cuda.on(streams[i].get()), total(out.get() + i, x.get()));
        }
        fuse::release_workspaces();
        const auto executor = fuse::cuda.on(streams[t * evals].get());
        if (fuse::value(executor, fuse::sum(fuse::view<"x">(x.get(), n))) != 3.F * n) {
            throw std::runtime_error("a wrong value");
        }
    });
    const auto step = fuse::prepare(fuse::cuda.on(capturing), total(out.get() + 2 * evals + 1, x.get()));
    step();
    check_cuda(cudaStreamEndCapture(capturing, &graph));
    cudaGraphExec_t instance = nullptr;
    check_cuda(cudaGraphInstantiate(&instance, graph, 0));
    for (int i = 0; i < 10; ++i) {
        check_cuda(cudaGraphLaunch(instance, capturing));
    }
    check_cuda(cudaDeviceSynchronize());
    check_cuda(cudaGraphExecDestroy(instance));
    check_cuda(cudaGraphDestroy(graph));
    REQUIRE(out.download() == std::vector<float>(2 * evals + 2, 3.F * n));
}

TEST_CASE("without memory an eval says so, writes nothing, and the next one works", "[gpu]") {
    skip_without_gpu();
    const DeviceBuffer<float> x(filled(1));
    const DeviceBuffer<float> out(std::vector<float>{-1});
    const Stream stream;
    check_cuda(cudaDeviceSynchronize());
    fuse::release_workspaces();
    {
        const TakenMemory taken;
        try {
            fuse::eval(fuse::cuda.on(stream.get()), total(out.get(), x.get()));
            FAIL("there was memory left");
        } catch (const fuse::cuda_error& e) {
            REQUIRE(e.code() == cudaErrorMemoryAllocation);
        }
        REQUIRE(out.first() == -1);
        const float* const few = x.get();
        fuse::eval(fuse::cuda.on(stream.get()), fuse::view<"s">(out.get(), 1) = fuse::view<"x">(few, 1) * 2.F);
        check_cuda(cudaStreamSynchronize(stream.get()));
        REQUIRE(out.first() == 2);
    }
    fuse::eval(fuse::cuda.on(stream.get()), total(out.get(), x.get()));
    check_cuda(cudaStreamSynchronize(stream.get()));
    REQUIRE(out.first() == 1.F * n);
}

TEST_CASE("memory between blocks from a pool of one's own", "[gpu]") {
    skip_without_gpu();
    const DeviceBuffer<float> x(filled(1));
    const DeviceBuffer<float> out(1);
    const Stream stream;
    Pool pool;
    check_cuda(cudaDeviceSynchronize());
    fuse::release_workspaces();
    const auto executor = fuse::cuda.on(stream.get()).with(pool);
    for (int i = 0; i < 3; ++i) {
        fuse::eval(executor, total(out.get(), x.get()));
    }
    const auto t = fuse::device_tensor<float>(executor, 10);
    check_cuda(cudaStreamSynchronize(stream.get()));
    REQUIRE(out.first() == 1.F * n);
    REQUIRE((pool.taken == 4 && pool.given_back == 3 && fuse::workspace_bytes_held() == 0));
}

TEST_CASE("values of every kind are waited for", "[gpu]") {
    skip_without_gpu();
    float mark = 0;
    std::memset(&mark, 0xA5, sizeof(mark));  // what the host watches for is not this one
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const DeviceBuffer<float> special(std::vector<float>{mark, nan, -0.F, 7});
    const auto at = [&](int i) { return fuse::max(fuse::view<"v">(special.get() + i, 1)); };
    const auto x = fuse::view<"x">(special.get(), 4);
    for (int round = 0; round < 200; ++round) {
        REQUIRE(fuse::value(fuse::cuda, at(0)) == mark);
        REQUIRE(std::isnan(fuse::value(fuse::cuda, at(1))));
        REQUIRE(std::signbit(fuse::value(fuse::cuda, at(2))));
        REQUIRE(fuse::value(fuse::cuda, at(3)) == 7);
        const auto [count, where, any, wide] = fuse::value(fuse::cuda, fuse::count_nonzero(x > 0), fuse::argmax(x),
                                                           fuse::any(x > 100), fuse::sum(fuse::cast<double>(at(3))));
        REQUIRE((count == 1 && where == 1 && !any && wide == 7));
    }
}

TEST_CASE("a prepared eval on streams, and of other data", "[gpu]") {
    skip_without_gpu();
    const DeviceBuffer<float> x(filled(1));
    const DeviceBuffer<float> y(filled(2));
    const DeviceBuffer<float> out(2);
    const Stream stream;
    auto step = fuse::prepare(fuse::cuda.on(stream.get()), total(out.get(), x.get()));
    for (int i = 0; i < 1000; ++i) {
        step();
    }
    step.rebind(fuse::view<"x">(y.get(), n), fuse::view<"s">(out.get() + 1, fuse::shape()));
    step();
    check_cuda(cudaStreamSynchronize(stream.get()));
    REQUIRE(out.download() == std::vector<float>{1.F * n, 2.F * n});
    const float* const nothing = nullptr;
    REQUIRE_THROWS_AS(step.rebind(fuse::view<"x">(nothing, n)), fuse::argument_error);
}

#if FUSE_CHECK
TEST_CASE("memory that the device can read, and memory that it cannot", "[gpu]") {
    skip_without_gpu();
    const auto sum_of = [](float* p) { return fuse::value(fuse::cuda, fuse::sum(fuse::view<"x">(p, 4))); };
    std::vector<float> pageable(1024, 1);
    int reads_all = 0;
    check_cuda(cudaDeviceGetAttribute(&reads_all, cudaDevAttrPageableMemoryAccess, 0));
    if (reads_all == 0) {
        REQUIRE_THROWS_WITH(sum_of(pageable.data()), "view x points to host memory, which fuse::cuda cannot read");
    }
    check_cuda(cudaHostRegister(pageable.data(), 4096, cudaHostRegisterDefault));
    REQUIRE(sum_of(pageable.data()) == 4);
    check_cuda(cudaHostUnregister(pageable.data()));
    float* pinned = nullptr;
    check_cuda(cudaMallocHost(&pinned, 16));
    float* managed = nullptr;
    check_cuda(cudaMallocManaged(&managed, 16));
    for (int i = 0; i < 4; ++i) {
        pinned[i] = managed[i] = 2;
    }
    REQUIRE((sum_of(pinned) == 8 && sum_of(managed) == 8));
    check_cuda(cudaFreeHost(pinned));
    check_cuda(cudaFree(managed));
    int devices = 0;
    check_cuda(cudaGetDeviceCount(&devices));
    if (devices > 1) {
        check_cuda(cudaSetDevice(1));
        float* there = nullptr;
        check_cuda(cudaMalloc(&there, 16));
        check_cuda(cudaMemset(there, 0, 16));
        REQUIRE(sum_of(there) == 0);
        check_cuda(cudaSetDevice(0));
        std::string message;
        try {
            sum_of(there);
        } catch (const std::exception& e) {
            message = e.what();
        }
        INFO(message);
        REQUIRE(message.find("memory of another device") != std::string::npos);
        int peer = 0;
        check_cuda(cudaDeviceCanAccessPeer(&peer, 0, 1));
        if (peer != 0) {
            check_cuda(cudaDeviceEnablePeerAccess(1, 0));
            on_threads(2, [&](int) {  // new ones, of which the driver knows nothing yet
                if (sum_of(there) != 0) {
                    throw std::runtime_error("a wrong value");
                }
            });
        }
        check_cuda(cudaFree(there));
    }
}
#endif
