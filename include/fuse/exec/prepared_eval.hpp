// SPDX-License-Identifier: Apache-2.0
//
// prepare: an eval that is checked once and run many times. What eval does before its launch, a microsecond or some of
// the CPU, is done when it is made; a call is the launch alone.
#pragma once

#include "fuse/exec/eval.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Calls f(leaf) for each output and each leaf of statements, which the caller may change: nodes show their operands as
/// constants, but these are parts of what is not.
template <class... S, class F>
void for_each_place(std::tuple<S...>& statements, const F& f) {
    const auto change = [&f](const auto& leaf) { f(const_cast<std::remove_cvref_t<decltype(leaf)>&>(leaf)); };
    std::apply([&](S&... s) { (static_cast<void>((f(s.output), for_each_leaf(s.expression, change))), ...); },
               statements);
}

/// Whether New may stand where a leaf does: a view of the same name, elements and number of axes, or a number of the
/// same name and type.
template <class Leaf, class New>
inline constexpr bool takes_place_of = std::is_same_v<Leaf, New>;
template <class T, class U, class Name, index_t... E, index_t... F>
inline constexpr bool takes_place_of<View<T, Name, E...>, View<U, Name, F...>> =
    sizeof...(E) == sizeof...(F) &&
    std::is_same_v<typename View<T, Name, E...>::storage_type, typename View<U, Name, F...>::storage_type>;

/// A window (lang/window.hpp) takes another view to look at.
template <class Leaf, class T, class Name, index_t... E>
    requires requires {
        typename Leaf::source_name;
    }
inline constexpr bool takes_place_of<Leaf, View<T, Name, E...>> =
    std::is_same_v<typename Leaf::source_name, Name> && Leaf::source_rank == sizeof...(E) &&
    std::is_same_v<typename Leaf::storage_type, typename View<T, Name, E...>::storage_type>;

template <class E, class New>
struct has_leaf;
template <class Operands, class New>
struct any_has_leaf;
template <class... E, class New>
struct any_has_leaf<operand_types<E...>, New> {
    static constexpr bool value = (false || ... || has_leaf<E, New>::value);
};
template <class E, class New>
struct has_leaf {
    static constexpr bool value = takes_place_of<E, New> || any_has_leaf<typename E::operands, New>::value;
};
template <class View, class E, class New>
struct has_leaf<Statement<View, E>, New> {
    static constexpr bool value = takes_place_of<View, New> || has_leaf<E, New>::value;
};

/// A leaf by which rebind finds its places.
template <class L>
inline constexpr bool is_named_leaf = false;
template <class T, class Name, index_t... E>
inline constexpr bool is_named_leaf<View<T, Name, E...>> = is_named<Name>;
template <class T, class Name>
inline constexpr bool is_named_leaf<Scalar<T, Name>> = is_named<Name>;

template <class L, class Name>
inline constexpr bool bears_name = false;
template <class T, class Name, index_t... E>
inline constexpr bool bears_name<View<T, Name, E...>, Name> = true;
template <class T, class Name>
inline constexpr bool bears_name<Scalar<T, Name>, Name> = true;

/// Whether a view of const elements would stand where a statement writes.
template <class Output, class New>
inline constexpr bool makes_read_only = false;
template <class Output, class T, class Name, index_t... E>
inline constexpr bool makes_read_only<Output, View<const T, Name, E...>> =
    takes_place_of<Output, View<const T, Name, E...>>;
template <class New, class... S>
inline constexpr bool leaves_writable = !(makes_read_only<typename S::view_type, New> || ...);

[[noreturn]] FUSE_RARE inline void throw_other_type(const char* name) {
    throw argument_error(Text() << "rebind: " << name
                                << " stands for data of another type as well: prepare the statements with one type");
}
[[noreturn]] FUSE_RARE inline void throw_other_shape(const char* name, const Shape& given, const Shape& had) {
    throw shape_error(Text() << "rebind: " << name << given << " does not have the shape " << had
                             << " for which the eval was prepared");
}

/// Refuses a leaf that is called as parts of x are, x[...], x[1:] of diff, x<1> of unflatten: it would stay part of what
/// stood there before.
FUSE_COLD inline void check_is_no_part(const char* leaf, const char* x) {
    const std::size_t length = std::strlen(x);
    if (std::strncmp(leaf, x, length) == 0 && (leaf[length] == '[' || leaf[length] == '<')) {
        throw argument_error(Text() << "rebind: " << leaf << " is part of another " << x
                                    << ": prepare the statements again, or give the part a name and rebind both");
    }
}

