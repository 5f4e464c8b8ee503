// SPDX-License-Identifier: Apache-2.0
//
// compact(x, keep): the elements of x for which keep is true, in their order, from the start of the output. Their
// places are an exclusive scan of keep, so it is one kernel and one pass.
#pragma once

#include "fuse/lang/let.hpp"
#include "fuse/lang/scan.hpp"
#include "fuse/ops/types/scattered.hpp"

FUSE_BEGIN_NAMESPACE

/// x has one axis, keep is a bool expression of the same extent. The output has the extent of x, as any number of
/// elements may be kept; those behind the kept ones are left as they are. It must not overlap an input. The number of
/// kept elements is a reduction of the same eval, and stays on the device:
///   eval(cuda, y = compact(x, x > 0), n = count_nonzero(x > 0))
template <Expression X, Expression P>
constexpr auto compact(const X& x, const P& keep) {
    static_assert(X::rank == 1 && P::rank == 1, "fuse: compact takes two expressions with one axis");
    static_assert(std::is_same_v<value_t<P>, bool>, "fuse: compact takes a bool expression, such as x > 0");
    return let(x, keep, [](const auto& v, const auto& kept) {
        return detail::apply(ScatterKept{}, v, kept, scan(Add<>{}, kept, axes<0>, exclusive));
    });
}

FUSE_END_NAMESPACE
