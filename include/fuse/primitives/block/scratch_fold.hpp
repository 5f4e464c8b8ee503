// SPDX-License-Identifier: Apache-2.0
//
// The fold that works for any block shape: every thread puts its value into shared memory and, after a
// barrier, folds its group's values in order. Groups longer than 32 take two levels, so that a group of n
// costs about 2 sqrt(n) steps in sequence and a second barrier. It is the way of wide columns (BlockYReduce), and of
// rows that do not line up with warps.
#pragma once

#include "fuse/primitives/machine/block_traits.hpp"
#include "fuse/primitives/thread/result_mode.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

inline constexpr unsigned scratch_fold_one_level = 32;

/// Values a thread folds at the first level: about sqrt(count), odd so that neighbouring threads, which start
/// that far apart, meet different banks.
FUSE_HD constexpr unsigned scratch_fold_chunk(unsigned count) {
    unsigned chunk = 1;
    while (chunk * chunk < count) {
        chunk *= 2;
    }
    return chunk + 1;
}

FUSE_HD constexpr unsigned scratch_fold_chunks(unsigned count) {
    const unsigned chunk = scratch_fold_chunk(count);
    return (count + chunk - 1) / chunk;
}

/// Values that `groups` groups of `count` threads keep in scratch.
FUSE_HD constexpr unsigned scratch_fold_slots(unsigned count, unsigned groups) {
    return groups * (count <= scratch_fold_one_level ? count : count + scratch_fold_chunks(count));
}

/// Where a thread stands: it is number `rank` of the `count` threads of group `group` out of `groups`. With
/// interleaved groups (columns) the neighbours in a group are `groups` slots apart, else they are adjacent.
struct GroupMember {
    unsigned rank;
    unsigned count;
    unsigned group;
    unsigned groups;
    bool interleaved;
};

/// A group's values in scratch: value i is values[i * stride].
template <class A>
struct ScratchValues {
    A* slots;  ///< of all groups
    A* values;
    unsigned stride;
};

/// Puts the values of all threads into scratch. One barrier.
template <ThreadBlock B, class A>
FUSE_HD ScratchValues<A> share_values(B& block, const A& value, const GroupMember& me) {
    const unsigned stride = me.interleaved ? me.groups : 1;
    A* slots = block.template scratch<A>(scratch_fold_slots(me.count, me.groups));
    A* values = slots + (me.interleaved ? me.group : me.group * me.count);
    values[me.rank * stride] = value;
    block.sync();
    return {slots, values, stride};
}

/// The second level: fold number i of a group's `count` chunks, of `length` values each, is partials[i * stride].
template <class A>
struct ScratchChunks {
    A* partials;
    unsigned length;
    unsigned count;
};

/// Folds the chunks of a group and shares the results. fold(values, first, end) folds values first .. end - 1 of a
/// group. One barrier.
template <ThreadBlock B, class A, class Fold>
FUSE_HD ScratchChunks<A> share_chunks(B& block, const ScratchValues<A>& group, const GroupMember& me,
                                      const Fold& fold) {
    const unsigned length = scratch_fold_chunk(me.count);
    const unsigned chunks = (me.count + length - 1) / length;
    A* partials = group.slots + me.count * me.groups + (me.interleaved ? me.group : me.group * chunks);
    if (me.rank < chunks) {
        const unsigned first = me.rank * length;
        const unsigned end = first + length < me.count ? first + length : me.count;
        partials[me.rank * group.stride] = fold(group.values, first, end);
    }
    block.sync();
    return {partials, length, chunks};
}

/// Up to this many values every thread of a group folds for itself, which saves a barrier.
inline constexpr unsigned scratch_fold_by_all = 4;

/// Four slots at a time, of which two pairs fold independently: a third of the dependent steps. Large values go one by
/// one, as their registers are scarcer.
template <class A, class R>
FUSE_HD A fold_strided(const A* slots, unsigned count, unsigned stride, const R& r) {
    A acc = slots[0];
    unsigned k = 1;
    if constexpr (sizeof(A) <= 32) {
        const auto four = [&](const A* s) FUSE_INLINE_LAMBDA {
            return r.combine(r.combine(s[0], s[stride]), r.combine(s[2 * stride], s[3 * stride]));
        };
        if (count >= 4) {
            acc = four(slots);
            for (k = 4; k + 4 <= count; k += 4) {
                acc = r.combine(acc, four(slots + k * stride));
            }
        }
    }
    for (; k < count; ++k) {
        acc = r.combine(acc, slots[k * stride]);
    }
    return acc;
}

/// One level. Columns of more than a few values are folded by the threads of rank 0 alone, which are neighbours, and a
/// second barrier broadcasts the results. Rows have a thread of rank 0 in every warp: there that would save nothing.
template <class Mode, ThreadBlock B, class A, class R>
FUSE_HD A scratch_fold_once(B& block, A acc, A* values, const R& r, const GroupMember& me, unsigned stride) {
    const bool by_all = Mode::all && (!me.interleaved || me.count <= scratch_fold_by_all);
    if (by_all || me.rank == 0) {
        acc = fold_strided(values, me.count, stride, r);
    }
    if (Mode::all && !by_all) {
        if (me.rank == 0) {
            values[0] = acc;
        }
        block.sync();
        acc = values[0];
    }
    return acc;
}

template <class Mode, ThreadBlock B, class A, class R>
FUSE_HD A scratch_fold(B& block, A acc, const R& r, GroupMember me) {
    const ScratchValues<A> group = share_values(block, acc, me);
    if (me.count <= scratch_fold_one_level) {
        return scratch_fold_once<Mode>(block, acc, group.values, r, me, group.stride);
    }
    const auto fold = [&](const A* values, unsigned first, unsigned end) FUSE_INLINE_LAMBDA {
        return fold_strided(values + first * group.stride, end - first, group.stride, r);
    };
    const ScratchChunks<A> chunks = share_chunks(block, group, me, fold);
    return Mode::all || me.rank == 0 ? fold(chunks.partials, 0, chunks.count) : acc;
}

}  // namespace detail

FUSE_END_NAMESPACE
