// SPDX-License-Identifier: Apache-2.0
//
// Where the axes of each node lie in the kernel's iteration space. All statements of a kernel share one rectangular
// domain, whose rank is that of the deepest node. This file infers, bottom-up, for every node the domain axis of each
// of its axes: a node of full rank has the identity, a reduction drops (or keeps) axes of its operand, and operands of
// a map are aligned at the end. What stays unknown is filled from above by lower.hpp.
#pragma once

#include "fuse/lang/let.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/lang/reduce.hpp"
#include "fuse/lang/scan.hpp"
#include "fuse/lang/view.hpp"

FUSE_BEGIN_NAMESPACE

/// Domain axis of each axis of a node; `open` where not known yet.
struct AxisMap {
    static constexpr int open = 15;
    int rank = 0;
    int axis[max_rank] = {};
    bool consistent = true;

    /// The map as a number: a class-type template argument must not come near a kernel's type.
    constexpr std::uint64_t pack() const {
        std::uint64_t bits = static_cast<std::uint64_t>(rank) << 32;
        for (int i = 0; i < rank; ++i) {
            bits |= static_cast<std::uint64_t>(axis[i]) << (4 * i);
        }
        return bits;
    }
    static constexpr AxisMap unpack(std::uint64_t bits) {
        AxisMap m;
        m.rank = static_cast<int>(bits >> 32);
        for (int i = 0; i < m.rank; ++i) {
            m.axis[i] = static_cast<int>((bits >> (4 * i)) & 15U);
        }
        return m;
    }
    static constexpr AxisMap all_open(int rank) {
        AxisMap m;
        m.rank = rank;
        for (int i = 0; i < rank; ++i) {
            m.axis[i] = open;
        }
        return m;
    }
    /// Aligned at the end of a domain: the identity when the ranks are equal.
    static constexpr AxisMap trailing(int rank, int domain) {
        AxisMap m = all_open(rank);
        for (int i = 0; i < rank; ++i) {
            m.axis[i] = i + domain - rank;
        }
        return m;
    }
    /// The last `n` axes.
    constexpr AxisMap last(int n) const {
        AxisMap m = all_open(n);
        for (int i = 0; i < n; ++i) {
            m.axis[i] = axis[i + rank - n];
        }
        return m;
    }
    /// Takes over what `other`, aligned at the end, knows; notes a contradiction.
    constexpr void merge(const AxisMap& other) {
        consistent = consistent && other.consistent;
        for (int i = 0; i < other.rank; ++i) {
            int& mine = axis[i + rank - other.rank];
            if (mine == open) {
                mine = other.axis[i];
            } else if (other.axis[i] != open && other.axis[i] != mine) {
                consistent = false;
            }
        }
    }
    /// Open entries become those of the trailing alignment.
    constexpr void fill(int domain) { merge(last_resort(domain)); }
    constexpr std::uint32_t mask() const {
        std::uint32_t bits = 0;
        for (int i = 0; i < rank; ++i) {
            bits |= 1U << axis[i];
        }
        return bits;
    }

private:
    constexpr AxisMap last_resort(int domain) const {
        AxisMap m = trailing(rank, domain);
        for (int i = 0; i < rank; ++i) {
            m.axis[i] = axis[i] == open ? m.axis[i] : axis[i];
        }
        return m;
    }
};

/// Rank of the deepest node of an expression: the rank of the domain.
template <class E>
inline constexpr int deepest_rank = rank_v<E>;
template <class F, class... Args>
inline constexpr int deepest_rank<Map<F, Args...>> = detail::largest(0, deepest_rank<Args>...);
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
inline constexpr int deepest_rank<Reduce<Op, E, Mask, Keep, Acc>> = deepest_rank<E>;
template <class Op, class E, int Axis, bool Exclusive, class Acc>
inline constexpr int deepest_rank<Scan<Op, E, Axis, Exclusive, Acc>> = deepest_rank<E>;
template <class Name, class E>
inline constexpr int deepest_rank<Named<Name, E>> = deepest_rank<E>;
template <class F, int I, class E>
inline constexpr int deepest_rank<Bound<F, I, E>> = deepest_rank<E>;
template <class F, class Body, class... E>
inline constexpr int deepest_rank<Let<F, Body, E...>> = deepest_rank<Body>;
template <int Axis, class E>
inline constexpr int deepest_rank<ExpandDims<Axis, E>> = detail::largest(E::rank + 1, deepest_rank<E>);

/// What a node knows by itself about its axes in a domain of rank D.
template <class E, int D>
struct natural_map {
    static constexpr AxisMap value = E::rank == D ? AxisMap::trailing(D, D) : AxisMap::all_open(E::rank);
};

template <class F, class... Args, int D>
struct natural_map<Map<F, Args...>, D> {
    static constexpr AxisMap value = [] {
        constexpr int rank = Map<F, Args...>::rank;
        AxisMap m = rank == D ? AxisMap::trailing(D, D) : AxisMap::all_open(rank);
        (m.merge(natural_map<Args, D>::value), ...);
        return m;
    }();
};

template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc, int D>
struct natural_map<Reduce<Op, E, Mask, Keep, Acc>, D> {
    static constexpr AxisMap value = [] {
        constexpr AxisMap operand = natural_map<E, D>::value;
        AxisMap m;
        m.consistent = operand.consistent;
        for (int i = 0; i < operand.rank; ++i) {
            if (Keep || ((Mask >> i) & 1U) == 0) {
                m.axis[m.rank++] = operand.axis[i];
            }
        }
        return m;
    }();
};

template <class Op, class E, int Axis, bool Exclusive, class Acc, int D>
struct natural_map<Scan<Op, E, Axis, Exclusive, Acc>, D> : natural_map<E, D> {};

template <class Name, class E, int D>
struct natural_map<Named<Name, E>, D> : natural_map<E, D> {};
template <class F, int I, class E, int D>
struct natural_map<Bound<F, I, E>, D> : natural_map<E, D> {};
template <class F, class Body, class... E, int D>
struct natural_map<Let<F, Body, E...>, D> : natural_map<Body, D> {};

template <int Axis, class E, int D>
struct natural_map<ExpandDims<Axis, E>, D> {
    static constexpr AxisMap value = [] {
        constexpr AxisMap operand = natural_map<E, D>::value;
        AxisMap m = AxisMap::all_open(operand.rank + 1);
        m.consistent = operand.consistent;
        for (int i = 0; i < operand.rank; ++i) {
            m.axis[i + (i >= Axis ? 1 : 0)] = operand.axis[i];
        }
        if (m.rank == D) {
            m.merge(AxisMap::trailing(D, D));
        }
        return m;
    }();
};

/// Axes of a reduction's operand, given those of its result: what the operand knows, then what the result knows.
template <class R, int D>
constexpr AxisMap operand_map(const AxisMap& result, const AxisMap& known) {
    AxisMap m = known;
    int next = 0;
    for (int i = 0; i < m.rank; ++i) {
        const bool kept = ((R::mask >> i) & 1U) == 0;
        if (kept || R::keep) {
            const int from_result = result.axis[next++];
            if (m.axis[i] == AxisMap::open) {
                m.axis[i] = from_result;
            } else if (kept && m.axis[i] != from_result) {
                m.consistent = false;
            }
        }
    }
    m.fill(D);
    for (int i = 0; i < m.rank; ++i) {
        for (int j = 0; j < i; ++j) {
            m.consistent = m.consistent && m.axis[i] != m.axis[j];
        }
    }
    return m;
}

FUSE_END_NAMESPACE
