// SPDX-License-Identifier: Apache-2.0
//
// Sorts and compaction on the host and on the emulated device.
#include <cstring>
#include <numeric>

#include "lang/small_tiles.hpp"
#include "lang/sort_cases.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("rows are sorted", "", float, double, fuse::float16, fuse::bfloat16, std::int32_t, std::int8_t) {
    LaunchRecord record;
    const EmulatedTarget emulated{EmulatedExecutor(record)};
    for (const fuse::index_t n : {1, 2, 3, 7, 33, 64, 100, 255, 256, 257, 1000}) {
        check_sort<TestType>(HostTarget{}, 3, n);
        check_sort<TestType>(emulated, 3, n);
    }
    check_sort<TestType>(HostTarget{}, 70, 5);
    check_sort<TestType>(emulated, 70, 5);
    CHECK(record.saw("sort rows"));
}

TEST_CASE("long rows are sorted on the host") {
    check_sort<float>(HostTarget{}, 1, 100001);
}

namespace {

/// The extremes of a type, and numbers whose bytes differ from their neighbours'.
template <class T>
T wide_value(fuse::index_t i) {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
    constexpr Bits all = std::numeric_limits<Bits>::max();
    const Bits bits[] = {0, all, all / 2, all / 2 + 1,
                         static_cast<Bits>(static_cast<std::uint64_t>(i / 5) * 0x9e3779b97f4a7c15U)};
    T value;
    std::memcpy(&value, &bits[i % 5], sizeof(T));
    return value;
}

bool same_bits_in_any_order(auto a, auto b) {
    const auto by_bits = [](const auto& p, const auto& q) { return std::memcmp(&p, &q, sizeof(p)) < 0; };
    std::sort(a.begin(), a.end(), by_bits);
    std::sort(b.begin(), b.end(), by_bits);
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

}  // namespace

TEMPLATE_TEST_CASE("on the host every key of a row keeps its bits, any NaN is last, and argsort is stable", "", float,
                   double, std::uint16_t, std::int64_t, std::uint64_t) {
    for (const std::size_t n : {30U, 300U}) {
        std::vector<TestType> in(n), up(n), down(n);
        std::vector<fuse::index_t> order(n), wanted(n);
        for (std::size_t i = 0; i < n; ++i) {
            in[i] = wide_value<TestType>(static_cast<fuse::index_t>(i));
        }
        const auto x = fuse::view<"x">(in);
        fuse::eval(fuse::host, fuse::view<"up">(up) = sort(x), fuse::view<"down">(down) = sort(x, fuse::descending),
                   fuse::view<"order">(order) = argsort(x));
        const auto before = [](TestType a, TestType b) { return a < b || (b != b && a == a); };
        const auto after = [](TestType a, TestType b) { return a > b || (b != b && a == a); };
        CHECK(std::is_sorted(up.begin(), up.end(), before));
        CHECK(std::is_sorted(down.begin(), down.end(), after));
        CHECK(same_bits_in_any_order(in, up));
        CHECK(same_bits_in_any_order(in, down));
        std::iota(wanted.begin(), wanted.end(), 0);
        std::stable_sort(wanted.begin(), wanted.end(), [&](fuse::index_t a, fuse::index_t b) {
            return before(in[static_cast<std::size_t>(a)], in[static_cast<std::size_t>(b)]);
        });
        CHECK(order == wanted);
    }
}

TEST_CASE("a sort of rows that lie apart, into a transposed view") {
    std::vector<float> in{3, 1, 2, 0, 9, 8, 7, 0};
    std::vector<float> out(6);
    const auto x = fuse::view<"x">(in.data(), fuse::shape(2, 3), fuse::strides(4, 1));
    fuse::eval(fuse::host, fuse::view<"y">(out.data(), fuse::shape(2, 3), fuse::strides(1, 2)) = sort(x));
    CHECK(out == std::vector<float>{1, 7, 2, 8, 3, 9});
}

TEST_CASE("an empty sort and an empty compaction write nothing but the count") {
    std::vector<float> none;
    const auto x = fuse::view<"x">(none.data(), 0);
    fuse::eval(fuse::host, fuse::view<"y">(none.data(), 0) = sort(x));
    fuse::index_t count = 5;
    fuse::eval(fuse::host, fuse::view<"y">(none.data(), 0) = compact(x, x > 0),
               fuse::view<"n">(&count, fuse::shape()) = count_nonzero(x > 0));
    CHECK(count == 0);
}

TEST_CASE("a row that does not fit the shared memory of a block is refused before anything is written") {
    std::vector<float> data(6145, 1.0F);
    std::vector<float> out(6145, 7.0F);
    const auto x = fuse::view<"x">(data.data(), 1, 6145);
    const auto y = fuse::view<"y">(out.data(), 1, 6145);
    CHECK_THROWS_AS(fuse::eval(EmulatedExecutor{}, y = sort(x)), fuse::shape_error);
    CHECK(out[0] == 7.0F);
    fuse::eval(fuse::host, y = sort(x));
    CHECK(out[0] == 1.0F);
}

TEMPLATE_TEST_CASE("kept elements move to the front, in order", "", float, double, fuse::bfloat16, std::int32_t) {
    LaunchRecord record;
    const EmulatedTarget emulated = small_tiles(record);
    for (const double threshold : {-60.0, -20.0, 0.0, 49.0, 60.0}) {
        for (const fuse::index_t n : {1, 2, 63, 64, 65, 1000, 1535, 1536, 1537, 20001}) {
            check_compact<TestType>(HostTarget{}, n, threshold);
            check_compact<TestType>(emulated, n, threshold);
        }
    }
    check_compact<TestType>(emulated, 200001, 0);
    CHECK(record.saw("scan look-back"));
    CHECK(record.saw("scan rows"));
}

TEST_CASE("what is kept of scans backwards moves to the front as well") {
    LaunchRecord record;
    const EmulatedTarget emulated = small_tiles(record);
    for (const fuse::index_t n : {1, 2, 65, 1537, 20001}) {
        check_compact_of_scans(HostTarget{}, n);
        check_compact_of_scans(emulated, n);
    }
}

TEST_CASE("a compaction must not overlap what it reads") {
    std::vector<float> data{1, -1, 2};
    const auto x = fuse::view<"x">(data);
    CHECK_THROWS_AS(fuse::eval(fuse::host, x = compact(x, x > 0)), fuse::argument_error);
    CHECK(data == std::vector<float>{1, -1, 2});
}

TEST_CASE("a compaction is told of each element") {
    std::vector<float> data{3, 1, 2}, out(3, -1);
    const auto x = fuse::view<"x">(data);
    const auto y = fuse::view<"y">(out);
    const bool yes = true;
    const auto one = fuse::view<"one">(&yes, 1);
    CHECK_THROWS_WITH(compact(x, one), "compact: keep(1) does not say of each element of x(3) whether it is kept: "
                                       "broadcast_to(keep, n) does");
    CHECK_THROWS_AS(compact(x * 2, max(x, fuse::keepdims) > 2), fuse::shape_error);
    CHECK_THROWS_AS(compact(fuse::index<0>() + x * 0, fuse::view<"k">(&yes, fuse::extents<1>{})), fuse::shape_error);
    CHECK(out == std::vector<float>{-1, -1, -1});
    fuse::eval(fuse::host, y = compact(x, fuse::broadcast_to(one, 3)));
    CHECK(out == data);
    const auto first = fuse::view<"first">(data.data(), 1);
    fuse::eval(fuse::host, y = compact(first, x > 1));
    CHECK(out == std::vector<float>{3, 3, 2});
}

TEST_CASE("the plan of a sort and of a compaction is one kernel") {
    std::vector<float> data(3);
    const auto x = fuse::view<"x">(data);
    const auto y = fuse::view<"y">(data);
    using sorted = fuse::plan<decltype(y = sort(x))>;
    STATIC_REQUIRE((sorted::kernels == 1 && sorted::temporaries == 0 && sorted::passes<"x"> == 1));
    using compacted = fuse::plan<decltype(y = compact(x, x > 0))>;
    STATIC_REQUIRE((compacted::kernels == 1 && compacted::family == fuse::Family::scan && compacted::passes<"x"> == 1));
}
