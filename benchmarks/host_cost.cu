// SPDX-License-Identifier: Apache-2.0
//
// What a call costs the thread that makes it, beside a bare launch: evals, prepared evals, values, and evals of eight
// threads on a stream each. The arrays are so small that the GPU is never the limit.
//
// bench_host_cost [output.json]
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <fuse/fuse.hpp>

#include "environment.cuh"
#include "timing.cuh"

namespace {

using Clock = std::chrono::steady_clock;

__global__ void bare(float* p) {
    if (threadIdx.x == 32) {  // never
        *p = 1;
    }
}

double microseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// Of one call: the least of several runs, in each of which the queue of launches never fills.
template <class F>
double cost(const F& call) {
    constexpr int calls = 200;
    double least = 1e9;
    for (int round = 0; round < 20; ++round) {
        const auto begin = Clock::now();
        for (int i = 0; i < calls; ++i) {
            call();
        }
        least = std::min(least, microseconds_since(begin) / calls);
        bench::check(cudaDeviceSynchronize(), "synchronise");
    }
    return least;
}

/// Of one call among all that eight threads make on a stream each.
template <class F>
double cost_on_threads(const F& call) {
    constexpr int threads = 8;
    constexpr int calls = 4000;
    std::vector<double> each(threads);
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t) {
        pool.emplace_back([&, t] {
            cudaStream_t stream = nullptr;
            bench::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
            const auto begin = Clock::now();
            for (int i = 0; i < calls; ++i) {
                call(stream, t);
                if (i % 400 == 399) {
                    cudaStreamSynchronize(stream);
                }
            }
            each[static_cast<std::size_t>(t)] = microseconds_since(begin) / calls / threads;
            cudaStreamDestroy(stream);
        });
    }
    double sum = 0;
    for (int t = 0; t < threads; ++t) {
        pool[static_cast<std::size_t>(t)].join();
        sum += each[static_cast<std::size_t>(t)];
    }
    return sum / threads;
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Buffer<float> memory(1 << 20);
    float* const p = memory.get();
    bench::check(cudaMemset(p, 0, memory.size() * sizeof(float)), "clear");
    cudaStream_t stream = nullptr;
    bench::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    const auto executor = fuse::cuda.on(stream);

    auto x = fuse::view<"x">(p, 64);
    auto y = fuse::view<"y">(p + 64, 64);
    auto s = fuse::view<"s">(p + 128, fuse::shape());
    auto rows = fuse::view<"rows">(p + 256, 8, 64);
    auto out = fuse::view<"out">(p + 1024, 8, 64);
    auto gamma = fuse::view<"gamma">(p + 2048, 64);
    auto beta = fuse::view<"beta">(p + 2112, 64);
    auto target = fuse::view<"target">(reinterpret_cast<int*>(p + 2176), 8);
    auto a = fuse::view<"a">(p + 4096, 1024);
    auto b = fuse::view<"b">(p + 5120, 1024);
    auto shared = fuse::view<"shared">(p + 65536, 1 << 15);  // by several blocks, which need memory between them

    std::FILE* const results = argc > 1 ? bench::open_results(argv[1]) : nullptr;
    const char* separator = "";
    const auto add = [&](const char* name, double us) {
        std::printf("%-36s %6.2f us\n", name, us);
        if (results != nullptr) {
            std::fprintf(results, "%s    \"%s\": %.2f", separator, name, us);
            separator = ",\n";
        }
    };
    if (results != nullptr) {
        std::fprintf(results, "  \"microseconds_per_call\": {\n");
    }
    add("bare launch", cost([&] { bare<<<1, 32, 0, stream>>>(p); }));
    add("map", cost([&] { fuse::eval(executor, y = x * 2.F + 1.F); }));
    add("sum", cost([&] { fuse::eval(executor, s = sum(x)); }));
    add("sum of 2^15", cost([&] { fuse::eval(executor, s = sum(shared)); }));
    add("softmax", cost([&] { fuse::eval(executor, out = softmax(rows)); }));
    add("layer_norm", cost([&] { fuse::eval(executor, out = layer_norm(rows, gamma, beta)); }));
    add("cross_entropy", cost([&] { fuse::eval(executor, s = cross_entropy(rows, target)); }));
    // Neither of the two evals before: bound and checked.
    auto second = fuse::view<"rows">(p + 4608, 8, 64);
    auto third = fuse::view<"rows">(p + 5120, 8, 64);
    const auto next_rows = [&] {
        swap(rows, second);
        swap(second, third);
    };
    add("softmax of other rows", cost([&] {
            fuse::eval(executor, out = softmax(rows));
            next_rows();
        }));
    add("cross_entropy of other rows", cost([&] {
            fuse::eval(executor, s = cross_entropy(rows, target));
            next_rows();
        }));
    const auto sum_again = fuse::prepare(executor, s = sum(shared));
    auto softmax_again = fuse::prepare(executor, out = softmax(rows));
    const auto loss_again = fuse::prepare(executor, s = cross_entropy(rows, target));
    add("prepared sum of 2^15", cost([&] { sum_again(); }));
    add("prepared softmax", cost([&] { softmax_again(); }));
    add("prepared cross_entropy", cost([&] { loss_again(); }));
    add("rebind of a prepared softmax", cost([&] { softmax_again.rebind(rows); }));
    add("value(sum)", cost([&] { static_cast<void>(fuse::value(executor, sum(x))); }));
    add("value(mean(square(a - b))) of 2^10",
        cost([&] { static_cast<void>(fuse::value(executor, mean(square(a - b)))); }));
    add("8 threads, bare launch", cost_on_threads([&](cudaStream_t of, int) { bare<<<1, 32, 0, of>>>(p); }));
    add("8 threads, map", cost_on_threads([&](cudaStream_t of, int t) {
            fuse::eval(fuse::cuda.on(of), fuse::view<"y">(p + 8192 + 64 * t, 64) = x * 2.F + 1.F);
        }));
    add("8 threads, sum of 2^15", cost_on_threads([&](cudaStream_t of, int t) {
            fuse::eval(fuse::cuda.on(of), fuse::view<"s">(p + 8192 + t, fuse::shape()) = sum(shared));
        }));
    if (results != nullptr) {
        std::fprintf(results, "\n  }\n}\n");
        std::fclose(results);
    }
    cudaStreamDestroy(stream);
    return 0;
}
