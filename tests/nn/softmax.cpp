// SPDX-License-Identifier: Apache-2.0
//
// softmax and log_softmax against loops in double, along rows and columns, and their plans.
#include "nn/rows.hpp"

#include <limits>

namespace {

using namespace fuse::testing;
using fuse::axes;

// One kernel; the row is read once, for both reductions and the map back.
using Softmax = fuse::plan<decltype(matrix<"y">() = softmax(matrix<"x">()))>;
static_assert(Softmax::kernels == 1 && Softmax::temporaries == 0);
static_assert(Softmax::family == fuse::Family::rows && Softmax::phases == 2 && Softmax::passes<"x"> == 1);
using LogSoftmax = fuse::plan<decltype(matrix<"y">() = log_softmax(matrix<"x">()))>;
static_assert(LogSoftmax::kernels == 1 && LogSoftmax::phases == 2 && LogSoftmax::passes<"x"> == 1);
using Columns = fuse::plan<decltype(matrix<"y">() = softmax(matrix<"x">(), axes<0>))>;
static_assert(Columns::family == fuse::Family::columns && Columns::phases == 2 && Columns::passes<"x"> == 1);

/// log(sum(exp(x))) of n elements, `stride` apart.
double log_sum_exp(const float* x, fuse::index_t n, fuse::index_t stride) {
    double highest = -std::numeric_limits<double>::infinity();
    for (fuse::index_t i = 0; i < n; ++i) {
        highest = std::max(highest, static_cast<double>(x[i * stride]));
    }
    double total = 0;
    for (fuse::index_t i = 0; i < n; ++i) {
        total += std::exp(static_cast<double>(x[i * stride]) - highest);
    }
    return highest + std::log(total);
}

}  // namespace

TEST_CASE("softmax and log_softmax of rows") {
    for (const Rows shape : row_shapes) {
        CAPTURE(shape.rows, shape.columns);
        // An offset that overflows exp without the shift.
        const std::vector<float> in = random_floats(shape.size(), 1, 80, 120);
        std::vector<float> out(shape.size());
        std::vector<float> log_out(shape.size());
        const auto x = fuse::view<"x">(in.data(), shape.rows, shape.columns);
        const auto y = fuse::view<"y">(out.data(), shape.rows, shape.columns);
        const auto l = fuse::view<"l">(log_out.data(), shape.rows, shape.columns);
        fuse::eval(fuse::host, y = softmax(x), l = log_softmax(x));
        for (fuse::index_t r = 0; r < shape.rows; ++r) {
            const double log_total = log_sum_exp(&in[shape.at(r, 0)], shape.columns, 1);
            for (fuse::index_t c = 0; c < shape.columns; ++c) {
                const double expected = static_cast<double>(in[shape.at(r, c)]) - log_total;
                check_close(log_out[shape.at(r, c)], expected, 40);
                check_close(out[shape.at(r, c)], std::exp(expected), 0.1);
            }
        }
    }
}

TEST_CASE("softmax over the other axis, and over both") {
    const Rows shape{9, 70};
    const std::vector<float> in = random_floats(shape.size(), 2);
    std::vector<float> columns(shape.size());
    std::vector<float> both(shape.size());
    const auto x = fuse::view<"x">(in.data(), shape.rows, shape.columns);
    fuse::eval(fuse::host, fuse::view<"y">(columns.data(), shape.rows, shape.columns) = softmax(x, axes<0>));
    fuse::eval(fuse::host, fuse::view<"y">(both.data(), shape.rows, shape.columns) = softmax(x, axes<0, 1>));
    const double log_total = log_sum_exp(in.data(), shape.rows * shape.columns, 1);
    for (fuse::index_t c = 0; c < shape.columns; ++c) {
        const double log_column = log_sum_exp(&in[shape.at(0, c)], shape.rows, shape.columns);
        for (fuse::index_t r = 0; r < shape.rows; ++r) {
            const auto v = static_cast<double>(in[shape.at(r, c)]);
            check_close(columns[shape.at(r, c)], std::exp(v - log_column), 0.1);
            check_close(both[shape.at(r, c)], std::exp(v - log_total), 0.1);
        }
    }
}

TEST_CASE("softmax of masked and impossible rows") {
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> in = {0, -inf, 0, -inf, -inf, -inf};
    std::vector<float> out(6);
    fuse::eval(fuse::host, fuse::view<"y">(out.data(), 2, 3) = softmax(fuse::view<"x">(in.data(), 2, 3)));
    CHECK(out[0] == 0.5F);
    CHECK(out[1] == 0.0F);
    CHECK(out[2] == 0.5F);
    for (std::size_t i = 3; i < 6; ++i) {
        CHECK(std::isnan(out[i]));
    }
}

TEST_CASE("softmax of an unnamed view and of integers") {
    const std::vector<int> in = {1, 2, 3, 4};
    std::vector<float> out(4);
    fuse::eval(fuse::host, fuse::view(out.data(), 4) = softmax(fuse::view(in.data(), 4)));
    const double total = std::exp(-3.0) + std::exp(-2.0) + std::exp(-1.0) + 1;
    for (std::size_t i = 0; i < 4; ++i) {
        check_close(out[i], std::exp(static_cast<double>(in[i]) - 4) / total);
    }
}
