// SPDX-License-Identifier: Apache-2.0
//
// Targets, weights and options that a loss does not take.
// expect 1: fuse: nll_loss: the target holds class indices, integers
// expect 2: fuse: nll_loss: the target has the input's shape without the classes
// expect 3: fuse: nll_loss: the weight is a vector, one number for each class
// expect 4: fuse: cross_entropy: class indices have the input's shape without the classes, probabilities that of the input
// expect 5: fuse: cross_entropy takes a reduction, loss::label_smoothing(a) and loss::z_loss(c), each once
// expect 6: fuse: gaussian_nll_loss takes a reduction and loss::full, each once
// expect 7: fuse: triplet_margin_loss takes a reduction and loss::swap, each once
// expect 8: fuse: distillation_loss: student and teacher are logits of one shape (n, classes)
// expect 9: fuse: correlation: the two operands have the same number of axes
// expect 10: fuse: cosine_embedding_loss: the target has the inputs' shape without the last axis
// expect 11: fuse: info_nce: the similarities have shape (n, m)
// expect 12: fuse: cross_entropy: the input has shape (n, classes)
// expect 13: fuse: reduction::batchmean needs a first axis to count
// expect 14: fuse: reduction::batchmean needs a first axis to count
// expect 15: fuse: poisson_nll_loss takes a reduction, loss::log_input<false> and loss::full, each once
// expect 16: fuse: triplet_margin_loss: the operands have rows
// expect 17: fuse: covariance: the two operands have the same number of axes
// expect 18: fuse: the step of an optimizer is an integer, or a scalar expression of one
// expect 19: fuse: nll_loss: the input has shape (n, classes)
// expect 20: fuse: cross_entropy: the weight is a vector, one number for each class
#include <fuse/fuse.hpp>
#include <fuse/nn.hpp>

void f(float* p, int* q) {
    namespace loss = fuse::loss;
    namespace reduction = fuse::reduction;
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(p, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(p, 4);
    [[maybe_unused]] const auto a = fuse::scalar<"a">(1.0F);
    [[maybe_unused]] const auto t = fuse::view<"t">(q, 4);
    [[maybe_unused]] const auto u = fuse::view<"u">(q, 4, 8);
#if FUSE_WRONG == 1
    static_cast<void>(nll_loss(x, r));
#elif FUSE_WRONG == 2
    static_cast<void>(nll_loss(x, u));
#elif FUSE_WRONG == 3
    static_cast<void>(nll_loss(x, t, y));
#elif FUSE_WRONG == 4
    static_cast<void>(cross_entropy(x, u, loss::z_loss(1e-4)));
#elif FUSE_WRONG == 5
    static_cast<void>(cross_entropy(x, t, loss::z_loss(1e-4), reduction::sum, reduction::none));
#elif FUSE_WRONG == 6
    static_cast<void>(gaussian_nll_loss(x, y, x, loss::swap));
#elif FUSE_WRONG == 7
    static_cast<void>(triplet_margin_loss(x, y, x, 0.5, loss::full));
#elif FUSE_WRONG == 8
    static_cast<void>(distillation_loss(x, fuse::view<"z">(p, 1, 4, 8)));
#elif FUSE_WRONG == 9
    static_cast<void>(correlation(x, r));
#elif FUSE_WRONG == 10
    static_cast<void>(cosine_embedding_loss(x, y, u));
#elif FUSE_WRONG == 11
    static_cast<void>(info_nce(r));
#elif FUSE_WRONG == 12
    static_cast<void>(cross_entropy(r, t, loss::z_loss(1e-4)));
#elif FUSE_WRONG == 13
    static_cast<void>(kl_div(a, a, reduction::batchmean, loss::log_target));
#elif FUSE_WRONG == 14
    static_cast<void>(js_div(a, a, reduction::batchmean));
#elif FUSE_WRONG == 15
    static_cast<void>(poisson_nll_loss(x, y, loss::full, loss::full));
#elif FUSE_WRONG == 16
    static_cast<void>(triplet_margin_loss(a, a, a));
#elif FUSE_WRONG == 17
    static_cast<void>(covariance(x, r));
#elif FUSE_WRONG == 18
    static_cast<void>(adam(x, y, x, y, a));
#elif FUSE_WRONG == 19
    static_cast<void>(nll_loss(r, t));
#elif FUSE_WRONG == 20
    static_cast<void>(cross_entropy(x, t, y));
#else
    static_cast<void>(cross_entropy(x, t, loss::z_loss(1e-4), reduction::sum));
#endif
}
