// SPDX-License-Identifier: Apache-2.0
//
// What a block-level collective costs by itself: 1000 calls inside one kernel, each of which works on what the one
// before returned, with one block per multiprocessor (latency) and with a full grid (throughput), beside CUB. Every
// result is compared with a float64 value before it is timed.
//
// bench_primitives [output.json]
#include <string>

#include <fuse/fuse.hpp>

#include "environment.cuh"
#include "primitives/cases.cuh"

using namespace fuse;
using namespace collectives;
using bench::Buffer;

namespace {

struct Row {
    std::string name, type, shape, result, grid, implementation;
    double ns;  ///< per call of one block; of all resident blocks' calls in a full grid, per multiprocessor
    double error;
};
std::vector<Row> rows;
int multiprocessors = 0;
bool failed = false;

/// Checks and times a call with one block per multiprocessor and with as many as are resident.
template <class Call, int K, class T>
void measure(const Case<T>& c, const char* implementation, std::size_t shared_bytes) {
    const auto kernel = repeat<Call, K, T>;
    int resident = 0;
    bench::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, int(c.threads()), shared_bytes),
                 "occupancy");
    Buffer<T> inputs(c.items());
    Buffer<unsigned char> has_result(c.threads());
    Buffer<T> out(c.items() * std::size_t(multiprocessors * resident));
    bench::check(cudaMemcpy(inputs.get(), c.x.data(), c.items() * sizeof(T), cudaMemcpyHostToDevice), "upload");
    bench::check(cudaMemcpy(has_result.get(), c.has_result.data(), c.threads(), cudaMemcpyHostToDevice), "upload");
    for (const bool full : {false, true}) {
        const int per_multiprocessor = full ? resident : 1;
        const auto run = [&](int) {
            const auto grid = unsigned(multiprocessors * per_multiprocessor);
            kernel<<<grid, c.block, shared_bytes>>>(inputs.get(), has_result.get(), c.feedback, out.get());
        };
        bench::check(cudaMemset(out.get(), 0xff, out.size() * sizeof(T)), "memset");
        run(0);
        bench::check(cudaGetLastError(), "launch");
        auto got = out.download();
        got.resize(c.items() * std::size_t(multiprocessors * per_multiprocessor));
        const double error = worst_error(c, got);
        if (!(error <= (sizeof(T) == 4 ? 1e-5 : 1e-13))) {
            std::printf("%s %s %s: WRONG, error %.3g\n", c.name.c_str(), c.shape.c_str(), implementation, error);
            failed = true;
            continue;
        }
        const double us = bench::rotating(run, 1, 3).median;
        rows.push_back({c.name, sizeof(T) == 4 ? "f32" : "f64", c.shape, c.result, full ? "full" : "one block",
                        implementation, us * 1000 / iterations / per_multiprocessor, error});
    }
}

/// The rows of one case, which were measured last, one line per grid.
void print_since(std::size_t first) {
    for (const char* grid : {"one block", "full"}) {
        std::string line;
        for (std::size_t i = first; i < rows.size(); ++i) {
            const Row& r = rows[i];
            if (r.grid == grid) {
                char text[120];
                if (line.empty()) {
                    std::snprintf(text, sizeof(text), "%-16s %s %-6s %s %-9s  ", r.name.c_str(), r.type.c_str(),
                                  r.shape.c_str(), r.result.c_str(), grid);
                    line = text;
                } else {
                    line += ", ";
                }
                std::snprintf(text, sizeof(text), "%s %.1f", r.implementation.c_str(), r.ns);
                line += text;
            }
        }
        std::printf("%s ns\n", line.c_str());
    }
    std::fflush(stdout);
}

template <class T, class Over, class Mode, unsigned X, unsigned Y>
void reductions(const char* name) {
    constexpr unsigned n = X * Y;
    constexpr bool all = Mode::all;
    const std::size_t first = rows.size(), shared = 2 * reduce_global_scratch_bytes<1, Over>(X, Y, sizeof(T));
    const auto c = fold_case<T, Over>(name, dim3(X, Y), 1, all);
    measure<FuseReduce<CudaBlock, Over, Mode, 1024>, 1>(c, "fuse", shared);
    measure<FuseReduce<ShapedCudaBlock<X, Y, true>, Over, Mode, n>, 1>(c, "fuse, shape known", shared);
    auto whole = fold_case<T, OverBlock>(name, dim3(n), 1, all);
    whole.shape = c.shape;  // CUB folds a row of as many threads: reported under the shape that it stands beside
    measure<CubReduce<n, cub::BLOCK_REDUCE_RAKING, all>, 1>(whole, "cub raking", 0);
    measure<CubReduce<n, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, all>, 1>(whole, "cub raking commutative", 0);
    measure<CubReduce<n, cub::BLOCK_REDUCE_WARP_REDUCTIONS, all>, 1>(whole, "cub warps", 0);
    print_since(first);
}

