// SPDX-License-Identifier: Apache-2.0
//
// The launches of scans: what each must satisfy, on random shapes up to 2^40 elements that no memory holds, on the GPU
// and on the host; and a few of them in full.
#include <bit>
#include <random>

#include "plan/paper.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// Three extents, each near a power of two, of about `bits` bits together.
std::vector<index_t> random_extents(std::mt19937_64& engine, int bits) {
    const int first = static_cast<int>(engine() % static_cast<unsigned>(bits + 1));
    const int second = static_cast<int>(engine() % static_cast<unsigned>(bits - first + 1));
    std::vector<index_t> extents;
    for (const int mine : {first, second, bits - first - second}) {
        const index_t power = index_t{1} << mine;
        const index_t choices[] = {power, power + 1, power - (mine > 1 ? 1 : 0), power / 3 + 1};
        extents.push_back(choices[engine() % 4]);
    }
    return extents;
}

/// The first property that a launch on the GPU violates.
template <class Preparation>
std::string violated(Preparation prepared) {
    Launch& s = prepared.launch;
    const Layout& l = prepared.layout;
    const unsigned threads = s.dim_x * s.dim_y;
    const std::string name = s.name;
    const bool shared = name == "scan columns shared";
    if (s.grid < 1 || s.grid > max_grid || (s.group == 1) == shared)
        return "grid size";
    if (threads < 32 || threads % 32 != 0)
        return "a partial warp";
    if (s.dim_x < 32 ? !std::has_single_bit(s.dim_x) : s.dim_x % 32 != 0)
        return "a row that ends within a warp";
    const index_t width = static_cast<index_t>(s.dim_x) * s.vector;
    const index_t tiles = ceil_div(l.walked_size, width * s.vectors);
    const index_t walked_tiles = ceil_div(l.walked_size, static_cast<index_t>(s.dim_y) * s.vectors);
    if (name == "scan rows" || name == "scan rows peeled") {
        if (s.grid != std::min(max_grid, ceil_div(l.kept_size, s.dim_y)))
            return "blocks for the rows";
        if (s.dim_x > 32 && s.dim_y > 1)
            return "rows that wait for each other";
    } else if (name == "scan short") {
        if (s.dim_x > 32 || s.dim_x * 64 < l.walked_size)
            return "elements of a thread";
        if (s.share % l.walked_size != 0 || s.share / l.walked_size % s.dim_y != 0)
            return "rows of a tile";
        if (s.grid != std::min(max_grid, ceil_div(l.kept_size, s.share / l.walked_size)))
            return "blocks for the rows";
    } else if (name == "scan look-back") {
        if (s.grid > tiles * l.kept_size || tiles * l.kept_size > max_grid)
            return "blocks for the tiles";
        if (s.grid * threads > large_device.units * large_device.threads_per_unit)
            return "blocks that cannot be resident";
    } else if (shared) {
        if (s.grid != column_tiles(l, s) * s.group || s.group > walked_tiles || s.group * s.share < l.walked_size)
            return "blocks for the pieces";
        if (s.grid * threads > large_device.units * large_device.threads_per_unit)
            return "blocks that cannot be resident";
    } else if (name == "scan columns") {
        if (s.grid != std::min(max_grid, column_tiles(l, s)))
            return "blocks for the columns";
    } else {
        return "not a scan";
    }
    std::string fault;
    prepared.with_kernel([&]<class K>() {
        complete<K>(s);
        fault = disagreement<K>(s);
        constexpr std::size_t most = K::link == Link::lookback ? 113 * 1024 : 48 * 1024;  // two blocks of an H200
        if (s.shared_bytes > most)
            fault = "shared memory";
        if constexpr (K::link == Link::lookback) {
            if (s.state_words < lookback_state_words(tiles, l.kept_size, threads, K::State::words))
                fault = "words of state";
            constexpr index_t item_bytes = Preparation::facts::value.item_bytes;
            if (s.partial_bytes > static_cast<std::size_t>(item_bytes * l.walked_size * l.kept_size) / 80)
                fault = "more state than is in proportion to the data";
        }
    });
    return fault;
}

