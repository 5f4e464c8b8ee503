// SPDX-License-Identifier: Apache-2.0
//
// The arguments of every kernel: small PODs, filled by exec/bind.hpp from the run-time layout.
//
// A domain element is addressed by up to three numbers: its index along the kept axes (a row, or what lies outside a
// column tile), s, that along the walked axes, and x, the direction of consecutive threads. In the row kernels s runs
// along x; in the column kernels x is the innermost kept axis.
#pragma once

#include <cstring>

#include "fuse/kernels/body/own_elements.hpp"
#include "fuse/kernels/body/tuple.hpp"
#include "fuse/plan/layout.hpp"
#include "fuse/plan/program.hpp"
#include "fuse/primitives/thread/dims.hpp"

FUSE_BEGIN_NAMESPACE

/// Whether all items along the kept axes lie as far apart as along the last, as they do along one.
template <int KeptRank>
struct KeptLine {
    bool kept_linear;
};
template <>
struct KeptLine<1> {
    static constexpr bool kept_linear = true;
};

/// Strides in elements. vector: V consecutive items along x are contiguous and aligned wherever a vector starts. linear: all
/// items along the walked axes lie x apart, so that nothing is divided to find them.
template <class T, int KeptRank, int WalkedRank>
struct Operand : KeptLine<KeptRank> {
    T* data;
    index_t kept[KeptRank];
    index_t walked[WalkedRank];
    index_t x;
    bool vector;
    bool linear;
};

template <class T>
struct ScalarOperand {
    T value;
};

/// An output outside the domain: `size` elements with Rank axes.
template <class T, int Rank>
struct FillOperand {
    T* data;
    Dims<Rank> dims;
    index_t stride[Rank];
    index_t size;
};
/// An axis of such an output: element i of it, in row-major order, has coordinate i / inner % extent.
struct OutputAxis {
    FastDivMod<std::uint64_t> inner;
    FastDivMod<std::uint64_t> extent;
};

/// A functor with state, as bytes: a lambda that captures can be copied, but neither made from nothing nor assigned.
template <class F>
class StoredFunctor {
public:
    void store(const F& f) { std::memcpy(bytes_, static_cast<const void*>(&f), sizeof(F)); }
    FUSE_HD const F& load() const { return *reinterpret_cast<const F*>(bytes_); }

private:
    alignas(F) unsigned char bytes_[sizeof(F)];
};

namespace detail {

constexpr int at_least_one(int n) {
    return n > 0 ? n : 1;
}

template <class P>
struct operand_traits {
    static constexpr int kept_rank = at_least_one(P::kept_rank);
    static constexpr int walked_rank = at_least_one(P::walked_rank);

    template <class L>
    struct leaf {
        using type = std::conditional_t<std::is_same_v<L, kir::OutputIndexLeaf>, OutputAxis,
                                        Operand<const typename L::storage, kept_rank, walked_rank>>;
    };
    template <class T>
    struct leaf<kir::ScalarLeaf<T>> {
        using type = ScalarOperand<T>;
    };
    template <class O>
    struct output {
        using type = std::conditional_t<kir::is_fill<O>, FillOperand<typename O::storage, at_least_one(O::filled)>,
                                        Operand<typename O::storage, kept_rank, walked_rank>>;
    };
    template <class F>
    struct functor {
        using type = StoredFunctor<F>;
    };
};

}  // namespace detail

/// How the blocks of a launch share the work and hand results to each other; the executor fills it from its Launch.
struct BlockSharing {
    index_t share;        ///< elements of a row that are one block's, where blocks share rows
    index_t state_words;  ///< look-back: 64-bit words of state at `partials`
    unsigned group;       ///< blocks that finish together
    bool backwards;       ///< rows that they share are written from their ends
    void* partials;       ///< what blocks leave for each other; the kernel says what
    unsigned* counters;   ///< one per group; zero between launches
};

template <class P>
struct Params : BlockSharing {
    using traits = detail::operand_traits<P>;

    typename map_tuple<typename P::leaves, traits::template leaf>::type leaves;
    typename map_tuple<typename P::outputs, traits::template output>::type outputs;
    typename map_tuple<typename P::functors, traits::template functor>::type functors;

    NarrowDims<traits::kept_rank> kept;
    NarrowDims<traits::walked_rank> walked;
    index_t kept_size;      ///< number of rows; column kernels: indices along the kept axes but x
    index_t walked_size;    ///< elements of a row or column
    index_t x_size;         ///< column kernels: extent of the innermost kept dimension
    ColumnPacking packing;  ///< column kernels on a device
    std::conditional_t<P::stretches,
                       Stretching<reduction_count<P>, P::outputs::size, traits::kept_rank, traits::walked_rank>,
                       NeverStretched>
        stretching;
};

/// The coordinate of an index leaf at the first element of a row or column, without what it counts along other axes.
template <class P, class L, class Operand>
FUSE_HD index_t first_coordinate([[maybe_unused]] const Params<P>& p, [[maybe_unused]] const Operand& operand) {
    if constexpr (reverse_program<P> && L::walked) {
        return (1 - p.walked_size) * operand.walked[0];
    }
    return 0;
}

FUSE_END_NAMESPACE