/// Puts a leaf in all places of its name.
template <class... S, class T, class Name, index_t... E>
void replace_leaf(std::tuple<S...>& statements, const View<T, Name, E...>& given) {
    for_each_place(statements, [&given](auto& leaf) {
        using Leaf = std::remove_reference_t<decltype(leaf)>;
        if constexpr (requires { typename Leaf::source_name; }) {
            check_is_no_part(Leaf::source_name::text, Name::text);
            if constexpr (takes_place_of<Leaf, View<T, Name, E...>>) {
                if (!(given.shape() == leaf.source().view.shape)) {
                    throw_other_shape(Name::text, given.shape(), leaf.source().view.shape);
                }
                leaf.take_source(given);
            }
        } else if constexpr (takes_place_of<Leaf, View<T, Name, E...>>) {
            if (!(given.shape() == leaf.shape())) {
                throw_other_shape(Name::text, given.shape(), leaf.shape());
            }
            // What is no output is only read, also where its elements might be written.
            leaf.rebind(Leaf(const_cast<typename Leaf::element_type*>(given.data()), given.shape(), given.strides()));
        } else if constexpr (bears_name<Leaf, Name>) {
            throw_other_type(Name::text);
        } else if constexpr (requires { Leaf::name_type::text; }) {
            check_is_no_part(Leaf::name_type::text, Name::text);
        }
    });
}
template <class... S, class T, class Name>
void replace_leaf(std::tuple<S...>& statements, const Scalar<T, Name>& given) {
    for_each_place(statements, [&given](auto& leaf) {
        using Leaf = std::remove_reference_t<decltype(leaf)>;
        if constexpr (std::is_same_v<Leaf, Scalar<T, Name>>) {
            leaf.value = given.value;
        } else if constexpr (bears_name<Leaf, Name>) {
            throw_other_type(Name::text);
        }
    });
}

}  // namespace detail

/// Statements that are bound to an executor and checked; made by prepare. It refers to the data, and to the executor's
/// workspace or resource. Copies are independent of each other; calls may come from several threads.
template <Executor E, class... S>
class PreparedEval {
public:
    PreparedEval(const E& executor, const std::tuple<S...>& statements) : executor_(executor), statements_(statements) {
        prepared_.emplace(executor.prepare(statements));
    }

    /// Runs the statements as eval does. Throws cuda_error where they cannot be launched.
    void operator()() const {
        executor_.check_machine();
        [[maybe_unused]] const detail::EvalRange range(statements_);
        auto prepared = *prepared_;  // a copy: a launch fills in what its blocks share
        if (prepared.empty) {
            return;
        }
        executor_.launch_prepared(prepared);
        if (const LaunchHook hook = detail::launch_hook(); hook != nullptr) {
            prepared.operand_bytes = executor_.prepare(statements_).operand_bytes;
            detail::report_launch(hook, E::name, statements_, prepared);
        }
    }

    /// step.rebind(view<"x">(p, rows, cols), scalar<"rate">(0.1F)): from now on these take the place of the leaves of
    /// their names. Checked as by eval: throws shape_error where a view has another shape than the one before,
    /// argument_error for what eval refuses; then nothing has changed. Costs what eval does before its launch.
    template <class... Leaf>
    void rebind(const Leaf&... leaves) {
        constexpr bool named = (detail::is_named_leaf<Leaf> && ...);
        static_assert(named, "fuse: rebind takes views and numbers with names, which say where they stand");
        if constexpr (named) {
            constexpr bool found = (detail::any_has_leaf<operand_types<S...>, Leaf>::value && ...);
            static_assert(found, "fuse: rebind: the prepared statements have no view or number of this name and type");
            static_assert((detail::leaves_writable<Leaf, S...> && ...),
                          "fuse: rebind: a view of const elements cannot take the place of an output");
            auto changed = statements_;
            (detail::replace_leaf(changed, leaves), ...);
            prepared_.emplace(executor_.prepare(changed));
            (detail::replace_leaf(statements_, leaves), ...);
        }
    }

private:
    E executor_;
    std::tuple<S...> statements_;
    detail::Perhaps<Preparation<typename E::target_type, S...>> prepared_;
};

/// auto step = prepare(fuse::cuda.on(stream), y = softmax(x)): everything that eval does but the launch; step()
/// launches. Throws shape_error or argument_error as eval does.
template <Executor E, StatementLike... S>
    requires(sizeof...(S) > 0)
auto prepare(const E& executor, const S&... statements) {
    using verdict = detail::Verdict<S...>;
    FUSE_REFUSE(verdict);
    if constexpr (verdict::refusal == detail::Refusal::none) {
        return PreparedEval<E, S...>(executor, std::tuple<S...>(statements...));
    }
}

FUSE_END_NAMESPACE
