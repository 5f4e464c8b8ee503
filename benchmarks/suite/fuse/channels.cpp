// SPDX-License-Identifier: Apache-2.0
//
// Mean and variance of channels.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

template <class X, class A>
void statistics(const Setup& s, int k, const X& x, A over) {
    const index_t channels = s.extent(1);
    eval(executor(s), shaped<"mean", float>(s, k, channels) = mean(x, over),
         shaped<"var", float>(s, k, channels) = var(x, over));
}

const Enter nhwc("statistics_nhwc", [](const Setup& s, int k) { statistics(s, k, matrix<"x">(s, k), axes<0>); });

const Enter nchw("statistics_nchw", [](const Setup& s, int k) {
    const auto x = shaped<"x", element>(s, k, s.extent(0), s.extent(1), s.extent(2), s.extent(3));
    statistics(s, k, x, axes<0, 2, 3>);
});

}  // namespace
}  // namespace bench
