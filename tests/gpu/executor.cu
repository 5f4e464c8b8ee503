// SPDX-License-Identifier: Apache-2.0
//
// The GPU executor: streams, threads, graphs, workspaces, very large arrays, and its errors. Numbers are compared with
// integers that float sums represent exactly.
#include <cstdint>
#include <numeric>
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

/// 0, 1, ..., 6, 0, ...: sums stay exact.
std::vector<float> small_integers(std::size_t n, std::size_t shift = 0) {
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) {
        v[i] = static_cast<float>((i + shift) % 7);
    }
    return v;
}

float exact_sum(const std::vector<float>& v) {
    return static_cast<float>(std::accumulate(v.begin(), v.end(), 0.0));
}

}  // namespace

TEST_CASE("value() of a reduction over every size class", "[gpu]") {
    skip_without_gpu();
    for (const std::size_t n : {std::size_t{1}, std::size_t{5}, std::size_t{1000}, std::size_t{16384},
                                std::size_t{16385}, std::size_t{1000003}, std::size_t{3000000}}) {
        const auto host = small_integers(n);
        const DeviceBuffer<float> x(host);
        REQUIRE(fuse::value(fuse::cuda, fuse::sum(fuse::view<"x">(x.get(), n))) == exact_sum(host));
    }
}

TEST_CASE("overlapping streams keep their partial results apart", "[gpu]") {
    skip_without_gpu();
    constexpr std::size_t n = std::size_t{1} << 25;  // about 30 us each: launches of the streams overlap
    constexpr int streams = 4;
    constexpr int rounds = 50;
    const auto host = small_integers(n);
    std::vector<std::unique_ptr<Stream>> stream;
    std::vector<std::unique_ptr<DeviceBuffer<float>>> out;
    const DeviceBuffer<float> x(host);
    for (int s = 0; s < streams; ++s) {
        stream.push_back(std::make_unique<Stream>());
        out.push_back(std::make_unique<DeviceBuffer<float>>(rounds));
    }
    for (int round = 0; round < rounds; ++round) {
        for (int s = 0; s < streams; ++s) {
            // A different length per stream, so that a mix-up would show.
            const std::size_t length = n - static_cast<std::size_t>(s) * 7 * 1000;
            fuse::eval(fuse::cuda.on(stream[s]->get()),
                       fuse::view<"out">(out[s]->get() + round, fuse::shape()) =
                           fuse::sum(fuse::view<"x">(x.get(), length), fuse::accumulate<double>));
        }
    }
    check_cuda(cudaDeviceSynchronize());
    for (int s = 0; s < streams; ++s) {
        const double expected = std::accumulate(host.begin(), host.end() - s * 7000, 0.0);
        for (const float got : out[s]->download()) {
            REQUIRE(got == static_cast<float>(expected));
        }
    }
}

