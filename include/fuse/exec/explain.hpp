// SPDX-License-Identifier: Apache-2.0
//
// explain(executor, statements...): the plan as text, before anything runs: what is read and written, the phases, the
// strategy and why it was chosen, the bytes and the time that the memory needs for them, and hints.
#pragma once

#include <cstdio>
#include <vector>

#include "fuse/exec/executor.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A view in a description: its text, the bytes that one pass moves, the passes.
struct DescribedView {
    Text text;
    double bytes = 0;
    int passes = 1;
    bool named = false;
    bool shared = false;  ///< used by several sweeps
    std::uintptr_t address = 0;
};

template <class View>
DescribedView describe(const View& view) {
    DescribedView d;
    d.text << view << view.shape();
    index_t n = 1;
    for (int axis = 0; axis < View::rank; ++axis) {
        n *= view.strides()[axis] == 0 ? 1 : view.extent(axis);
    }
    d.bytes = static_cast<double>(n) * sizeof(typename View::storage_type);
    d.named = is_named<typename View::name_type>;
    d.address = reinterpret_cast<std::uintptr_t>(view.data());
    return d;
}

/// Collects the distinct leaves and reductions of a set of statements; a sink of Lower<...>::walk.
template <class Pl>
class Description {
    using graph = typename Pl::planner::graph;

public:
    struct DescribedReduction {
        int phase = 0;  ///< from 1; 0: the epilogue
        Text text;
    };

    template <class Leaf, class View>
    void leaf(const View& view) {
        using sets = leaf_sets<typename Pl::program>;
        constexpr int i = graph::template number<Leaf>;
        if (!seen_[i]) {
            seen_[i] = true;
            reads.push_back(describe(view));
            reads.back().passes = sets::sweeps(i, Pl::resident);
            reads.back().shared = ((sets::shared >> i) & 1U) != 0;
        }
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar&) {}
    template <class Id, class F>
    void functor(const F&) {}
    template <class Node>
    void node(const Node&) {}
    template <int I, class Statement>
    void statement(const Statement&) {}
    template <class Reduction, std::uint64_t, class Node>
    void reduction(const Node& node) {
        constexpr auto planned = graph::template node<Reduction>;
        bool& known = known_[planned.number];
        if (!known) {
            reductions.push_back({graph::arrangement.in_phase(planned) ? planned.depth : 0, Text() << "" << node});
        }
        known = true;
    }

    std::vector<DescribedView> reads;
    std::vector<DescribedReduction> reductions;

private:
    bool seen_[Pl::planner::ir_leaves::size + 1] = {};
    bool known_[graph::array.reductions + 1] = {};
};

FUSE_COLD inline void print_bytes(Text& out, double bytes) {
    const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    out << text;
}

FUSE_COLD inline void print_launch(Text& out, const Launch& l) {
    out << "  strategy: " << l.name << ", " << l.grid << " blocks of " << l.dim_x << " x " << l.dim_y << " threads, "
        << l.vectors << " vectors of " << l.vector << " per thread";
    if (l.cluster > 1) {
        out << ", in clusters of " << l.cluster;
    }
    if (l.group > 1) {
        out << ", " << l.group << " blocks share a result";
    }
    out << " (" << l.why << ")\n";
}

FUSE_COLD inline void print_reads(Text& out, const std::vector<DescribedView>& reads, bool swept) {
    for (const DescribedView& r : reads) {
        out << "  reads  " << r.text << ", ";
        print_bytes(out, r.bytes);
        out << ", " << r.passes << (r.passes == 1 ? " pass" : " passes")
            << (swept && r.shared && r.passes == 1 ? ", again from cache in later phases\n" : "\n");
    }
}

FUSE_COLD inline void print_hints(Text& out, const std::vector<DescribedView>& reads) {
    for (std::size_t i = 1; i < reads.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!reads[i].named && !reads[j].named && reads[i].address == reads[j].address) {
                out << "  hint: an unnamed view of the same data is read twice: view<\"name\">(...) loads it once\n";
            }
        }
    }
}

FUSE_COLD inline void print_cost(Text& out, double bytes, double bandwidth) {
    out << "  bytes: ";
    print_bytes(out, bytes);
    if (bandwidth > 0) {
        char time[64];
        std::snprintf(time, sizeof(time), ", %.1f us at %.2f TB/s", bytes / bandwidth * 1e6, bandwidth / 1e12);
        out << time;
    }
    out << "\n";
}

}  // namespace detail

/// The plan of eval(executor, statements...), as text: streams into std::cout, converts to std::string. Runs every
/// check of eval; launches nothing.
template <Executor E, StatementLike... S>
    requires(sizeof...(S) > 0)
Text explain(const E& executor, const S&... statements) {
    using verdict = detail::Verdict<S...>;
    FUSE_REFUSE(verdict);
    using Pl = plan<S...>;
    const std::tuple<S...> all(statements...);
    const auto prepared = executor.prepare(all);
    detail::Description<Pl> description;
    Pl::planner::lowered::all::walk(all, description);
    const std::vector<detail::DescribedView> writes{detail::describe(statements.output)...};

    Text out;
    ((out << statements.output << statements.output.shape() << " = " << statements.expression << "\n"), ...);
    constexpr int writing = leaf_sets<typename Pl::program>::writes_items || Pl::phases == 0 ? 1 : 0;
    constexpr int sweeps = Pl::family == Family::scan ? 1 : Pl::phases + writing;
    out << "  " << Pl::kernels << " kernel, " << sweeps << (sweeps == 1 ? " sweep" : " sweeps") << " over "
        << prepared.domain << ", " << Pl::temporaries << " temporaries, family " << to_string(Pl::family)
        << (Pl::epilogue ? " with epilogue" : "") << " on " << E::name << "\n";
    for (int phase = 1; phase <= Pl::phases; ++phase) {
        for (const auto& r : description.reductions) {
            if (r.phase == phase) {
                out << "  phase " << phase << ": " << r.text << "\n";
            }
        }
    }
    for (const auto& r : description.reductions) {
        if (r.phase == 0) {
            out << "  epilogue: " << r.text << "\n";
        }
    }
    detail::print_reads(out, description.reads, prepared.launch.rereads);
    double bytes = 0;
    for (const auto& r : description.reads) {
        bytes += r.bytes * r.passes;
    }
    for (const auto& w : writes) {
        out << "  writes " << w.text << "\n";
        bytes += w.bytes;
    }
    if (prepared.empty) {
        out << "  nothing to do: no output has an element\n";
    } else {
        detail::print_launch(out, prepared.launch);
        detail::print_cost(out, bytes, E::bandwidth());
    }
    detail::print_hints(out, description.reads);
    return out;
}

FUSE_END_NAMESPACE
