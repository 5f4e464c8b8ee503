// SPDX-License-Identifier: Apache-2.0
//
// Planted races between emulated threads: each differs in one place from a kernel that is right. ThreadSanitizer must
// report it in every thread order, also where all values come out right, and must be silent about its sound twin, or
// the tests that run under it (label races) prove nothing. Without it only the twins run.
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "fuse/primitives.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr Order orders[] = {Order::forward, Order::reverse, Order::shuffled};
constexpr unsigned threads = 64;
constexpr unsigned blocks = 3;

/// Global memory of a launch.
struct Memory {
    unsigned* out;    // of each thread of the block that ends last: `threads`, if all is right
    unsigned* words;  // zeros
};

/// A sum over the block in shared memory. Planted: nothing between the writes and the reads.
template <bool Sound>
struct SumInShared : Memory {
    static constexpr Dim2 grid{1, 1};

    void operator()(EmulatedBlock& block) const {
        unsigned* values = block.scratch<unsigned>(threads);
        values[block.thread_x()] = 1;
        if (Sound) {
            block.sync();
        }
        unsigned sum = 0;
        for (unsigned i = 0; i < threads; ++i) {
            sum += values[i];
        }
        out[block.thread_x()] = sum;
        block.sync();
    }
};

/// As above, twice in the same memory. Planted: the second time writes before all have read the first, which in forward
/// order gives the right values.
template <bool Sound>
struct SharedUsedTwice : Memory {
    static constexpr Dim2 grid{1, 1};

    void operator()(EmulatedBlock& block) const {
        unsigned* values = block.scratch<unsigned>(threads);
        const unsigned thread = block.thread_x();
        unsigned sum = 0;
        for (unsigned call = 0; call < 2; ++call) {
            values[thread] = call * threads;
            block.sync();
            sum += values[thread < threads - 2 ? thread + 1 : thread];
            if (Sound) {
                block.sync();
            }
        }
        out[thread] = sum;
        block.sync();
    }
};

/// Neighbours within a warp exchange through shared memory. Planted: a shuffle in place of the barrier; it exchanges
/// its own values and orders no others.
template <bool Sound>
struct ShuffleAsBarrier : Memory {
    static constexpr Dim2 grid{1, 1};

    void operator()(EmulatedBlock& block) const {
        unsigned* values = block.scratch<unsigned>(threads);
        const unsigned thread = block.thread_x();
        values[thread] = threads;
        block.shuffle_xor(thread, 1, 32);
        if (Sound) {
            block.sync();
        }
        out[thread] = values[thread ^ 1];
        block.sync();
    }
};

/// The same, with a barrier of the warp, which is enough for lanes of one warp. Planted: the neighbour is in another.
template <bool Sound>
struct WarpBarrier : Memory {
    static constexpr Dim2 grid{1, 1};

    void operator()(EmulatedBlock& block) const {
        unsigned* values = block.scratch<unsigned>(threads);
        const unsigned thread = block.thread_x();
        values[thread] = threads;
        block.sync_warp();
        out[thread] = values[Sound ? thread ^ 1U : (thread + 32) % threads];
        block.sync();
    }
};

/// The block that arrives last adds up what all have written. Planted: thread 0 counts its block before the others of
/// it have written.
template <bool Sound>
struct CountedTooEarly : Memory {
    static constexpr Dim2 grid{blocks, 1};

    void operator()(EmulatedBlock& block) const {
        unsigned* counter = words + blocks * threads;
        const unsigned thread = block.thread_x();
        unsigned* last = block.scratch<unsigned>(1);
        words[block.block_x() * threads + thread] = thread;
        if (Sound) {
            block.sync();
        }
        if (thread == 0) {
            *last = block.fetch_add(counter, 1) == blocks - 1;
        }
        block.sync();
        if (*last != 0) {
            out[thread] = threads - blocks * thread;
            for (unsigned b = 0; b < blocks; ++b) {
                out[thread] += words[b * threads + thread];
            }
        }
    }
};

