// SPDX-License-Identifier: Apache-2.0
//
// What has one identity in statements that are done in steps is one thing in all of them. Each step is checked like
// statements of a user, but of equal reductions only the first gets into a step, and a step does not know what is called
// x in another one. So the occurrences are compared before steps are cut.
#pragma once

#include "fuse/exec/checks.hpp"
#include "fuse/exec/name_around.hpp"
#include "fuse/exec/same_bytes.hpp"
#include "fuse/exec/value_bytes.hpp"
#include "fuse/lang/shape.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A sink of Lower<...>::walk for views, numbers and functors. Graph: the NumberedNodes of statements S... . It points
/// into the statements.
template <class Graph, class... S>
class StepNames {
public:
    explicit StepNames(const ValueBytes& values) : values_(values), leaves_{leaf_room_} {}
    StepNames(const StepNames&) = delete;

    template <class Leaf, class View>
    void leaf(const View& view) {
        values_.note(view);
        constexpr int i = Graph::template number<Leaf>;
        BoundOperand operand{View::name_type::text,
                             is_named<typename View::name_type>,
                             reinterpret_cast<std::uintptr_t>(view.data()),
                             view.shape(),
                             view.strides(),
                             sizeof(typename View::storage_type),
                             i};
        operand.around = name_around<Leaf>;
        if constexpr (requires { view.source(); }) {
            operand.memory = View::in_memory ? &view.source().view : nullptr;
            using Value = std::remove_cvref_t<decltype(view.value())>;
            Value value = view.value();
            if (window_[i].node == nullptr) {
                window_[i] = {&view, [](const void* node, void* to) {
                                  *static_cast<Value*>(to) = static_cast<const View*>(node)->value();
                              }};
            } else {
                Value first = value;
                window_[i].read(window_[i].node, &first);
                if (!same_bytes(first, value)) {
                    throw_two_expressions(name_around<Leaf>, "views");
                }
            }
        }
        for (const BoundOperand& o : leaves_) {
            if (o.slot == operand.slot && same_data(o, operand)) {
                return;
            }
        }
        leaves_.push(operand);
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar& s) {
        values_.note(s.value);
        if (!is_first(number_[Graph::template number<Leaf>], s.value)) {
            if constexpr (is_named<typename Scalar::name_type>) {
                throw_two_numbers(Scalar::name_type::text);
            } else {
                throw_two_expressions(name_around<Leaf>, "numbers");
            }
        }
    }
    template <class Id, class F>
    void functor(const F& f) {
        values_.note(f);
        if (!is_first(functor_[Graph::template state<F, Id>], f)) {
            throw_two_expressions(name_around<Id>, "functors");
        }
    }
    /// When all have been seen.
    void finish() const { check_names(leaves_); }

private:
    struct FirstWindow {
        const void* node = nullptr;
        void (*read)(const void* node, void* to) = nullptr;  ///< its value
    };
    static constexpr int views = [] {
        Tally t;
        (t.add(tally<typename S::expression_type>, 0), ...);
        return t.views;
    }();

    /// Whether nothing stood at this place, or the same.
    template <class T>
    static bool is_first(const void*& place, const T& value) {
        if (place == nullptr) {
            place = &value;
            return true;
        }
        return same_bytes(*static_cast<const T*>(place), value);
    }

    const ValueBytes& values_;
    BoundOperand leaf_room_[views + 1];
    Listing<BoundOperand> leaves_;
    FirstWindow window_[Graph::nodes.leaves + 1];
    const void* number_[Graph::nodes.leaves + 1] = {};
    const void* functor_[Graph::array.states + 1] = {};
};

}  // namespace detail

FUSE_END_NAMESPACE
