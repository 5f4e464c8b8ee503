// SPDX-License-Identifier: Apache-2.0
//
// Sorts along the innermost axis: a block evaluates the keys of a row into memory that it shares, sorts them there, and
// writes what the outputs make of them. On the host that memory is a share of the partial results.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/body/visit_span.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/kernels/sort/host_sort.hpp"

FUSE_BEGIN_NAMESPACE

template <class P>
struct SortRowsKernel : Kernel<P, 1, 1> {
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 1;
    using phase = at_t<typename P::phases, 0>;
    template <int I>
    using sorted = typename phase::template at<I>::reduction_op;
    template <int I>
    using key = typename sorted<I>::value_type;

    /// Bytes that the sorts of a row of n elements keep.
    static FUSE_HD constexpr std::size_t row_bytes(index_t n) { return offset<false>(phase::size, n); }

    static constexpr std::size_t scratch_bytes(const Launch& l) { return row_bytes(l.row); }
    /// A host thread has room to sort in, as well.
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return l.threads() == 1 ? 2 * offset<true>(phase::size, l.row) * static_cast<std::size_t>(l.grid) : 0;
    }

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const auto n = static_cast<unsigned>(p.walked_size);
        for (index_t row = block.block_x(); row < p.kept_size; row += block.grid_x()) {
            const RowState<P> state(p, row);
            unsigned char* memory = row_memory(block, p);
            visit_elements<leaf_sets<P>::template phase<0>>(
                block, p, state, [&](const auto& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                    static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                        evaluate_keys<I, lone_thread<B>>(context, memory, s, left);
                    });
                });
            static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA { sort_keys<I>(block, memory, n); });
            visit_elements<leaf_sets<
                P>::items>(block, p, state, [&](const auto& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                write(SortedContext<lone_thread<B>, std::decay_t<decltype(context)>>{context, memory, s}, row, s, left);
            });
            if (linear_thread(block) == 0) {
                const RowItems<P, 1> none{};
                const results_t<P> no_results{};
                const RowContext<P, 1> context{p, state, none, no_results};
                write_kept(p, context, row);
                write_once(p, context, share_of_row(row, p.kept_size, 0, 1));
            }
        }
    }

