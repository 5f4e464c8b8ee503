// SPDX-License-Identifier: Apache-2.0
//
// Scans of the language: of one long axis, beside CUB's inclusive sum of the same type where it has one, and of many
// rows. Every result is compared with a sequential float64 scan before it is timed.
//
// bench_scans [output.json]     ends with 1 if a result is wrong
#include <cub/device/device_scan.cuh>

#include <cmath>
#include <functional>
#include <string>

#include <fuse/fuse.hpp>

#include "environment.cuh"
#include "probes.cuh"

using namespace fuse;
using bench::Buffer;

namespace {

struct Row {
    std::string name, type, shape, implementation;
    double bytes;
    bench::Stats flushed;
};
std::vector<Row> rows;
bench::Roofs roofs;
bool failed = false;

/// -1, 0 or 1: sums of them are exact in float up to 2^24 and stay far below, whatever the order.
template <class T>
__global__ void fill_signs(T* x, std::size_t n) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        unsigned h = static_cast<unsigned>(i) * 2654435761u;
        h ^= h >> 15;
        x[i] = T(static_cast<float>(static_cast<int>(h % 3) - 1));
    }
}

template <class T>
std::vector<double> as_double(const Buffer<T>& buffer) {
    const std::vector<T> items = buffer.download();
    std::vector<double> values(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        values[i] = static_cast<double>(static_cast<float>(items[i]));
    }
    return values;
}
template <>
std::vector<double> as_double(const Buffer<double>& buffer) {
    return buffer.download();
}

/// Times one scan if `wrong`, the number of wrong results, is none.
void report(const std::string& name, const char* type, const std::string& shape, const char* implementation,
            std::size_t wrong, double bytes, const std::function<void(int)>& run) {
    if (wrong != 0) {
        std::printf("%s %s %s %s: WRONG in %zu places\n", name.c_str(), type, shape.c_str(), implementation, wrong);
        failed = true;
        return;
    }
    rows.push_back({name, type, shape, implementation, bytes, bench::flushed(run, 30)});
    const Row& r = rows.back();
    std::printf("%-14s %-5s %-12s %-5s %8.1f us flushed (%.1f %% of copy)\n", name.c_str(), type, shape.c_str(),
                implementation, r.flushed.median, 100 * bytes / r.flushed.median / roofs.copy);
    std::fflush(stdout);
}

/// Results that differ from the running sums of each row of `length`, rounded to T.
template <class T>
std::size_t wrong_sums(const std::vector<double>& x, const std::vector<double>& y, std::size_t length) {
    std::size_t wrong = 0;
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        sum = i % length == 0 ? x[i] : sum + x[i];
        double expected = sum;
        if constexpr (sizeof(T) == 2) {
            expected = static_cast<double>(static_cast<float>(T(static_cast<float>(sum))));
        }
        wrong += y[i] != expected;
    }
    return wrong;
}

template <class T>
void sums(const char* type, std::size_t r, std::size_t n, bool beside_cub) {
    Buffer<T> x(r * n), y(r * n);
    fill_signs<<<2048, 256>>>(x.get(), x.size());
    const auto in = as_double(x);
    const double bytes = 2.0 * double(r * n * sizeof(T));
    const std::string shape = (r == 1 ? "" : std::to_string(r) + "x") + std::to_string(n);
    const auto with_fuse = [&](int) {
        eval(fuse::cuda, view<"y">(y.get(), r, n) = cumsum(view<"x">(x.get(), r, n), axes<1>));
    };
    bench::check(cudaMemset(y.get(), 0xff, y.size() * sizeof(T)), "clear");
    with_fuse(0);
    report("cumsum", type, shape, "fuse", wrong_sums<T>(in, as_double(y), n), bytes, with_fuse);
    if (!beside_cub) {
        return;
    }
    std::size_t memory_bytes = 0;
    const auto scan = [&](void* memory) {
        bench::check(cub::DeviceScan::InclusiveSum(memory, memory_bytes, x.get(), y.get(), static_cast<int>(n)), "cub");
    };
    scan(nullptr);
    Buffer<unsigned char> memory(memory_bytes);
    const auto with_cub = [&](int) { scan(memory.get()); };
    bench::check(cudaMemset(y.get(), 0xff, y.size() * sizeof(T)), "clear");
    with_cub(0);
    // Its bf16 sums are rounded at every step.
    report("cumsum", type, shape, "cub", sizeof(T) == 2 ? 0 : wrong_sums<T>(in, as_double(y), n), bytes, with_cub);
}

