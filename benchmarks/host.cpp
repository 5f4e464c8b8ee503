// SPDX-License-Identifier: Apache-2.0
//
// fuse::host on one core: bench_host [rows columns] prints the least microseconds of each case. What NumPy takes for the
// same: benchmarks/host_numpy.py. Compile it with the flags that are to be compared, without OpenMP.
#include <fuse/fuse.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using namespace fuse;

/// Least time of a call, of a second of them.
template <class F>
void report(const char* name, F&& run) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    double least = 1e30;
    int calls = 0;
    for (auto now = begin; calls < 4 || now - begin < std::chrono::seconds(1); ++calls) {
        run();
        const auto end = clock::now();
        least = std::min(least, std::chrono::duration<double, std::micro>(end - now).count());
        now = end;
    }
    std::printf("%-14s %10.1f\n", name, least);
}

}  // namespace

int main(int argc, char** argv) {
    const index_t rows = argc > 2 ? std::atol(argv[1]) : 512;
    const index_t columns = argc > 2 ? std::atol(argv[2]) : 512;
    const auto size = static_cast<std::size_t>(rows * columns);
    std::vector<float> a(size), b(size), c(size), sums(static_cast<std::size_t>(std::max(rows, columns)));
    std::vector<index_t> places(sums.size());
    std::vector<bfloat16> half(size);
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (std::size_t i = 0; i < size; ++i) {
        a[i] = normal(random);
        b[i] = normal(random);
        half[i] = bfloat16(a[i]);
    }
    const auto x = view<"x">(a.data(), rows, columns);
    const auto y = view<"y">(b.data(), rows, columns);
    const auto h = view<"h">(half.data(), rows, columns);
    const auto z = view<"z">(c.data(), rows, columns);
    const auto turned = view<"t">(c.data(), columns, rows);
    const auto of_rows = view<"r">(sums.data(), rows);
    const auto of_columns = view<"c">(sums.data(), columns);
    const auto row_places = view<"p">(places.data(), rows);
    const auto column_places = view<"q">(places.data(), columns);
    volatile float result = 0;

    report("copy", [&] { eval(host, z = x * 1.0F); });
    report("mse", [&] { result = value(host, mean(square(x - y))); });
    report("sum", [&] { result = value(host, sum(x)); });
    report("row_sum", [&] { eval(host, of_rows = sum(x, axes<1>)); });
    report("column_sum", [&] { eval(host, of_columns = sum(x, axes<0>)); });
    report("row_max", [&] { eval(host, of_rows = max(x, axes<1>)); });
    report("row_argmax", [&] { eval(host, row_places = argmax(x, axes<1>)); });
    report("column_argmax", [&] { eval(host, column_places = argmax(x, axes<0>)); });
    report("exp", [&] { eval(host, z = exp(x)); });
    report("log", [&] { eval(host, z = log(x)); });
    report("tanh", [&] { eval(host, z = tanh(x)); });
    report("row_scale", [&] { eval(host, z = x * view<"s">(sums.data(), rows, 1)); });
    report("row_cumsum", [&] { eval(host, z = cumsum(x, axes<1>)); });
    report("column_cumsum", [&] { eval(host, z = cumsum(x, axes<0>)); });
    report("transpose", [&] { eval(host, turned = transpose<1, 0>(x) * 1.0F); });
    report("softmax", [&] { eval(host, z = softmax(x, axes<1>)); });
    report("column_softmax", [&] { eval(host, z = softmax(x, axes<0>)); });
    report("layer_norm", [&] { eval(host, z = layer_norm(x, axes<1>)); });
    report("bf16_row_sum", [&] { eval(host, of_rows = sum(h, axes<1>)); });
    report("bf16_to_float", [&] { eval(host, z = h * 1.0F); });
}
