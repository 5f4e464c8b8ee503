// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a row a thread holds: vectors, and, where rows do not begin and end with a vector, single elements
// of their ends. Positions beyond the row are moved back into it, so that every functor sees valid elements and
// evaluation needs no branch (a branch would keep the compiler from reusing exp(x - max) of one phase in the next);
// what was duplicated is masked where it is folded or written.
#pragma once

#include "fuse/kernels/body/peeled_paths.hpp"
#include "fuse/kernels/rows/ladder.hpp"

FUSE_BEGIN_NAMESPACE

/// Thread `thread` of `threads` that share a row of `size` elements: vectors of V in [head, end), `threads` of them
/// apart, and single elements of what is left at both ends. active: there is a row. All: it is not asked how many of these
/// there are.
template <int V, int Ends, bool All = false>
struct HeldRow {
    /// Single elements per thread, at the most, and of a row.
    static constexpr int singles = Ends != RowEnds::none ? peeled_ends(V) : 0;
    static constexpr bool has_all = All;
    static_assert(Ends != RowEnds::vectors || static_cast<int>(pieces_min_threads) * singles >= 4 * V - 2);
    static constexpr int most_singles = Ends == RowEnds::vectors ? 4 * V - 2 : 2 * V - 2;

    int head;
    int end;
    int size;
    int first;
    int step;
    bool active;

    template <class P>
    FUSE_HD HeldRow(const Params<P>& p, index_t row, unsigned t, unsigned n, bool exists)
        : head(0), end(static_cast<int>(p.walked_size)), size(end), first(static_cast<int>(t) * V),
          step(static_cast<int>(n) * V), active(exists) {
        if constexpr (Ends != RowEnds::none) {
            head = detail::row_head<V>(p, row);
            end = head + (size - head) / V * V;
        }
        if constexpr (Ends == RowEnds::vectors) {
            head += V;
            end -= V;
        }
    }

    /// To the compiler, another place: else it would work out all that follows from it once for all rows, the positions of
    /// items one by one, and spill.
    FUSE_HD void forget() {
#if FUSE_ON_DEVICE
        asm volatile("" : "+r"(first));
#endif
    }

    template <bool Narrow>
    FUSE_HD PeeledPathsOf<Narrow> paths() const {
        return {head};
    }

    FUSE_HD int position(int j) const {
        const int s = own(j);
        return s < end ? s : end - V;
    }
    FUSE_HD bool inside(int j) const {
        return active && own(j) < end;
    }

    /// Whether some thread has a vector number j.
    FUSE_HD bool has_vector(int j) const {
        return j * step + V <= size;
    }
    /// Whether some thread needs a single element number j: of as many threads as there are such elements none has two.
    FUSE_HD bool has_single(int j) const {
        return j == 0 || j * step < most_singles * V;
    }
    FUSE_HD int single_position(int j) const {
        const int s = own_single(j);
        return s < size ? s : size - 1;
    }
    FUSE_HD bool single_inside(int j) const {
        return active && own_single(j) < size;
    }

private:
    FUSE_HD int own(int j) const {
        return head + first + j * step;
    }
    FUSE_HD int own_single(int j) const {
        const int s = first / V + j * (step / V);
        return s < head ? s : s + (end - head);
    }
};

FUSE_END_NAMESPACE