/// The same on the host.
template <class Preparation>
std::string violated_on_host(Preparation prepared) {
    Launch& s = prepared.launch;
    const Layout& l = prepared.layout;
    if (s.grid < 1 || s.grid > max_grid || s.dim_x != 1 || s.dim_y != 1)
        return "grid size";
    std::string fault;
    prepared.with_kernel([&]<class K>() { fault = disagreement<K>(s); });
    if (!fault.empty())
        return fault;
    const std::string name = s.name;
    if (name == "scan rows")
        return s.grid > l.kept_size ? "blocks without a row" : "";
    if (name == "scan split") {
        if (s.group * s.share < l.walked_size || (s.group - 1) * s.share >= l.walked_size || s.group > 128)
            return "pieces of a row";
        return s.grid != s.group * l.kept_size ? "blocks per row" : "";
    }
    if (name == "scan columns" || name == "scan rows side by side") {
        const index_t strips = ceil_div(l.x_size, s.vector) * l.kept_size;
        return s.grid == std::min(max_grid, strips) ? "" : "blocks for the columns";
    }
    return "not a scan";
}

template <class Statement>
void check_many(unsigned seed, Statement&& statement) {
    std::mt19937_64 engine(seed);
    for (int i = 0; i < 400; ++i) {
        const std::vector<index_t> e = random_extents(engine, i % 41);
        INFO("extents " << e[0] << " " << e[1] << " " << e[2] << " (seed " << seed << ")");
        const std::string faults[] = {statement(e, [](const auto&... s) { return violated(plan_launch(s...)); }),
                                      statement(e, [](const auto&... s) { return violated_on_host(plan_host(s...)); })};
        CHECK(faults[0] == "");
        CHECK(faults[1] == "");
    }
}

template <class T>
auto cube(const std::vector<index_t>& e) {
    return view<"x">(paper<const T>(0), e[0], e[1], e[2]);
}
template <fixed_name N, class T>
auto cube_out(int number, const std::vector<index_t>& e) {
    return view<N>(paper<T>(number), e[0], e[1], e[2]);
}

std::string launch_of(index_t rows, index_t columns, bool down) {
    const auto x = view<"x">(paper<float>(0), rows, columns);
    const auto y = view<"y">(paper<float>(1), rows, columns);
    return down ? to_text(plan_launch(y = cumsum(x, axes<0>)).launch)
                : to_text(plan_launch(y = cumsum(x, axes<1>)).launch);
}

}  // namespace

TEST_CASE("launches of scans along rows up to 2^40 elements") {
    check_many(1, [](const auto& e, auto&& violations) {
        return violations(cube_out<"y", float>(1, e) = cumsum(cube<float>(e), axes<2>));
    });
    check_many(2, [](const auto& e, auto&& violations) {
        return violations(cube_out<"y", index_t>(1, e) = scan(ArgMax{}, cube<std::int8_t>(e), axes<2>));
    });
    check_many(3, [](const auto& e, auto&& violations) {
        const auto x = cube<double>(e);
        return violations(cube_out<"y", double>(1, e) = discounted_cumsum(x, 0.5, axes<2>),
                          cube_out<"z", float>(2, e) = cummax(x, axes<2>, exclusive));
    });
}

TEST_CASE("launches of scans along other axes up to 2^40 elements") {
    check_many(4, [](const auto& e, auto&& violations) {
        return violations(cube_out<"y", float>(1, e) = cumsum(cube<float>(e), axes<0>));
    });
    check_many(5, [](const auto& e, auto&& violations) {
        return violations(cube_out<"y", bfloat16>(1, e) = cumprod(cube<bfloat16>(e), axes<1>));
    });
    check_many(6, [](const auto& e, auto&& violations) {
        const auto x = cube<std::int8_t>(e);
        return violations(cube_out<"a", index_t>(1, e) = scan(ArgMax{}, x, axes<1>),
                          cube_out<"b", index_t>(2, e) = scan(ArgMin{}, x, axes<1>),
                          cube_out<"c", index_t>(3, e) = cumsum(x, axes<1>),
                          cube_out<"d", index_t>(4, e) = cumprod(x, axes<1>),
                          cube_out<"e", index_t>(5, e) = scan(ArgMax{}, -x, axes<1>),
                          cube_out<"f", index_t>(6, e) = scan(ArgMin{}, -x, axes<1>),
                          cube_out<"g", index_t>(7, e) = cumsum(square(x), axes<1>));
    });
}

