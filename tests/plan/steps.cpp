// SPDX-License-Identifier: Apache-2.0
//
// What every step of a launch must satisfy, on shapes up to 2^40 elements that no memory holds: places in the grid are
// counted in 32 bits, shares cover the work, blocks have the threads of the launch, and partial results are few.
#include "plan/paper.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// The first property that the launch of a step violates. P: its parameters.
template <class K, class P>
std::string violated(Launch l, const P& p, const Policy& policy, unsigned threads) {
    if (l.grid < 1 || l.grid > max_grid)
        return "grid size";
    if (l.dim_x * l.dim_y != threads)
        return "threads of the launch";
    if (l.group < 1 || l.grid % l.group != 0)
        return "groups";
    if constexpr (K::link == Link::last_block) {
        // The first block of each group goes on from group to group as many as the launch has blocks.
        if (l.grid + fuse::detail::resident_blocks(policy, large_device) * l.group > max_grid)
            return "places of groups";
        if (l.group * l.share < p.walked_size)
            return "shares do not cover the row or column";
        const bool columns = std::string(l.name) == "column split";
        const index_t tiles = columns ? ceil_div(p.x_size, static_cast<index_t>(l.dim_x) * l.vector) : 1;
        if (l.grid != l.group * tiles * p.kept_size)
            return "blocks per row or tile";
    }
    if (2 * scratch_round_up(K::scratch_bytes(l)) > 48 * 1024)
        return "shared memory";
    if (K::partial_bytes(l) > std::size_t{64} << 20U)
        return "workspace";
    return disagreement<K>(l);
}

template <class... S>
std::string violated(const Policy& policy, const S&... statements) {
    const auto executor = PaperExecutor<Device>(large_device).with(policy);
    const auto prepared = executor.prepare(std::tuple<S...>(statements...));
    const StepsLaunch<S...> one(prepared, policy, large_device);
    if (prepared.empty)
        return "";
    if (one.launch.grid < 1 || one.launch.grid > fuse::detail::resident_blocks(policy, large_device))
        return "blocks of the launch";
    std::string fault;
    one.with_kernel([&]<class K>(type_list<K>) {
        if (one.launch.threads() > static_cast<unsigned>(K::max_threads) || one.launch.threads() % 32 != 0)
            fault = "threads of the launch";
    });
    fuse::detail::for_numbers<StepsLaunch<S...>::steps::order.steps>([&]<int I>() {
        const auto& step = std::get<I>(prepared.step);
        const auto& taken = get<I>(one.params.steps);
        int number = 0;
        [&]<class... Kernel>(type_list<Kernel...>) {
            ((fault = fault.empty() && number++ == step->launch.kernel
                          ? violated<Kernel>(step->launch, taken.params, policy, one.launch.threads())
                          : fault),
             ...);
        }(typename StepsLaunch<S...>::template one<I>::family::kernels{});
        if (fault.empty() && (taken.grid != step->launch.grid || taken.params.group != step->launch.group))
            fault = "what a block is told of the step";
        fault += fault.empty() || fault.find(" in step ") != std::string::npos
                     ? ""
                     : " in step " + std::to_string(I) + ": " + to_text(step->launch);
    });
    return fault;
}

auto cube(const std::vector<index_t>& e) {
    return view<"x">(paper<const float>(0), e[0], e[1], e[2]);
}
auto cube_out(const std::vector<index_t>& e) {
    return view<"y">(paper<float>(1), e[0], e[1], e[2]);
}
auto matrix_out(index_t rows, index_t columns) {
    return view<"m">(paper<float>(2), rows, columns);
}

std::string sums(const std::vector<index_t>& e, const Policy& policy) {
    const auto x = cube(e);
    return violated(
        policy, matrix_out(e[0], e[2]) = sum(x, axes<1>), view<"n">(paper<float>(3), e[1], e[2]) = max(x, axes<0>),
        view<"k">(paper<float>(4), e[0], e[1]) = min(x, axes<2>), view<"s">(paper<float>(5), shape()) = mean(x));
}
std::string phases(const std::vector<index_t>& e, const Policy& policy) {
    const auto x = cube(e);
    const auto normal = (x - mean(x, axes<1>, keepdims)) / sum(x, axes<2>, keepdims);
    return violated(policy, cube_out(e) = normal * norm<2>(x), matrix_out(e[1], e[2]) = sum(normal, axes<0>));
}
std::string scans(const std::vector<index_t>& e, const Policy& policy) {
    const auto x = cube(e);
    const auto running = cumsum(x, axes<2>);
    return violated(policy, cube_out(e) = running / sum(x), matrix_out(e[0], e[2]) = sum(cumsum(x, axes<1>), axes<1>),
                    view<"k">(paper<index_t>(4), e[0], e[1]) = argmax(running, axes<2>));
}

template <class Check>
void check_many(unsigned seed, Check&& check, const Policy& policy = {}) {
    std::mt19937_64 engine(seed);
    for (int i = 0; i < 400; ++i) {
        const std::vector<index_t> e = random_extents(engine, 3, i % 41);
        const std::string fault = check(e, policy);
        if (!fault.empty()) {
            FAIL_CHECK(fault << " for extents " << e[0] << " " << e[1] << " " << e[2] << " (seed " << seed << ")");
        }
    }
}

}  // namespace

