// SPDX-License-Identifier: Apache-2.0
//
// What a thread keeps of its last two evals of each type of statements: one that equals either in every pointer, extent,
// stride, number and functor has been checked and laid out, and goes to its launch at once. Loops over buffers that stay
// where they are consist of such evals, and so do those over two that take turns.
#pragma once

#include <cstring>
#include <tuple>
#include <type_traits>

#include "fuse/exec/same_bytes.hpp"
#include "fuse/exec/steps_launch.hpp"
#include "fuse/exec/value_bytes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether statements are the same where their bytes are: none of their functors owns what is not in it.
template <class... S>
inline constexpr bool is_known_by_bytes =
    (true && ... && (__is_trivially_constructible(S, const S&) && FUSE_IS_TRIVIALLY_DESTRUCTIBLE(S)));

/// The last evals of statements S... by a thread with an executor.
template <class Executor, class... S>
class RecentEvals {
public:
    /// What executor.prepare(statements) returns, which depends on the executor's policy and its target alone.
    FUSE_COLD static const Preparation<typename Executor::target_type, S...>&
    prepare(const Executor& executor, const std::tuple<S...>& statements) {
        static thread_local OfThread of_thread;
        if (of_thread.evals == nullptr) {
            of_thread.evals = new RecentEvals;
        }
        return of_thread.evals->find(executor, statements);
    }

private:
    struct OfThread {
        RecentEvals* evals = nullptr;
        ~OfThread() {
            delete evals;
            evals = nullptr;  // for evals in destructors that run when those of the thread have
        }
    };
    static_assert(sizeof(std::tuple<S...>) % 8 == 0, "each statement writes to a view, which holds an address");
    struct Entry {
        Policy policy;
        typename Executor::target_type target;
        unsigned char statements[sizeof(std::tuple<S...>)];
        unsigned char mask[sizeof(std::tuple<S...>)];
        Perhaps<Preparation<typename Executor::target_type, S...>> prepared;
    };

    template <class T>
    static bool is_same(const T& a, const T& b) {
        return std::memcmp(&a, &b, sizeof(T)) == 0 || same_bytes(a, b);  // padding, too, in most cases: that is faster
    }
    const Preparation<typename Executor::target_type, S...>& find(const Executor& executor,
                                                                  const std::tuple<S...>& statements) {
        const auto target = executor.target();
        const auto* const bytes = reinterpret_cast<const unsigned char*>(&statements);
        for (const Entry& e : entry_) {
            if (e.prepared.has_value() && same_values(bytes, e.statements, e.mask, sizeof(statements)) &&
                is_same(e.policy, executor.policy()) && is_same(e.target, target)) {
                return *e.prepared;
            }
        }
        Entry& e = entry_[oldest_];
        e.prepared.reset();  // should this throw
        e.prepared.emplace(executor.prepare(statements, ValueBytes(statements, e.mask)));
        e.policy = executor.policy();
        e.target = target;
        std::memcpy(e.statements, bytes, sizeof(statements));
        oldest_ = 1 - oldest_;
        return *e.prepared;
    }

    Entry entry_[2];
    int oldest_ = 0;
};

}  // namespace detail

FUSE_END_NAMESPACE
