// SPDX-License-Identifier: Apache-2.0
//
// Gradients of chains of folds (chains.cpp) beside their losses, against central differences of plain loops.
#include "lang/chain_cases.hpp"
#include "lang/gradient_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::expand_dims;
using fuse::gradient;
using fuse::index_t;

namespace {

/// Of loss(a, t, u), a of i elements, t i x j, u j x k. formula: the same of arrays.
template <class Target, class Loss, class Formula>
void check_chain_gradients(const Target& target, index_t i, index_t j, index_t k, Loss loss, Formula formula) {
    INFO("chain through " << i << ", " << j << ", " << k);
    const NdArray a = chain_start(i);
    const NdArray t = chain_matrix(i, j, 51);
    const NdArray u = chain_matrix(j, k, 52);
    Tensor<Target, double> a_data(a), t_data(t), u_data(u), l(Extent{}), da(a.extent), dt(t.extent), du(u.extent);
    const auto A = a_data.template const_view<"a", 1>();
    const auto T = t_data.template const_view<"t", 2>();
    const auto U = u_data.template const_view<"u", 2>();
    const auto e = loss(A, T, U);
    target.eval(l.template view<"l", 0>() = e, da.template view<"da", 1>() = gradient(e, A),
                dt.template view<"dt", 2>() = gradient(e, T), du.template view<"du", 2>() = gradient(e, U));
    check_close(l.read(), NdArray(Extent{}, formula(a, t, u)), 1e-12, 1e-12);
    check_close(da.read(), numeric_gradient([&](const NdArray& x) { return formula(x, t, u); }, a), 1e-7, 1e-8);
    check_close(dt.read(), numeric_gradient([&](const NdArray& x) { return formula(a, x, u); }, t), 1e-7, 1e-8);
    check_close(du.read(), numeric_gradient([&](const NdArray& x) { return formula(a, t, x); }, u), 1e-7, 1e-8);
}

template <class Target>
void check_partition_functions(const Target& target) {
    const auto loss = [](const auto& a, const auto& t, const auto& u) {
        const auto first = logsumexp(expand_dims<1>(a) + t, axes<0>);
        return logsumexp(logsumexp(expand_dims<1>(first) + u, axes<0>));
    };
    const auto formula = [](const NdArray& a, const NdArray& t, const NdArray& u) {
        const NdArray first = chain_step(a, t, false, added, logsumexp_numbers);
        return logsumexp_numbers(chain_step(first, u, false, added, logsumexp_numbers).value);
    };
    check_chain_gradients(target, 4, 5, 3, loss, formula);
    check_chain_gradients(target, 3, 3, 3, loss, formula);
    check_chain_gradients(target, 1, 4, 1, loss, formula);
    check_chain_gradients(target, 5, 1, 2, loss, formula);
}
template <class Target>
void check_products(const Target& target) {
    const auto loss = [](const auto& a, const auto& t, const auto& u) {
        return sum(square(sum(u * expand_dims<1>(sum(t * expand_dims<1>(a), axes<0>)), axes<0>)));
    };
    const auto formula = [](const NdArray& a, const NdArray& t, const NdArray& u) {
        const NdArray first = chain_step(a, t, false, multiplied, sum_reference);
        const Numbers last = chain_step(first, u, false, multiplied, sum_reference).value;
        return dot_reference(last, last);
    };
    check_chain_gradients(target, 4, 5, 3, loss, formula);
    check_chain_gradients(target, 2, 2, 2, loss, formula);
    check_chain_gradients(target, 1, 6, 1, loss, formula);
    check_chain_gradients(target, 9, 33, 20, loss, formula);
}

/// Half-steps of Sinkhorn's iteration (Cuturi, "Sinkhorn distances", NIPS 2013), each of which stands several times in
/// the next, and the cost of the plan they find.
void check_transport(index_t rows, index_t columns) {
    INFO("transport of " << rows << " to " << columns);
    const NdArray costs = random_reals({rows, columns}, 0.1, 1.0, 53);
    const auto loss = [](const auto& c) {
        const auto k = -c * fuse::constant<4>;
        const auto u = -logsumexp(k, axes<1>, fuse::keepdims);
        const auto v = -logsumexp(k + u, axes<0>, fuse::keepdims);
        const auto w = -logsumexp(k + v, axes<1>, fuse::keepdims);
        return sum(exp(k + w + v) * c);
    };
    const auto formula = [](const NdArray& c) {
        const NdArray k = map_reference([](double x) { return -4 * x; }, c);
        const auto left = [&k](const NdArray& potential, unsigned axes) {
            const NdArray sums = map_reference([](double x, double p) { return x + p; }, k, potential);
            return map_reference([](double x) { return -x; }, reduce_reference(logsumexp_numbers, sums, axes, true));
        };
        const NdArray u = left(NdArray({1, 1}), 0b10);
        const NdArray v = left(u, 0b01);
        const NdArray w = left(v, 0b10);
        const auto cost = [](double x, double p, double q, double own) { return std::exp(x + p + q) * own; };
        return sum_reference(map_reference(cost, k, w, v, c).value);
    };
    Tensor<HostTarget, double> c_data(costs), d_data(costs.extent);
    const auto c = c_data.const_view<"c", 2>();
    HostTarget().eval(d_data.view<"d", 2>() = gradient(loss(c), c));
    check_close(d_data.read(), numeric_gradient(formula, costs), 1e-7, 1e-8);
}

}  // namespace

TEST_CASE("gradients of a chain whose links stand several times in the next") {
    check_transport(2, 3);
    check_transport(5, 4);
    check_transport(1, 3);
}
TEST_CASE("gradients of a partition function") {
    check_partition_functions(HostTarget());
}
TEST_CASE("gradients of products of matrices and a vector") {
    check_products(HostTarget());
}
TEST_CASE("gradients of products of matrices and a vector on the emulated device") {
    check_products(EmulatedTarget());
}
