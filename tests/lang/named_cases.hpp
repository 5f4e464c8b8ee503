// SPDX-License-Identifier: Apache-2.0
//
// One named<> around a functor with state: the same state is one value, computed once; another is refused before
// anything is written.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

namespace fuse::testing {

/// make(state) is a functor of float that holds the state. `first` and `second` must differ. `dirty` fills the stack
/// where the next copies are made, so that bytes between members do not agree by chance. Everywhere: in all places of an
/// eval that two things of one name can have, which are the same for every kind of state.
template <bool Everywhere = true, class Target, class Make, class State>
void check_named(const Target& target, Make make, State first, State second) {
    float a[4] = {1, 2, 3, 4};
    float out[4] = {77, 77, 77, 77};
    float other[4] = {77, 77, 77, 77};
    const auto x = view<"x">(a);
    const auto y = view<"y">(out);
    const auto z = view<"z">(other);
    const auto dirty = [](int fill) {
        volatile unsigned char bytes[512];
        for (volatile unsigned char& b : bytes) {
            b = static_cast<unsigned char>(fill);
        }
    };
    const auto h = [&](const State& state, int fill) {
        dirty(fill);
        return named<"h">(map(make(state), x));
    };
    const auto refused = [&](auto&& run) {
        std::string message = "nothing was thrown";
        try {
            run();
        } catch (const argument_error& e) {
            message = e.what();
        }
        CHECK(message ==
              "named<\"h\"> stands for two expressions with different functors in one eval: a name is an identity");
        CHECK((out[0] == 77 && out[3] == 77 && other[0] == 77 && other[3] == 77));
    };
    for (const bool swapped : {false, true}) {
        const State& one = swapped ? second : first;
        const State& two = swapped ? first : second;
        refused([&] { target.value(sum(h(one, 0)) - sum(h(two, 0))); });
        if constexpr (Everywhere) {
            refused([&] { target.eval(y = h(one, 0) - h(two, 0)); });
            refused([&] { target.eval(y = h(one, 0) - mean(h(two, 0))); });
            refused([&] { target.eval(y = h(one, 0), z = h(two, 0)); });
        }
    }
    for (const State& state : {first, second}) {
        target.eval(y = map(make(state), x) * 2.0F, z = h(state, 0xFF) + h(state, 0));
        for (int i = 0; i < 4; ++i) {
            const float value = make(state)(a[i]);
            CHECK((other[i] == 2 * value || (std::isnan(value) && std::isnan(other[i]))));
        }
    }
}

}  // namespace fuse::testing
