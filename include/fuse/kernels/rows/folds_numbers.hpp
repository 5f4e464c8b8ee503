// SPDX-License-Identifier: Apache-2.0
//
// Which programs fold rows to numbers: short rows of theirs are taken together by a host thread (rows_together.hpp).
#pragma once

#include "fuse/plan/costly_calls.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Elements of the shortest and the longest row that is taken together with others: of fewer elements more rows are taken
/// side by side, which serves several sweeps better than one.
constexpr index_t shortest_row_together(bool one_phase) {
    return one_phase ? 8 : 33;
}
inline constexpr index_t longest_row_together = 256;
/// Its bytes: the trees of a longer row are faster than the few lanes of this one.
inline constexpr index_t longest_bytes_together = 1024;

template <class Phases>
inline constexpr bool light_numbers = false;
template <class... Ph>
inline constexpr bool light_numbers<type_list<Ph...>> = (light_numbers<Ph> && ...);
template <class... R>
inline constexpr bool light_numbers<Phase<R...>> =
    ((std::is_arithmetic_v<typename R::reduction_op::accumulator> && !R::reduction_op::has_index &&
      std::is_same_v<typename costly_calls<typename R::expression>::type, type_list<>>)&&...);

/// All that is folded are numbers in any order, of what costs an instruction or two.
template <class Pl, Target T>
inline constexpr bool folds_numbers = [] {
    using facts = program_facts<Pl, T>;
    constexpr ProgramFacts value = facts::value;
    if constexpr (std::is_same_v<T, Cpu> && value.reduces && !value.epilogue && !value.full && !value.ordered &&
                  !facts::columns && !facts::scan && !facts::sort) {
        return light_numbers<typename Pl::program::phases>;
    } else {
        return false;
    }
}();

}  // namespace detail

FUSE_END_NAMESPACE
