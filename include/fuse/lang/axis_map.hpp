// SPDX-License-Identifier: Apache-2.0
//
// Where the axes of a node lie in the kernel's iteration space, as numbers. Nodes have rules on it, natural_map.hpp
// applies them.
#pragma once

#include <cstdint>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Domain axis of each axis of a node; `open` where not known yet.
struct AxisMap {
    static constexpr int open = 15;
    int rank = 0;
    int axis[max_rank] = {};
    bool consistent = true;
    bool crowded = false;  ///< an axis found no place in its order

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
        m.rank = static_cast<int>((bits >> 32) & 15U);
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
    /// Open entries become those of `likely`.
    constexpr void fill(const AxisMap& likely) {
        for (int i = 0; i < rank; ++i) {
            axis[i] = axis[i] == open ? likely.axis[i] : axis[i];
        }
    }
    /// The same, but none becomes an axis that another entry has: it is put between its neighbours then, if a domain of
    /// `domain` axes has one left there, else anywhere. Of a sum over axis 0 whose kept axis lies along axis 1 of three,
    /// axis 0.
    constexpr void fill_apart(const AxisMap& likely, int domain) {
        for (int i = rank - 1; i >= 0; --i) {
            if (axis[i] != open) {
                continue;
            }
            int below = i - 1;
            while (below >= 0 && axis[below] == open) {
                --below;
            }
            int place = likely.axis[i];
            if (has(place)) {
                const int first = below < 0 ? 0 : axis[below] + 1;
                int apart = (i + 1 < rank ? axis[i + 1] : domain) - 1;
                while (apart >= first && has(apart)) {
                    --apart;
                }
                crowded = crowded || apart < first;
                place = apart >= first ? apart : first_free(domain);
            }
            axis[i] = place;
        }
    }
    /// Whether no two axes lie along the same one.
    constexpr bool apart() const {
        std::uint32_t taken = 0;
        bool all = true;
        for (int i = 0; i < rank; ++i) {
            all = all && (axis[i] == open || ((taken >> axis[i]) & 1U) == 0);
            taken |= 1U << axis[i];
        }
        return all;
    }
    constexpr int first_free(int domain) const {
        int place = 0;
        while (place < domain && has(place)) {
            ++place;
        }
        return place;
    }
    constexpr bool has(int place) const {
        for (int i = 0; i < rank; ++i) {
            if (axis[i] == place) {
                return true;
            }
        }
        return false;
    }
    /// The domain axes of its axes, or of those among them that `chosen` has (bit i = axis i).
    constexpr std::uint32_t mask(std::uint32_t chosen = ~0U) const {
        std::uint32_t bits = 0;
        for (int i = 0; i < rank; ++i) {
            bits |= ((chosen >> i) & 1U) << axis[i];
        }
        return bits;
    }
};

FUSE_END_NAMESPACE
