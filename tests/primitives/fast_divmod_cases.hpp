// SPDX-License-Identifier: Apache-2.0
//
// FastDivMod against the processor's division: divisors and dividends of special form (the neighbourhood of
// powers of two, of multiples of the divisor, both ends of the range) and random ones of every magnitude.
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "fuse/primitives/machine/thread_block.hpp"
#include "fuse/primitives/thread/fast_divmod.hpp"
#include "support/emulated/dim2.hpp"

namespace fuse::testing {

template <class T>
std::vector<T> special_values() {
    std::vector<T> values{3, 5, 6, 7, 10, 641, 1000, 6700417};
    for (int bit = 0; bit < std::numeric_limits<T>::digits; ++bit) {
        const T power = T(1) << bit;
        for (T value : {static_cast<T>(power - 1), power, static_cast<T>(power + 1)}) {
            values.push_back(value);
            values.push_back(static_cast<T>(~value));  // the upper end of the range
        }
    }
    return values;
}

/// Uniform in the number of bits, so that every magnitude occurs.
template <class T>
T random_value(std::mt19937_64& random) {
    return static_cast<T>(random() >> (64 - 1 - random() % std::numeric_limits<T>::digits));
}

template <class T>
std::vector<T> divisors(int random_count) {
    std::vector<T> values;
    for (T value : special_values<T>()) {
        if (value != 0) {
            values.push_back(value);
        }
    }
    std::mt19937_64 random(7);
    for (int i = 0; i < random_count; ++i) {
        values.push_back(random_value<T>(random) | 1);
    }
    return values;
}

template <class T>
std::vector<T> dividends(T divisor, int random_count) {
    constexpr T last = std::numeric_limits<T>::max();
    std::vector<T> values = special_values<T>();
    std::mt19937_64 random(11 + divisor);
    for (int i = 0; i < random_count; ++i) {
        const T value = random_value<T>(random);
        const T multiple = static_cast<T>(value / divisor * divisor);
        values.insert(values.end(), {value, multiple, static_cast<T>(multiple - 1), static_cast<T>(last - value)});
    }
    const T last_multiple = last / divisor * divisor;
    values.insert(values.end(), {0, last, last_multiple, static_cast<T>(last_multiple - 1)});
    return values;
}

template <class T>
struct DivideKernel {
    FastDivMod<T> divide;
    const T* dividends;
    QuotientRemainder<T>* out;
    unsigned count;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned i = block.block_x() * block_threads(block) + linear_thread(block);
        if (i < count) {
            out[i] = divide.divmod(dividends[i]);
        }
    }
};

/// Number of wrong quotients or remainders of all dividends by `divisor`.
template <class T, class Runner>
unsigned count_wrong_divisions(const Runner& run, T divisor, int random_count) {
    const std::vector<T> values = dividends(divisor, random_count);
    const auto count = static_cast<unsigned>(values.size());
    typename Runner::template Buffer<T> in(count);
    typename Runner::template Buffer<QuotientRemainder<T>> out(count);
    for (unsigned i = 0; i < count; ++i) {
        in[i] = values[i];
    }
    run(Dim2{(count + 255) / 256, 1}, Dim2{256, 1}, 0,
        DivideKernel<T>{FastDivMod<T>(divisor), in.data(), out.data(), count});
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; ++i) {
        wrong += out[i].quotient != values[i] / divisor || out[i].remainder != values[i] % divisor;
    }
    return wrong;
}

}  // namespace fuse::testing