template <class T, class Mode>
void all_reductions() {
    reductions<T, OverBlock, Mode, 128, 1>("BlockReduce");
    reductions<T, OverBlock, Mode, 256, 1>("BlockReduce");
    reductions<T, OverBlock, Mode, 512, 1>("BlockReduce");
    reductions<T, OverBlock, Mode, 1024, 1>("BlockReduce");
    reductions<T, OverX, Mode, 256, 1>("BlockXReduce");
    reductions<T, OverX, Mode, 1024, 1>("BlockXReduce");
    reductions<T, OverX, Mode, 32, 8>("BlockXReduce");
    reductions<T, OverX, Mode, 64, 8>("BlockXReduce");
    reductions<T, OverY, Mode, 32, 4>("BlockYReduce");
    reductions<T, OverY, Mode, 32, 8>("BlockYReduce");
    reductions<T, OverY, Mode, 32, 16>("BlockYReduce");
    reductions<T, OverY, Mode, 32, 32>("BlockYReduce");
    reductions<T, OverY, Mode, 8, 32>("BlockYReduce");
}

/// BatchedBlockReduce of 8 values against 8 BlockReduce.
template <class T, unsigned N>
void batched() {
    constexpr int values = 8;
    const std::size_t first = rows.size();
    const std::size_t batch = 2 * batched_block_reduce_scratch_bytes<values>(N, 1, sizeof(T));
    const std::size_t single = 2 * block_reduce_scratch_bytes(N, 1, sizeof(T));
    const auto c = fold_case<T, OverBlock>("BlockReduce of 8", dim3(N), values, true);
    measure<FuseReduceMany<CudaBlock, 1024, true>, values>(c, "batched", batch);
    measure<FuseReduceMany<CudaBlock, 1024, false>, values>(c, "8 calls", single);
    measure<FuseReduceMany<ShapedCudaBlock<N, 1, true>, N, true>, values>(c, "batched, shape known", batch);
    measure<FuseReduceMany<ShapedCudaBlock<N, 1, true>, N, false>, values>(c, "8 calls, shape known", single);
    print_since(first);
}

template <class T, unsigned N>
void scans() {
    const std::size_t first = rows.size(), shared = 2 * block_scan_scratch_bytes(N, 1, sizeof(T));
    const auto c = scan_case<T>(dim3(N));
    measure<FuseScan<CudaBlock, 1024>, 1>(c, "fuse", shared);
    measure<FuseScan<ShapedCudaBlock<N, 1, true>, N>, 1>(c, "fuse, shape known", shared);
    measure<CubScan<N, cub::BLOCK_SCAN_RAKING>, 1>(c, "cub raking", 0);
    measure<CubScan<N, cub::BLOCK_SCAN_RAKING_MEMOIZE>, 1>(c, "cub raking memoize", 0);
    measure<CubScan<N, cub::BLOCK_SCAN_WARP_SCANS>, 1>(c, "cub warps", 0);
    print_since(first);
}

template <class T>
void all_collectives() {
    all_reductions<T, AllThreads>();
    all_reductions<T, OneThread>();
    batched<T, 128>();
    batched<T, 256>();
    batched<T, 512>();
    batched<T, 1024>();
    scans<T, 128>();
    scans<T, 256>();
    scans<T, 512>();
    scans<T, 1024>();
}

void write_json(const char* path) {
    std::FILE* f = bench::open_results(path);
    std::fprintf(f, "  \"collectives\": [\n");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& r = rows[i];
        std::fprintf(f,
                     "    {\"case\": \"%s\", \"type\": \"%s\", \"block\": \"%s\", \"result\": \"%s\", "
                     "\"grid\": \"%s\", \"implementation\": \"%s\", \"ns\": %.2f, \"relative_error\": %.2e}%s\n",
                     r.name.c_str(), r.type.c_str(), r.shape.c_str(), r.result.c_str(), r.grid.c_str(),
                     r.implementation.c_str(), r.ns, r.error, i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(f, "  ]\n}\n");
    std::fclose(f);
}

}  // namespace

int main(int argc, char** argv) {
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    all_collectives<float>();
    all_collectives<double>();
    if (argc > 1) {
        write_json(argv[1]);
    }
    return failed ? 1 : 0;
}
