// SPDX-License-Identifier: Apache-2.0
//
// What some kernels alone ask of how operands lie. Templates: others read them, and do not compile them.
#pragma once

#include "fuse/plan/layout.hpp"

FUSE_BEGIN_NAMESPACE

/// Notes whether all operands in `moving` (bit i = operand i) may be accessed in vectors of v / 2 items, but for those in
/// `splat`, of which such a vector has one. Of rows along several axes it is asked.
template <class = void>
FUSE_RARE void note_halves(const DomainLayout& domain, Layout& layout, std::uint64_t moving, std::uint64_t splat,
                           int v) {
    const MergedDims& dims = layout.walked;
    layout.halves = v % 2 == 0 && (splat == 0 || dims.count <= 1 || dims.extent[dims.count - 1] % (v / 2) == 0);
    for (int i = 0; i < domain.operand_count; ++i) {
        layout.halves = layout.halves && (((moving & ~splat) >> i & 1U) == 0 || vectorises(domain, layout, i, v / 2));
    }
}

/// Notes whether all operands in `staged` lie in vectors of v items as along one axis, beside others that are the same for each
/// vector. Those in `splat` are, or nothing is read in vectors: where the last axis has extent 1, they may vary along x.
template <class = void>
FUSE_RARE void note_lines(const DomainLayout& domain, Layout& layout, std::uint64_t staged, std::uint64_t splat,
                          int v) {
    bool same = true;
    layout.lines = layout.shared && !layout.stretched;
    for (int i = 0; i < domain.operand_count; ++i) {
        same = same && (((splat >> i) & 1U) == 0 || domain.stride(i, layout.x_axis) == 0);
        layout.lines = layout.lines && (((staged >> i) & 1U) == 0 ||
                                        (lies_as_one(domain, layout.walked, i) && vectorises(domain, layout, i, v)));
    }
    if (!same) {
        layout.vectors = layout.halves = layout.shared = layout.lines = false;
        layout.repeats = ~std::uint64_t{0};
    }
}

/// Notes whether the rows of each operand in `moving` lie one behind the other, or are the same row. Of scans it is
/// asked.
template <class = void>
FUSE_RARE void note_one_piece(const DomainLayout& domain, Layout& layout, std::uint64_t moving) {
    const index_t step = domain.backwards ? -1 : 1;
    const MergedDims& kept = layout.kept;
    layout.one_piece = kept.count <= 1 && layout.walked.count <= 1;
    for (int i = 0; i < domain.operand_count; ++i) {
        const index_t apart = kept.count == 0 ? 0 : domain.stride(i, kept.axis[0]);
        layout.one_piece = layout.one_piece &&
                           (((moving >> i) & 1U) == 0 ||
                            (domain.stride(i, layout.x_axis) == step && (apart == layout.walked_size || apart == 0)));
    }
}

/// Notes whether operands in `uniform` are the same all along the innermost of several axes, which has at least a vector of v
/// items, and all others in `moving` lie in vectors as along one axis: a vector of these has one or two items of those.
template <class = void>
FUSE_RARE void note_runs(const DomainLayout& domain, Layout& layout, std::uint64_t moving, std::uint64_t uniform,
                         int v) {
    const MergedDims& dims = layout.walked;
    layout.runs = !layout.stretched && dims.count > 1 && dims.extent[dims.count - 1] >= v && layout.short_offsets &&
                  layout.walked_size < index_t{1} << 31;
    for (int i = 0; i < domain.operand_count; ++i) {
        const bool fits = ((uniform >> i) & 1U) != 0
                              ? domain.stride(i, layout.x_axis) == 0
                              : lies_as_one(domain, layout.walked, i) && vectorises(domain, layout, i, v);
        layout.runs = layout.runs && (((moving >> i) & 1U) == 0 || fits);
    }
}

/// Notes whether operands in `moving` vary along the innermost of two dimensions alone, which has fewer elements than a vector
/// of v items, or lie as along one axis. Of maps it is asked.
template <class = void>
FUSE_RARE void note_cycles(const DomainLayout& domain, Layout& layout, std::uint64_t moving, int v) {
    const MergedDims& dims = layout.walked;
    // What counts, counts along the last axis.
    const bool last = dims.axis[dims.count - 1] == domain.extent.rank - 1;
    layout.cycles = !layout.stretched && dims.count == 2 && dims.extent[1] < v && last;
    for (int i = 0; i < domain.operand_count; ++i) {
        layout.cycles = layout.cycles && (((moving >> i) & 1U) == 0 || domain.stride(i, dims.axis[0]) == 0 ||
                                          lies_as_one(domain, layout.walked, i));
    }
}

FUSE_END_NAMESPACE
