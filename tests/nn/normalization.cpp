// SPDX-License-Identifier: Apache-2.0
//
// layer_norm, rms_norm, l2_normalize and cosine_similarity against loops in double, and their plans.
#include "nn/rows.hpp"

namespace {

using namespace fuse::testing;
using fuse::axes;

using LayerNorm = fuse::plan<decltype(matrix<"y">() = layer_norm(matrix<"x">(), vector<"gamma">(), vector<"beta">()))>;
static_assert(LayerNorm::kernels == 1 && LayerNorm::temporaries == 0 && LayerNorm::phases == 2);
static_assert(LayerNorm::passes<"x"> == 1 && LayerNorm::passes<"gamma"> == 1 && LayerNorm::passes<"beta"> == 1);
using RmsNorm = fuse::plan<decltype(matrix<"y">() = rms_norm(matrix<"x">(), vector<"gamma">()))>;
static_assert(RmsNorm::kernels == 1 && RmsNorm::phases == 1 && RmsNorm::passes<"x"> == 1);
using L2 = fuse::plan<decltype(matrix<"y">() = l2_normalize(matrix<"x">()))>;
static_assert(L2::kernels == 1 && L2::phases == 1 && L2::passes<"x"> == 1);
// Three sums, one sweep.
using Cosine = fuse::plan<decltype(vector<"row">() = cosine_similarity(matrix<"x">(), matrix<"z">()))>;
static_assert(Cosine::kernels == 1 && Cosine::phases == 1 && Cosine::passes<"x"> == 1 && Cosine::passes<"z"> == 1);

struct Statistics {
    double mean = 0;
    double variance = 0;
    double mean_square = 0;
};
Statistics statistics(const float* x, fuse::index_t n) {
    Statistics s;
    for (fuse::index_t i = 0; i < n; ++i) {
        s.mean += static_cast<double>(x[i]) / static_cast<double>(n);
        s.mean_square += static_cast<double>(x[i]) * static_cast<double>(x[i]) / static_cast<double>(n);
    }
    for (fuse::index_t i = 0; i < n; ++i) {
        const double d = static_cast<double>(x[i]) - s.mean;
        s.variance += d * d / static_cast<double>(n);
    }
    return s;
}

}  // namespace

TEST_CASE("layer_norm, rms_norm and l2_normalize of rows") {
    for (const Rows shape : row_shapes) {
        CAPTURE(shape.rows, shape.columns);
        const std::vector<float> in = random_floats(shape.size(), 3, 90, 110);
        const std::vector<float> scale = random_floats(static_cast<std::size_t>(shape.columns), 4);
        const std::vector<float> offset = random_floats(static_cast<std::size_t>(shape.columns), 5);
        std::vector<float> out[5];
        for (auto& o : out) {
            o.resize(shape.size());
        }
        const auto y = [&](int i) { return fuse::view(out[i].data(), shape.rows, shape.columns); };
        const auto x = fuse::view<"x">(in.data(), shape.rows, shape.columns);
        const auto gamma = fuse::view<"gamma">(scale.data(), shape.columns);
        const auto beta = fuse::view<"beta">(offset.data(), shape.columns);
        fuse::eval(fuse::host, y(0) = layer_norm(x, gamma, beta), y(1) = layer_norm(x, 0.5), y(2) = rms_norm(x),
                   y(3) = rms_norm(x, gamma, 0.5), y(4) = l2_normalize(x));
        for (fuse::index_t r = 0; r < shape.rows; ++r) {
            const Statistics s = statistics(&in[shape.at(r, 0)], shape.columns);
            for (fuse::index_t c = 0; c < shape.columns; ++c) {
                const std::size_t i = shape.at(r, c);
                const auto v = static_cast<double>(in[i]);
                const auto g = static_cast<double>(scale[static_cast<std::size_t>(c)]);
                const auto b = static_cast<double>(offset[static_cast<std::size_t>(c)]);
                // x - mean cancels: one rounding of 100 over a deviation of 6.
                const double eps = 1e-5;
                check_close(out[0][i], (v - s.mean) / std::sqrt(s.variance + eps) * g + b, 3 * 100 / 6.0);
                check_close(out[1][i], (v - s.mean) / std::sqrt(s.variance + 0.5), 100 / 6.0);
                check_close(out[2][i], v / std::sqrt(s.mean_square));
                check_close(out[3][i], v / std::sqrt(s.mean_square + 0.5) * g);
                check_close(out[4][i], v / std::sqrt(s.mean_square * static_cast<double>(shape.columns)));
            }
        }
    }
}

