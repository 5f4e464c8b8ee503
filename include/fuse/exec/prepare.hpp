// SPDX-License-Identifier: Apache-2.0
//
// Everything an executor does before it launches: bind and check, lay out, choose a strategy, fill the parameters.
#pragma once

#include "fuse/exec/bind.hpp"
#include "fuse/plan/strategy.hpp"

FUSE_BEGIN_NAMESPACE

/// Host: for the CPU executor (packs of 64 items), else for a device (16-byte vectors).
template <bool Host, class... S>
struct Prepared {
    using plan_type = plan<S...>;
    using program = typename plan_type::program;
    using facts = plan_facts<plan_type, Host>;

    bool empty = false;  ///< no output has an element: nothing to launch
    Shape domain;
    Layout layout;
    Strategy strategy;
    Params<program> params{};

    /// choose(facts{}, layout) gives the strategy; check(binding) may refuse operands.
    template <class Choose, class Check>
    FUSE_COLD Prepared(const boost::hana::tuple<S...>& statements, Choose&& choose_strategy, Check&& check) {
        static_assert(sizeof(params) <= 32764, "fuse: this eval has more operands than kernel parameters can hold");
        Binding<plan_type, S...> binding(statements);
        domain = binding.domain().extent;
        empty = binding.output_size() == 0;
        if (empty) {
            return;
        }
        check(binding);
        binding.check_empty();
        layout = make_layout(binding.domain(), facts::columns);
        layout.stretched = binding.stretched();
        layout.fill_size = binding.fill_size();
        note_vectors(binding.domain(), layout, facts::moving, facts::vector);
        strategy = choose_strategy(facts{}, layout);
        params = binding.params(layout, strategy.vector);
        params.chunk = strategy.chunk;
        params.group = static_cast<unsigned>(strategy.group);
    }
};

FUSE_END_NAMESPACE
