// SPDX-License-Identifier: Apache-2.0
//
// The plans of layer_norm, rms_norm, l2_normalize and cosine_similarity, and layer_norm over two axes, which
// norm_cases.hpp has not.
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
};
Statistics statistics(const float* x, fuse::index_t n) {
    Statistics s;
    for (fuse::index_t i = 0; i < n; ++i) {
        s.mean += static_cast<double>(x[i]) / static_cast<double>(n);
    }
    for (fuse::index_t i = 0; i < n; ++i) {
        const double d = static_cast<double>(x[i]) - s.mean;
        s.variance += d * d / static_cast<double>(n);
    }
    return s;
}

}  // namespace

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
