// SPDX-License-Identifier: Apache-2.0
//
// Operands that are missing, and arguments in another order.
// expect 1: fuse: a loss takes an input and a target: mse_loss(x, t)
// expect 2: fuse: a loss takes an input and a target: cross_entropy(x, t)
// expect 3: fuse: a loss takes an input and a target: nll_loss(x, t)
// expect 4: along axes it is mean(mse_loss(x, t, reduction::none), axes<1>)
// expect 5: fuse: a norm takes its scale and shift, then axes<...>, then an eps: layer_norm(x, gamma, beta, axes<1>, 1e-6)
// expect 6: fuse: a norm takes its scale and shift, then axes<...>, then an eps
// expect 7: fuse: a norm takes its scale and shift, then axes<...>, then an eps
// expect 8: fuse: max and min are of two operands, element by element, or of one along axes<...>: max(max(x, axes<1>), 0)
// expect 9: fuse: max and min are of two operands
// expect 10 later: fuse: the axis of a coordinate is a template argument: index<1>()
// expect 11: fuse: masked_softmax takes a mask, true where an element counts
// expect 12: fuse: covariance and correlation are those of two operands, along axes: covariance(x, y, axes<0>)
// expect 13: fuse: covariance and correlation are those of two operands
// expect 14: fuse: info_nce takes similarities of shape (n, m), a temperature that is a number, and a reduction
// expect 15: fuse: info_nce takes similarities of shape (n, m)
// expect 16: fuse: triplet_margin_loss takes three expressions
// expect 17: fuse: a norm takes its scale and shift, then axes<...>, then an eps
// expect 18: fuse: a loss takes an input and a target: smooth_l1_loss(x, t)
#include <fuse/fuse.hpp>
#include <fuse/nn.hpp>

void f(float* p, float* q) {
    namespace reduction = fuse::reduction;
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto w = fuse::view<"w">(q, 8);
#if FUSE_WRONG == 1
    static_cast<void>(mse_loss(x));
#elif FUSE_WRONG == 2
    static_cast<void>(cross_entropy(x));
#elif FUSE_WRONG == 3
    static_cast<void>(nll_loss(x));
#elif FUSE_WRONG == 4
    static_cast<void>(mse_loss(x, y, fuse::axes<1>));
#elif FUSE_WRONG == 5
    static_cast<void>(layer_norm(x, w, w, 1e-6, fuse::axes<1>));
#elif FUSE_WRONG == 6
    static_cast<void>(layer_norm(x, fuse::axes<1>, w));
#elif FUSE_WRONG == 7
    static_cast<void>(rms_norm(x, 1e-6F, fuse::axes<1>));
#elif FUSE_WRONG == 8
    static_cast<void>(max(x, 0, fuse::axes<1>));
#elif FUSE_WRONG == 9
    static_cast<void>(min(x, y, fuse::axes<1>));
#elif FUSE_WRONG == 10
    static_cast<void>(fuse::index(1));
#elif FUSE_WRONG == 11
    static_cast<void>(masked_softmax(x));
#elif FUSE_WRONG == 12
    static_cast<void>(covariance(x));
#elif FUSE_WRONG == 13
    static_cast<void>(correlation(x));
#elif FUSE_WRONG == 14
    static_cast<void>(info_nce(x, y));
#elif FUSE_WRONG == 15
    static_cast<void>(info_nce(x, y, 0.07));
#elif FUSE_WRONG == 16
    static_cast<void>(triplet_margin_loss(x, y));
#elif FUSE_WRONG == 17
    static_cast<void>(rms_norm_with_statistics(x, fuse::axes<1>, w));
#elif FUSE_WRONG == 18
    static_cast<void>(smooth_l1_loss(x));
#else
    static_cast<void>(mse_loss(x, y, reduction::none));
    static_cast<void>(layer_norm(x, w, w, fuse::axes<1>, 1e-6));
    static_cast<void>(rms_norm(x, w, fuse::axes<1>, 1e-6F));
    static_cast<void>(max(max(x, fuse::axes<1>), 0));
    static_cast<void>(fuse::index<1>());
    static_cast<void>(masked_softmax(x, x > 0));
    static_cast<void>(covariance(x, y, fuse::axes<0>));
    static_cast<void>(info_nce(x, 0.07));
    static_cast<void>(triplet_margin_loss(x, y, x));
#endif
}
