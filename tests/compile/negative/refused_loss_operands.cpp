// SPDX-License-Identifier: Apache-2.0
//
// Numbers where losses have expressions, weights that they do not take, and their arguments in another order.
// expect 1: fuse: one operand of a loss at least is an expression, such as a view: mse_loss(
// expect 2: fuse: one operand of a loss at least is an expression, such as a view: kl_div(
// expect 3: fuse: one operand of a loss at least is an expression, such as a view: l1_loss(
// expect 4: fuse: one operand of a loss at least is an expression, such as a view: margin_ranking_loss(
// expect 5: fuse: one operand of a loss at least is an expression, such as a view: info_nce(
// expect 6: fuse: dice_loss takes two expressions
// expect 7: fuse: dice_loss takes two expressions
// expect 8: fuse: triplet_margin_loss takes three expressions
// expect 9: fuse: triplet_margin_loss takes three expressions
// expect 10: fuse: cross_entropy takes two expressions, such as views, logits of shape (n, classes)
// expect 11: fuse: nll_loss takes two expressions, such as views, log-probabilities of shape (n, classes)
// expect 12: fuse: cosine_similarity takes two expressions
// expect 13: fuse: cosine_embedding_loss takes two expressions
// expect 14: fuse: distillation_loss takes two expressions
// expect 15: fuse: correlation takes two expressions
// expect 16: fuse: weights of elements multiply the loss of each: mean(w * mse_loss(
// expect 17: fuse: weights of elements multiply the loss of each: mean(w * huber_loss(
// expect 18: fuse: weights of elements multiply the loss of each: mean(w * smooth_l1_loss(
// expect 19: fuse: the number follows the reduction, as in PyTorch: huber_loss(
// expect 20: fuse: the number follows the reduction, as in PyTorch: smooth_l1_loss(
// expect 21: fuse: the reduction of a loss is reduction::mean, sum or none
// expect 22: fuse: covariance takes two expressions
// expect 23: fuse: the reduction of a loss is reduction::mean, sum or none
// expect 24: fuse: the reduction of a loss is reduction::mean, sum or none
// expect 25: fuse: a number that cross_entropy takes has a name: loss::label_smoothing(0.1) or loss::z_loss(1e-4)
// expect 26: fuse: a container is not an operand: a view of it is
// expect 27: fuse: a container is not an operand: a view of it is
// expect 28: fuse: a container is not an operand: a view of it is
// expect 29: fuse: a container is not an operand: a view of it is
// expect 30: fuse: a container is not an operand: a view of it is
// expect 31: fuse: a container is not an operand: a view of it is
// expect 32: fuse: a container is not an operand: a view of it is
// expect 33: fuse: gaussian_nll_loss takes a variance beside the input and the target
// expect 34: fuse: clip_grad_norm takes the largest norm, clip_grad_norm(grad, 1.0)
// expect 35: fuse: group_norm and instance_norm take gamma and beta together
// expect 36: fuse: group_norm and instance_norm take gamma and beta together
// expect 37: fuse: group_norm and instance_norm take gamma and beta together
#include <fuse/fuse.hpp>
#include <fuse/nn.hpp>

#include <vector>

