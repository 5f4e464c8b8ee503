// SPDX-License-Identifier: Apache-2.0
//
// Outputs that do not lie in the domain: a value known once per launch, written to one element, or to every element of
// an output of any shape. Whoever knows the value takes a share of the elements.
#pragma once

#include "fuse/kernels/body/row_context.hpp"

FUSE_BEGIN_NAMESPACE

/// A part of the elements of such outputs, and the threads that write it.
struct Share {
    index_t part;
    index_t parts;
    index_t thread;
    index_t threads;
};

/// A row (or another piece of the work) as a share: the first ones among many take all.
FUSE_HD Share share_of_row(index_t row, index_t rows, index_t thread, index_t threads) {
    constexpr index_t most = 1024;
    return {row, rows < most ? rows : most, thread, threads};
}

namespace detail {

/// Context, at element `element` of a filled output.
template <class P, class Context>
struct FillContext {
    const Params<P>& params;
    const Context& context;
    index_t element;

    template <int I>
    FUSE_HD auto leaf(int v) const {
        if constexpr (requires { get<I>(params.leaves).inner; }) {
            const auto& axis = get<I>(params.leaves);
            const auto outer = axis.inner.divmod(static_cast<std::uint64_t>(element)).quotient;
            return static_cast<index_t>(axis.extent.divmod(outer).remainder);
        } else {
            return context.template leaf<I>(v);
        }
    }
    template <int I>
    FUSE_HD auto result(int v) const {
        return context.template result<I>(v);
    }
    template <int S>
    FUSE_HD const auto& functor() const {
        return context.template functor<S>();
    }
};

template <class O, class P, class Context, class Operand>
FUSE_HD void fill(const Params<P>& p, const Context& c, const Operand& operand, const Share& share) {
    const index_t piece = (operand.size + share.parts - 1) / share.parts;
    const index_t begin = share.part * piece;
    const index_t end = begin + piece < operand.size ? begin + piece : operand.size;
    for (index_t i = begin + share.thread; i < end; i += share.threads) {
        const FillContext<P, Context> here{p, c, i};
        operand.data[offset_of(operand.dims, operand.stride, i)] =
            from_compute<typename O::storage>(Evaluate<typename O::expression>::at(here, 0));
    }
}

}  // namespace detail

/// Writes a share of the outputs that are written once.
template <class P, class Context>
FUSE_HD void write_once(const Params<P>& p, const Context& c, const Share& share) {
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using O = at_t<typename P::outputs, I>;
        if constexpr (O::extent == kir::Extent::once) {
            const auto& operand = get<I>(p.outputs);
            if constexpr (kir::is_fill<O>) {
                if (share.part < share.parts) {
                    detail::fill<O>(p, c, operand, share);
                }
            } else if (share.part == 0 && share.thread == 0) {
                operand.data[0] = from_compute<typename O::storage>(Evaluate<typename O::expression>::at(c, 0));
            }
        }
    });
}

FUSE_END_NAMESPACE
