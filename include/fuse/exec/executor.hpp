// SPDX-License-Identifier: Apache-2.0
//
// What an executor is: something that runs statements on a target. One that derives from ExecutorBase says what its
// machine is, where an operand may lie, and how a kernel is started there; binding, checks, the choice of a kernel,
// explain() and value() come from here.
#pragma once

#include <concepts>
#include <tuple>

#include "fuse/exec/launch_hook.hpp"
#include "fuse/exec/recent_evals.hpp"
#include "fuse/lang/statement.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The output of value().
template <class T>
using value_view = View<T, name_t<"value">>;

/// Runs scalar expressions into the elements of a tuple, which lies where kernels can write.
template <class Executor, class... T, class... E>
void run_into(const Executor& executor, std::tuple<T...>& results, const E&... expressions) {
    std::apply(
        [&](T&... result) {
            executor.run(std::make_tuple((value_view<T>(&result, Shape{}, Shape{}) = expressions)...));
        },
        results);
}

}  // namespace detail

/// The shared part. Derived has
///   static constexpr const char* name       for explain()
///   T target() const                        the machine that launches are chosen for
///   void launch<K>(Prepared&) const         completes the prepared launch, fills in what its blocks share (the
///                                           BlockSharing of its params), and runs kernel K
///   void launch_steps(PreparedSteps&) const the same of statements that are done in several steps
/// and may have
///   static void check_operand(name, address)   refuses operands that the machine cannot read
///   static constexpr bool checks_each_eval     an eval like one of the thread's last ones (recent_evals.hpp) is checked again
///   static void check_machine()                throws where the machine has failed before an eval
///   static double bandwidth()                  bytes per second of its memory, 0: not known
///   values(expressions...)                     where results cannot be written to the caller's stack
template <class Derived, Target T>
class ExecutorBase {
public:
    using target_type = T;

    /// The same executor with other thresholds.
    constexpr Derived with(const Policy& policy) const {
        Derived e = self();
        e.policy_ = policy;
        return e;
    }
    constexpr const Policy& policy() const { return policy_; }

    /// All that comes before the launch: every check of eval, nothing written.
    template <class... S>
    Preparation<T, S...> prepare(const std::tuple<S...>& statements, const detail::ValueBytes& values = {}) const {
        return {statements, policy_, self().target(), {&Derived::check_operand, values}};
    }

    template <class... S>
    FUSE_COLD void run(const std::tuple<S...>& statements) const {
        self().check_machine();
        [[maybe_unused]] const detail::EvalRange range(statements);
        auto prepared = prepare_again(statements);
        if (!prepared.empty) {
            launch_prepared(prepared);
            if (const LaunchHook hook = detail::launch_hook(); hook != nullptr) {
                detail::report_launch(hook, Derived::name, statements, prepared);
            }
        }
    }

    template <class Prepared>
    void launch_prepared(Prepared& prepared) const {
        if constexpr (requires { prepared.step; }) {
            self().launch_steps(prepared);
        } else {
            prepared.with_kernel([&]<class K>() { self().template launch<K>(prepared); });
        }
    }

    /// The values of scalar expressions, of one kernel.
    template <class... E>
    std::tuple<value_t<E>...> values(const E&... expressions) const {
        std::tuple<value_t<E>...> results{};
        detail::run_into(self(), results, expressions...);
        return results;
    }

    static constexpr double bandwidth() { return 0; }
    static void check_operand(const char*, std::uintptr_t) {}
    static constexpr bool checks_each_eval = false;
    static void check_machine() {}

private:
    friend Derived;
    constexpr ExecutorBase() = default;
    constexpr explicit ExecutorBase(const Policy& policy) : policy_(policy) {}
    constexpr const Derived& self() const { return static_cast<const Derived&>(*this); }

    /// prepare, or what it returned for statements like these. What a hook is told of takes time, and is found out only
    /// where there is one.
    template <class... S>
    Preparation<T, S...> prepare_again(const std::tuple<S...>& statements) const {
        if constexpr (detail::is_known_by_bytes<S...> && !Derived::checks_each_eval) {
            if (detail::launch_hook() == nullptr) {
                return detail::RecentEvals<Derived, S...>::prepare(self(), statements);
            }
        }
        return prepare(statements);
    }

    Policy policy_;
};

/// What eval, value and explain ask of an executor.
template <class E>
concept Executor = Target<typename E::target_type> &&
    requires(const E& e, const Policy& policy, const std::tuple<>& none) {
    { e.target() } -> std::convertible_to<typename E::target_type>;
    { e.with(policy) } -> std::same_as<E>;
    { E::name } -> std::convertible_to<const char*>;
    { E::bandwidth() } -> std::convertible_to<double>;
};

FUSE_END_NAMESPACE
