// SPDX-License-Identifier: Apache-2.0
//
// Whether what a step has lies where it lay in the statements from which the step was cut. Of the domain of these a step
// may lack axes; in which order those come that it has is its own affair.
#pragma once

#include <tuple>

#include "fuse/plan/cut_reductions.hpp"
#include "fuse/plan/lower_statements.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Which axes of a step are which ones of the statements, from the places of its parts in both.
class SamePlaces {
public:
    constexpr void note(const AxisMap& in_statements, const AxisMap& in_step) {
        same_ = same_ && in_step.consistent;
        for (int i = 0; i < in_statements.rank; ++i) {
            int& there = there_[in_statements.axis[i]];
            same_ = same_ && (there == 0 || there == in_step.axis[i] + 1);
            there = in_step.axis[i] + 1;
        }
    }
    constexpr bool hold() const {
        bool apart = true;
        for (int i = 0; i <= max_rank; ++i) {
            for (int before = 0; before < i; ++before) {
                apart = apart && (there_[i] == 0 || there_[i] != there_[before]);
            }
        }
        return same_ && apart;
    }

private:
    bool same_ = true;
    int there_[max_rank + 1] = {};  ///< counted from 1; 0 where nothing lies
};

/// Notes the places of all that folds. L: a Lower of the statements, Own: of the same in step Step of Steps.
template <class Steps, int Step, class L, class Own, class Needless>
constexpr void note_places(SamePlaces& places);
/// Those of a leaf, of which there are none.
template <class Steps, int Step, class L, class Own, class Needless>
constexpr void note_operands(SamePlaces&, ...) {}
template <class Steps, int Step, class L, class Own, class Needless, class F, class... Args, class... OwnArgs>
constexpr void note_operands(SamePlaces& places, std::type_identity<Map<F, Args...>>,
                             std::type_identity<Map<F, OwnArgs...>>) {
    [&places]<int... I>(std::integer_sequence<int, I...>) {
        (note_places<Steps, Step, typename L::template child<Args, I>, typename Own::template child<OwnArgs, I>,
                     Needless>(places),
         ...);
    }
    (std::make_integer_sequence<int, static_cast<int>(sizeof...(Args))>{});
}
template <class Steps, int Step, class L, class Own, class Needless>
constexpr void note_places(SamePlaces& places) {
    if constexpr (requires { typename L::operand; }) {
        if constexpr (!Steps::template computed_elsewhere<Step, L, Needless>()) {
            places.note(L::inner, Own::inner);
            note_places<Steps, Step, typename L::operand, typename Own::operand, needless_within<L, Needless>>(places);
        }
    } else {
        note_operands<Steps, Step, L, Own, Needless>(places, std::type_identity<typename lowered_node<L>::node>{},
                                                     std::type_identity<typename lowered_node<Own>::node>{});
    }
}

/// What lies inside the lets and parts in List.
template <class Own, class List>
struct within_lets {
    using type = Own;
};
template <class Own, class F, class... More>
struct within_lets<Own, type_list<F, More...>> {
    using type = typename within_lets<Own, type_list<More...>>::type::operand;
};

/// Step of Steps, whose statements are Own, in that order.
template <class Steps, int Step, class... Own>
struct PlacesInStep {
    using own = typename LowerStatements<Own...>::all::roots;
    static constexpr bool carries(int i) { return Steps::order.carried[i] && Steps::order.of_reduction[i] == Step; }
    static constexpr int carried_before(int i) { return i == 0 ? 0 : carried_before(i - 1) + (carries(i - 1) ? 1 : 0); }
    static constexpr int roots_before(int i) {
        return i == 0 ? carried_before(Steps::reductions)
                      : roots_before(i - 1) + (Steps::order.of_root[i - 1] == Step ? 1 : 0);
    }

    SamePlaces places{};
    template <int I>
    constexpr void note_carried() {
        if constexpr (carries(I)) {
            using L = typename Steps::template first_of<I>;
            using R = typename within_lets<at_t<own, carried_before(I)>, typename Steps::template lets_of<I>>::type;
            places.note(L::inner, R::inner);
            note_places<Steps, Step, typename L::operand, typename R::operand, needless_within<L, void>>(places);
        }
    }
    template <int I>
    constexpr void note_root() {
        if constexpr (Steps::order.of_root[I] == Step) {
            using L = at_t<typename Steps::roots, I>;
            using R = at_t<own, roots_before(I)>;
            places.note(lowered_node<L>::axes, lowered_node<R>::axes);
            note_places<Steps, Step, L, R, void>(places);
        }
    }
};

/// Whether all that a step folds and writes lies where it lay, without a word about it. Own: its statements.
template <class Steps, int Step, class Own>
inline constexpr bool keeps_places = false;
template <class Steps, int Step, class... Own>
inline constexpr bool keeps_places<Steps, Step, std::tuple<Own...>> = [] {
    PlacesInStep<Steps, Step, Own...> all;
    [&all]<int... R, int... I>(std::integer_sequence<int, R...>, std::integer_sequence<int, I...>) {
        (all.template note_carried<R>(), ...);
        (all.template note_root<I>(), ...);
    }
    (std::make_integer_sequence<int, Steps::reductions>{}, std::make_integer_sequence<int, Steps::roots::size>{});
    return LowerStatements<Own...>::refusal == Refusal::none && all.places.hold();
}();

}  // namespace detail

FUSE_END_NAMESPACE
