// SPDX-License-Identifier: Apache-2.0
//
// Rows of odd length and off a vector's boundary on the emulated device, with the largest blocks that a GPU has.
#include "lang/odd_row_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("rows of any length that begin anywhere, on the emulated device") {
    LaunchRecord record;
    const fuse::Device device{.units = 2, .threads_per_unit = 2048, .block_threads = 1024};
    check_odd_rows(EmulatedTarget{EmulatedExecutor(record).with(device)});
    CHECK(record.saw("rows peeled"));
    CHECK(record.saw("rows resident"));
    CHECK(record.saw("rows short"));
}

TEST_CASE("peeled rows are those that have a vector and are not made of vectors") {
    const auto kernel_of = [](index_t rows, index_t n, RowPlace place) {
        LaunchRecord record;
        check_odd_softmax<float>(EmulatedTarget{EmulatedExecutor(record)}, rows, n, place, place, 2e-6);
        REQUIRE(record.all().size() == 1);
        return *record.all().begin();
    };
    CHECK(kernel_of(3, 33, {}) == "rows peeled 4");
    CHECK(kernel_of(3, 2047, {}) == "rows peeled 4");
    CHECK(kernel_of(3, 64, {1, 0}) == "rows peeled 4");
}

TEST_CASE("long rows that are read once are swept in turns, by few threads where they are many") {
    const auto launch_of = [](index_t rows, index_t n) {
        LaunchRecord record;
        const EmulatedTarget target{EmulatedExecutor(record).with(Policy{}).with(
            fuse::Device{.units = 2, .threads_per_unit = 2048, .block_threads = 1024})};
        INFO("rows " << rows << " of " << n);
        Tensor<EmulatedTarget, float> x_data(random_integers({rows, n}, -4, 4, 61), Placement::misaligned);
        Tensor<EmulatedTarget, float> y_data(Extent{rows});
        const auto sums = y_data.view<"y", 1>() = sum(x_data.const_view<"x", 2>(), axes<1>);
        target.eval(sums);
        check_equal(y_data.read(), reduce_reference(sum_reference, x_data.read(), 0b10));
        const Launch& l = explain(target.executor, sums).launch;
        return std::string(l.name) + " " + std::to_string(l.dim_x);
    };
    CHECK(launch_of(8, 10241) == "rows swept 128");
    CHECK(launch_of(9, 20001) == "rows swept 128");
    CHECK(launch_of(8, 10239) == "rows peeled 640");
    CHECK(launch_of(7, 10241) == "rows peeled 640");
}

TEST_CASE("operands beside peeled rows of narrow types are read in pieces of vectors") {
    const auto kernel_of = [](auto item, index_t rows, index_t n, RowPlace place) {
        LaunchRecord record;
        check_odd_layer_norm<decltype(item)>(EmulatedTarget{EmulatedExecutor(record)}, rows, n, place, place, 2e-2);
        REQUIRE(record.all().size() == 1);
        return *record.all().begin();
    };
    CHECK(kernel_of(bfloat16{}, 3, 2047, {}) == "rows peeled in pieces 4");
    CHECK(kernel_of(bfloat16{}, 3, 512, {1, 0}) == "rows peeled in pieces 4");
    CHECK(kernel_of(float16{}, 5, 515, {3, 2}) == "rows peeled in pieces 4");
    // So few vectors that each thread would have several items of the ends of a row.
    CHECK(kernel_of(bfloat16{}, 3, 33, {}) == "rows peeled 4");
    // It does not pay.
    CHECK(kernel_of(0.0F, 3, 2047, {}) == "rows peeled 4");
    // Rows that do not begin alike.
    LaunchRecord record;
    check_odd_layer_norm<bfloat16>(EmulatedTarget{EmulatedExecutor(record)}, 3, 2047, {1, 0}, {2, 0}, 2e-2);
    CHECK(record.all() == std::set<std::string>{"rows peeled 4"});
}

TEST_CASE("a vector of a row begins at the first address that is aligned for one") {
    alignas(16) static const unsigned char memory[256] = {};
    const auto check = [&]<class T, int V>(Pack<T, V>) {
        for (int first = 0; first < 16; ++first) {
            const T* const row = reinterpret_cast<const T*>(memory) + first;
            const int head = detail::elements_to_vector<V>(row);
            INFO(sizeof(T) << " bytes, " << V << " of them, element " << first);
            CHECK(head == (V - first % V) % V);
            CHECK(reinterpret_cast<std::uintptr_t>(row + head) % pack_alignment<T, V> == 0);
        }
    };
    check(Pack<float, 4>{});
    check(Pack<double, 2>{});
    check(Pack<bfloat16, 8>{});
    check(Pack<std::int8_t, 8>{});
}
