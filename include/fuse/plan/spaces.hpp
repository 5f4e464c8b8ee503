// SPDX-License-Identifier: Apache-2.0
//
// Which values have extents in common, whatever these are when the program runs: those that share a view, or share one with
// a third. What is folded to a scalar and shares none with the values beside it may be a step with extents of its own.
#pragma once

#include "fuse/lang/node.hpp"
#include "fuse/plan/nodes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Of each leaf that is a part of an array something that says of which one, and where: &part_key<Name>. Two parts of one
/// type along the same axes may have extents in common, two rows of a matrix; of others, rows and columns, that is not known.
template <class Name>
inline constexpr char part_key = 0;
/// Also along which axes of the domain a leaf is cut out of an array.
struct PartKeys {
    const char* of[64] = {};
    std::uint32_t cut[64] = {};
};

/// These leaves, and all parts that may have their extents.
constexpr bit_set with_parts_alike(const Nodes& n, bit_set own, const PartKeys& parts) {
    bit_set all = own;
    for (int i = 0; i < n.leaves; ++i) {
        for (int other = 0; in_set(own, i) && parts.of[i] != nullptr && other < n.leaves; ++other) {
            const bool alike = parts.of[other] == parts.of[i] && n.leaf_node(other).axes == n.leaf_node(i).axes;
            all |= alike ? set_of(other) : 0;
        }
    }
    return all;
}

/// What has extents in a program are the operands of its reductions, which come first, and the expressions of statements.
/// Values: how many there are.
template <int Values>
class Spaces {
public:
    constexpr explicit Spaces(const Nodes& n, const PartKeys& parts = {}) : n_(n) {
        bit_set views = 0;
        for (int i = 0; i < n_.leaves; ++i) {
            views |= n_.leaf_node(i).kind < NodeKind::scalar ? set_of(i) : 0;
        }
        for (int i = 0; i < Values; ++i) {
            views_[i] = with_parts_alike(n_, leaves_in(value(i)) & views, parts);
        }
    }
    /// All views that have extents in common with those in a value.
    constexpr bit_set around(int i) const {
        bit_set space = views_[i];
        bit_set before = 0;
        while (space != before) {
            before = space;
            for (int other = 0; other < Values; ++other) {
                space |= (views_[other] & space) != 0 ? views_[other] : 0;
            }
        }
        return space;
    }
    /// Whether something is folded to a scalar that has no extents in common with what lies along the same axes.
    constexpr bool folds_apart() const {
        bool apart = false;
        for (int i = 0; i < n_.reductions; ++i) {
            const bit_set space = n_.reduction_node(i).varies == 0 ? around(i) : 0;
            for (int other = 0; space != 0 && other < Values; ++other) {
                const bool along = (value(other).varies & value(i).varies) != 0;
                apart = apart || (along && views_[other] != 0 && (views_[other] & space) == 0);
            }
        }
        return apart;
    }

private:
    constexpr const NodeRecord& value(int i) const {
        return i < n_.reductions ? n_.operand_of(n_.reduction_node(i)) : n_.root_node(i - n_.reductions);
    }
    /// Those in results, too, that have extents of theirs. What a reduction reads stands before it.
    constexpr bit_set leaves_in(const NodeRecord& value) const {
        bit_set leaves = value.leaves;
        bit_set results = value.results;
        for (int i = n_.reductions - 1; i >= 0; --i) {
            const NodeRecord& r = n_.reduction_node(i);
            if (in_set(results, i) && r.varies != 0) {
                leaves |= n_.operand_of(r).leaves;
                results |= n_.operand_of(r).results;
            }
        }
        return leaves;
    }

    const Nodes& n_;
    bit_set views_[Values] = {};
};

/// Whether something is folded apart in the program of a graph. Several: it has several leaves, and folds.
template <bool Several, class Graph>
inline constexpr bool folds_apart = false;
template <class Graph>
inline constexpr bool
    folds_apart<true, Graph> = Spaces<Graph::nodes.reductions + Graph::nodes.roots>(Graph::nodes).folds_apart();

/// Whether an expression has a view with Names::is<name>, or a window (lang/window.hpp) with Names::in_windows<its source's>.
/// A variable, so that what stands in several places is looked into once.
template <class N, class Names>
constexpr bool finds_view();
template <class N, class Names>
inline constexpr bool has_view = finds_view<N, Names>();
template <class Names, class... E>
constexpr bool finds_view_in(operand_types<E...>) {
    return (false || ... || has_view<E, Names>);
}
template <class N, class Names>
constexpr bool finds_view() {
    if constexpr (N::reads && !requires { N::in_memory; }) {
        return Names::template is<typename N::name_type>;
    } else if constexpr (N::reads) {
        return Names::template in_windows<typename N::source_name>;
    } else {
        return finds_view_in<Names>(typename N::operands{});
    }
}
/// What a window reads lies elsewhere than all others do.
struct NoNames {
    template <class Name>
    static constexpr bool is = std::is_same_v<Name, unnamed>;
    template <class Name>
    static constexpr bool in_windows = false;
};
struct PartNames {
    template <class Name>
    static constexpr bool is = !is_named<Name> && requires {
        Name::place;
    };  // else extents alone, as of arange
    template <class Name>
    static constexpr bool in_windows = !std::is_same_v<Name, unnamed>;
};

/// Whether two leaves of an expression are two arrays, or parts of one: a view without a name is another leaf wherever it
/// stands.
template <class N>
constexpr bool has_names() {
    return !has_view<N, NoNames>;
}
template <class N>
constexpr bool has_parts() {
    return has_view<N, PartNames>;
}

}  // namespace detail

FUSE_END_NAMESPACE
