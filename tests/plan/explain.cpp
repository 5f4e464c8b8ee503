// SPDX-License-Identifier: Apache-2.0
//
// explain() on every kind of executor, and that it says of a launch what the kernel has.
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
              "strategy: rows staged, 8192 blocks of 256 x 1 threads, 1 vectors of 4 per thread, in clusters of 4"));
    CHECK(has(text, "reads  x(2048, 65536), 512.0 MiB, 1 pass\n"));
}

TEST_CASE("explain says how many vectors the kernel of a very long row has in flight") {
    const auto x = view<"x">(paper<float>(0), 128, 1048576);
    const auto y = view<"y">(paper<float>(1), 128, 1048576);
    const std::string text = explain(PaperExecutor<Device>(large_device), y = softmax(x));
    INFO(text);
    CHECK(has(text, "1 kernel, 3 sweeps over (128, 1048576), 0 temporaries, family rows on paper"));
    CHECK(has(text, "strategy: rows swept, 128 blocks of 512 x 1 threads, 4 vectors of 4 per thread"));
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
    CHECK(has(emulated, "strategy: rows short, 1 blocks of 1 x 96 threads, 16 vectors of 1 per thread"));
    const std::string on_host = explain(host, y = softmax(x));
    INFO(on_host);
    CHECK(has(on_host, "family rows on host"));
    CHECK(has(on_host, "strategy: rows swept, 1 blocks of 1 x 1 threads, 1 vectors of 64 per thread"));
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
