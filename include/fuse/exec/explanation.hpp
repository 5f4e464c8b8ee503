// SPDX-License-Identifier: Apache-2.0
//
// What explain() returns: the plan of an eval and the launch that was chosen for it, as data, and as text. Reductions,
// scans and sorts have letters, so that each is written once: y = exp(x - a), a = max(x).
#pragma once

#include <cstdio>
#include <vector>

#include "fuse/kernels/launch/launch.hpp"
#include "fuse/lang/print.hpp"
#include "fuse/plan/family.hpp"
#include "fuse/plan/nodes.hpp"

FUSE_BEGIN_NAMESPACE

template <class = void>
class BasicExplanation;
using Explanation = BasicExplanation<>;

namespace detail {

/// Kind as a type that depends on T: what a template says of it is compiled where the template is used, not where it is read.
template <class T, class Kind>
struct depending {
    using type = Kind;
};
template <class T, class Kind = Explanation>
using depending_t = typename depending<T, Kind>::type;

}  // namespace detail

/// A template, so that only files that explain something compile it and its containers.
template <class Unused>
class BasicExplanation {
    using Words = detail::depending_t<Unused, Text>;

public:
    /// A view that is read or written.
    struct Array {
        Text name;
        Shape shape;
        double bytes = 0;  ///< that one pass moves
        int passes = 1;    ///< 0: another step has it at hand
        bool named = false;
        bool again = false;   ///< later sweeps read it again, from cache
        bool window = false;  ///< it is read at other places than those where it stands
        std::uintptr_t address = 0;
    };
    /// A value that is computed from views and other values: bit i of `reads`, view i; of `uses`, value i.
    struct Value {
        Text name;
        Text expression;
        bit_set reads = 0;
        bit_set uses = 0;
        int phase = 0;  ///< of a reduction, from 1 on; 0: the epilogue
    };
    struct NamedExpression {
        Text name;
        Text expression;
    };

    std::vector<Array> reads;
    std::vector<Array> writes;
    std::vector<Value> outputs;     ///< one for each of `writes`
    std::vector<Value> reductions;  ///< in the order in which they are computed
    std::vector<NamedExpression> names;
    std::vector<BasicExplanation>
        steps;  ///< what is done in several steps of one kernel; then only the outputs stand outside
    std::vector<detail::depending_t<Unused, int>>
        levels;                ///< of each step: all blocks wait for each other before a level begins
    double carried_bytes = 0;  ///< of the results that steps leave for each other
    int temporaries = 0;       ///< how many those are
    Shape domain;
    Family family = Family::map;
    int phases = 0;
    int sweeps = 0;
    bool epilogue = false;
    const char* executor = "";
    bool on_device = false;
    bool empty = false;  ///< no output has an element: nothing is launched
    Launch launch;
    double bandwidth = 0;  ///< bytes per second of the memory; 0: not known

    /// Bytes that are moved between the memory and the chip.
    FUSE_COLD double bytes() const {
        double n = 0;
        for (const BasicExplanation& step : steps) {
            n += step.bytes();
        }
        if (!steps.empty()) {
            return n;
        }
        for (const Array& a : reads) {
            n += a.bytes * a.passes;
        }
        for (const Array& a : writes) {
            n += a.bytes;
        }
        return n;
    }

    /// A window moves no bytes of memory that another operand brings.
    FUSE_COLD void count_memory_once() {
        for (std::size_t i = 0; i < reads.size(); ++i) {
            for (std::size_t j = 0; j < reads.size() && reads[i].window; ++j) {
                const bool brings = !reads[j].window || j < i;
                reads[i].bytes = brings && reads[j].address == reads[i].address ? 0 : reads[i].bytes;
            }
        }
    }

    /// For people; what the conversion to std::string and std::cout give.
    Text text() const;
    /// The same as a JSON object.
    Text json() const;
    /// The flow of values as a graph for Graphviz: dot -Tsvg.
    Text dot() const;

    template <class String>
        requires requires {
            typename String::allocator_type;  // as std::string; a std::string_view would outlive the text
        }
    operator String() const { return text(); }
    template <class Stream>
        requires requires(Stream& s) {
            s.rdbuf();
        }
    friend Stream& operator<<(Stream& stream, const BasicExplanation& e) { return stream << e.text(); }

private:
    void print_graph(Words& out, const char* prefix) const;
    void print_steps(Words& out) const;
    void print_details(Words& out) const;
    void print_arrays(Words& out) const;
    void print_launch(Words& out) const;
    void print_cost(Words& out) const;
    void print_hints(Words& out) const;
};

#if !FUSE_ON_DEVICE  // where its pass of nvcc would read it for nothing

