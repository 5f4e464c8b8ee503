// SPDX-License-Identifier: Apache-2.0
//
// Windows, what roll, pad and slices of them read, that have one place along an axis and stand beside operands which
// stretch them: each place of those reads the same element. Against loops.
#include <fuse/fuse.hpp>
#include <fuse/stencil.hpp>

#include "support/targets.hpp"
#include "support/tensor.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::index_t;

namespace {

constexpr index_t rows = 5;
constexpr index_t columns = 37;

/// window(x) has `rows` x 1 elements, those of the function element of x; beside y of rows x columns it is added to y and
/// summed along rows; if Everywhere, also folded along columns and run along both axes, which is the same for all windows.
template <bool Everywhere, class Target, class F, class Element>
void check_beside(const Target& target, const char* name, const NdArray& x, F window, Element element) {
    INFO(name);
    const NdArray y = random_reals({rows, columns}, -1, 1, 3);
    Tensor<Target, double> x_data(x), y_data(y);
    Tensor<Target, double> all(y.extent), down(y.extent), back(y.extent), of_rows(Extent{rows}),
        of_columns(Extent{columns});
    const auto w = window(x_data.template const_view<"x", 2>());
    const auto v = y_data.template const_view<"y", 2>();
    target.eval(all.template view<"all", 2>() = w + v * w);
    target.eval(of_rows.template view<"of_rows", 1>() = sum(w + v, axes<1>));
    if constexpr (Everywhere) {
        target.eval(down.template view<"down", 2>() = cumsum(w * v, axes<0>));
        target.eval(back.template view<"back", 2>() = cumsum(w * v, axes<1>, fuse::reverse));
        target.eval(of_columns.template view<"of_columns", 1>() = max(w * v, axes<0>));
    }
    NdArray wanted(y.extent), wanted_down(y.extent), wanted_back(y.extent), row_sums(Extent{rows}),
        highest(Extent{columns}, -1e9);
    for (index_t i = 0; i < rows; ++i) {
        for (index_t j = columns - 1; j >= 0; --j) {
            const double e = element(x, i);
            const double product = e * y({i, j});
            wanted({i, j}) = e + product;
            wanted_down({i, j}) = product + (i > 0 ? wanted_down({i - 1, j}) : 0);
            wanted_back({i, j}) = product + (j + 1 < columns ? wanted_back({i, j + 1}) : 0);
            row_sums({i}) += e + y({i, j});
            highest({j}) = std::max(highest({j}), product);
        }
    }
    check_close(all.read(), wanted, 1e-14, 1e-14);
    check_close(of_rows.read(), row_sums, 1e-13, 1e-13);
    if constexpr (Everywhere) {
        check_close(down.read(), wanted_down, 1e-13, 1e-13);
        check_close(back.read(), wanted_back, 1e-13, 1e-13);
        check_close(of_columns.read(), highest, 1e-14, 1e-14);
    }
}

template <class Target>
void check_stretched(const Target& target) {
    const NdArray column = random_reals({rows, 1}, 0.5, 1.5, 4);
    const NdArray matrix = random_reals({rows, 9}, 0.5, 1.5, 5);
    const auto row_before = [](const NdArray& x, index_t i) { return x({(i + rows - 1) % rows, 0}); };
    check_beside<true>(
        target, "roll of a column along both axes", column,
        [](const auto& x) {
            return roll(x, {1, 3}, axes<0, 1>);
        },
        row_before);
    check_beside<false>(
        target, "a slice of a roll", matrix, [](const auto& x) { return fuse::slice<1>(roll(x, 2, axes<1>), 4, 5); },
        [](const NdArray& x, index_t i) {
            return x({i, 2});
        });
    check_beside<true>(
        target, "a slice of what is padded, a slice with steps, turned round", matrix,
        [](const auto& x) { return fuse::slice<1>(pad(fuse::slice<1>(x, 8, {}, -3), 2, 1, axes<1>, 7), 3, 4); },
        [](const NdArray& x, index_t i) {
            return x({i, 5});
        });
    check_beside<false>(
        target, "a slice of the padding", matrix,
        [](const auto& x) { return fuse::slice<1>(pad(x, 2, 1, axes<1>, 7), 11, 12); },
        [](const NdArray&, index_t) { return 7.0; });
    check_beside<false>(
        target, "a roll of a roll of a slice", matrix,
        [](const auto& x) {
            return roll(roll(fuse::slice<1>(x, 6, 7), 1, axes<0>), {-2, 1}, axes<0, 1>);
        },
        [](const NdArray& x, index_t i) {
            return x({(i + 1) % rows, 6});
        });
}

}  // namespace

TEST_CASE("stretched windows") {
    check_stretched(HostTarget());
}
TEST_CASE("stretched windows on the emulated device") {
    check_stretched(EmulatedTarget());
}
