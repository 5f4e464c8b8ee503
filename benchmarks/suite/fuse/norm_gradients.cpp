// SPDX-License-Identifier: Apache-2.0
//
// Gradients of normalisations with respect to their rows.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

/// One number for each row, broadcast along it.
template <fixed_name N>
auto of_rows(const Setup& s, int k) {
    return expand_dims<1>(shaped<N, float>(s, k, s.extent(0)));
}

const Enter layer("layer_norm_backward", [](const Setup& s, int k) {
    const auto rstd = of_rows<"rstd">(s, k);
    const auto xhat = (matrix<"x">(s, k) - of_rows<"mean">(s, k)) * rstd;
    const auto g = matrix<"dy">(s, k) * shaped<"w", element>(s, k, s.extent(1));
    const auto along = mean(g * xhat, axes<1>, keepdims);
    eval(executor(s), matrix<"y">(s, k) = rstd * (g - mean(g, axes<1>, keepdims) - xhat * along));
});

const Enter rms("rms_norm_backward", [](const Setup& s, int k) {
    const auto rstd = of_rows<"rstd">(s, k);
    const auto xhat = matrix<"x">(s, k) * rstd;
    const auto g = matrix<"dy">(s, k) * shaped<"w", element>(s, k, s.extent(1));
    eval(executor(s), matrix<"y">(s, k) = rstd * (g - xhat * mean(g * xhat, axes<1>, keepdims)));
});

}  // namespace
}  // namespace bench