namespace detail {

/// "1 block", "2 blocks"
FUSE_RARE inline Text counted(index_t n, const char* what) {
    return Text() << n << " " << what << (n == 1 ? "" : "s");
}

FUSE_RARE inline void print_bytes(Text& out, double bytes) {
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

}  // namespace detail

template <class Unused>
FUSE_RARE Text BasicExplanation<Unused>::text() const {
    Words out;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        out << writes[i].name << writes[i].shape << " = " << outputs[i].expression << "\n";
    }
    if (!steps.empty()) {
        print_steps(out);
        return out;
    }
    out << "  1 kernel, " << detail::counted(sweeps, "sweep") << " over " << domain << ", 0 temporaries, family "
        << to_string(family) << (epilogue ? " with epilogue" : "") << " on " << executor << "\n";
    print_details(out);
    return out;
}

/// Each as it would be explained by itself.
template <class Unused>
FUSE_RARE void BasicExplanation<Unused>::print_steps(Words& out) const {
    out << "  1 kernel, " << detail::counted(static_cast<index_t>(steps.size()), "step") << " with "
        << detail::counted(levels.back(), "barrier") << " between, "
        << (temporaries == 1 ? Words() << "1 temporary" : Words() << temporaries << " temporaries") << " (";
    detail::print_bytes(out, carried_bytes);
    out << ") on " << executor << "\n";
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const BasicExplanation& step = steps[i];
        const bool waits = i > 0 && levels[i] > levels[i - 1];
        out << "step " << static_cast<index_t>(i + 1)
            << (waits ? ", when all blocks have done what is before it:\n" : ":\n");
        for (std::size_t o = 0; o < step.outputs.size(); ++o) {
            out << "  " << step.writes[o].name << step.writes[o].shape << " = " << step.outputs[o].expression << "\n";
        }
        if (!step.empty) {
            out << "  " << detail::counted(step.sweeps, "sweep") << " over " << step.domain << ", family "
                << to_string(step.family) << "\n";
        }
        step.print_details(out);
    }
    if (!empty) {
        out << "all steps:\n";
        if (on_device) {
            print_launch(out);
        }
        print_cost(out);
    }
}

template <class Unused>
FUSE_RARE void BasicExplanation<Unused>::print_details(Words& out) const {
    for (const Value& r : reductions) {
        if (r.phase > 0) {
            out << "  phase " << r.phase << ": " << r.name << " = " << r.expression << "\n";
        } else {
            out << "  epilogue: " << r.name << " = " << r.expression << "\n";
        }
    }
    for (const NamedExpression& n : names) {
        out << "  where " << n.name << " = " << n.expression << "\n";
    }
    print_arrays(out);
    if (empty) {
        out << "  nothing to do: no output has an element\n";
    } else {
        print_launch(out);
        print_cost(out);
    }
    print_hints(out);
}

template <class Unused>
FUSE_RARE void BasicExplanation<Unused>::print_arrays(Words& out) const {
    for (const Array& a : reads) {
        out << "  reads  " << a.name << a.shape << ", ";
        detail::print_bytes(out, a.bytes);
        out << ", " << a.passes << (a.passes == 1 ? " pass" : " passes")
            << (a.again ? ", again from cache in later phases\n" : "\n");
    }
    for (const Array& a : writes) {
        out << "  writes " << a.name << a.shape << "\n";
    }
}

template <class Unused>
FUSE_RARE void BasicExplanation<Unused>::print_launch(Words& out) const {
    out << "  strategy: " << launch.name;
    if (on_device) {
        out << ", " << detail::counted(launch.grid, "block") << " of " << launch.dim_x << " x " << launch.dim_y
            << " threads, " << detail::counted(launch.vectors, "vector") << " of " << launch.vector << " per thread";
        if (launch.cluster > 1) {
            out << ", in clusters of " << launch.cluster;
        }
    } else {
        out << " in " << detail::counted(launch.grid, "piece") << ", " << launch.vector * launch.vectors
            << " items at a time";
    }
    if (launch.group > 1) {
        out << ", " << launch.group << (on_device ? " blocks" : " pieces") << " share a result";
    }
    out << (*launch.why == '\0' ? Words() << "\n" : Words() << " (" << launch.why << ")\n");
}

template <class Unused>
FUSE_RARE void BasicExplanation<Unused>::print_cost(Words& out) const {
    out << "  bytes: ";
    detail::print_bytes(out, bytes());
    if (bandwidth > 0) {
        char time[64];
        std::snprintf(time, sizeof(time), ", %.1f us at %.2f TB/s", bytes() / bandwidth * 1e6, bandwidth / 1e12);
        out << time;
    }
    out << "\n";
}

template <class Unused>
FUSE_RARE void BasicExplanation<Unused>::print_hints(Words& out) const {
    for (std::size_t i = 1; i < reads.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const bool unnamed = !reads[i].named && !reads[j].named && !reads[i].window && !reads[j].window;
            if (unnamed && reads[i].address == reads[j].address) {
                out << "  hint: an unnamed view of the same data is read twice: view<\"name\">(...) loads it once\n";
            }
        }
    }
}

#endif

FUSE_END_NAMESPACE
