// SPDX-License-Identifier: Apache-2.0
//
// explain(executor, statements...): the plan as text, before anything runs: what is read and written, the phases, the
// strategy and why it was chosen, the bytes and the time that the memory needs for them, and hints.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "fuse/exec/prepare.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Collects the leaves and reductions of a set of statements as text; a sink of Lower<...>::bind.
template <class Pl>
class Description {
  public:
    struct Operand {
        std::string text;
        double bytes = 0;
        int passes = 0;
        bool named = false;
        std::uintptr_t address = 0;
    };

    template <class Leaf, class View>
    void leaf(const View& view) {
        constexpr int i = index_of<typename Pl::planner::ir_leaves, Leaf>;
        if (!seen_[i]) {
            seen_[i] = true;
            reads_.push_back(describe(view, leaf_sets<typename Pl::program>::sweeps(i, Pl::resident)));
        }
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar&) {}
    template <class Id, class F>
    void functor(const F&) {}
    template <class Red, std::uint64_t, class Node>
    void reduced(const Node& node) {
        constexpr bool in_phase = red_traits<Red>::mask == Pl::planner::reduced;
        constexpr int phase = in_phase ? depth<Red, Pl::planner::reduced> : 0;
        bool& known = known_[index_of<typename Pl::planner::ir_reds, Red>];
        if (!known) {
            reductions_.emplace_back(phase, to_string(node));
        }
        known = true;
    }

    template <class View>
    static Operand describe(const View& view, int passes) {
        Operand o;
        o.text = to_string(view) + to_string(view.shape());
        index_t n = 1;
        for (int axis = 0; axis < View::rank; ++axis) {
            n *= view.strides()[axis] == 0 ? 1 : view.extent(axis);
        }
        o.bytes = static_cast<double>(n) * sizeof(typename View::storage_type);
        o.passes = passes;
        o.named = is_named<typename View::name_type>;
        o.address = reinterpret_cast<std::uintptr_t>(view.data());
        return o;
    }

    const std::vector<Operand>& reads() const { return reads_; }
    /// Phase number (0: the epilogue) and text of each distinct reduction.
    const std::vector<std::pair<int, std::string>>& reductions() const { return reductions_; }

  private:
    bool seen_[Pl::planner::ir_leaves::size + 1] = {};
    bool known_[Pl::planner::ir_reds::size + 1] = {};
    std::vector<Operand> reads_;
    std::vector<std::pair<int, std::string>> reductions_;
};

inline std::string bytes_text(double bytes) {
    const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}

inline std::string strategy_text(const Strategy& s) {
    std::string text = std::string(to_string(s.kernel)) + ", " + std::to_string(s.grid) + " blocks of " +
                       std::to_string(s.dim_x) + " x " + std::to_string(s.dim_y) + " threads, vectors of " +
                       std::to_string(s.vector) + " x " + std::to_string(s.vectors);
    if (s.group > 1) {
        text += ", " + std::to_string(s.group) + " blocks share a result";
    }
    return text + " (" + s.why + ")";
}

}  // namespace detail

/// The plan of eval(executor, statements...), as text. Runs every check of eval; launches nothing.
template <class Executor, StatementLike... S>
std::string explain(const Executor& executor, const S&... statements) {
    using Pl = plan<S...>;
    const boost::hana::tuple<S...> all(statements...);
    const auto prepared = executor.prepare(all);
    detail::Description<Pl> description;
    Pl::planner::lowered::all::bind(all, description);

    std::string text;
    double bytes = 0;
    ((text += to_string(statements.output) + to_string(statements.output.shape()) + " = " +
              to_string(statements.expression) + "\n"),
     ...);
    text += "  " + std::to_string(Pl::kernels) + " kernel, " +
            std::to_string(Pl::phases + (leaf_sets<typename Pl::program>::writes_items || Pl::phases == 0 ? 1 : 0)) +
            " sweeps over " + to_string(prepared.domain) + ", " + std::to_string(Pl::temporaries) + " temporaries, family " +
            to_string(Pl::family) + (Pl::epilogue ? " with epilogue" : "") + " on " + Executor::name + "\n";
    for (int phase = 1; phase <= Pl::phases + 1; ++phase) {
        const bool epilogue = phase > Pl::phases;
        for (const auto& [number, reduction] : description.reductions()) {
            if (number == (epilogue ? 0 : phase)) {
                text += (epilogue ? "  epilogue: " : "  phase " + std::to_string(phase) + ": ") + reduction + "\n";
            }
        }
    }
    std::string hints;
    const bool swept = prepared.strategy.kernel == KernelKind::rows_swept ||
                       prepared.strategy.kernel == KernelKind::columns_swept;
    for (const auto& o : description.reads()) {
        text += "  reads  " + o.text + ", " + detail::bytes_text(o.bytes) + ", " + std::to_string(o.passes) +
                (o.passes == 1 ? " pass" : " passes") +
                (swept && o.passes == 1 && Pl::phases > 0 ? ", again from cache by later phases that use it" : "") + "\n";
        bytes += o.bytes * o.passes;
        for (const auto& other : description.reads()) {
            if (&other < &o && !o.named && !other.named && o.address == other.address) {
                hints += "  hint: an unnamed view of the same data is read twice: view<\"name\">(...) loads it once\n";
            }
        }
    }
    ((text += "  writes " + detail::Description<Pl>::describe(statements.output, 1).text + "\n",
      bytes += detail::Description<Pl>::describe(statements.output, 1).bytes),
     ...);
    if (prepared.empty) {
        return text + "  nothing to do: no output has an element\n";
    }
    text += "  strategy: " + detail::strategy_text(prepared.strategy) + "\n";
    text += "  bytes: " + detail::bytes_text(bytes);
    if (Executor::bandwidth() > 0) {
        char time[64];
        std::snprintf(time, sizeof(time), ", %.1f us at %.2f TB/s", bytes / Executor::bandwidth() * 1e6,
                      Executor::bandwidth() / 1e12);
        text += time;
    }
    return text + "\n" + hints;
}

FUSE_END_NAMESPACE