/// Sums of products, of elements off a vector boundary, a discounted sum, a compaction, a running arg max: 2^27 floats.
void other_scans() {
    constexpr std::size_t n = std::size_t{1} << 27;
    const std::string shape = std::to_string(n);
    const auto size = static_cast<index_t>(n);
    Buffer<float> x(n), w(n), y(n);
    const auto vx = view<"x">(x.get(), size);
    const auto vy = view<"y">(y.get(), size);
    fill_signs<<<2048, 256>>>(x.get(), n);
    fill_signs<<<2048, 256>>>(w.get(), n);
    const auto signs = as_double(x);
    const auto multiply = [&](int) { eval(fuse::cuda, vy = cumsum(vx * view<"w">(w.get(), size), axes<0>)); };
    multiply(0);
    auto out = as_double(y);
    std::size_t wrong = 0;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += signs[i] * signs[i];  // w holds the same as x
        wrong += std::abs(out[i] - sum) > 27 * 0x1p-23 * sum;
    }
    report("cumsum(x * w)", "f32", shape, "fuse", wrong, 3.0 * double(n * sizeof(float)), multiply);

    const auto shifted = [&](int) {
        eval(fuse::cuda, view<"y">(y.get(), size - 1) = cumsum(view<"x">(x.get() + 1, size - 1), axes<0>));
    };
    shifted(0);
    out = as_double(y);
    out.pop_back();
    report("cumsum(x + 1)", "f32", shape, "fuse",
           wrong_sums<float>(std::vector<double>(signs.begin() + 1, signs.end()), out, n),
           2.0 * double(n * sizeof(float)), shifted);

    bench::fill_random<<<2048, 256>>>(x.get(), n, 1);
    const auto uniform = as_double(x);
    const auto discount = [&](int) { eval(fuse::cuda, vy = discounted_cumsum(vx, 0.9f, axes<-1>)); };
    discount(0);
    out = as_double(y);
    wrong = 0;
    double running = 0, scale = 0;
    for (std::size_t i = 0; i < n; ++i) {
        running = uniform[i] + static_cast<double>(0.9f) * running;
        scale = std::abs(uniform[i]) + 0.9 * scale;
        wrong += std::abs(out[i] - running) > 40 * 0x1p-24 * scale;
    }
    report("discounted sum", "f32", shape, "fuse", wrong, 2.0 * double(n * sizeof(float)), discount);

    const auto keep = [&](int) { eval(fuse::cuda, vy = compact(vx, vx > 0.333f)); };
    keep(0);
    out = as_double(y);
    wrong = 0;
    std::size_t kept = 0;
    for (const double value : uniform) {
        if (value > static_cast<double>(0.333f)) {
            wrong += out[kept++] != value;
        }
    }
    report("compact", "f32", shape, "fuse", wrong, double((n + kept) * sizeof(float)), keep);

    Buffer<index_t> places(n);
    const auto arg_max = [&](int) { eval(fuse::cuda, view<"y">(places.get(), size) = scan(ArgMax{}, vx, axes<0>)); };
    arg_max(0);
    const auto found = places.download();
    wrong = 0;
    std::size_t best = 0;
    for (std::size_t i = 0; i < n; ++i) {
        best = uniform[i] > uniform[best] ? i : best;
        wrong += found[i] != static_cast<index_t>(best);
    }
    report("scan(ArgMax)", "f32", shape, "fuse", wrong, double(n * (sizeof(float) + sizeof(index_t))), arg_max);
}

void write_json(const char* path) {
    std::FILE* f = bench::open_results(path);
    std::fprintf(f, "  \"roofs_tb_per_s\": {\"copy\": %.3f},\n  \"scans\": [\n", roofs.copy / 1e6);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& r = rows[i];
        std::fprintf(
            f,
            "    {\"case\": \"%s\", \"type\": \"%s\", \"shape\": \"%s\", \"implementation\": \"%s\", \"bytes\": %.0f, "
            "\"flushed_us\": {\"median\": %.2f, \"p10\": %.2f, \"p90\": %.2f}, \"percent_of_copy\": %.1f}%s\n",
            r.name.c_str(), r.type.c_str(), r.shape.c_str(), r.implementation.c_str(), r.bytes, r.flushed.median,
            r.flushed.p10, r.flushed.p90, 100 * r.bytes / r.flushed.median / roofs.copy,
            i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(f, "  ]\n}\n");
    std::fclose(f);
}

}  // namespace

int main(int argc, char** argv) {
    roofs = bench::measure_roofs(std::size_t{4} << 30);
    std::printf("roof: copy %.3f TB/s\n", roofs.copy / 1e6);
    for (const int power : {28, 26, 24, 22, 20, 18, 16}) {
        sums<float>("f32", 1, std::size_t{1} << power, true);
    }
    sums<double>("f64", 1, std::size_t{1} << 27, true);
    sums<double>("f64", 1, std::size_t{1} << 24, true);
    sums<__nv_bfloat16>("bf16", 1, std::size_t{1} << 29, true);
    sums<__nv_bfloat16>("bf16", 1, std::size_t{1} << 24, true);
    sums<float>("f32", 16, std::size_t{1} << 23, false);
    for (const std::size_t columns : {64, 256, 1024, 4096, 16384}) {
        sums<float>("f32", (std::size_t{1} << 26) / columns, columns, false);
    }
    other_scans();
    if (argc > 1) {
        write_json(argv[1]);
    }
    return failed ? 1 : 0;
}
