// SPDX-License-Identifier: Apache-2.0
//
// What a loss takes beside its operands and numbers: PyTorch's keyword arguments, in any order. The reduction is one of
// them; those in fuse::loss are compile-time flags or numbers with a name.
#pragma once

#include "fuse/error.hpp"
#include "fuse/nn/loss_reduction.hpp"

FUSE_BEGIN_NAMESPACE

namespace loss {

/// label_smoothing=value of torch.nn.functional.cross_entropy, in [0, 1]: an argument_error otherwise.
struct label_smoothing {
    double value;
    FUSE_COLD explicit label_smoothing(double v) : value(v) {
        if (!(v >= 0 && v <= 1)) {
            Text text;
            text << "the label smoothing ";
            detail::print_number(text, v);
            throw argument_error(text << " is not between 0 and 1");
        }
    }
};
/// coefficient * logsumexp(logits)^2 is added to the loss of each row: it keeps the logits from drifting. Chowdhery et
/// al., "PaLM: Scaling Language Modeling with Pathways", arXiv:2204.02311, sec. 5, with the coefficient 1e-4.
struct z_loss {
    double coefficient;
    explicit constexpr z_loss(double c) : coefficient(c) {}
};
/// log_target=True: the target is given by its logarithm, too.
struct log_target_t {};
inline constexpr log_target_t log_target{};
/// full=True: with the terms that do not depend on the input.
struct full_t {};
inline constexpr full_t full{};
/// log_input=True or False: whether the input is the logarithm of the expected count.
template <bool Yes>
struct log_input_t {};
template <bool Yes>
inline constexpr log_input_t<Yes> log_input{};
/// swap=True: the negative is compared with the positive as well.
struct swap_t {};
inline constexpr swap_t swap{};

}  // namespace loss

namespace detail {

template <class Option, class... O>
inline constexpr int count_of = (int(std::same_as<Option, O>) + ... + 0);
template <class Option, class... O>
inline constexpr bool is_among = count_of<Option, O...> > 0;

/// Whether all of Given are reductions or of Allowed, none of them twice.
template <class... Allowed>
struct LossOptions {
    template <class... Given>
    static constexpr bool allow = (int(LossReduction<Given>) + ... + 0) <= 1 &&
                                  ((LossReduction<Given> || is_among<Given, Allowed...>)&&...) &&
                                  ((count_of<Given, Given...> == 1) && ...);
};

/// The reduction among the options, Default where there is none.
template <class Default, class... O>
struct chosen_reduction {
    using type = Default;
};
template <class Default, class First, class... Rest>
struct chosen_reduction<Default, First, Rest...> {
    using type = typename std::conditional_t<LossReduction<First>, chosen_reduction<First>,
                                             chosen_reduction<Default, Rest...>>::type;
};
template <class... O>
using reduction_among = typename chosen_reduction<reduction::mean_t, O...>::type;

/// The option of type Option, which is there.
template <class Option, class First, class... Rest>
constexpr const Option& option_of(const First& first, const Rest&... rest) {
    if constexpr (std::same_as<Option, First>) {
        return first;
    } else {
        return option_of<Option>(rest...);
    }
}

}  // namespace detail

/// What may follow the operands and numbers of a loss.
template <class O>
concept LossOption =
    LossReduction<O> || detail::is_among<O, loss::label_smoothing, loss::z_loss, loss::log_target_t, loss::full_t,
                                         loss::log_input_t<true>, loss::log_input_t<false>, loss::swap_t>;

FUSE_END_NAMESPACE
