// SPDX-License-Identifier: Apache-2.0
//
// explain() on every kind of executor, and that it says of a launch what the kernel has.
#include <fuse/gradient.hpp>
#include <fuse/stencil.hpp>
#include <string>

#include "plan/paper.hpp"
#include "support/catch.hpp"
#include "support/emulated_executor.hpp"

using namespace fuse;
using namespace fuse::testing;

static_assert(Executor<HostExecutor> && Executor<EmulatedExecutor> && Executor<PaperExecutor<Device>>);
static_assert(!Executor<int> && !Executor<Policy>);

namespace {

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("explain says how many blocks hold a long row, and that it is read once") {
    const auto x = view<"x">(paper<float>(0), 2048, 65536);
    const auto y = view<"y">(paper<float>(1), 2048, 65536);
    const std::string text = explain(PaperExecutor<Device>(large_device), y = softmax(x));
    INFO(text);
    CHECK(has(text, "1 kernel, 3 sweeps over (2048, 65536), 0 temporaries, family rows on paper"));
    CHECK(has(text,
              "strategy: rows staged, 132 blocks of 1024 x 1 threads, 2 vectors of 4 per thread, in clusters of 2"));
    CHECK(has(text, "reads  x(2048, 65536), 512.0 MiB, 1 pass\n"));
}

TEST_CASE("explain says of long rows whether they are held where nothing divides them, and where operands differ") {
    const auto x = view<"x">(paper<float>(0), 2048, 50257);
    const auto of = [&](const float* out) {
        return explain(PaperExecutor<Device>(large_device),
                       view<"y">(const_cast<float*>(out), 2048, 50257) = softmax(x));
    };
    const std::string alike = of(paper<float>(1) + 4);
    INFO(alike);
    CHECK(has(alike, "(a cluster of blocks per row, held in their shared memory but for its ends)"));
    const std::string apart = of(paper<float>(1) + 1);
    INFO(apart);
    CHECK(has(apart, "(rows larger than registers, operands not aligned alike: read again by each phase)"));
    const std::string scaled =
        explain(PaperExecutor<Device>(large_device), view<"y">(const_cast<float*>(paper<float>(1)), 2048, 50257) =
                                                         rms_norm(x, view<"scale">(paper<float>(2) + 1, 50257)));
    CHECK(has(scaled, "(a cluster of blocks per row, held in their shared memory but for its ends)"));
}

TEST_CASE("explain says how many vectors the kernel of a very long row has in flight") {
    const auto x = view<"x">(paper<float>(0), 128, 1048576);
    const auto y = view<"y">(paper<float>(1), 128, 1048576);
    const std::string text = explain(PaperExecutor<Device>(large_device), y = softmax(x));
    INFO(text);
    CHECK(has(text, "1 kernel, 3 sweeps over (128, 1048576), 0 temporaries, family rows on paper"));
    CHECK(has(
        text,
        "strategy: rows shared, 256 blocks of 512 x 1 threads, 4 vectors of 4 per thread, 2 blocks share a result"));
    CHECK(has(text, "reads  x(128, 1048576), 512.0 MiB, 1 pass, again from cache in later phases"));
}

TEST_CASE("the emulated device explains, and so does the host") {
    std::vector<float> data(75 * 5, 1.0F);
    std::vector<float> out(75 * 5);
    const auto x = view<"x">(data.data(), 75, 5);
    const auto y = view<"y">(out.data(), 75, 5);
    const std::string emulated = explain(EmulatedExecutor{}, y = softmax(x));
    INFO(emulated);
    CHECK(has(emulated, "family rows on emulated"));
    CHECK(has(emulated, "strategy: rows short, 1 block of 1 x 96 threads, 16 vectors of 1 per thread"));
    const std::string on_host = explain(host, y = softmax(x));
    INFO(on_host);
    CHECK(has(on_host, "family rows on host"));
    CHECK(has(
        on_host,
        "strategy: rows side by side in 2 pieces, 64 items at a time (rows of few elements: many of them at a time)"));
}

TEST_CASE("an expression without an output is planned and explained as if it had one") {
    const auto x = view<"x">(paper<float>(0), 2048, 512);
    using P = plan<decltype(softmax(x))>;
    static_assert(P::kernels == 1 && P::phases == 2 && P::passes<"x"> == 1);
    static_assert(plan<decltype(sum(x)), decltype(max(x))>::phases == 1);
    const auto y = view<"y">(paper<float>(1), 2048, 512);
    const std::string with_output = explain(PaperExecutor<Device>(large_device), y = softmax(x));
    const std::string text = explain(PaperExecutor<Device>(large_device), softmax(x));
    INFO(text);
    CHECK(has(text, "result(2048, 512) = "));
    CHECK(has(text, "writes result(2048, 512)\n"));
    const auto after_names = [](const std::string& s) { return s.substr(s.find("bytes:")); };
    CHECK(after_names(text) == after_names(with_output));
    CHECK(has(explain(host, sum(x), max(x)), "2048"));
    const auto t = view<"t">(paper<float>(2), 7);
    CHECK_THROWS_AS(explain(host, x + t), shape_error);
}

TEST_CASE("explain writes each reduction once, by a letter that names nothing else, and what a name stands for") {
    const auto x = view<"x">(paper<float>(0), 64, 512);
    const auto b = view<"b">(paper<float>(1), 64, 512);
    const auto u = view(paper<float>(2), 64, 512);
    const auto v = view(paper<float>(3), 64, 512);
    const auto h = named<"h">(x * 2.0F + 1.0F);
    const std::string text = explain(PaperExecutor<Device>(large_device),
                                     b = softmax(h) * sum(u, axes<1>, keepdims) - sum(v, axes<1>, keepdims));
    INFO(text);
    CHECK(has(text, "b(64, 512) = ((exp(h - a) * reciprocal(e)) * c) - d\n"));
    CHECK(has(text, "  phase 1: a = max(h, axes<1>, keepdims)\n"));
    CHECK(has(text, "  phase 1: c = sum(<unnamed>, axes<1>, keepdims)\n"));
    CHECK(has(text, "  phase 1: d = sum(<unnamed>, axes<1>, keepdims)\n"));
    CHECK(has(text, "  phase 2: e = sum(exp(h - a), axes<1>, keepdims)\n"));
    CHECK(has(text, "  where h = (x * 2) + 1\n"));
}

TEST_CASE("an explanation is data, JSON and a graph") {
    const auto x = view<"x">(paper<float>(0), 64, 512);
    const auto m = view<"m">(paper<float>(1), shape());
    const Explanation e = explain(PaperExecutor<Device>(large_device), m = mean(max(x, axes<1>)) + 1);
    REQUIRE(e.reductions.size() == 2);
    CHECK(e.reductions[0].phase == 1);
    CHECK(e.reductions[1].phase == 0);
    CHECK((e.reductions[0].reads == 1 && e.reductions[0].uses == 0));
    CHECK((e.reductions[1].reads == 0 && e.reductions[1].uses == 1));
    CHECK(e.outputs[0].uses == 2);
    CHECK(e.bytes() == 64 * 512 * 4 + 4);
    const std::string json = e.json();
    INFO(json);
    const char* const beginning =
        R"json({"executor": "paper", "kernels": 1, "temporaries": 0, "family": "rows", "phases": 1, "sweeps": 1, )json"
        R"json("epilogue": true, "domain": [64, 512], "outputs": [{"view": "m", "shape": [], "bytes": 4, )json"
        R"json("expression": "b + 1"}], "reductions": [{"name": "a", "phase": 1, "expression": )json"
        R"json("max(x, axes<1>)"}, {"name": "b", "phase": 0, "expression": "mean(a)"}], "named": [], )json"
        R"json("inputs": [{"view": "x", "shape": [64, 512], "bytes": 131072, "passes": 1, "from_cache": false}], )json"
        R"json("bytes": 131076, "bytes_per_second": 0, "launch": {"strategy": ")json";
    CHECK(has(json, beginning));
    const char* const graph = R"dot(digraph fuse {
  rankdir = LR;
  node [fontname = "monospace"];
  read0 [shape = box, label = "x(64, 512)"];
  value0 [label = "a = max(x, axes<1>)"];
  read0 -> value0;
  value1 [label = "b = mean(a)"];
  value0 -> value1;
  write0 [shape = box, style = bold, label = "m() = b + 1"];
  value1 -> write0;
}
)dot";
    CHECK(std::string(e.dot()) == graph);
    const Explanation nothing = explain(host, view<"y">(paper<float>(2), 0, 3) = view<"z">(paper<float>(3), 0, 3));
    CHECK(has(nothing.json(), "\"launch\": null}"));
}

