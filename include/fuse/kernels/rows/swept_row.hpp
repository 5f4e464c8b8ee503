// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a row a thread visits in each sweep: vectors that begin where the memory is aligned, and single elements
// in front of the first and behind the last of them, which the first threads of the row take.
#pragma once

#include "fuse/kernels/body/peeled_paths.hpp"
#include "fuse/kernels/body/span.hpp"

FUSE_BEGIN_NAMESPACE

/// Of thread t of n that share a row. A row that does not exist has no elements.
template <class P, int V>
struct AlignedShare {
    PeeledPaths paths;
    Span span;

    FUSE_HD AlignedShare(const Params<P>& p, index_t row, bool exists, index_t t, index_t n)
        : paths{detail::row_head<V>(p, row)}, thread_(t), threads_(n), size_(exists ? p.walked_size : 0) {
        const index_t head = paths.head < size_ ? paths.head : size_;
        paths.head = static_cast<int>(head);
        end_ = head + (size_ - head) / V * V;
        span = {head + t * V, n * V, end_};
    }
    /// Calls f(s) for the single elements.
    template <class F>
    FUSE_HD void for_singles(F&& f) const {
        const index_t singles = paths.head + (size_ - end_);
        FUSE_NO_UNROLL
        for (index_t i = thread_; i < singles; i += threads_) {
            f(i < paths.head ? i : i - paths.head + end_);
        }
    }

private:
    index_t thread_;
    index_t threads_;
    index_t size_;
    index_t end_;
};

/// The same by position: vectors begin with the row, the last of them may reach beyond its end. On the host, and where
/// the order of elements matters.
template <class P, int V>
struct LaidShare {
    detail::LaidPaths<> paths;
    Span span;

    FUSE_HD LaidShare(const Params<P>& p, index_t, bool exists, index_t t, index_t n)
        : span(thread_span<V, ordered_program<P>>(0, exists ? p.walked_size : 0, t, n)) {}
    template <class F>
    FUSE_HD void for_singles(F&&) const {}
};

FUSE_END_NAMESPACE
