// SPDX-License-Identifier: Apache-2.0
//
// The parallel algorithms of the C++ standard library.
#include <execution>
#include <numeric>
#include <vector>

#include "host_entry.hpp"

namespace bench {
namespace {

const char* const library = "std par_unseq";

// Added in double: one float sum of 2^25 squares is wrong in the third digit. In float where that is right.
template <class Sum>
void mean_squared_error(const Setup& s) {
    const float *a = s.at<float>("a", 0), *b = s.at<float>("b", 0);
    const index_t n = s.extent(0);
    const Sum sum = std::transform_reduce(std::execution::par_unseq, a, a + n, b, Sum(0), std::plus<>{},
                                          [](float u, float v) { return static_cast<Sum>((u - v) * (u - v)); });
    *s.at<float>("out", 0) = static_cast<float>(static_cast<double>(sum) / static_cast<double>(n));
}
const AddEntry mse = enter("mse", library, mean_squared_error<double>);
const AddEntry mse_in_float = enter("mse", "std par_unseq, float", mean_squared_error<float>);

template <class Sum>
void sum_of_all(const Setup& s) {
    const float* x = s.at<float>("x", 0);
    *s.at<float>("out", 0) =
        static_cast<float>(std::reduce(std::execution::par_unseq, x, x + s.extent(0), Sum(0), std::plus<Sum>{}));
}
const AddEntry sum = enter("sum", library, sum_of_all<double>);
const AddEntry sum_in_float = enter("sum", "std par_unseq, float", sum_of_all<float>);

const AddEntry cumsum = enter("cumsum", library, [](const Setup& s) {
    const float* x = s.at<float>("x", 0);
    std::inclusive_scan(std::execution::par_unseq, x, x + s.extent(0), s.at<float>("y", 0));
});

/// f(row) for all rows, spread over the cores.
template <class F>
void for_rows(const Setup& s, F f) {
    // Made once: std::views::iota of libstdc++ 12 does not compile with clang++ 14.
    static std::vector<index_t> rows;
    if (static_cast<index_t>(rows.size()) != s.extent(0)) {
        rows.resize(static_cast<std::size_t>(s.extent(0)));
        std::iota(rows.begin(), rows.end(), index_t{0});
    }
    std::for_each(std::execution::par, rows.begin(), rows.end(), f);
}

const AddEntry row_sum = enter("row_sum", library, [](const Setup& s) {
    const index_t n = s.extent(1);
    for_rows(s, [&s, n](index_t i) {
        const float* x = s.at<float>("x", 0) + i * n;
        s.at<float>("y", 0)[i] = std::reduce(std::execution::unseq, x, x + n);
    });
});

const AddEntry row_cumsum = enter("row_cumsum", library, [](const Setup& s) {
    const index_t n = s.extent(1);
    for_rows(s, [&s, n](index_t i) {
        const float* x = s.at<float>("x", 0) + i * n;
        std::inclusive_scan(x, x + n, s.at<float>("y", 0) + i * n);
    });
});

const AddEntry row_sort = enter("row_sort", library, [](const Setup& s) {
    const index_t n = s.extent(1);
    for_rows(s, [&s, n](index_t i) {
        const float* x = s.at<float>("x", 0) + i * n;
        float* y = s.at<float>("y", 0) + i * n;
        std::copy(x, x + n, y);
        std::sort(y, y + n);
    });
});

const std::vector<AddEntry> functions =
    enter_functions(library, [](const float* first, const float* last, float* result, auto f) {
        std::transform(std::execution::par_unseq, first, last, result, f);
    });

}  // namespace
}  // namespace bench
