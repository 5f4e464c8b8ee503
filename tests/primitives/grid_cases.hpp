// SPDX-License-Identifier: Apache-2.0
//
// Hand-over between blocks: a grid-wide sum finished by the last block, launched again on the counter it left
// behind, folds by messages, whose order shows, and a chain of phases in which every block reads what all others wrote in the phase before.
#pragma once

#include <vector>

#include "primitives/fold_cases.hpp"

namespace fuse::testing {

struct LastBlockSum {
    unsigned* counter;
    std::uint64_t* partials;
    std::uint64_t* result;
    unsigned* finishers;  // of each block: how many of its threads believe to be in the last one

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned threads = block_threads(block);
        const unsigned blocks = block.grid_x() * block.grid_y();
        const unsigned me = block.block_y() * block.grid_x() + block.block_x();
        const unsigned thread = linear_thread(block);

        partials[me * threads + thread] = hash(me * threads + thread, 1);  // by all threads, not only the first
        if (last_block(block, counter, blocks)) {
            std::uint64_t sum = 0;
            for (unsigned other = 0; other < blocks; ++other) {
                sum += partials[other * threads + (thread + other) % threads];
            }
            sum = BlockReduce(block, sum, SumOf<std::uint64_t>{});
            if (thread == 0) {
                *result = sum;
            }
            finishers[thread] += 1;
        }
    }
};

template <class Runner>
unsigned count_wrong_last_blocks(const Runner& run, Dim2 grid, Dim2 block, bool cooperative) {
    const unsigned threads = grid.count() * block.count();
    typename Runner::template Buffer<unsigned> counter(1);
    typename Runner::template Buffer<unsigned> finishers(block.count());
    typename Runner::template Buffer<std::uint64_t> partials(threads);
    typename Runner::template Buffer<std::uint64_t> result(1);
    const std::size_t half =
        std::max(last_block_scratch_bytes, block_reduce_scratch_bytes(block.x, block.y, sizeof(std::uint64_t)));

    std::uint64_t expected = 0;
    for (unsigned i = 0; i < threads; ++i) {
        expected += hash(i, 1);
    }
    unsigned wrong = 0;
    for (unsigned launch = 1; launch <= 3; ++launch) {
        for (unsigned i = 0; i < threads; ++i) {
            partials[i] = 0;
        }
        result[0] = 0;
        run(grid, block, 2 * half, LastBlockSum{counter.data(), partials.data(), result.data(), finishers.data()},
            cooperative);
        wrong += result[0] != expected;
        wrong += counter[0] != 0;
        for (unsigned i = 0; i < block.count(); ++i) {
            wrong += finishers[i] != launch;
        }
    }
    return wrong;
}

/// Every block brings a value, and one of them has the fold of all.
template <class A, class R>
struct TicketFoldKernel {
    std::uint64_t* state;
    A* result;
    unsigned* collectors;  // how many threads believe to be in the block that collects
    std::uint64_t salt;

    static FUSE_HD A value(unsigned block, std::uint64_t salt) {
        return {hash(block, salt) | 1, hash(block, salt + 1)};
    }

    template <class B>
    FUSE_HD void operator()(B& block) const {
        TicketFold<A> tickets(state);
        tickets.draw(block);
        A mine = value(linear_thread(block) == 0 ? block.block_x() : ~0U, salt);  // only that of thread 0 counts
        if (tickets.fold(block, mine, R{})) {
            if (linear_thread(block) == 0) {
                *result = mine;
            }
            collectors[linear_thread(block)] += 1;
        }
    }
};

/// Launched again on what it left behind, with other values.
template <class A, class R, class Runner>
unsigned count_wrong_ticket_folds(const Runner& run, unsigned blocks, Dim2 block, bool together) {
    using Tickets = TicketFold<A>;
    const auto words = static_cast<std::size_t>(Tickets::state_words(blocks));
    typename Runner::template Buffer<std::uint64_t> state(words);
    typename Runner::template Buffer<unsigned> collectors(block.count());
    typename Runner::template Buffer<A> result(1);
    for (std::size_t i = 0; i < words; ++i) {
        state[i] = 0;
    }
    unsigned wrong = 0;
    for (unsigned launch = 1; launch <= 3; ++launch) {
        const TicketFoldKernel<A, R> kernel{state.data(), result.data(), collectors.data(), launch};
        run(Dim2{blocks, 1}, block, 2 * Tickets::scratch_bytes(block.x, block.y), kernel, together);
        A expected = R{}.init();
        for (unsigned b = 0; b < blocks; ++b) {
            expected = R{}.combine(expected, kernel.value(b, launch));
        }
        wrong += !(result[0] == expected);
        for (std::size_t i = 0; i < words; ++i) {
            wrong += state[i] != 0;
        }
        for (unsigned i = 0; i < block.count(); ++i) {
            wrong += collectors[i] != launch;
        }
    }
    return wrong;
}

/// Each phase, every thread adds up what one thread of every block had after the phase before.
struct GridPhases {
    unsigned* barrier;
    std::uint64_t* even;
    std::uint64_t* odd;
    int phases;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned threads = block_threads(block);
        const unsigned thread = linear_thread(block);
        const unsigned blocks = block.grid_x() * block.grid_y();
        const unsigned me = (block.block_y() * block.grid_x() + block.block_x()) * threads + thread;
        even[me] = me;
        for (int phase = 0; phase < phases; ++phase) {
            grid_sync(block, barrier, blocks);
            const std::uint64_t* from = phase % 2 == 0 ? even : odd;
            std::uint64_t sum = 1;
            for (unsigned other = 0; other < blocks; ++other) {
                sum += from[other * threads + (thread + 1) % threads];
            }
            (phase % 2 == 0 ? odd : even)[me] = sum;
        }
    }
};

