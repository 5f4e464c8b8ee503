// SPDX-License-Identifier: Apache-2.0
//
// Values of costly calls (plan/costly_calls.hpp) that a host thread keeps while it goes through a row. A sweep computes
// those of a chunk before it folds them. What a later sweep of the row asks for again is kept for the whole row, if that
// is not too long: exp(x - max), of which softmax first needs the sum.
#pragma once

#include "fuse/kernels/body/chunk_folds.hpp"
#include "fuse/kernels/body/row_constants.hpp"
#include "fuse/kernels/body/row_views.hpp"
#include "fuse/kernels/body/spare_memory.hpp"
#include "fuse/numeric.hpp"
#include "fuse/plan/costly_calls.hpp"

FUSE_BEGIN_NAMESPACE

/// What a host thread asks about a chunk of a row.
template <class P>
using ChunkContext = RowContext<P, chunk_items, RowViews<P, chunk_items>>;

namespace detail {

/// Bytes of the calls that are kept from sweep to sweep: what the level-2 cache of a core holds, beside what is read and
/// written.
inline constexpr index_t kept_row_bytes = 256 * 1024;

template <class P, class E>
using call_value_t = decltype(Evaluate<E>::at(std::declval<const ChunkContext<P>&>(), 0));

/// A list without the calls that are no numbers or the same along the row.
template <class P, class List>
struct kept_calls;
template <class P, class... E>
struct kept_calls<P, type_list<E...>> {
    template <class One>
    static constexpr bool keeps = std::is_arithmetic_v<call_value_t<P, One>> && !same_for_all<One, ChunkContext<P>>;
    using type = concat_t<type_list<>, std::conditional_t<keeps<E>, type_list<E>, type_list<>>...>;
};

/// The calls that sweeps of a phase keep.
template <class P, class Ph>
struct calls_of_phase;
template <class P, class... R>
struct calls_of_phase<P, Phase<R...>> {
    using type =
        typename kept_calls<P, unite_t<type_list<>, typename costly_calls<typename R::expression>::type...>>::type;
};

/// Whether a phase, an output asks for a call.
template <class Call, class Ph>
inline constexpr bool phase_asks = false;
template <class Call, class... R>
inline constexpr bool phase_asks<Call, Phase<R...>> = (contains_call<typename R::expression, Call> || ...);
template <class Call, class Outputs>
inline constexpr bool outputs_ask = false;
template <class Call, class... O>
inline constexpr bool outputs_ask<Call, type_list<O...>> =
    ((O::extent == kir::Extent::item && contains_call<typename O::expression, Call>) || ...);

/// The members of a list for which Member<E>::value.
template <class List, template <class> class Member>
struct filtered;
template <class... E, template <class> class Member>
struct filtered<type_list<E...>, Member> {
    using type = concat_t<type_list<>, std::conditional_t<Member<E>::value, type_list<E>, type_list<>>...>;
};

/// The calls of the first N phases of program P.
template <class P, int N>
struct calls_before {
    using type = unite_t<typename calls_before<P, N - 1>::type,
                         typename calls_of_phase<P, at_t<typename P::phases, N - 1>>::type>;
};
template <class P>
struct calls_before<P, 0> {
    using type = type_list<>;
};

/// In the sweep of phase I: calls that are computed for the first time, and those of before that are asked for again.
template <class P, int I>
struct calls_in {
    using phase = at_t<typename P::phases, I>;
    using before = typename calls_before<P, I>::type;
    template <class E>
    struct is_new : std::bool_constant<(index_of<before, E> < 0)> {};
    template <class E>
    struct is_old : std::bool_constant<phase_asks<E, phase>> {};
    using fresh = typename filtered<typename calls_of_phase<P, phase>::type, is_new>::type;
    using again = typename filtered<before, is_old>::type;
};
/// The same of the outputs: again alone.
template <class P>
struct calls_in_outputs {
    template <class E>
    struct is_old : std::bool_constant<outputs_ask<E, typename P::outputs>> {};
    using again = typename filtered<typename calls_before<P, P::phases::size>::type, is_old>::type;
};

/// The calls that more than one sweep asks for.
template <class P, class Sequence = std::make_integer_sequence<int, P::phases::size>>
struct calls_again;
template <class P, int... I>
struct calls_again<P, std::integer_sequence<int, I...>> {
    using type = unite_t<typename calls_in_outputs<P>::again, typename calls_in<P, I>::again...>;
};

/// Room for N values of each call of a list.
template <class P, class List, index_t N>
struct CallMemory;
template <class P, class... E, index_t N>
struct CallMemory<P, type_list<E...>, N> {
    template <class T>
    struct alignas(64) Values {
        T item[N];
    };
    Tuple<Values<call_value_t<P, E>>...> values;

