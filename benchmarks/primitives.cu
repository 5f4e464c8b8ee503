// SPDX-License-Identifier: Apache-2.0
//
// What a block-level collective costs by itself: 1000 calls inside one kernel, each of which works on what the one
// before returned, with one block per multiprocessor (latency) and with a full grid (throughput), beside CUB. Then
// scans of rows as percentages of the copy roof. Every result is compared with a float64 value before it is timed.
//
// bench_primitives [output.json]
#include <string>

#include <fuse/fuse.hpp>

#include "environment.cuh"
#include "primitives/cases.cuh"
#include "probes.cuh"

using namespace fuse;
using namespace collectives;
using bench::Buffer;

namespace {

struct Row {
    std::string name, type, shape, result, grid, implementation;
    double ns;  ///< per call of one block; of all resident blocks' calls in a full grid, per multiprocessor
    double error;
};
struct ScanRow {
    std::string shape;
    double bytes, error;
    bench::Stats flushed, rotating;
};
std::vector<Row> rows;
std::vector<ScanRow> scan_rows;
bench::Roofs roofs;
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

/// cumsum along each row of an r x c array.
void row_scans(std::size_t r, std::size_t c) {
    const double bytes = 2.0 * double(r * c * sizeof(float));
    const int sets = std::max(1, int(240e6 / bytes) + 1);
    Buffer<float> x(r * c * std::size_t(sets)), y(r * c * std::size_t(sets));
    bench::fill_random<<<2048, 256>>>(x.get(), x.size(), 1);
    bench::check(cudaMemset(y.get(), 0xff, y.size() * sizeof(float)), "memset");
    const auto run = [&](int k) {
        const auto offset = r * c * std::size_t(k);
        eval(fuse::cuda, view<"y">(y.get() + offset, r, c) = cumsum(view<"x">(x.get() + offset, r, c), axes<1>));
    };
    run(0);
    std::vector<float> in(c), out(c);
    bench::Check check;
    for (const std::size_t i : bench::sample_rows(r)) {
        cudaMemcpy(in.data(), x.get() + i * c, c * sizeof(float), cudaMemcpyDeviceToHost);
        cudaMemcpy(out.data(), y.get() + i * c, c * sizeof(float), cudaMemcpyDeviceToHost);
        double sum = 0, scale = 0;
        for (std::size_t j = 0; j < c; ++j) {
            sum += double(in[j]);
            scale += std::abs(double(in[j]));
            check.compare(double(out[j]), sum, scale);
        }
    }
    const std::string shape = std::to_string(r) + "x" + std::to_string(c);
    if (!(check.worst <= 28 * 6e-8)) {
        std::printf("cumsum %s: WRONG, error %.3g\n", shape.c_str(), check.worst);
        failed = true;
        return;
    }
    const ScanRow row{shape, bytes, check.worst, bench::flushed(run, 30), bench::rotating(run, sets)};
    std::printf("cumsum of rows f32 %-12s %.1f us flushed (%.1f %%), %.1f us rotating (%.1f %%) of copy, error %.1e\n",
                shape.c_str(), row.flushed.median, 100 * bytes / row.flushed.median / roofs.copy, row.rotating.median,
                100 * bytes / row.rotating.median / roofs.copy, row.error);
    scan_rows.push_back(row);
}

void write_json(const char* path) {
    std::FILE* f = bench::open_results(path);
    std::fprintf(f, "  \"roofs_tb_per_s\": {\"copy\": %.3f, \"read\": %.3f},\n  \"collectives\": [\n", roofs.copy / 1e6,
                 roofs.read / 1e6);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& r = rows[i];
        std::fprintf(f,
                     "    {\"case\": \"%s\", \"type\": \"%s\", \"block\": \"%s\", \"result\": \"%s\", "
                     "\"grid\": \"%s\", \"implementation\": \"%s\", \"ns\": %.2f, \"relative_error\": %.2e}%s\n",
                     r.name.c_str(), r.type.c_str(), r.shape.c_str(), r.result.c_str(), r.grid.c_str(),
                     r.implementation.c_str(), r.ns, r.error, i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(f, "  ],\n  \"row_scans\": [\n");
    for (std::size_t i = 0; i < scan_rows.size(); ++i) {
        const ScanRow& r = scan_rows[i];
        std::fprintf(f,
                     "    {\"case\": \"cumsum\", \"type\": \"f32\", \"shape\": \"%s\", \"bytes\": %.0f, "
                     "\"roof\": \"copy\", \"flushed_us\": {\"median\": %.2f, \"p10\": %.2f, \"p90\": %.2f}, "
                     "\"rotating_us\": {\"median\": %.2f, \"p10\": %.2f, \"p90\": %.2f}, "
                     "\"percent_flushed\": %.1f, \"percent_rotating\": %.1f, \"relative_error\": %.2e}%s\n",
                     r.shape.c_str(), r.bytes, r.flushed.median, r.flushed.p10, r.flushed.p90, r.rotating.median,
                     r.rotating.p10, r.rotating.p90, 100 * r.bytes / r.flushed.median / roofs.copy,
                     100 * r.bytes / r.rotating.median / roofs.copy, r.error, i + 1 < scan_rows.size() ? "," : "");
    }
    std::fprintf(f, "  ]\n}\n");
    std::fclose(f);
}

}  // namespace

int main(int argc, char** argv) {
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    roofs = bench::measure_roofs(std::size_t{4} << 30);
    std::printf("roofs: copy %.3f TB/s, read %.3f TB/s\n", roofs.copy / 1e6, roofs.read / 1e6);
    row_scans(32768, 4096);
    row_scans(32768, 1024);
    row_scans(262144, 256);
    all_collectives<float>();
    all_collectives<double>();
    if (argc > 1) {
        write_json(argv[1]);
    }
    return failed ? 1 : 0;
}
