// SPDX-License-Identifier: Apache-2.0
//
// How steps 1 to 3 sum any length: a launch turns n items into one sum per segment, the next launch sums those, until
// one is left. Three launches for 2^28 items. (The textbook's kernels stop at one block and one segment.)
#pragma once

#include "../../timing.cuh"
#include "convergent.cuh"
#include "shared.cuh"
#include "simple.cuh"

namespace bench::reduction {

inline constexpr std::size_t segment_items = 2 * block_threads;

inline std::size_t segments(std::size_t n) {
    return (n + segment_items - 1) / segment_items;
}

/// Memory for the levels of up to `n` items: the trees of steps 1 and 2, and the sums of two levels in turn.
class Levels {
public:
    explicit Levels(std::size_t n)
        : tree_(segments(n) * block_threads), even_(segments(n)), odd_(segments(segments(n))) {}

    void simple(const float* x, float* out, std::size_t n) {
        fold(x, out, n, [this](const float* from, float* to, std::size_t count) {
            simple_sum<<<unsigned(segments(count)), block_threads>>>(from, tree_.get(), to, count);
        });
    }
    void convergent(const float* x, float* out, std::size_t n) {
        fold(x, out, n, [this](const float* from, float* to, std::size_t count) {
            convergent_sum<<<unsigned(segments(count)), block_threads>>>(from, tree_.get(), to, count);
        });
    }
    void shared(const float* x, float* out, std::size_t n) {
        fold(x, out, n, [](const float* from, float* to, std::size_t count) {
            shared_sum<<<unsigned(segments(count)), block_threads>>>(from, to, count);
        });
    }

private:
    template <class Launch>
    void fold(const float* x, float* out, std::size_t n, Launch&& launch) {
        bool even = true;
        while (n > segment_items) {
            float* sums = even ? even_.get() : odd_.get();
            launch(x, sums, n);
            x = sums;
            n = segments(n);
            even = !even;
        }
        launch(x, out, n);
    }

    Buffer<float> tree_, even_, odd_;
};

}  // namespace bench::reduction