TEST_CASE("explain shows the steps of an eval, what they carry, and where blocks wait") {
    std::vector<float> data(75 * 5, 1.0F);
    std::vector<float> out(75 * 5);
    const auto x = view<"x">(data.data(), 75, 5);
    const auto y = view<"y">(out.data(), 75, 5);
    const auto statement = y = softmax(x) / sum(x, axes<0>);
    const Explanation on_host = explain(host, statement);
    const std::string text = on_host;
    INFO(text);
    CHECK(has(text, "1 kernel, 2 steps with 1 barrier between, 1 temporary (256 B) on host"));
    CHECK(has(text, "step 1:\n  #2(5) = a\n  1 sweep over (75, 5), family columns\n"));
    CHECK(has(text, "step 2, when all blocks have done what is before it:\n"));
    CHECK(has(text, "  reads  #2(5), 20 B, 1 pass\n"));
    CHECK(on_host.bytes() == 4.0 * (3 * 75 * 5 + 5 + 5));
    const std::string emulated = explain(EmulatedExecutor{}, statement);
    INFO(emulated);
    CHECK(has(emulated, "all steps:\n  strategy: steps, "));
    CHECK(has(emulated, "strategy: columns swept, 1 block of 2 x 32 threads"));
    const auto longer = view<"x">(paper<float>(0), 750, 5);
    CHECK(has(explain(EmulatedExecutor{}, view<"q">(paper<float>(1), 5) = sum(longer / sum(longer), axes<0>)),
              "strategy: column split, "));
    CHECK(has(on_host.json(), "\"temporaries\": 1, \"barriers\": 1, "));
    CHECK(has(on_host.json(), "\"steps\": [{\"level\": 0, \"plan\": {\"executor\": \"host\""));
    CHECK(has(on_host.dot(), "subgraph cluster_step2_ {"));
    CHECK(has(on_host.dot(), "  step1_write0 -> step2_read1;\n"));
}

TEST_CASE("explain of an expression whose operands have extents alone") {
    std::vector<float> data(12, 1.0F);
    const auto x = view<"x">(data.data(), 3, 4);
    CHECK(has(explain(host, arange(5) * 2), "  writes result(5)\n"));
    CHECK(has(explain(host, broadcast_to(uniform(3), 4, 5)), "  writes result(4, 5)\n"));
    CHECK(has(explain(host, pad(x, 1, 1)), "  writes result(5, 6)\n"));
    CHECK(has(explain(host, exp(x), pad(x, 0, 0)), "  1 kernel, 1 sweep over (3, 4)"));
    CHECK(has(explain(host, gradient(sum(square(diff(x))), x)), "  writes result(3, 4)\n"));
}