void f(float* p, const std::vector<float>& v) {
    namespace reduction = fuse::reduction;
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(p, 4, 8);
    [[maybe_unused]] const auto t = fuse::tensor<float>(4, 8);
    [[maybe_unused]] const auto w = fuse::view<"w">(p, 4, 8);
#if FUSE_WRONG == 1
    *p = fuse::value(fuse::host, fuse::mse_loss(1.0, 2.0));
#elif FUSE_WRONG == 2
    *p = fuse::value(fuse::host, fuse::kl_div(1, 2.0F, reduction::sum));
#elif FUSE_WRONG == 3
    *p = fuse::value(fuse::host, fuse::l1_loss(v, v));
#elif FUSE_WRONG == 4
    *p = fuse::value(fuse::host, fuse::margin_ranking_loss(1.0, 2.0, 1));
#elif FUSE_WRONG == 5
    *p = fuse::value(fuse::host, fuse::info_nce(0.5));
#elif FUSE_WRONG == 6
    *p = fuse::value(fuse::host, dice_loss(x, 0.5));
#elif FUSE_WRONG == 7
    *p = fuse::value(fuse::host, dice_loss(1, y, fuse::axes<1>, reduction::sum));
#elif FUSE_WRONG == 8
    *p = fuse::value(fuse::host, triplet_margin_loss(x, 0, 1));
#elif FUSE_WRONG == 9
    *p = fuse::value(fuse::host, triplet_margin_loss<1>(x, y, 0.5, 2.0));
#elif FUSE_WRONG == 10
    *p = fuse::value(fuse::host, cross_entropy(x, 3));
#elif FUSE_WRONG == 11
    *p = fuse::value(fuse::host, nll_loss(x, 3, reduction::sum));
#elif FUSE_WRONG == 12
    fuse::eval(fuse::host, y = cosine_similarity(x, 1.0));
#elif FUSE_WRONG == 13
    *p = fuse::value(fuse::host, cosine_embedding_loss(x, 1, 1));
#elif FUSE_WRONG == 14
    *p = fuse::value(fuse::host, distillation_loss(x, 1.0));
#elif FUSE_WRONG == 15
    *p = fuse::value(fuse::host, correlation(x, v));
#elif FUSE_WRONG == 16
    *p = fuse::value(fuse::host, mse_loss(x, y, w));
#elif FUSE_WRONG == 17
    *p = fuse::value(fuse::host, huber_loss(x, 1.0, reduction::mean, w));
#elif FUSE_WRONG == 18
    *p = fuse::value(fuse::host, smooth_l1_loss(x, y, w, reduction::sum));
#elif FUSE_WRONG == 19
    *p = fuse::value(fuse::host, huber_loss(x, y, 0.5, reduction::sum));
#elif FUSE_WRONG == 20
    *p = fuse::value(fuse::host, smooth_l1_loss(x, y, 1, reduction::sum));
#elif FUSE_WRONG == 21
    *p = fuse::value(fuse::host, smooth_l1_loss(x, y, "sum"));
#elif FUSE_WRONG == 22
    *p = fuse::value(fuse::host, covariance(1, y));
#elif FUSE_WRONG == 23
    *p = fuse::value(fuse::host, mse_loss(x, y, 1));
#elif FUSE_WRONG == 24
    *p = fuse::value(fuse::host, huber_loss(x, y, "sum", 0.5));
#elif FUSE_WRONG == 25
    *p = fuse::value(fuse::host, cross_entropy(x, y, 0.1));
#elif FUSE_WRONG == 26
    *p = fuse::value(fuse::host, mse_loss(x, t));
#elif FUSE_WRONG == 27
    *p = fuse::value(fuse::host, huber_loss(v, x, 0.5));
#elif FUSE_WRONG == 28
    *p = fuse::value(fuse::host, binary_cross_entropy_with_logits(x, v));
#elif FUSE_WRONG == 29
    *p = fuse::value(fuse::host, gaussian_nll_loss(x, y, v));
#elif FUSE_WRONG == 30
    fuse::eval(fuse::host, y = sigmoid_focal_loss(x, t, 0.25));
#elif FUSE_WRONG == 31
    *p = fuse::value(fuse::host, kl_div(v, y, reduction::batchmean));
#elif FUSE_WRONG == 32
    *p = fuse::value(fuse::host, mse_loss(t, t));
#elif FUSE_WRONG == 33
    *p = fuse::value(fuse::host, gaussian_nll_loss(x, y));
#elif FUSE_WRONG == 34
    fuse::eval(fuse::host, y = clip_grad_norm(x).output);
#elif FUSE_WRONG == 35
    static_cast<void>(group_norm(fuse::view<"i">(p, 2, 4, 8), 2, fuse::view<"g">(p, 4)));
#elif FUSE_WRONG == 36
    static_cast<void>(instance_norm(fuse::view<"i">(p, 2, 4, 8), fuse::view<"g">(p, 4), 1e-3));
#elif FUSE_WRONG == 37
    static_cast<void>(group_norm(fuse::view<"i">(p, 2, 4, 8), 2, fuse::view<"g">(p, 4), 1e-3));
#else
    static_cast<void>(v);
    const auto g = fuse::view<"g">(p, 4);
    static_cast<void>(group_norm(fuse::view<"i">(p, 2, 4, 8), 2, g, g * 0, 1e-3));
    static_cast<void>(instance_norm(fuse::view<"i">(p, 2, 4, 8), g, g * 0));
    fuse::eval(fuse::host, y = clip_grad_norm(x, 1.0).output);
    *p = fuse::value(fuse::host, huber_loss(x, 1, reduction::sum, 2) + mean(w * mse_loss(x, y, reduction::none)));
#endif
}
