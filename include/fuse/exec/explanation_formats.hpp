// SPDX-License-Identifier: Apache-2.0
//
// An explanation for programs: as a JSON object, and as a graph in the language of Graphviz.
#pragma once

#include <cstring>

#include "fuse/exec/explanation.hpp"

#if !FUSE_ON_DEVICE  // where its pass of nvcc would read it for nothing

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A string in quotes, as JSON and DOT both have it. Names and expressions are printable text.
FUSE_RARE inline Text quoted(const Text& text) {
    Text out;
    out << "\"";
    for (const char* c = text.c_str(); *c != '\0'; ++c) {
        const char one[] = {*c, '\0'};
        out << (*c == '"' || *c == '\\' ? "\\" : "") << one;
    }
    return out << "\"";
}

FUSE_RARE inline Text whole_number(double n) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.0f", n);
    return Text() << digits;
}

FUSE_RARE inline Text json_shape(const Shape& shape) {
    Text out;
    out << "[";
    for (int axis = 0; axis < shape.rank; ++axis) {
        out << (axis > 0 ? ", " : "") << shape[axis];
    }
    return out << "]";
}

/// [f(0), f(1), ...] of a list.
template <class List, class F>
Text json_list(const List& list, F f) {
    Text out;
    out << "[";
    for (std::size_t i = 0; i < list.size(); ++i) {
        out << (i > 0 ? ", " : "") << f(i);
    }
    return out << "]";
}

}  // namespace detail

template <class Unused>
FUSE_RARE Text BasicExplanation<Unused>::json() const {
    using detail::quoted;
    Words out;
    if (!steps.empty()) {
        out << "{\"executor\": " << quoted(Words() << executor) << ", \"kernels\": 1, \"temporaries\": " << temporaries
            << ", \"barriers\": " << levels.back() << ", \"bytes\": " << detail::whole_number(bytes())
            << ", \"carried_bytes\": " << detail::whole_number(carried_bytes);
        return out << ", \"steps\": " << detail::json_list(steps, [this](std::size_t i) {
                   return Words() << "{\"level\": " << levels[i] << ", \"plan\": " << steps[i].json() << "}";
               }) << "}";
    }
    out << "{\"executor\": " << quoted(Words() << executor)
        << ", \"kernels\": 1, \"temporaries\": 0, \"family\": " << quoted(Words() << to_string(family))
        << ", \"phases\": " << phases << ", \"sweeps\": " << sweeps
        << ", \"epilogue\": " << (epilogue ? "true" : "false") << ", \"domain\": " << detail::json_shape(domain);
    out << ", \"outputs\": " << detail::json_list(outputs, [this](std::size_t i) {
        return Words() << "{\"view\": " << quoted(writes[i].name)
                       << ", \"shape\": " << detail::json_shape(writes[i].shape)
                       << ", \"bytes\": " << detail::whole_number(writes[i].bytes)
                       << ", \"expression\": " << quoted(outputs[i].expression) << "}";
    });
    out << ", \"reductions\": " << detail::json_list(reductions, [this](std::size_t i) {
        const Value& r = reductions[i];
        return Words() << "{\"name\": " << quoted(r.name) << ", \"phase\": " << r.phase
                       << ", \"expression\": " << quoted(r.expression) << "}";
    });
    out << ", \"named\": " << detail::json_list(names, [this](std::size_t i) {
        return Words() << "{\"name\": " << quoted(names[i].name) << ", \"expression\": " << quoted(names[i].expression)
                       << "}";
    });
    out << ", \"inputs\": " << detail::json_list(reads, [this](std::size_t i) {
        const Array& a = reads[i];
        return Words() << "{\"view\": " << quoted(a.name) << ", \"shape\": " << detail::json_shape(a.shape)
                       << ", \"bytes\": " << detail::whole_number(a.bytes) << ", \"passes\": " << a.passes
                       << ", \"from_cache\": " << (a.again ? "true" : "false") << "}";
    });
    out << ", \"bytes\": " << detail::whole_number(bytes())
        << ", \"bytes_per_second\": " << detail::whole_number(bandwidth) << ", \"launch\": ";
    if (empty) {
        return out << "null}";
    }
    return out << "{\"strategy\": " << quoted(Words() << launch.name) << ", \"why\": " << quoted(Words() << launch.why)
               << ", \"blocks\": " << launch.grid << ", \"threads\": [" << launch.dim_x << ", " << launch.dim_y
               << "], \"vectors\": " << launch.vectors << ", \"vector\": " << launch.vector
               << ", \"cluster\": " << launch.cluster << ", \"group\": " << launch.group << "}}";
}

/// Boxes are memory, ellipses what the kernel computes and keeps on chip, frames steps.
template <class Unused>
FUSE_RARE Text BasicExplanation<Unused>::dot() const {
    Words out;
    out << "digraph fuse {\n  rankdir = LR;\n  node [fontname = \"monospace\"];\n";
    if (steps.empty()) {
        print_graph(out, "");
        return out << "}\n";
    }
    const auto prefix = [](std::size_t i) { return Words() << "step" << static_cast<index_t>(i + 1) << "_"; };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        out << "subgraph cluster_" << prefix(i) << " {\n  label = \"step " << static_cast<index_t>(i + 1) << "\";\n";
        steps[i].print_graph(out, prefix(i).c_str());
        out << "}\n";
    }
    // What a step has left for another one.
    const auto same = [](const Words& a, const Words& b) { return std::strcmp(a.c_str(), b.c_str()) == 0; };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (std::size_t j = i + 1; j < steps.size(); ++j) {
            for (std::size_t w = 0; w < steps[i].writes.size(); ++w) {
                for (std::size_t r = 0; r < steps[j].reads.size(); ++r) {
                    if (same(steps[i].writes[w].name, steps[j].reads[r].name)) {
                        out << "  " << prefix(i) << "write" << static_cast<index_t>(w) << " -> " << prefix(j) << "read"
                            << static_cast<index_t>(r) << ";\n";
                    }
                }
            }
        }
    }
    return out << "}\n";
}

/// Nodes and edges; each name begins with `prefix`.
template <class Unused>
FUSE_RARE void BasicExplanation<Unused>::print_graph(Words& out, const char* prefix) const {
    const auto name = [prefix](const char* kind, std::size_t i) {
        return Words() << prefix << kind << static_cast<index_t>(i);
    };
    for (std::size_t i = 0; i < reads.size(); ++i) {
        out << "  " << name("read", i)
            << " [shape = box, label = " << detail::quoted(Words() << reads[i].name << reads[i].shape) << "];\n";
    }
    const auto edges = [&](const Value& value, const Words& to) {
        for (std::size_t i = 0; i < reads.size(); ++i) {
            if (((value.reads >> i) & 1U) != 0) {
                out << "  " << name("read", i) << " -> " << to << ";\n";
            }
        }
        for (std::size_t i = 0; i < reductions.size(); ++i) {
            if (((value.uses >> i) & 1U) != 0) {
                out << "  " << name("value", i) << " -> " << to << ";\n";
            }
        }
    };
    for (std::size_t i = 0; i < reductions.size(); ++i) {
        const Words id = name("value", i);
        out << "  " << id
            << " [label = " << detail::quoted(Words() << reductions[i].name << " = " << reductions[i].expression)
            << "];\n";
        edges(reductions[i], id);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Words id = name("write", i);
        out << "  " << id << " [shape = box, style = bold, label = "
            << detail::quoted(Words() << writes[i].name << writes[i].shape << " = " << outputs[i].expression) << "];\n";
        edges(outputs[i], id);
    }
}

FUSE_END_NAMESPACE

#endif