/// A block hands its value to the next one. Planted: the flag is a relaxed word, which says nothing about the value.
template <bool Sound>
struct RelaxedFlag : Memory {
    static constexpr Dim2 grid{2, 1};

    void operator()(EmulatedBlock& block) const {
        const unsigned thread = block.thread_x();
        unsigned* flag = words + 1;
        auto* relaxed = reinterpret_cast<std::uint64_t*>(words + 2);
        if (block.block_x() == 0 && thread == 0) {
            words[0] = threads;
            Sound ? static_cast<void>(block.fetch_add(flag, 1)) : block.store_relaxed(relaxed, 1);
        } else if (block.block_x() == 1) {
            while (Sound ? block.load_acquire(flag) == 0 : block.load_relaxed(relaxed) == 0) {
                block.relax();
            }
            out[thread] = words[0];
        }
    }
};

/// Threads with a wrong result.
template <class Kernel>
unsigned run_once(Order order) {
    std::vector<unsigned> out(threads);
    std::vector<std::uint64_t> words(blocks * threads);  // aligned for both kinds of words
    emulate(Kernel::grid, Dim2{threads, 1}, 2 * threads * sizeof(unsigned),
            Kernel{{out.data(), reinterpret_cast<unsigned*>(words.data())}}, {order, 4, true});
    unsigned wrong = 0;
    for (unsigned value : out) {
        wrong += value != threads;
    }
    return wrong;
}

#if FUSE_TESTING_TSAN
/// What ThreadSanitizer says about one launch, in a process of its own: its end is part of the report.
template <class Kernel>
std::string report_of(Order order) {
    int ends[2];
    if (pipe(ends) != 0) {
        throw std::runtime_error("no pipe");
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        [order]() noexcept { run_once<Kernel>(order); }();
        _exit(0);
    }
    close(ends[1]);
    std::string report;
    char part[4096];
    for (ssize_t got = 0; (got = read(ends[0], part, sizeof part)) > 0;) {
        report.append(part, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        throw std::runtime_error("no process to race in");
    }
    return status == 0 ? report : report + "ended with " + std::to_string(WEXITSTATUS(status));
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The line of a report that says where the race is, and what follows it.
std::string summary_of(const std::string& report) {
    const std::size_t at = report.find("SUMMARY: ");
    return at == std::string::npos ? "" : report.substr(at);
}
#endif

template <template <bool> class Kernel>
void check() {
    for (Order order : orders) {
        CHECK(run_once<Kernel<true>>(order) == 0);
#if FUSE_TESTING_TSAN
        CHECK(report_of<Kernel<true>>(order) == "");
        const std::string report = report_of<Kernel<false>>(order);
        INFO(report);
        CHECK(contains(report, "ThreadSanitizer: data race"));
        // Where the race is has a name where there is a symbolizer.
        CHECK((contains(summary_of(report), "planted_races.cpp") ||
               contains(report, "invalid path to external symbolizer")));
        CHECK(contains(report, "ended with 66"));  // its exit code
#endif
    }
}

}  // namespace

TEST_CASE("a sum in shared memory without a barrier is a race") {
    check<SumInShared>();
}

TEST_CASE("shared memory written again before all have read it is a race, in the order that hides it too") {
    check<SharedUsedTwice>();
#if !FUSE_TESTING_TSAN
    CHECK(run_once<SharedUsedTwice<false>>(Order::forward) == 0);
#endif
}

TEST_CASE("a shuffle in place of a barrier is a race") {
    check<ShuffleAsBarrier>();
}

TEST_CASE("a barrier of the warp does not order other warps") {
    check<WarpBarrier>();
}

TEST_CASE("a block that is counted before all its threads have written is a race") {
    check<CountedTooEarly>();
}

TEST_CASE("a value handed on by a relaxed flag is a race") {
    check<RelaxedFlag>();
}