TEST_CASE("layer_norm over two axes of a batch") {
    constexpr fuse::index_t n = 3;
    constexpr fuse::index_t inner = 4 * 5;
    const std::vector<float> in = random_floats(n * inner, 6);
    const std::vector<float> scale = random_floats(inner, 7);
    const std::vector<float> offset = random_floats(inner, 8);
    std::vector<float> out(n * inner);
    fuse::eval(fuse::host, fuse::view<"y">(out.data(), n, 4, 5) =
                               layer_norm(fuse::view<"x">(in.data(), n, 4, 5), fuse::view<"gamma">(scale.data(), 4, 5),
                                          fuse::view<"beta">(offset.data(), 4, 5), axes<-2, -1>));
    for (fuse::index_t r = 0; r < n; ++r) {
        const Statistics s = statistics(&in[static_cast<std::size_t>(r * inner)], inner);
        for (std::size_t c = 0; c < inner; ++c) {
            const std::size_t i = static_cast<std::size_t>(r * inner) + c;
            const double normal = (static_cast<double>(in[i]) - s.mean) / std::sqrt(s.variance + 1e-5);
            check_close(out[i], normal * static_cast<double>(scale[c]) + static_cast<double>(offset[c]), 4);
        }
    }
}

TEST_CASE("rows of zeros") {
    const std::vector<float> in(8, 0.0F);
    std::vector<float> out(8, 1.0F);
    std::vector<float> similarity(2, 1.0F);
    const auto x = fuse::view<"x">(in.data(), 2, 4);
    const auto y = fuse::view<"y">(out.data(), 2, 4);
    for (int i = 0; i < 3; ++i) {
        if (i == 0) {
            fuse::eval(fuse::host, y = layer_norm(x));
        } else if (i == 1) {
            fuse::eval(fuse::host, y = rms_norm(x));
        } else {
            fuse::eval(fuse::host, y = l2_normalize(x));
        }
        CHECK(out == std::vector<float>(8, 0.0F));
    }
    fuse::eval(fuse::host,
               fuse::view<"s">(similarity.data(), 2) = cosine_similarity(x, fuse::view<"z">(in.data(), 2, 4)));
    CHECK(similarity == std::vector<float>(2, 0.0F));
}

TEST_CASE("cosine_similarity of rows, and of columns") {
    for (const Rows shape : row_shapes) {
        CAPTURE(shape.rows, shape.columns);
        const std::vector<float> a = random_floats(shape.size(), 9);
        const std::vector<float> b = random_floats(shape.size(), 10);
        std::vector<float> rows(static_cast<std::size_t>(shape.rows));
        std::vector<float> columns(static_cast<std::size_t>(shape.columns));
        const auto x = fuse::view<"x">(a.data(), shape.rows, shape.columns);
        const auto z = fuse::view<"z">(b.data(), shape.rows, shape.columns);
        fuse::eval(fuse::host, fuse::view<"s">(rows.data(), shape.rows) = cosine_similarity(x, z));
        fuse::eval(fuse::host, fuse::view<"s">(columns.data(), shape.columns) = cosine_similarity(x, z, axes<0>));
        const auto reference = [&](std::size_t first, fuse::index_t n, fuse::index_t stride) {
            double dot = 0;
            double aa = 0;
            double bb = 0;
            for (fuse::index_t i = 0; i < n; ++i) {
                const auto u = static_cast<double>(a[first + static_cast<std::size_t>(i * stride)]);
                const auto v = static_cast<double>(b[first + static_cast<std::size_t>(i * stride)]);
                dot += u * v;
                aa += u * u;
                bb += v * v;
            }
            return dot / (std::sqrt(aa) * std::sqrt(bb));
        };
        for (fuse::index_t r = 0; r < shape.rows; ++r) {
            check_close(rows[static_cast<std::size_t>(r)], reference(shape.at(r, 0), shape.columns, 1));
        }
        for (fuse::index_t c = 0; c < shape.columns; ++c) {
            check_close(columns[static_cast<std::size_t>(c)], reference(shape.at(0, c), shape.rows, shape.columns));
        }
    }
}
