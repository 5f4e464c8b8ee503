// SPDX-License-Identifier: Apache-2.0
//
// Waiting for results in memory: what another thread writes is seen, what equals the mark or never comes is not waited
// for long, and what is stored in pieces is not watched.
#include "fuse/exec/result_watch.hpp"

#include <atomic>
#include <limits>
#include <thread>

#include "support/catch.hpp"

using namespace fuse::detail;

namespace {

struct Two {
    int first = 1;
    float second = 2;
};
enum class Colour : short { red = 1 };

template <class T>
void check_written(T value) {
    T place{};
    const AwaitedResult awaited = await_result(place);
    REQUIRE(awaited.bytes == sizeof(T));
    CHECK(!watch_results(&awaited, 1));
    __atomic_store(&place, &value, __ATOMIC_RELAXED);
    CHECK(watch_results(&awaited, 1));
}

}  // namespace

TEST_CASE("a result is there when it has been written") {
    check_written(false);
    check_written(true);
    check_written<signed char>(-1);
    check_written<short>(0);
    check_written(Colour::red);
    check_written(0);
    check_written(0.0F);
    check_written(std::numeric_limits<float>::quiet_NaN());
    check_written(0.0);
    check_written(std::int64_t{1});
}

TEST_CASE("what cannot be told from the mark is not there") {
    unsigned place = 0;
    const AwaitedResult awaited = await_result(place);
    CHECK(place == 0xA5A5A5A5U);
    CHECK(!watch_results(&awaited, 1));
    std::uint64_t half = 0;
    const AwaitedResult both = await_result(half);
    half &= 0xFFFFFFFFU;  // one half is there
    CHECK(!watch_results(&both, 1));
    Two pair;
    const AwaitedResult pieces = await_result(pair);
    CHECK((pieces.bytes == 0 && pair.first == 1 && !watch_results(&pieces, 1)));
}

TEST_CASE("all of several results") {
    float first = 0;
    long second = 0;
    const AwaitedResult awaited[] = {await_result(first), await_result(second)};
    std::atomic<bool> begun{false};
    std::thread device([&] {
        begun = true;
        long two = 2;
        float one = 1;
        __atomic_store(&second, &two, __ATOMIC_RELEASE);
        __atomic_store(&first, &one, __ATOMIC_RELEASE);
    });
    while (!begun) {
    }
    while (!watch_results(awaited, 2)) {
    }
    CHECK((first == 1 && second == 2));
    device.join();
}
