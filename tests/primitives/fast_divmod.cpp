// SPDX-License-Identifier: Apache-2.0
//
// FastDivMod on the host is exact for every dividend and divisor.
#include "primitives/fast_divmod_cases.hpp"
#include "support/catch.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class T>
void check_divisor(T divisor, int random_count) {
    const FastDivMod<T> fast(divisor);
    unsigned wrong = 0;
    for (T n : dividends(divisor, random_count)) {
        const auto [quotient, remainder] = fast.divmod(n);
        wrong += quotient != n / divisor || remainder != n % divisor || fast.divide(n) != quotient;
    }
    INFO("divisor " << divisor);
    CHECK(wrong == 0);
}

}  // namespace

TEMPLATE_TEST_CASE("FastDivMod is exact over the full range", "", std::uint32_t, std::uint64_t) {
    for (TestType divisor : divisors<TestType>(2000)) {
        check_divisor(divisor, 200);
    }
}

TEST_CASE("FastDivMod is exact for every 32-bit dividend by a few divisors") {
    // The quotient never falls as n grows, so it is right everywhere if it is at both sides of every
    // multiple.
    for (std::uint32_t divisor : {641u, 1000u, 65521u, 6700417u}) {
        const FastDivMod<std::uint32_t> fast(divisor);
        std::uint32_t wrong = 0;
        std::uint32_t quotient = 0;
        for (std::uint64_t n = divisor; n <= 0xffffffffu; n += divisor, ++quotient) {
            wrong += fast.divide(static_cast<std::uint32_t>(n - 1)) != quotient;
            wrong += fast.divide(static_cast<std::uint32_t>(n)) != quotient + 1;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("FastDivMod divides by 1 unless told otherwise") {
    STATIC_REQUIRE(std::is_trivially_copyable_v<FastDivMod<std::uint32_t>>);
    STATIC_REQUIRE(FastDivMod<std::uint32_t>().divide(0xffffffffu) == 0xffffffffu);
    STATIC_REQUIRE(FastDivMod<std::uint64_t>(10).divmod(~std::uint64_t(0)).remainder == 5);
    CHECK(FastDivMod<std::uint64_t>().divide(~std::uint64_t(0)) == ~std::uint64_t(0));
    CHECK(FastDivMod<std::uint64_t>().divisor() == 1);
}
