// SPDX-License-Identifier: Apache-2.0
//
// The first table: sum, MSE, row sum, column sum, softmax and LayerNorm at three sizes each, f32 and bf16, as
// percentages of the copy and read roofs of the same run. Prints a table and writes JSON to the path given.
#include <cuda_bf16.h>

#include <cstring>
#include <map>
#include <string>

#include <fuse/fuse.hpp>

#include "environment.cuh"
#include "probes.cuh"
#include "reference.cuh"

using namespace fuse;
using bench::Buffer;
using bench::Check;

namespace {

struct Row {
    std::string name, type, shape;
    double bytes;
    bool read_only;
    double error;
    bench::Stats flushed, rotating;
    double bare;  ///< microseconds of a bare kernel that moves as much, rotating
};
std::vector<Row> rows;
bench::Roofs roofs;
const char* filter = "";
bool failed = false;

template <class T>
constexpr const char* type_name = sizeof(T) == 4 ? "f32" : "bf16";

/// The same for every case of one size.
double bare(double bytes, bool read_only, int sets) {
    static std::map<std::pair<double, bool>, double> known;
    const auto [found, fresh] = known.try_emplace({bytes, read_only}, 0.0);
    if (fresh) {
        found->second = bench::bare_rotating(static_cast<std::size_t>(bytes), read_only, sets);
    }
    return found->second;
}

template <class Run>
void report(const std::string& name, const char* type, const std::string& shape, double bytes, bool read_only,
            double error, double tolerance, int sets, Run&& run) {
    Row r{name, type, shape, bytes, read_only, error, {}, {}, bare(bytes, read_only, sets)};
    if (!(error <= tolerance)) {
        std::printf("%-10s %-5s %-16s WRONG: error %.3g > %.3g\n", name.c_str(), type, shape.c_str(), error, tolerance);
        failed = true;
        return;
    }
    r.flushed = bench::flushed(run);
    r.rotating = bench::rotating(run, sets);
    const double roof = read_only ? roofs.read : roofs.copy;
    std::printf("%-10s %-5s %-16s %9.1f us flushed (%5.1f %%)  %9.1f us rotating (%5.1f %%)  of %s, bare "
                "%.1f us (%5.1f %%)  error %.1e\n",
                name.c_str(), type, shape.c_str(), r.flushed.median, 100 * bytes / r.flushed.median / roof,
                r.rotating.median, 100 * bytes / r.rotating.median / roof, read_only ? "read" : "copy", r.bare,
                100 * r.bare / r.rotating.median, error);
    std::fflush(stdout);
    rows.push_back(r);
}

bool skipped(const char* name) {
    return std::strstr(name, filter) == nullptr;
}

std::string shape_text(std::size_t r, std::size_t c) {
    return std::to_string(r) + "x" + std::to_string(c);
}

template <class T>
void sums(std::size_t n) {
    if (skipped("sum")) {
        return;
    }
    const double bytes = double(n * sizeof(T));
    const int sets = bench::sets_for(bytes);
    Buffer<T> x(n * std::size_t(sets));
    Buffer<float> out(1);
    bench::fill_random<<<2048, 256>>>(x.get(), x.size(), 1);
    const auto run = [&](int k) {
        eval(cuda, view<"out">(out.get(), shape()) = sum(view<"x">(x.get() + n * std::size_t(k), n)));
    };
    run(0);
    std::vector<T> host(n);
    cudaMemcpy(host.data(), x.get(), n * sizeof(T), cudaMemcpyDeviceToHost);
    double expected = 0, scale = 0;
    for (const T& v : host) {
        expected += bench::as_double(v);
        scale += std::abs(bench::as_double(v));
    }
    Check c;
    c.compare(double(out.download()[0]), expected, scale);
    report("sum", type_name<T>, std::to_string(n), bytes, true, c.worst, 28 * 6e-8, sets, run);
}

template <class T>
void mses(std::size_t n) {
    if (skipped("mse")) {
        return;
    }
    const double bytes = 2.0 * double(n * sizeof(T));
    const int sets = bench::sets_for(bytes);
    Buffer<T> a(n * std::size_t(sets)), b(n * std::size_t(sets));
    Buffer<float> out(1);
    bench::fill_random<<<2048, 256>>>(a.get(), a.size(), 1);
    bench::fill_random<<<2048, 256>>>(b.get(), b.size(), 1ull << 40);
    const auto run = [&](int k) {
        const auto offset = n * std::size_t(k);
        eval(cuda, view<"out">(out.get(), shape()) =
                       mean(square(view<"a">(a.get() + offset, n) - view<"b">(b.get() + offset, n))));
    };
    run(0);
    std::vector<T> ha(n), hb(n);
    cudaMemcpy(ha.data(), a.get(), n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaMemcpy(hb.data(), b.get(), n * sizeof(T), cudaMemcpyDeviceToHost);
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double d = bench::as_double(ha[i]) - bench::as_double(hb[i]);
        expected += d * d;
    }
    Check c;
    c.compare(double(out.download()[0]), expected / double(n), expected / double(n));
    report("mse", type_name<T>, std::to_string(n), bytes, true, c.worst, 28 * 6e-8, sets, run);
}

template <class T, bool Rows>
void axis_sums(std::size_t r, std::size_t c) {
    if (skipped(Rows ? "row sum" : "column sum")) {
        return;
    }
    const double bytes = double(r * c * sizeof(T));
    const int sets = bench::sets_for(bytes);
    Buffer<T> x(r * c * std::size_t(sets));
    const std::size_t outputs = Rows ? r : c;
    Buffer<float> out(outputs);
    bench::fill_random<<<2048, 256>>>(x.get(), x.size(), 1);
    const auto run = [&](int k) {
        eval(cuda, view<"out">(out.get(), outputs) =
                       sum(view<"x">(x.get() + r * c * std::size_t(k), r, c), axes < Rows ? 1 : 0 >));
    };
    run(0);
    std::vector<T> host(r * c);
    cudaMemcpy(host.data(), x.get(), host.size() * sizeof(T), cudaMemcpyDeviceToHost);
    const auto got = out.download();
    Check check;
    for (const std::size_t i : bench::sample_rows(outputs)) {
        double expected = 0, scale = 1e-9;
        for (std::size_t j = 0; j < (Rows ? c : r); ++j) {
            const double v = bench::as_double(host[Rows ? i * c + j : j * c + i]);
            expected += v;
            scale += std::abs(v);
        }
        check.compare(double(got[i]), expected, scale);
    }
    report(Rows ? "row sum" : "column sum", type_name<T>, shape_text(r, c), bytes, true, check.worst, 28 * 6e-8, sets,
           run);
}

template <class T, bool LayerNorm>
void row_maps(std::size_t r, std::size_t c) {
    if (skipped(LayerNorm ? "layernorm" : "softmax")) {
        return;
    }
    const double bytes = 2.0 * double(r * c * sizeof(T));
    const int sets = bench::sets_for(bytes);
    Buffer<T> x(r * c * std::size_t(sets)), y(r * c * std::size_t(sets)), g(c), b(c);
    bench::fill_random<<<2048, 256>>>(x.get(), x.size(), 1);
    bench::fill_random<<<64, 256>>>(g.get(), c, 2);
    bench::fill_random<<<64, 256>>>(b.get(), c, 3);
    cudaMemset(y.get(), 0xff, y.size() * sizeof(T));
    const auto run = [&](int k) {
        const auto offset = r * c * std::size_t(k);
        const auto in = view<"x">(x.get() + offset, r, c);
        const auto out = view<"y">(y.get() + offset, r, c);
        if constexpr (LayerNorm) {
            const auto mu = mean(in, axes<-1>, keepdims);
            const auto rstd = rsqrt(mean(square(in - mu), axes<-1>, keepdims) + 1e-5f);
            eval(cuda, out = (in - mu) * rstd * view<"gamma">(g.get(), c) + view<"beta">(b.get(), c));
        } else {
            eval(cuda, out = softmax(in));
        }
    };
    run(0);
    std::vector<T> in(c), out(c), gamma = g.download(), beta = b.download();
    std::vector<double> expected;
    Check check;
    for (const std::size_t i : bench::sample_rows(r)) {
        cudaMemcpy(in.data(), x.get() + i * c, c * sizeof(T), cudaMemcpyDeviceToHost);
        cudaMemcpy(out.data(), y.get() + i * c, c * sizeof(T), cudaMemcpyDeviceToHost);
        if (LayerNorm) {
            bench::reference_layer_norm(in.data(), gamma.data(), beta.data(), c, 1e-5, expected);
        } else {
            bench::reference_softmax(in.data(), c, expected);
        }
        for (std::size_t j = 0; j < c; ++j) {
            check.compare(bench::as_double(out[j]), expected[j], std::abs(expected[j]) + (LayerNorm ? 1.0 : 1e-6));
        }
    }
    report(LayerNorm ? "layernorm" : "softmax", type_name<T>, shape_text(r, c), bytes, false, check.worst,
           sizeof(T) == 4 ? 1e-5 : 8e-3, sets, run);
}

template <class T>
void all_cases() {
    for (const std::size_t bytes :
         {std::size_t{64} << 20, std::size_t{256} << 20, std::size_t{1} << 30, std::size_t{4} << 30}) {
        sums<T>(bytes / sizeof(T));
        mses<T>(bytes / 2 / sizeof(T));
    }
    for (const auto& [r, c] : {std::pair{1048576, 64}, {262144, 256}, {32768, 4096}}) {
        axis_sums<T, true>(r, c);
        axis_sums<T, false>(r, c);
    }
    // Also lengths that models have (11008, 28672, 50257), and rows that no block holds.
    for (const auto& [r, c] : {std::pair{32768, 1024},
                               {32768, 4095},
                               {32768, 4096},
                               {8192, 11008},
                               {8192, 16384},
                               {2048, 28672},
                               {4096, 50257},
                               {2048, 65536},
                               {512, 262144}}) {
        row_maps<T, false>(r, c);
        row_maps<T, true>(r, c);
    }
    for (const auto& [r, c] : {std::pair{4194304, 5}, {2097152, 10}, {1398101, 15}}) {
        row_maps<T, false>(r, c);
    }
}

void write_json(const char* path) {
    std::FILE* f = bench::open_results(path);
    std::fprintf(f, "  \"roofs_tb_per_s\": {\"copy\": %.3f, \"read\": %.3f},\n  \"cases\": [\n", roofs.copy / 1e6,
                 roofs.read / 1e6);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& r = rows[i];
        const double roof = r.read_only ? roofs.read : roofs.copy;
        std::fprintf(
            f,
            "    {\"case\": \"%s\", \"type\": \"%s\", \"shape\": \"%s\", \"bytes\": %.0f, \"roof\": \"%s\", "
            "\"flushed_us\": {\"median\": %.2f, \"p10\": %.2f, \"p90\": %.2f}, \"rotating_us\": {\"median\": %.2f, "
            "\"p10\": %.2f, \"p90\": %.2f}, \"percent_flushed\": %.1f, \"percent_rotating\": %.1f, "
            "\"bare_rotating_us\": %.2f, \"percent_of_bare\": %.1f, \"relative_error\": %.2e}%s\n",
            r.name.c_str(), r.type.c_str(), r.shape.c_str(), r.bytes, r.read_only ? "read" : "copy", r.flushed.median,
            r.flushed.p10, r.flushed.p90, r.rotating.median, r.rotating.p10, r.rotating.p90,
            100 * r.bytes / r.flushed.median / roof, 100 * r.bytes / r.rotating.median / roof, r.bare,
            100 * r.bare / r.rotating.median, r.error, i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(f, "  ]\n}\n");
    std::fclose(f);
}

}  // namespace

/// bench_table [output.json] [name filter]
int main(int argc, char** argv) {
    filter = argc > 2 ? argv[2] : "";
    roofs = bench::measure_roofs(std::size_t{4} << 30);
    std::printf("roofs: copy %.3f TB/s, read %.3f TB/s\n", roofs.copy / 1e6, roofs.read / 1e6);
    all_cases<float>();
    all_cases<__nv_bfloat16>();
    if (argc > 1) {
        write_json(argv[1]);
    }
    return failed ? 1 : 0;
}
