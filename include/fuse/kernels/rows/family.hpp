// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/launch/complete.hpp"
#include "fuse/kernels/rows/choose.hpp"
#include "fuse/kernels/rows/choose_parked.hpp"
#include "fuse/kernels/rows/folds_numbers.hpp"
#include "fuse/kernels/rows/held_rows.hpp"
#include "fuse/kernels/rows/parked_rows.hpp"
#include "fuse/kernels/rows/rows_together.hpp"
#include "fuse/kernels/rows/staged_rows.hpp"
#include "fuse/kernels/rows/swept_rows.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The kernels, of the program alone: nvcc names their types in its stubs, and cannot name a plan whose nodes have lambdas.
/// What is in order, or read only once, is always swept; of one light phase what is long, as short rows have a kernel of
/// their own (kernels/short_rows/).
template <class P, int V, int N, bool Swept, bool LightPhase, bool Shares, class Special>
struct rows_kernels {
    using swept = SweptRowsKernel<P, V, N, Shares>;
    template <int Vectors, int Ends = RowEnds::none>
    using held = std::conditional_t<Swept, swept, HeldRowsKernel<P, V, Vectors, Ends, Special>>;
    /// Worth it where a row is used again.
    using staged = std::conditional_t<Swept || leaf_sets<P>::staged == 0, swept, StagedRowsKernel<P, V, Special>>;
    /// The same, along several axes.
    static constexpr bool parks = !Swept && leaf_sets<P>::staged != 0 && P::walked_rank > 1;
    using peeled = held<peeled_vectors, RowEnds::singles>;
    static constexpr bool has_pieces = !Swept && pieces_pay(V) && leaf_sets<P>::beside != 0;
    using pieces = std::conditional_t<has_pieces, held<peeled_vectors, RowEnds::vectors>, peeled>;
    template <class... Last>
    using list = type_list<peeled, held<resident_ladder[0]>, held<resident_ladder[1]>,
                           std::conditional_t<LightPhase, swept, held<resident_ladder[2]>>, staged, swept, Last...>;
    static auto all() {
        if constexpr (parks) {
            constexpr int half = V > 1 ? V / 2 : 1;
            return list<pieces, ParkedRowsKernel<P, V, Special>, ParkedRowsKernel<P, half, Special>,
                        ParkedRowsKernel<P, 1, Special>>{};
        } else if constexpr (has_pieces) {
            return list<pieces>{};
        } else {
            return list<>{};
        }
    }
    using type = decltype(all());
};

/// Whether all that is written of rows, element by element, has no more than 16 bits.
template <class... O>
constexpr bool writes_narrow(type_list<O...>) {
    return ((O::extent != kir::Extent::item || sizeof(typename O::storage) <= 2) && ...);
}
template <class... L>
constexpr bool any_coordinate(type_list<L...>) {
    return (kir::is_index<L> || ...);
}
/// Whether the sweeps over rows in registers are quick: of one costly call, an exponential, and of no coordinates. Threads compute
/// what a phase folds anew for each, with more elements each than those of a ring.
template <class P>
inline constexpr bool quick_in_registers =
    calls_before<P, P::phases::size>::type::size <= 1 && !any_passes_over<typename P::phases> &&
    !any_coordinate(typename P::leaves{});

/// What a kernel that holds rows may have one element of in a row.
template <class K>
inline constexpr leaf_set repeats_of = 0;
template <class K>
    requires requires {
        K::repeats;
    }
inline constexpr leaf_set repeats_of<K> = K::repeats;

/// Those of a host. Together: short rows of the program are taken together.
template <class Swept, bool Together>
struct host_rows_kernels {
    using type = type_list<Swept>;
};
template <class P, int V, int N>
struct host_rows_kernels<SweptRowsKernel<P, V, N>, true> {
    using type = type_list<SweptRowsKernel<P, V, N>, RowsTogetherKernel<P, V, N>>;
};

}  // namespace detail

/// Reductions along the innermost axes, any number of phases, with an epilogue or without.
template <class Pl, Target T>
struct RowsFamily;

template <class Pl>
struct RowsFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan && !facts::value.full;
    using ladder = detail::rows_kernels<typename Pl::program, facts::vector, facts::value.sweep_vectors,
                                        facts::ordered || facts::value.read_once, facts::value.one_light_phase(),
                                        facts::value.shares_rows(),
                                        std::conditional_t<facts::uniform == 0, void, RowLeaves<0, facts::uniform>>>;
    using kernels = typename ladder::type;
    using sets = leaf_sets<typename Pl::program>;
    static constexpr bool quick = detail::quick_in_registers<typename Pl::program>;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        using peeled = at_t<kernels, static_cast<int>(RowsKernels::peeled)>;
        using whole = at_t<kernels, static_cast<int>(RowsKernels::two)>;
        using staged = at_t<kernels, static_cast<int>(RowsKernels::staged)>;
        using swept = at_t<kernels, static_cast<int>(RowsKernels::swept)>;
        if constexpr (ladder::parks) {
            constexpr int operands = std::popcount(sets::staged);
            Launch parked;
            if (detail::park_rows<operands>(parked, facts::value, layout, policy, device)) {
                return parked;
            }
        }
        return detail::choose_rows(facts::value,
                                   {whole::crowded_words, peeled::max_threads, staged::vectors, &shared_bytes<staged>,
                                    swept::min_blocks, quick,
                                    quick && facts::value.staged_bytes == 2 && std::has_single_bit(sets::moving) &&
                                        detail::writes_narrow(typename Pl::program::outputs{}),
                                    detail::repeats_of<whole>},
                                   layout, policy, device);
    }
};

template <class Pl>
struct RowsFamily<Pl, Cpu> {
    using facts = program_facts<Pl, Cpu>;
    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan;
    static constexpr bool together = detail::folds_numbers<Pl, Cpu>;
    using swept = SweptRowsKernel<typename Pl::program, facts::vector, facts::value.sweep_vectors>;
    using kernels = typename detail::host_rows_kernels<swept, together>::type;

    static Launch choose(const Layout& layout, const Policy& policy, const Cpu& cpu) {
        Launch l = detail::choose_rows(facts::value, layout, policy, cpu);
        if constexpr (together) {
            detail::take_rows_together(l, facts::value, layout);
        }
        return l;
    }
};

FUSE_END_NAMESPACE
