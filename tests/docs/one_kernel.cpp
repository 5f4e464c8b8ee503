// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/one_kernel.md: ten expressions, and what the page says each of them becomes.
#include <fuse/fuse.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

// What the page says of an expression: its family, how many phases its reductions take, and whether results per row are
// folded to a scalar.
struct Said {
    fuse::Family family;
    int phases;
    bool epilogue;
};

template <class E>
void check_plan(const E&, const Said& said) {
    using plan = fuse::plan<E>;
    STATIC_REQUIRE(plan::kernels == 1);
    STATIC_REQUIRE(plan::temporaries == 0);
    CHECK(plan::family == said.family);
    CHECK(plan::phases == said.phases);
    CHECK(plan::epilogue == said.epilogue);
    STATIC_REQUIRE(plan::template passes<"x"> == 1);
}

}  // namespace

TEST_CASE("what fits one kernel") {
    std::vector<float> a(12, 1), s(4, 1);
    std::vector<int> t(3);
    const auto x = fuse::view<"x">(a.data(), 3, 4);
    const auto w = fuse::view<"w">(s.data(), 4);
    const auto label = fuse::view<"label">(t.data(), 3);
    using fuse::axes, fuse::keepdims;

    // [snippet:map]
    auto activated = silu(x) * w;
    // [snippet:end]
    check_plan(activated, {fuse::Family::map, 0, false});

    // [snippet:full]
    auto loss = mean(square(x - w));
    // [snippet:end]
    check_plan(loss, {fuse::Family::full, 1, false});

    // [snippet:rows]
    auto energy = sum(square(x), axes<1>);
    // [snippet:end]
    check_plan(energy, {fuse::Family::rows, 1, false});

    // [snippet:columns]
    auto average = mean(x, axes<0>);
    // [snippet:end]
    check_plan(average, {fuse::Family::columns, 1, false});

    // [snippet:softmax]
    auto e = exp(x - max(x, axes<1>, keepdims));
    auto probabilities = e / sum(e, axes<1>, keepdims);
    // [snippet:end]
    check_plan(probabilities, {fuse::Family::rows, 2, false});

    // [snippet:norm]
    auto centred = x - mean(x, axes<1>, keepdims);
    auto normed = centred * rsqrt(mean(square(centred), axes<1>, keepdims) + 1e-5F) * w;
    // [snippet:end]
    check_plan(normed, {fuse::Family::rows, 2, false});

    // [snippet:cross_entropy]
    auto surprise = mean(logsumexp(x, axes<1>) - take(x, label, axes<1>));
    // [snippet:end]
    check_plan(surprise, {fuse::Family::rows, 2, true});

    // [snippet:channels]
    auto shifted = x - mean(x, axes<0>, keepdims);
    // [snippet:end]
    check_plan(shifted, {fuse::Family::columns, 1, false});

    // [snippet:scan]
    auto share = cumsum(x, axes<1>) / w;
    // [snippet:end]
    check_plan(share, {fuse::Family::scan, 1, false});

    std::vector<float> y_data(12), m_data(3);
    const auto y = fuse::view<"y">(y_data.data(), 3, 4);
    const auto m = fuse::view<"m">(m_data.data(), 3);
    // [snippet:statements]
    fuse::eval(fuse::host, y = probabilities * w, m = max(x, axes<1>) - min(x, axes<1>));
    // [snippet:end]
    CHECK(y_data[0] == 0.25F);
    CHECK(m_data[0] == 0);

    // [snippet:steps]
    auto balanced = x / sum(x, axes<1>, keepdims) / sum(x, axes<0>);
    fuse::eval(fuse::host, y = balanced, m = sum(x, axes<1>));
    // [snippet:end]
    CHECK(y_data == std::vector<float>(12, 1 / 12.0F));
    CHECK(m_data == std::vector<float>(3, 4));
    using Steps = fuse::plan<decltype(y = balanced)>;
    static_assert(Steps::steps == 2 && Steps::barriers == 1);

    std::vector<float> sorted_data(12);
    const auto sorted = fuse::view<"sorted">(sorted_data.data(), 3, 4);
    // [snippet:two]
    fuse::eval(fuse::host, sorted = sort(x));
    fuse::eval(fuse::host, m = column(sorted, -1) - column(sorted, 0));
    // [snippet:end]
    CHECK(m_data == std::vector<float>(3, 0));
}

TEST_CASE("the picture of a kernel is drawn from what explain says") {
    std::vector<float> data(4096 * 1024), scale(1024), out(4096 * 1024), means(4096);
    const auto x = fuse::view<"x">(data, 4096, 1024);
    const auto w = fuse::view<"w">(scale);
    const auto b = fuse::view<"b">(scale.data(), 1024);
    const auto y = fuse::view<"y">(out, 4096, 1024);
    const auto m = fuse::view<"m">(means);
    // [snippet:picture]
    auto e = fuse::explain(fuse::host, y = layer_norm(x, w, b), m = mean(x, fuse::axes<1>));
    const std::string graph = e.dot();
    // [snippet:end]
    std::ifstream file(FUSE_SOURCE_DIR "/docs/figures/fused.dot");
    CHECK(graph == std::string(std::istreambuf_iterator<char>(file), {}));
}
