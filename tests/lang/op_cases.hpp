// SPDX-License-Identifier: Apache-2.0
//
// Every functor and every reduction op of the op table through an executor, against the reference of its record.
#pragma once

#include "ops/check.hpp"
#include "ops/op_table.hpp"
#include "ops/reduction_table.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

template <class T>
NdArray operand_of(Domain domain, const Extent& extent, unsigned seed) {
    NdArray a(extent);
    const auto values = random_values<T>(domain, a.value.size(), seed);
    for (std::size_t i = 0; i < values.size(); ++i) {
        a.value[i] = static_cast<double>(values[i]);
    }
    return a;
}

/// Results with the error bound of a record; `x` only for the message.
template <class F, class T>
void check_record(const NdArray& got, const NdArray& expected, double ulp) {
    for (std::size_t i = 0; i < got.value.size(); ++i) {
        check_value(F::name, static_cast<T>(got.value[i]), expected.value[i], ulp, static_cast<double>(i));
    }
}

template <class T, class Target>
struct UnaryOps {
    const Target& target;
    template <class Record>
    void operator()(const Record& record) const {
        using F = typename Record::functor;
        Tensor<Target, T> x(operand_of<T>(record.x, {3, 39}, 1));
        Tensor<Target, T> y(Extent{3, 39});
        target.eval(y.template view<"y", 2>() = map(F{}, x.template const_view<"x", 2>()));
        check_record<F, T>(y.read(), map_reference(record.reference, x.read()), record.ulp);
    }
};

template <class T, class Target>
struct BinaryOps {
    const Target& target;
    template <class Record>
    void operator()(const Record& record) const {
        using F = typename Record::functor;
        if constexpr (std::is_invocable_v<F, T, T>) {
            Tensor<Target, T> x(operand_of<T>(record.x, {3, 39}, 2));
            Tensor<Target, T> y(operand_of<T>(record.y, {3, 1}, 3));
            Tensor<Target, T> z(Extent{3, 39});
            target.eval(z.template view<"z", 2>() =
                            map(F{}, x.template const_view<"x", 2>(), y.template const_view<"y", 2>()));
            check_record<F, T>(z.read(), map_reference(record.reference, x.read(), y.read()), record.ulp);
        }
    }
};

template <class T, class Target>
struct TernaryOps {
    const Target& target;
    template <class Record>
    void operator()(const Record& record) const {
        using F = typename Record::functor;
        Tensor<Target, T> x(operand_of<T>(record.x, {3, 39}, 4));
        Tensor<Target, T> y(operand_of<T>(record.y, {39}, 5));
        Tensor<Target, T> z(operand_of<T>(record.z, {3, 1}, 6));
        Tensor<Target, T> w(Extent{3, 39});
        target.eval(w.template view<"w", 2>() = map(F{}, x.template const_view<"x", 2>(),
                                                    y.template const_view<"y", 1>(), z.template const_view<"z", 2>()));
        check_record<F, T>(w.read(), map_reference(record.reference, x.read(), y.read(), z.read()), record.ulp);
    }
};

struct First {
    template <class R>
    FUSE_HD constexpr auto operator()(const R& r) const {
        if constexpr (requires { r.min; }) {
            return r.min;
        } else {
            return r;
        }
    }
};

/// Every reduction op over axis Axis of a matrix. Of a result with several fields the first is compared.
template <class T, int Axis, class Target>
struct ReductionOps {
    const Target& target;
    template <class Record>
    void operator()(const Record& record) const {
        using Op = typename Record::op;
        using R = reduction_t<Op, T>;
        if constexpr (!Record::integers_only || std::is_integral_v<T>) {
            using Result = std::remove_cvref_t<decltype(First{}(std::declval<typename R::result>()))>;
            const Extent extent{37, 42};
            Tensor<Target, T> x(operand_of<T>(record.x, extent, 7));
            constexpr std::uint32_t mask = 1U << Axis;
            const NdArray expected =
                reduce_reference([&](const Numbers& v) { return record.reference(v)[0]; }, x.read(), mask);
            const NdArray scale = reduce_reference([&](const Numbers& v) { return record.scale(v); }, x.read(), mask);
            Tensor<Target, Result> y(expected.extent);
            target.eval(y.template view<"y", 1>() =
                            map(First{}, reduce(Op{}, x.template const_view<"x", 2>(), axes<Axis>)));
            const NdArray got = y.read();
            INFO(R::name);
            const double rounding = std::is_same_v<T, double> ? 2.3e-16 : 1.2e-7;
            for (std::size_t i = 0; i < got.value.size(); ++i) {
                CHECK(std::fabs(got.value[i] - expected.value[i]) <= 12 * rounding * scale.value[i]);
            }
        }
    }
};

template <class T, class Target>
void check_functors(const Target& target) {
    for_each_unary_record(UnaryOps<T, Target>{target});
    for_each_binary_record(BinaryOps<T, Target>{target});
    for_each_ternary_record(TernaryOps<T, Target>{target});
}

}  // namespace fuse::testing