template <class Runner>
unsigned count_wrong_grid_phases(const Runner& run, Dim2 grid, Dim2 block) {
    constexpr int phases = 5;
    const unsigned threads = block.count();
    const unsigned total = grid.count() * threads;
    typename Runner::template Buffer<unsigned> barrier(2);
    typename Runner::template Buffer<std::uint64_t> even(total);
    typename Runner::template Buffer<std::uint64_t> odd(total);

    std::vector<std::uint64_t> expected(total);
    for (unsigned i = 0; i < total; ++i) {
        expected[i] = i;
    }
    for (int phase = 0; phase < phases; ++phase) {
        const std::vector<std::uint64_t> before = expected;
        for (unsigned i = 0; i < total; ++i) {
            expected[i] = 1;
            for (unsigned other = 0; other < grid.count(); ++other) {
                expected[i] += before[other * threads + (i % threads + 1) % threads];
            }
        }
    }

    unsigned wrong = 0;
    for (int launch = 0; launch < 2; ++launch) {  // the barrier is not reset in between
        run(grid, block, 0, GridPhases{barrier.data(), even.data(), odd.data(), phases}, true);
        for (unsigned i = 0; i < total; ++i) {
            wrong += odd[i] != expected[i];
        }
    }
    return wrong;
}

/// In each round the last block of a group adds up what its blocks have, and all count on from there.
struct GroupCounts {
    unsigned* counters;
    unsigned* parts;   ///< of each thread
    unsigned* totals;  ///< of each group
    unsigned group;
    int rounds;

    template <DeviceAtomics B>
    FUSE_HD void operator()(B& block) const {
        const unsigned own = block.block_x() * block_threads(block) + linear_thread(block);
        const unsigned number = block.block_x() / group;
        GroupRounds meeting(counters + number, group);
        unsigned value = own;
        for (int round = 0; round < rounds; ++round) {
            parts[own] = value;
            meeting.meet(block, [&] {
                if (linear_thread(block) == 0) {
                    totals[number] = 0;
                    for (unsigned i = 0; i < group * block_threads(block); ++i) {
                        totals[number] += parts[number * group * block_threads(block) + i];
                    }
                }
            });
            value = totals[number] + own;
        }
        parts[own] = value;
        meeting.leave(block);
    }
};

/// The same where each block adds up what all have. Rounds take turns with two places of each thread: a block that has come to
/// the round after the next has met all those that read the first.
struct GroupMeetings {
    unsigned* counters;
    unsigned* parts;  ///< of each thread of all, twice
    unsigned* values;
    unsigned group;
    unsigned rounds;

    template <DeviceAtomics B>
    FUSE_HD void operator()(B& block) const {
        const unsigned own = block.block_x() * block_threads(block) + linear_thread(block);
        const unsigned number = block.block_x() / group;
        const unsigned members = group * block_threads(block);
        unsigned value = own;
        for (unsigned round = 0; round < rounds; ++round) {
            unsigned* const places = parts + round % 2 * block.grid_x() * block_threads(block);
            places[own] = value;
            meet_group(block, counters + number, group, round);
            value = own;
            for (unsigned i = 0; i < members; ++i) {
                value += places[number * members + i];
            }
        }
        values[own] = value;
        leave_group(block, counters + number, group, rounds);
    }
};

/// How many threads end with another number than they should after so many rounds, and counters that are not 0 again.
template <class Counters, class Values>
unsigned count_wrong_members(const Counters& counters, const Values& got, unsigned groups, unsigned members,
                             unsigned rounds) {
    unsigned wrong = 0;
    for (unsigned g = 0; g < groups; ++g) {
        std::vector<unsigned> values(members);
        for (unsigned i = 0; i < members; ++i) {
            values[i] = g * members + i;
        }
        for (unsigned round = 0; round < rounds; ++round) {
            unsigned total = 0;
            for (const unsigned v : values) {
                total += v;
            }
            for (unsigned i = 0; i < members; ++i) {
                values[i] = total + g * members + i;
            }
        }
        for (unsigned i = 0; i < members; ++i) {
            wrong += got[g * members + i] != values[i];
        }
        wrong += counters[g] != 0;
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_group_rounds(const Runner& run, unsigned groups, unsigned group, Dim2 block) {
    constexpr int rounds = 4;
    const unsigned members = group * block.count();
    typename Runner::template Buffer<unsigned> counters(groups);
    typename Runner::template Buffer<unsigned> parts(groups * members);
    typename Runner::template Buffer<unsigned> totals(groups);
    typename Runner::template Buffer<unsigned> places(2 * groups * members);
    unsigned wrong = 0;
    for (int launch = 0; launch < 2; ++launch) {
        run(Dim2{groups * group, 1}, block, last_block_scratch_bytes,
            GroupCounts{counters.data(), parts.data(), totals.data(), group, rounds}, true);
        wrong += count_wrong_members(counters, parts, groups, members, rounds);
        run(Dim2{groups * group, 1}, block, 0,
            GroupMeetings{counters.data(), places.data(), parts.data(), group, rounds}, true);
        wrong += count_wrong_members(counters, parts, groups, members, rounds);
    }
    return wrong;
}

}  // namespace fuse::testing
