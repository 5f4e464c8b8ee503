// SPDX-License-Identifier: Apache-2.0
//
// Transposes of expressions in which results of reductions and scans stand beside what they were made of, with fewer axes
// or new ones in other places: in every order of the axes, against plain loops.
#include <functional>

#include "fuse/fuse.hpp"
#include "support/targets.hpp"
#include "support/tensor.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::expand_dims;
using fuse::index_t;

namespace {

using Place = std::function<double(index_t i, index_t j, index_t k)>;

NdArray filled(const Extent& extent, const Place& f) {
    NdArray a(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) { a(at) = f(at[0], at[1], at[2]); });
    return a;
}
double over(index_t n, const std::function<double(index_t)>& f) {
    double total = 0;
    for (index_t i = 0; i < n; ++i) {
        total += f(i);
    }
    return total;
}

template <class Target>
struct Orders {
    const Target& target;
    const Extent& extent;

    template <int... Order, class E>
    void check_order(const E& e, const NdArray& whole) const {
        const int order[] = {Order...};
        Extent turned;
        for (const int axis : order) {
            turned.push_back(extent[static_cast<std::size_t>(axis)]);
        }
        INFO("order " << order[0] << order[1] << order[2]);
        NdArray wanted(turned);
        for_each_coordinate(turned, [&](const Coordinate& at) {
            Coordinate from(3);
            for (std::size_t i = 0; i < 3; ++i) {
                from[static_cast<std::size_t>(order[i])] = at[i];
            }
            wanted(at) = whole(from);
        });
        Tensor<Target, double> out(turned);
        target.eval(out.template view<"y", 3>() = fuse::transpose<Order...>(e));
        check_close(out.read(), wanted, 1e-12, 1e-12);
    }
    template <class E>
    void operator()(const char* name, const E& e, const Place& f) const {
        INFO(name << " of " << to_text(extent));
        const NdArray whole = filled(extent, f);
        check_order<0, 1, 2>(e, whole);
        check_order<0, 2, 1>(e, whole);
        check_order<1, 0, 2>(e, whole);
        check_order<1, 2, 0>(e, whole);
        check_order<2, 0, 1>(e, whole);
        check_order<2, 1, 0>(e, whole);
    }
};

template <class Target>
void check_orders(const Target& target, const Extent& extent) {
    const Orders<Target> check{target, extent};
    const NdArray values = random_reals(extent, 1, 2, 31);
    Tensor<Target, double> data(values);
    const auto x = data.template const_view<"x", 3>();
    const auto at = [&values](index_t i, index_t j, index_t k) { return values({i, j, k}); };
    const index_t n0 = extent[0], n1 = extent[1], n2 = extent[2];
    const auto sum0 = [&](index_t j, index_t k) { return over(n0, [&](index_t i) { return at(i, j, k); }); };
    const auto sum1 = [&](index_t i, index_t k) { return over(n1, [&](index_t j) { return at(i, j, k); }); };
    const auto sum2 = [&](index_t i, index_t j) { return over(n2, [&](index_t k) { return at(i, j, k); }); };

    check("x / sum(x, axes<0>)", x / sum(x, axes<0>),
          [&](index_t i, index_t j, index_t k) { return at(i, j, k) / sum0(j, k); });
    check("x / expand_dims<1>(sum(x, axes<1>))", x / expand_dims<1>(sum(x, axes<1>)),
          [&](index_t i, index_t j, index_t k) { return at(i, j, k) / sum1(i, k); });
    check("x / expand_dims<2>(sum(x, axes<2>))", x / expand_dims<2>(sum(x, axes<2>)),
          [&](index_t i, index_t j, index_t k) { return at(i, j, k) / sum2(i, j); });
    check("of two axes", x / expand_dims<0>(expand_dims<1>(sum(x, axes<0, 2>))) + sum(x, axes<0, 1>),
          [&](index_t i, index_t j, index_t k) {
              const double middle = over(n2, [&](index_t c) { return sum0(j, c); });
              return at(i, j, k) / middle + over(n1, [&](index_t b) { return sum0(b, k); });
          });
    const auto rows = sum(x, axes<2>);
    check("a sum of sums beside them", x / expand_dims<2>(rows / expand_dims<1>(sum(rows, axes<1>))),
          [&](index_t i, index_t j, index_t k) {
              return at(i, j, k) / (sum2(i, j) / over(n1, [&](index_t b) { return sum2(i, b); }));
          });
    check("the other way", x - expand_dims<2>(rows / sum(rows, axes<0>)), [&](index_t i, index_t j, index_t k) {
        return at(i, j, k) - sum2(i, j) / over(n0, [&](index_t a) { return sum2(a, j); });
    });
    const auto running = cumsum(x, axes<1>);
    check("a scan beside its sum", running / sum(running, axes<0>), [&](index_t i, index_t j, index_t k) {
        const auto scanned = [&](index_t a) { return over(j + 1, [&](index_t b) { return at(a, b, k); }); };
        return scanned(i) / over(n0, scanned);
    });
    check("coordinates of a sum", x - sum(x * (1 + fuse::index<0>()), axes<0>), [&](index_t i, index_t j, index_t k) {
        return at(i, j, k) - over(n0, [&](index_t a) { return at(a, j, k) * static_cast<double>(1 + a); });
    });
    check("coordinates of a scan", cumsum(x * (fuse::index<0>() + 2 * fuse::index<-1>()), axes<1>),
          [&](index_t i, index_t j, index_t k) {
              return over(j + 1, [&](index_t b) { return at(i, b, k) * static_cast<double>(i + 2 * k); });
          });
    check("softmax", softmax(x, axes<1>), [&](index_t i, index_t j, index_t k) {
        return std::exp(at(i, j, k)) / over(n1, [&](index_t b) { return std::exp(at(i, b, k)); });
    });
}

}  // namespace

TEST_CASE("transposes of results beside what they were made of") {
    for (const Extent& extent : {Extent{2, 3, 4}, Extent{5, 1, 3}, Extent{3, 3, 3}}) {
        check_orders(HostTarget{}, extent);
    }
}
