// SPDX-License-Identifier: Apache-2.0
//
// The host on real threads, for ThreadSanitizer (label races): evals from several threads at once, the blocks of one
// eval on several threads (as OpenMP runs them, whose own runtime ThreadSanitizer would take for races), and host
// blocks that hand results to each other while they run. The numbers are small integers, so results are exact.
#include <memory>
#include <thread>
#include <vector>

#include "primitives/grid_cases.hpp"
#include "primitives/lookback_cases.hpp"
#include "support/catch.hpp"
#include "support/host_target.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// Calls run(0), ..., run(count - 1), each on a thread of its own.
template <class Run>
void run_on_threads(unsigned count, const Run& run) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i) {
        threads.emplace_back([&run, i] { run(i); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

/// As HostExecutor, with neighbouring blocks on different threads.
class ThreadedHost : public ExecutorBase<ThreadedHost, Cpu> {
public:
    ThreadedHost() : ExecutorBase(HostTarget::blocks_of_64()) {}
    static constexpr const char* name = "threaded";
    Cpu target() const { return {}; }

    template <class K, class Preparation>
    void launch(Preparation& prepared) const {
        Launch& l = prepared.launch;
        complete<K>(l);
        const std::unique_ptr<std::max_align_t[]> partials(
            new std::max_align_t[l.partial_bytes / sizeof(std::max_align_t) + 1]);
        prepared.params.share = l.share;
        prepared.params.group = static_cast<unsigned>(l.group);
        prepared.params.partials = partials.get();
        run_stages<K>(prepared.params, l, std::make_integer_sequence<int, K::stages>{});
    }

private:
    template <class K, class P, int... Stage>
    static void run_stages(const P& params, const Launch& s, std::integer_sequence<int, Stage...>) {
        (run_stage<K, Stage>(params, s.grid, K::link == Link::last_block && Stage > 0 ? s.group : 1), ...);
    }

    template <class K, int Stage, class P>
    static void run_stage(const P& params, index_t grid, index_t step) {
        constexpr unsigned threads = 4;
        run_on_threads(threads, [&params, grid, step](unsigned i) {
            for (index_t b = i * step; b < grid; b += threads * step) {
                HostBlock block(static_cast<unsigned>(b), 0, static_cast<unsigned>(grid), 1, nullptr, 0);
                K::template stage<Stage>(block, params);
            }
        });
    }
};

/// Runs test kernels on host blocks, all at the same time.
struct ThreadRunner {
    template <class T>
    using Buffer = std::vector<T>;

    template <class Kernel>
    void operator()(Dim2 grid, Dim2, std::size_t shared_bytes, const Kernel& kernel, bool = false) const {
        run_on_threads(grid.count(), [&kernel, grid, shared_bytes](unsigned i) {
            std::vector<std::max_align_t> scratch(shared_bytes / sizeof(std::max_align_t) + 1);
            HostBlock block(i % grid.x, i / grid.x, grid.x, grid.y, scratch.data(), shared_bytes / 2);
            kernel(block);
        });
    }
};

float item(index_t row, index_t column) {
    return static_cast<float>((row * 7 + column * 3) % 11);
}

/// Wrong results of a map, sums of rows, columns and everything, an epilogue and two scans, of items (row, column).
template <class Executor>
int count_wrong_evals(const Executor& executor, index_t rows, index_t columns, const float* items) {
    const auto size = static_cast<std::size_t>(rows * columns);
    std::vector<float> map(size), along(size), down(size), row_sum(static_cast<std::size_t>(rows)),
        column_sum(static_cast<std::size_t>(columns));
    float total = 0;
    float largest_row = 0;
    const auto x = view<"x">(items, rows, columns);
    const auto row = view<"row">(row_sum.data(), rows);
    eval(executor, view<"map">(map.data(), rows, columns) = x * 2 + 1);
    eval(executor, row = sum(x, axes<1>));
    eval(executor, view<"column">(column_sum.data(), columns) = sum(x, axes<0>));
    eval(executor, view<"along">(along.data(), rows, columns) = cumsum(x, axes<1>));
    eval(executor, view<"down">(down.data(), rows, columns) = cumsum(x, axes<0>));
    eval(executor, view<"total">(&total, shape()) = sum(x));
    eval(executor, view<"largest">(&largest_row, shape()) = max(sum(x, axes<1>)));

    int wrong = 0;
    float expected_total = 0;
    float expected_largest = 0;
    std::vector<float> below(static_cast<std::size_t>(columns));
    for (index_t r = 0; r < rows; ++r) {
        float sum_of_row = 0;
        for (index_t c = 0; c < columns; ++c) {
            const auto at = static_cast<std::size_t>(r * columns + c);
            float& sum_of_column = below[static_cast<std::size_t>(c)];
            sum_of_row += item(r, c);
            sum_of_column += item(r, c);
            wrong += map[at] != item(r, c) * 2 + 1;
            wrong += along[at] != sum_of_row;
            wrong += down[at] != sum_of_column;
        }
        wrong += row_sum[static_cast<std::size_t>(r)] != sum_of_row;
        expected_total += sum_of_row;
        expected_largest = std::max(expected_largest, sum_of_row);
    }
    wrong += column_sum != below;
    return wrong + (total != expected_total) + (largest_row != expected_largest);
}

std::vector<float> make_items(index_t rows, index_t columns) {
    std::vector<float> items;
    for (index_t i = 0; i < rows * columns; ++i) {
        items.push_back(item(i / columns, i % columns));
    }
    return items;
}

}  // namespace

TEST_CASE("several host threads evaluate the same views at once") {
    const std::vector<float> items = make_items(37, 101);
    int wrong[4] = {};
    run_on_threads(4, [&](unsigned i) {
        for (int again = 0; again < 3; ++again) {
            wrong[i] += count_wrong_evals(HostTarget{}.executor, 37, 101, items.data());
        }
    });
    for (int of_thread : wrong) {
        CHECK(of_thread == 0);
    }
}

TEST_CASE("the blocks of one eval share nothing that one of them writes") {
    for (const index_t columns : {1, 5, 63, 64, 65, 700}) {
        for (const index_t rows : {1, 3, 200}) {
            INFO(rows << " x " << columns);
            CHECK(count_wrong_evals(ThreadedHost{}, rows, columns, make_items(rows, columns).data()) == 0);
        }
    }
}

TEST_CASE("host blocks that run at the same time hand over what they wrote") {
    const ThreadRunner run;
    const Dim2 one{1, 1};
    for (int again = 0; again < 5; ++again) {
        CHECK(count_wrong_last_blocks(run, Dim2{6, 1}, one, true) == 0);
        CHECK(count_wrong_grid_phases(run, Dim2{4, 1}, one) == 0);
        CHECK(count_wrong_lookbacks<Affine, ComposeAffine, AffineValue>(run, 1, 7, 1, true) == 0);
        CHECK(count_wrong_lookbacks<Matrix2, MultiplyMatrix, MatrixValue>(run, 1, 4, 2, true) == 0);
    }
}
