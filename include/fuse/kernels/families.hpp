// SPDX-License-Identifier: Apache-2.0
//
// The kernel families, and what an executor asks of them together. A family says of a program, by types, whether it
// takes it, and of a layout, by numbers, which of its kernels to launch and how; or that another should.
#pragma once

#include <type_traits>
#include <utility>

#include "fuse/kernels/columns/family.hpp"
#include "fuse/kernels/grid/family.hpp"
#include "fuse/kernels/map/family.hpp"
#include "fuse/kernels/rows/family.hpp"
#include "fuse/kernels/scan/family.hpp"
#include "fuse/kernels/short_rows/family.hpp"
#include "fuse/kernels/sort/family.hpp"
#include "fuse/kernels/split/family.hpp"
#include "fuse/kernels/transpose/family.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class... F>
using those_that_take = concat_t<type_list<>, std::conditional_t<F::takes, type_list<F>, type_list<>>...>;

/// The families that take a program, in the order in which they are asked: the first that has a launch is taken.
template <class Pl, Target T>
using families = those_that_take<TransposeFamily<Pl, T>, MapFamily<Pl, T>, SortFamily<Pl, T>, ScanRowsFamily<Pl, T>,
                                 ScanColumnsFamily<Pl, T>, ColumnsFamily<Pl, T>, GridFamily<Pl, T>, SplitFamily<Pl, T>,
                                 ShortRowsFamily<Pl, T>, RowsFamily<Pl, T>>;

template <class Families>
struct kernels_of_all;
template <class... F>
struct kernels_of_all<type_list<F...>> {
    using type = concat_t<type_list<>, typename F::kernels...>;
};

/// Asks family F, unless one before it had a launch. first: kernels of the families before it.
template <class F, Target T>
FUSE_COLD void ask(Launch& l, int& first, const Layout& layout, const Policy& policy, const T& target) {
    if (l.grid == 0) {
        l = F::choose(layout, policy, target);
        l.kernel += first;
    }
    first += F::kernels::size;
}

}  // namespace detail

/// All kernels that a plan may run on a target: each is compiled for every expression, so each costs compile time.
template <class Pl, Target T>
using kernels_of_plan = typename detail::kernels_of_all<detail::families<Pl, T>>::type;

/// The geometry of the launch of a plan; complete.hpp fills in the rest. Throws shape_error where none can run it.
template <class Pl, Target T>
FUSE_COLD Launch choose(const Layout& layout, const Policy& policy, const T& target) {
    static_assert(kernels_of_plan<Pl, T>::size > 0, "fuse: no kernel family takes this program");
    Launch l;
    int first = 0;
    [&]<class... F>(type_list<F...>) {
        (detail::ask<F>(l, first, layout, policy, target), ...);
    }(detail::families<Pl, T>{});
    return l;
}

/// Calls `run.template operator()<K>()` for the kernel K of a launch.
template <class Pl, Target T, class Run>
void with_kernel(const Launch& l, Run&& run) {
    [&]<class... K>(type_list<K...>) {
        int number = 0;
        static_cast<void>(((number++ == l.kernel ? (run.template operator()<K>(), true) : false) || ...));
    }(kernels_of_plan<Pl, T>{});
}

FUSE_END_NAMESPACE