    /// of call E.
    template <class Call>
    FUSE_HD auto* of() {
        return get<index_of<type_list<E...>, Call>>(values).item;
    }
};

template <class T>
struct ItemValues {
    const T* items;

    FUSE_HD T at(int v) const { return items[v]; }
};

/// Where values of calls lie that several sweeps ask for.
template <class P, class List>
struct KeptLayout;
template <class P, class... E>
struct KeptLayout<P, type_list<E...>> {
    /// Of one element.
    static constexpr index_t bytes = (index_t{0} + ... + static_cast<index_t>(sizeof(call_value_t<P, E>)));

    /// For how many elements they are kept, no fewer than N.
    template <int N>
    static constexpr index_t most = largest<index_t>(N, kept_row_bytes / largest<index_t>(1, bytes));
    /// Where they take no more they lie on the stack, which is nearer than other memory.
    static constexpr index_t stack_bytes = bytes > 0 ? 32 * 1024 : 0;

    /// Of the calls before call E, per element.
    template <class Call>
    static constexpr index_t before = [] {
        index_t sum = 0;
        bool found = false;
        ((found = found || std::is_same_v<E, Call>,
          sum += found ? 0 : static_cast<index_t>(sizeof(call_value_t<P, E>))),
         ...);
        return sum;
    }();
};

}  // namespace detail

/// The calls of n elements that sweeps go through, N of them at a time. Once: those that one sweep asks for; Again: those
/// that several do.
template <class P, class Once, class Again, int N>
class KeptCalls {
public:
    FUSE_HD explicit KeptCalls(index_t n)
        : keeps_(n <= Layout::template most<N>), items_(keeps_ ? (n + 63) / 64 * 64 : N),
          spare_(Layout::bytes * items_ > Layout::stack_bytes ? static_cast<std::size_t>(Layout::bytes * items_) : 0),
          again_(Layout::bytes * items_ > Layout::stack_bytes ? spare_.data() : stack_) {}
    KeptCalls(const KeptCalls&) = delete;
    KeptCalls& operator=(const KeptCalls&) = delete;

    /// The context of the `left` elements from number s on with the calls in Fresh and Known computed, those in Known only if no
    /// sweep before has left them.
    template <class Fresh, class Known, class Context>
    FUSE_HD auto with(const Context& c, index_t s, index_t left) {
        if constexpr (Known::size > 0) {
            if (!keeps_) {
                compute(c, s, left, Known{});
            }
            const auto known = with_values(c, s, Known{});
            compute(known, s, left, Fresh{});
            return with_values(known, s, Fresh{});
        } else {
            compute(c, s, left, Fresh{});
            return with_values(c, s, Fresh{});
        }
    }

private:
    using Layout = detail::KeptLayout<P, Again>;

    template <class Call>
    FUSE_HD auto* values(index_t s) {
        if constexpr (index_of<Again, Call> >= 0) {
            auto* const first = again_ + Layout::template before<Call> * items_;
            return reinterpret_cast<detail::call_value_t<P, Call>*>(first) + (keeps_ ? s : 0);
        } else {
            return once_.template of<Call>();
        }
    }
    template <class Context, class... E>
    FUSE_HD void compute(const Context& c, index_t s, index_t left, type_list<E...>) {
        if constexpr (sizeof...(E) > 0) {
            const Tuple<detail::call_value_t<P, E>*...> to{{values<E>(s)}...};
            detail::in_best_form<N, E...>(c, left, [&]<class... Form>() FUSE_INLINE_LAMBDA {
                for_items<N, true>(left, [&](int v) FUSE_INLINE_LAMBDA {
                    static_for<sizeof...(E)>([&]<int J>() FUSE_INLINE_LAMBDA {
                        get<J>(to)[v] = Evaluate<at_t<type_list<Form...>, J>>::at(c, v);
                    });
                });
            });
        }
    }
    template <class Context, class... E>
    FUSE_HD auto with_values(const Context& c, index_t s, type_list<E...>) {
        if constexpr (sizeof...(E) == 0) {
            return c;
        } else {
            using Values = Tuple<detail::ItemValues<detail::call_value_t<P, E>>...>;
            return detail::WithValues<Context, type_list<E...>, Values>{c, Values{{values<E>(s)}...}};
        }
    }

    bool keeps_;
    index_t items_;  ///< for how many there is room
    detail::CallMemory<P, Once, N> once_;
    alignas(64) std::byte stack_[Layout::stack_bytes + 1];
    detail::SpareMemory spare_;
    std::byte* again_;
};

/// Those of all phases of a program.
template <class P, int N>
using ProgramCalls =
    KeptCalls<P, typename detail::calls_before<P, P::phases::size>::type, typename detail::calls_again<P>::type, N>;

FUSE_END_NAMESPACE
