// SPDX-License-Identifier: Apache-2.0
//
// Who else learns of an eval: a hook that is told of every launch, and, with the macro FUSE_NVTX, an NVTX range around
// every eval with its statements as name, which Nsight Systems shows.
#pragma once

#include <tuple>

#include "fuse/lang/statement.hpp"
#include "fuse/lang/view.hpp"

#if defined(FUSE_NVTX)
#include <nvtx3/nvToolsExt.h>
#endif

FUSE_BEGIN_NAMESPACE

/// One launch. The texts live as long as the call of the hook.
struct LaunchReport {
    const char* statements;  ///< "y = (x * 2), m = max(y)": parts of views are called x[...]
    const char* executor;    ///< "cuda", "host"
    const char* strategy;    ///< the kernel, as in explain()
    double bytes;            ///< of all operands and outputs together, each counted once
    index_t blocks;
    unsigned threads;  ///< of a block
};

using LaunchHook = void (*)(const LaunchReport&);

namespace detail {

/// One of the program; null in most.
inline LaunchHook the_launch_hook = nullptr;

inline LaunchHook launch_hook() {
    return __atomic_load_n(&the_launch_hook, __ATOMIC_ACQUIRE);
}

struct ErasedStatement {
    ErasedNode output;
    ErasedNode expression;
};
FUSE_RARE inline Text text_of(const ErasedStatement* statements, std::size_t count) {
    Text text;
    for (const ErasedStatement* s = statements; s != statements + count; ++s) {
        print_node(text << (s == statements ? "" : ", "), s->output);
        print_node(text << " = ", s->expression);
    }
    return text;
}
template <class... S>
FUSE_RARE Text text_of(const std::tuple<S...>& statements) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        const ErasedStatement erased[] = {
            {erase(std::get<I>(statements).output), erase(std::get<I>(statements).expression)}...};
        return text_of(erased, sizeof...(S));
    }
    (std::index_sequence_for<S...>{});
}

template <class Preparation, class... S>
FUSE_RARE void report_launch(LaunchHook hook, const char* executor, const std::tuple<S...>& statements,
                             const Preparation& prepared) {
    const Text text = text_of(statements);
    const auto& l = prepared.launch;
    hook({text.c_str(), executor, l.name, prepared.operand_bytes, l.grid, l.threads()});
}

/// From here to the end of the scope, on the thread's line of a profiler; nothing without the macro.
class EvalRange {
public:
#if defined(FUSE_NVTX)
    template <class... S>
    explicit EvalRange(const std::tuple<S...>& statements) {
        nvtxRangePushA(text_of(statements).c_str());
    }
    EvalRange(const EvalRange&) = delete;
    EvalRange& operator=(const EvalRange&) = delete;
    ~EvalRange() {
        nvtxRangePop();
    }
#else
    template <class... S>
    explicit EvalRange(const std::tuple<S...>&) {}
#endif
};

}  // namespace detail

/// From now on the hook is told of every launch of the program, after it has been made, by the thread that made it; null
/// ends that. Returns the hook before. What the hook throws leaves the eval.
inline LaunchHook set_launch_hook(LaunchHook hook) {
    return __atomic_exchange_n(&detail::the_launch_hook, hook, __ATOMIC_ACQ_REL);
}

FUSE_END_NAMESPACE
