// SPDX-License-Identifier: Apache-2.0
//
// An executor that runs what another one does, and counts how often operands are looked at, which is once for each time
// that statements are prepared, and notes by which kernel they are run.
#pragma once

#include <string>

#include "fuse/fuse.hpp"

namespace fuse::testing {

/// Each: it has every eval checked, as fuse::cuda of debug builds has.
template <class Inner, bool Each = false>
class CountingExecutor : public ExecutorBase<CountingExecutor<Inner, Each>, typename Inner::target_type> {
    using Base = ExecutorBase<CountingExecutor<Inner, Each>, typename Inner::target_type>;

public:
    CountingExecutor() : Base(Inner().policy()) {}
    static constexpr const char* name = "counting";
    static constexpr bool checks_each_eval = Each;
    static inline int checks = 0;
    static inline std::string launched;
    static void check_operand(const char*, std::uintptr_t) { ++checks; }
    typename Inner::target_type target() const { return Inner().target(); }

    template <class K, class Preparation>
    void launch(Preparation& prepared) const {
        launched = prepared.launch.name;
        inner().template launch<K>(prepared);
    }
    template <class Preparation>
    void launch_steps(Preparation& prepared) const {
        launched = "steps";
        inner().launch_steps(prepared);
    }

private:
    Inner inner() const { return Inner().with(this->policy()); }
};

}  // namespace fuse::testing
