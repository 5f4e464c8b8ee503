// SPDX-License-Identifier: Apache-2.0
//
// Functions of the catalogue and their gradients through a target, against autograd_values.txt.
#pragma once

#include "fuse/gradient.hpp"
#include "fuse/nn.hpp"
#include "nn/autograd_values.hpp"

namespace fuse::testing {

/// An operand with respect to which there is a gradient.
template <int Rank>
struct Real {
    static constexpr int rank = Rank;
    static constexpr bool varies = true;
    template <class T>
    using type = T;
};
/// Constants.
template <int Rank>
struct Fixed : Real<Rank> {
    static constexpr bool varies = false;
};
template <int Rank>
struct Classes : Fixed<Rank> {
    template <class T>
    using type = index_t;
};

/// Views are called a, b, ..., their gradients da, db, ...
template <class T, class... Kind>
struct AutogradCase {
    template <int I>
    static constexpr fixed_name operand{{static_cast<char>('a' + I), '\0'}};
    template <int I>
    static constexpr fixed_name slope{{'d', static_cast<char>('a' + I), '\0'}};
    template <int I>
    using kind = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<Kind...>>;

    template <class Target, class F, int... I>
    static void check(const Target& target, const AutogradEntry& entry, F f, std::integer_sequence<int, I...>) {
        const auto at = [](const auto& list, int i) -> const auto& {
            return list.at(static_cast<std::size_t>(i));
        };
        std::tuple<Tensor<Target, typename Kind::template type<T>>...> data{
            Tensor<Target, typename Kind::template type<T>>(at(entry.operands, I))...};
        std::vector<Tensor<Target, T>> slopes;
        (slopes.emplace_back(at(entry.operands, I).extent), ...);
        Tensor<Target, T> dy(entry.dy);
        Tensor<Target, T> value(entry.dy.extent);

        const std::tuple x{std::get<I>(data).template const_view<operand<I>, Kind::rank>()...};
        const auto y = f(entry.option, std::get<I>(x)...);
        constexpr int rank = decltype(y)::rank;
        // That of a scalar is what users write, and has simpler terms.
        const auto derivative = [&](const auto& variable) {
            if constexpr (rank == 0) {
                return gradient(y, variable);
            } else {
                return vjp(y, variable, dy.template const_view<"dy", rank>());
            }
        };
        const auto statement = [&]<int J>(std::integral_constant<int, J>) {
            if constexpr (kind<J>::varies) {
                const auto d = derivative(std::get<J>(x));
                using Axes = std::make_integer_sequence<int, decltype(d)::rank>;
                // Where y reads it through unflatten, d has the shape of that.
                const Shape shape = shape_of(d);
                T* const out = slopes[static_cast<std::size_t>(J)].origin();
                return std::tuple{strided_view<slope<J>>(out, shape, row_major(shape), Axes{}) = d};
            } else {
                return std::tuple<>{};
            }
        };
        std::apply([&](const auto&... s) { target.eval(value.template view<"value", rank>() = y, s...); },
                   std::tuple_cat(statement(std::integral_constant<int, I>{})...));

        constexpr double tolerance = std::is_same_v<T, double> ? 1e-10 : 2e-5;
        check_stored(value.read(), entry.value, tolerance);
        for (std::size_t i = 0; i < slopes.size(); ++i) {
            if (!entry.slopes[i].empty()) {
                INFO("with respect to operand " << i);
                check_stored(slopes[i].read(), entry.slopes[i], tolerance);
            }
        }
    }
};

/// The entries of a group, which has to be checked as a whole.
template <class Target>
class AutogradGroup {
public:
    AutogradGroup(const Target& target, const std::string& group) : target_(target) {
        for (const AutogradEntry& entry : read_autograd_values()) {
            if (entry.group == group) {
                entries_.push_back(entry);
            }
        }
    }
    AutogradGroup(const AutogradGroup&) = delete;
    ~AutogradGroup() { CHECK(checked_ == entries_.size()); }

    /// f(option, operands...) of the entries of this name.
    template <class... Kind, class F>
    void check(const std::string& name, F f) {
        checked_ += check_as<double, Kind...>(name, f);
    }
    /// In float, too.
    template <class... Kind, class F>
    void check_both(const std::string& name, F f) {
        check<Kind...>(name, f);
        check_as<float, Kind...>(name, f);
    }

private:
    template <class T, class... Kind, class F>
    std::size_t check_as(const std::string& name, F f) const {
        std::size_t count = 0;
        for (const AutogradEntry& entry : entries_) {
            if (entry.name == name) {
                INFO(name << ", option " << entry.option << ", of " << to_text(entry.operands[0].extent));
                AutogradCase<T, Kind...>::check(target_, entry, f,
                                                std::make_integer_sequence<int, static_cast<int>(sizeof...(Kind))>{});
                ++count;
            }
        }
        return count;
    }

    const Target& target_;
    std::vector<AutogradEntry> entries_;
    std::size_t checked_ = 0;
};

}  // namespace fuse::testing