TEST_CASE("steps of reductions over several sets of axes, up to 2^40 elements") {
    check_many(1, sums);
    check_many(2, phases);
    check_many(3, scans);
}

TEST_CASE("many short columns are as many places as a launch may have, not more") {
    for (const index_t many : {index_t{1} << 31, (index_t{1} << 32) + 1, index_t{1} << 34}) {
        CHECK(sums({many, 2, 4}, {}).empty());
        CHECK(sums({2, many, 4}, {}).empty());
        CHECK(sums({4, 2, many}, {}).empty());
        CHECK(phases({many, 2, 4}, {}).empty());
        CHECK(scans({many, 2, 4}, {}).empty());
    }
}

TEST_CASE("one operand that all elements share: rows longer than any memory") {
    const index_t long_row = index_t{1} << 52;
    const auto x = view<"x">(paper<const float>(0), shape(2, long_row), strides(0, 0));
    const std::string fault = violated(Policy{}, view<"r">(paper<float>(1), 2) = sum(x, axes<1>),
                                       view<"s">(paper<float>(2), shape()) = sum(x - max(x)));
    CHECK(fault == "");
}

TEST_CASE("a policy of larger, smaller or odd blocks keeps the threads of steps within their kernel") {
    for (const unsigned threads : {1U, 32U, 96U, 100U, 256U, 512U, 1024U}) {
        INFO(threads << " threads");
        Policy policy;
        policy.row_block_threads = threads;
        check_many(4, sums, policy);
        policy.column_x_threads = 24;
        policy.column_min_x_threads = 6;
        check_many(5, phases, policy);
        check_many(6, scans, policy);
    }
}

TEST_CASE("columns are folded beside rows, shared by blocks where tiles leave places empty, or each has its own") {
    const auto kernel = [](index_t rows, index_t columns) {
        const auto x = view<"x">(paper<const float>(0), rows, columns);
        const auto prepared = plan_launch(view<"q">(paper<float>(1), columns) = sum(x, axes<0>),
                                          view<"r">(paper<float>(2), rows) = sum(x, axes<1>));
        const std::string first = std::get<0>(prepared.step)->launch.name;
        return first.find("column") == 0 ? first : std::get<1>(prepared.step)->launch.name;
    };
    CHECK(kernel(100000, 65) == "column split");
    CHECK(kernel(4096, 4095) == "column split");
    CHECK(kernel(100000, 64) == "columns beside rows");
    CHECK(kernel(4096, 4096) == "columns beside rows");
    CHECK(kernel(index_t{1} << 40, 4) == "columns beside rows");
    CHECK(kernel(1 << 20, 200000) == "column split");  // each thread would add more than a share
    CHECK(kernel(100, 200000) == "columns swept");
    CHECK(kernel(3, 1 << 24) == "columns swept");
    CHECK(kernel(3, 5) == "columns swept");
}

namespace {

/// The launches of the sums of rows and of columns of one matrix, in this order.
template <class T>
std::vector<Launch> sums_of(index_t rows, index_t columns) {
    const auto x = view<"x">(paper<const T>(0), rows, columns);
    const auto all = explain(PaperExecutor<Device>(large_device), view<"r">(paper<float>(1), rows) = sum(x, axes<1>),
                             view<"c">(paper<float>(2), columns) = sum(x, axes<0>));
    return {all.steps[0].launch, all.steps[1].launch};
}

}  // namespace

TEST_CASE("columns beside few rows are finished by all blocks of the walk at once") {
    for (const index_t rows : {8, 64, 300, 1000}) {
        for (const index_t columns : {8, 64, 256, 1000}) {
            INFO(rows << " x " << columns);
            const auto [walk, beside] = [&] {
                const auto launches = sums_of<float>(rows, columns);
                return std::pair(launches[0], launches[1]);
            }();
            CHECK(std::string(beside.name) == "columns beside rows");
            const index_t blocks = std::min<index_t>(walk.grid, 2 * large_device.units);
            CHECK((blocks * beside.dim_x >= columns || beside.dim_y == 1));
        }
    }
}

TEST_CASE("rows between vectors beside columns have a warp each, not a block, where they are many") {
    CHECK(sums_of<float>(20000, 513)[0].dim_x == 32);
    CHECK(sums_of<float>(4095, 255)[0].dim_x == 32);
    CHECK(sums_of<float>(4095, 4095)[0].dim_x == 128);
    CHECK(sums_of<float>(128, 1001)[0].dim_x == 256);
}

TEST_CASE("rows of 16 bits of up to 16384 elements are held beside columns where each is folded once") {
    CHECK(std::string(sums_of<bfloat16>(4096, 11008)[0].name) == "rows and columns");
    CHECK(std::string(sums_of<bfloat16>(2048, 16384)[0].name) == "rows and columns");
    CHECK(sums_of<bfloat16>(300, 1024)[0].dim_x == 64);
    CHECK(sums_of<bfloat16>(32768, 1024)[0].dim_x == 32);
}
