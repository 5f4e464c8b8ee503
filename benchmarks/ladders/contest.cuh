// SPDX-License-Identifier: Apache-2.0
//
// Several programs for one task, timed side by side. Clocks and temperatures drift, so the contenders take turns
// (A B C A B C ...) instead of being timed one after the other; otherwise as in timing.cuh.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../timing.cuh"
#include "data.cuh"

namespace bench {

struct Contender {
    std::string name;
    std::size_t segment;           ///< items that one block handles by itself; 0: not ours to say
    std::function<void(int)> run;  ///< on the k-th set of buffers
    double error = 0;              ///< on uniform data, relative to the sum of absolute values
    bool right = true;
    Stats flushed = {};
    Stats rotating = {};

    /// Takes note of the error on one kind of data; says so if it is too large.
    void judge(Data kind, double found, std::size_t n) {
        if (kind == Data::uniform) {
            error = found;
        }
        if (!(found <= tolerance(kind, n))) {
            std::printf("%-28s n = %zu, %s: WRONG, error %.3g > %.3g\n", name.c_str(), n, name_of(kind), found,
                        tolerance(kind, n));
            right = false;
        }
    }
};

/// Single runs of each in turn, the L2 overwritten before every one.
inline void time_flushed(std::vector<Contender*>& contenders, int repetitions = 60) {
    Stopwatch time;
    std::vector<std::vector<float>> us(contenders.size());
    for (int i = -3; i < repetitions; ++i) {
        for (std::size_t c = 0; c < contenders.size(); ++c) {
            overwrite_l2(i);
            const float taken = time([&] { contenders[c]->run(0); });
            if (i >= 0) {
                us[c].push_back(taken);
            }
        }
    }
    for (std::size_t c = 0; c < contenders.size(); ++c) {
        contenders[c]->flushed = statistics(us[c]);
    }
}

/// Batches of each in turn, every batch a loop that goes round `sets` sets of buffers.
inline void time_rotating(std::vector<Contender*>& contenders, int sets, int batches = 15) {
    Stopwatch time;
    const int per_batch = std::max(sets, 8);
    std::vector<std::vector<float>> us(contenders.size());
    for (int b = -2; b < batches; ++b) {
        for (std::size_t c = 0; c < contenders.size(); ++c) {
            const float taken = time([&] {
                for (int i = 0; i < per_batch; ++i) {
                    contenders[c]->run(i % sets);
                }
            });
            if (b >= 0) {
                us[c].push_back(taken / static_cast<float>(per_batch));
            }
        }
    }
    for (std::size_t c = 0; c < contenders.size(); ++c) {
        contenders[c]->rotating = statistics(us[c]);
    }
}

/// Times those that are right.
inline void time_all(std::vector<Contender>& contenders, int sets) {
    std::vector<Contender*> right;
    for (Contender& c : contenders) {
        if (c.right) {
            right.push_back(&c);
        }
    }
    time_flushed(right);
    time_rotating(right, sets);
    check(cudaGetLastError(), "timing");
}

/// Items between two sets: whole cache lines, so that every set is aligned like the first.
inline std::size_t set_stride(std::size_t n) {
    return (n + 63) / 64 * 64;
}

}  // namespace bench