TEST_CASE("some launches of scans on an H200") {
    CHECK(launch_of(1, 1, false) == "scan rows        4x4  block   1x32  grid 1         group 1");
    CHECK(launch_of(1, 5000, false) == "scan rows        4x4  block 320x1   grid 1         group 1");
    CHECK(launch_of(264, 100000, false) == "scan rows        4x4  block 512x1   grid 264       group 1");
    CHECK(launch_of(1 << 20, 64, false) == "scan rows        4x4  block   4x64  grid 16384     group 1");
    CHECK(launch_of(1 << 20, 11, false) == "scan short       16x1  block   1x128 grid 4096      group 1");
    CHECK(launch_of(1 << 20, 33, false) == "scan short       16x1  block   4x32  grid 32768     group 1");
    CHECK(launch_of(1 << 15, 877, false) == "scan short       16x1  block  32x2   grid 16384     group 1");
    // Rows with gaps between them, which each thread would copy by itself.
    const auto padded = [](index_t n, auto... way) {
        const auto x = view<"x">(paper<float>(0), shape(1 << 15, n), fuse::strides(n + 24, 1));
        return std::string(
            plan_launch(view<"y">(paper<float>(1), shape(1 << 15, n)) = cumsum(x, axes<1>, way...)).launch.name);
    };
    CHECK(padded(11) == "scan short");
    CHECK(padded(1000) == "scan rows");
    CHECK(padded(877) == "scan rows peeled");
    CHECK(padded(1000, reverse) == "scan rows");
    CHECK(launch_of(1 << 15, 4097, false) == "scan rows peeled 4x4  block 160x1   grid 32768     group 1");
    CHECK(launch_of(1 << 15, 1000, false) == "scan short       16x1  block  32x2   grid 16384     group 1");
    CHECK(launch_of(1 << 20, 64, true) == "scan columns shared 4x4  block   8x64  grid 528       group 264");
    CHECK(launch_of(100, 1 << 20, true) == "scan columns     4x4  block   8x32  grid 32768     group 1");
    CHECK(launch_of(3, 5, true) == "scan columns     4x4  block   2x16  grid 1         group 1");
}

TEST_CASE("rows that are too long for one block and too few for an H200 look back") {
    CHECK(launch_of(1, 8192, false) == "scan rows        4x4  block 512x1   grid 1         group 1");
    CHECK(launch_of(1, 8193, false) == "scan look-back   5x4  block 128x1   grid 4         group 1");
    CHECK(launch_of(1, 1 << 20, false) == "scan look-back   5x4  block 256x1   grid 205       group 1");
    CHECK(launch_of(1, 1 << 22, false) == "scan look-back   5x4  block 512x1   grid 264       group 1");
    CHECK(launch_of(1, 1 << 28, false) == "scan look-back   5x4  block 512x1   grid 264       group 1");
    CHECK(launch_of(263, 8193, false) == "scan look-back   5x4  block 256x1   grid 526       group 1");
    CHECK(launch_of(264, 1 << 24, false) == "scan rows        4x4  block 512x1   grid 264       group 1");
}

TEST_CASE("where there is no row, no kernel waits for one") {
    const auto x = view<"x">(paper<float>(0), 0, 100000);
    const auto y = view<"y">(paper<float>(1), 0, 100000);
    const auto launch =
        plan_launch(y = cumsum(x, axes<1>), view<"k">(paper<float>(2), shape()) = scalar<"s">(1.0F) * 2);
    CHECK(std::string(launch.launch.name) == "scan rows");
    CHECK(launch.launch.grid == 1);
}