private:
    /// What a host thread sorts: codes, with the positions in them.
    template <int I, bool Host>
    static constexpr bool coded = Host&& detail::has_sort_code<key<I>>;
    template <int I>
    using Code = std::conditional_t<sorted<I>::positions, detail::PositionCode<key<I>, sorted<I>::largest_first>,
                                    detail::KeyCode<key<I>, sorted<I>::largest_first>>;
    template <int I, bool Host>
    static FUSE_HD auto* keys(unsigned char* memory, index_t n) {
        if constexpr (coded<I, Host>) {
            return reinterpret_cast<typename Code<I>::type*>(memory + offset<Host>(I, n));
        } else {
            return reinterpret_cast<key<I>*>(memory + offset<Host>(I, n));
        }
    }
    /// Beside keys that are no codes.
    template <int I, bool Host>
    static FUSE_HD unsigned* positions(unsigned char* memory, index_t n) {
        const std::size_t own = sizeof(key<I>) * static_cast<std::size_t>(n);
        return reinterpret_cast<unsigned*>(memory + offset<Host>(I, n) + scratch_round_up(own));
    }
    /// Where the keys of sort `count` begin: after those before it, and their positions.
    template <bool Host>
    static FUSE_HD constexpr std::size_t offset(int count, index_t n) {
        const auto items = static_cast<std::size_t>(n);
        std::size_t bytes = 0;
        static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (coded<I, Host>) {
                bytes += I < count ? scratch_round_up(sizeof(typename Code<I>::type) * items) : 0;
            } else {
                const std::size_t position = sorted<I>::positions ? sizeof(unsigned) * items : 0;
                bytes += I < count ? scratch_round_up(sizeof(key<I>) * items) + scratch_round_up(position) : 0;
            }
        });
        return bytes;
    }

    template <class B>
    static FUSE_HD unsigned char* row_memory(B& block, const Params<P>& p) {
        if constexpr (lone_thread<B>) {
            return static_cast<unsigned char*>(p.partials) +
                   2 * block.block_x() * offset<true>(phase::size, p.walked_size);
        } else {
            const std::size_t bytes = row_bytes(p.walked_size);
            return reinterpret_cast<unsigned char*>(
                block.template scratch<SharedUnit>(static_cast<unsigned>(bytes / sizeof(SharedUnit))));
        }
    }
    struct alignas(16) SharedUnit {
        unsigned char byte[16];
    };

    /// The results of a row at item v of a context, once it is sorted.
    template <bool Host, class Context>
    struct SortedContext : Context {
        unsigned char* memory;
        index_t first;

        template <int I>
        FUSE_HD typename sorted<I>::result result(int v) const {
            const Params<P>& p = this->params;
            const index_t s = first + v;
            if constexpr (sorted<I>::positions) {
                // The one element of a stretched row has position 0.
                if (stretched(p) && elements_of<I>(p, p.walked_size) <= 1) {
                    return 0;
                }
            }
            if constexpr (coded<I, Host>) {
                return Code<I>::result(keys<I, Host>(memory, p.walked_size)[s]);
            } else if constexpr (sorted<I>::positions) {
                return positions<I, Host>(memory, p.walked_size)[s];
            } else {
                return keys<I, Host>(memory, p.walked_size)[s];
            }
        }
    };

    /// Calls visit(context, s, left) for the elements of a row: a host thread has many at once, where nothing is stretched.
    template <leaf_set Set, class B, class Visit>
    static FUSE_HD void visit_elements(B& block, const Params<P>& p, const RowState<P>& state, const Visit& visit) {
        const results_t<P> none{};
        if constexpr (lone_thread<B>) {
            if (!stretched(p)) {
                return visit_chunks<Set, chunk_items>(p, state, none, Span{0, 1, p.walked_size}, visit);
            }
        }
        const auto n = static_cast<unsigned>(p.walked_size);
        for (unsigned s = linear_thread(block); s < n; s += block_threads(block)) {
            RowItems<P, 1> items;
            load_own<Set>(items, p, state, s);
            visit(RowContext<P, 1>{p, state, items, none}, s, 1);
        }
    }

    template <int I, bool Host, int V, class Items>
    static FUSE_HD void evaluate_keys(const RowContext<P, V, Items>& c, unsigned char* memory, index_t s,
                                      index_t left) {
        const Params<P>& p = c.params;
        auto* const keys_here = keys<I, Host>(memory, p.walked_size) + s;
        // What has no elements is not evaluated.
        const bool any = elements_of<I>(p, p.walked_size) > 0;
        for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
            const key<I> k = any ? Evaluate<typename phase::template at<I>::expression>::at(c, v) : key<I>{};
            if constexpr (coded<I, Host>) {
                keys_here[v] = Code<I>::of(k, s + v);
            } else {
                keys_here[v] = k;
                if constexpr (sorted<I>::positions) {
                    positions<I, Host>(memory, p.walked_size)[s + v] = static_cast<unsigned>(s + v);
                }
            }
        });
    }

    template <int I, class B>
    static FUSE_HD void sort_keys(B& block, unsigned char* memory, unsigned n) {
        constexpr bool host = lone_thread<B>;
        auto* const all = keys<I, host>(memory, n);
        using Order = Comparator<std::conditional_t<sorted<I>::largest_first, Descending, Ascending>>;
        if constexpr (coded<I, host>) {
            auto* const room = keys<I, host>(memory + offset<host>(phase::size, n), n);
            detail::sort_codes<Code<I>>(block, all, room, n);
        } else if constexpr (sorted<I>::positions) {
            Sort(block, all, positions<I, host>(memory, n), n, Order{});
        } else {
            Sort(block, all, n, Order{});
        }
    }

    template <bool Host, int V, class Items>
    static FUSE_HD void write(const SortedContext<Host, RowContext<P, V, Items>>& context, index_t row, index_t s,
                              index_t left) {
        if constexpr (P::stretches && V == 1) {
            write_own(context.params, context, row, s);
        } else {
            write_items<false, P, V>(context.params, context, row, s, left);
        }
    }
};

FUSE_END_NAMESPACE