TEST_CASE("many host threads on one stream and on their own", "[gpu]") {
    skip_without_gpu();
    constexpr std::size_t n = 1 << 20;
    const auto host = small_integers(n);
    const DeviceBuffer<float> x(host);
    const float expected = exact_sum(host);
    const Stream shared;
    std::vector<int> wrong(8, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            const Stream own;
            const cudaStream_t stream = t % 2 == 0 ? shared.get() : own.get();
            for (int i = 0; i < 100; ++i) {
                wrong[t] += fuse::value(fuse::cuda.on(stream), fuse::sum(fuse::view<"x">(x.get(), n))) != expected;
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    for (const int w : wrong) {
        REQUIRE(w == 0);
    }
}

TEST_CASE("a captured eval replays a thousand times", "[gpu]") {
    skip_without_gpu();
    constexpr std::size_t n = 1 << 20;
    const auto host = small_integers(n);
    const DeviceBuffer<float> x(host);
    const DeviceBuffer<float> total(1);
    const DeviceBuffer<float> y(n);
    const Stream stream;
    const auto in = fuse::view<"x">(x.get(), n);
    for (const bool own_workspace : {false, true}) {
        auto executor = fuse::cuda.on(stream.get());
        const auto statement = (fuse::view<"total">(total.get(), fuse::shape()) = fuse::sum(in));
        fuse::workspace memory(fuse::workspace_bytes(executor, statement));
        if (own_workspace) {
            executor = executor.with(memory);
        }
        cudaGraph_t graph;
        cudaGraphExec_t instance;
        check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
        fuse::eval(executor, statement);
        fuse::eval(executor,
                   fuse::view<"y">(y.get(), n) = in / (fuse::view<"total">(total.get(), fuse::shape()) + 1.f));
        REQUIRE_THROWS_AS(fuse::value(executor, fuse::sum(in)), fuse::argument_error);
        check_cuda(cudaStreamEndCapture(stream.get(), &graph));
        std::size_t nodes = 0;
        check_cuda(cudaGraphGetNodes(graph, nullptr, &nodes));
        REQUIRE((!own_workspace || nodes == 2));  // one kernel node per eval, nothing else
        check_cuda(cudaGraphInstantiate(&instance, graph, 0));
        for (int i = 0; i < 1000; ++i) {
            if (i % 100 == 0) {
                check_cuda(cudaMemsetAsync(total.get(), 0xff, sizeof(float), stream.get()));
            }
            check_cuda(cudaGraphLaunch(instance, stream.get()));
        }
        check_cuda(cudaStreamSynchronize(stream.get()));
        REQUIRE(total.download()[0] == exact_sum(host));
        REQUIRE(y.download()[5] == host[5] / (exact_sum(host) + 1.f));
        check_cuda(cudaGraphExecDestroy(instance));
        check_cuda(cudaGraphDestroy(graph));
    }
}

TEST_CASE("several phases over a large array wait for each other", "[gpu]") {
    skip_without_gpu();
    constexpr std::size_t n = 5000000;
    const auto host = small_integers(n);
    const DeviceBuffer<float> x(host);
    const DeviceBuffer<float> y(n);
    for (int round = 0; round < 20; ++round) {
        const auto in = fuse::view<"x">(x.get(), n);
        fuse::eval(fuse::cuda, fuse::view<"y">(y.get(), n) = in - fuse::max(in) + fuse::min(in));
    }
    const auto got = y.download();
    for (std::size_t i = 0; i < n; i += 997) {
        REQUIRE(got[i] == host[i] - 6.f);
    }
}

TEST_CASE("more than 2^31 elements", "[gpu]") {
    skip_without_gpu();
    constexpr std::size_t rows = 3;
    constexpr std::size_t columns = (std::size_t{1} << 30) + 5;  // 3.2e9 elements of one byte
    const DeviceBuffer<std::uint8_t> x(rows * columns);
    check_cuda(cudaMemset(x.get(), 1, rows * columns));
    const std::uint8_t marker = 200;
    const std::size_t place = rows * columns - 3;
    check_cuda(cudaMemcpy(x.get() + place, &marker, 1, cudaMemcpyHostToDevice));
    const auto flat = fuse::view<"x">(x.get(), rows * columns);
    REQUIRE(fuse::value(fuse::cuda, fuse::sum(flat)) == rows * columns + 199);
    REQUIRE(fuse::value(fuse::cuda, fuse::argmax(flat)) == static_cast<fuse::index_t>(place));
    const auto matrix = fuse::view<"x">(x.get(), rows, columns);
    const DeviceBuffer<std::uint64_t> sums(rows);
    fuse::eval(fuse::cuda, fuse::view<"sums">(sums.get(), rows) = fuse::sum(matrix, fuse::axes<1>));
    REQUIRE(sums.download() == std::vector<std::uint64_t>{columns, columns, columns + 199});
    const DeviceBuffer<std::uint8_t> y(rows * columns);
    fuse::eval(fuse::cuda, fuse::view<"y">(y.get(), rows, columns) = matrix + 1);
    std::uint8_t last[4];
    check_cuda(cudaMemcpy(last, y.get() + rows * columns - 4, 4, cudaMemcpyDeviceToHost));
    REQUIRE(static_cast<int>(last[0]) == 2);
    REQUIRE(static_cast<int>(last[1]) == 201);
    REQUIRE(static_cast<int>(last[3]) == 2);
}

TEST_CASE("errors of the GPU executor leave the output alone", "[gpu]") {
    skip_without_gpu();
    const std::vector<float> host{1, 2, 3};
    const DeviceBuffer<float> x(host);
    const DeviceBuffer<float> out(host);
    const auto in = fuse::view<"x">(x.get(), 3);
    fuse::workspace empty;
    const DeviceBuffer<float> large(1 << 22);
    REQUIRE_THROWS_AS(fuse::eval(fuse::cuda.with(empty), fuse::view<"out">(out.get(), fuse::shape()) =
                                                             fuse::sum(fuse::view<"large">(large.get(), 1 << 22))),
                      fuse::argument_error);
    REQUIRE_THROWS_AS(fuse::eval(fuse::cuda, fuse::view<"out">(out.get(), 2) = in * 2.f), fuse::shape_error);
#if FUSE_CHECK
    REQUIRE_THROWS_AS(fuse::eval(fuse::cuda, fuse::view<"out">(out.get(), 3) = fuse::view<"h">(host.data(), 3)),
                      fuse::argument_error);
#endif
    REQUIRE(out.download() == host);

    // A failure of the caller's own is named as such, and the next call works.
    int* nothing = nullptr;
    REQUIRE(cudaMalloc(&nothing, std::size_t{1} << 60) != cudaSuccess);
    try {
        fuse::eval(fuse::cuda, fuse::view<"out">(out.get(), 3) = in * 2.f);
        FAIL("the earlier error was not reported");
    } catch (const fuse::cuda_error& e) {
        REQUIRE(std::string(e.what()).find("earlier") != std::string::npos);
    }
    fuse::eval(fuse::cuda, fuse::view<"out">(out.get(), 3) = in * 2.f);
    REQUIRE(out.download() == std::vector<float>{2, 4, 6});
}
