// SPDX-License-Identifier: Apache-2.0
//
// Functors of generated programs that have derivatives: templates, which take dual numbers, and one that says its own.
#pragma once

#include <cmath>

#include "fuse/gradient.hpp"

namespace fuzz {

struct Wave {
    template <class T>
    FUSE_HD T operator()(T u) const {
        using std::sin;
        return u * sin(u) + u;
    }
};
/// With a state and a branch.
struct Bend {
    float level;
    template <class T>
    FUSE_HD T operator()(T u) const {
        using std::exp;
        return u > T(0) ? u * u : exp(u) - T(level);
    }
};
struct Blend {
    template <class T, class U>
    FUSE_HD auto operator()(T u, U v) const {
        return u * v / (u * u + v * v + 1);
    }
};
/// partial<I>, which takes dual numbers in its turn.
struct Slanted {
    float factor;
    template <class T, class U>
    FUSE_HD auto operator()(T u, U v) const {
        return factor * u * u * v;
    }
    template <int I, class T, class U>
    FUSE_HD auto partial(T u, U v) const {
        if constexpr (I == 0) {
            return 2 * factor * u * v;
        } else {
            return factor * u * u;
        }
    }
};

}  // namespace fuzz
