// SPDX-License-Identifier: Apache-2.0
//
// The options of optimizers, and which of them are refused: rates, momenta and decays below 0, averages that forget
// nothing or more than all, NaN.
#pragma once

#include "fuse/error.hpp"
#include "fuse/lang/print.hpp"

FUSE_BEGIN_NAMESPACE

struct SgdOptions {
    double lr = 1e-3;
    double momentum = 0;
    double dampening = 0;
    double weight_decay = 0;
    bool nesterov = false;
};
struct AdamOptions {
    double lr = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0;
};
struct AdamWOptions {
    double lr = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 1e-2;
};
struct LionOptions {
    double lr = 1e-4;
    double beta1 = 0.9;
    double beta2 = 0.99;
    double weight_decay = 0;
};

namespace detail {

[[noreturn]] FUSE_RARE inline void throw_option(const char* optimizer, const char* option, const char* wanted,
                                                double value) {
    Text text;
    text << optimizer << ": " << option << " is " << wanted << ", not ";
    print_number(text, value);
    throw argument_error(text);
}
inline void check_at_least_0(const char* optimizer, const char* option, double value) {
    if (!(value >= 0)) {
        throw_option(optimizer, option, "at least 0", value);
    }
}
/// Of a moving average, 1 - beta of which is new in each step, and which is divided by 1 - beta^step.
inline void check_beta(const char* optimizer, const char* option, double beta) {
    if (!(beta >= 0 && beta < 1)) {
        throw_option(optimizer, option, "at least 0 and below 1", beta);
    }
}

/// What torch.optim refuses, with an argument_error.
template <class Options>
void check_options(const char* optimizer, const Options& o) {
    check_at_least_0(optimizer, "lr", o.lr);
    check_at_least_0(optimizer, "weight_decay", o.weight_decay);
    if constexpr (requires { o.momentum; }) {
        check_at_least_0(optimizer, "momentum", o.momentum);
    }
    if constexpr (requires { o.beta1; }) {
        check_beta(optimizer, "beta1", o.beta1);
        check_beta(optimizer, "beta2", o.beta2);
    }
    if constexpr (requires { o.eps; }) {
        check_at_least_0(optimizer, "eps", o.eps);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
