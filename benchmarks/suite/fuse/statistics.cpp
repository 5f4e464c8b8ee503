// SPDX-License-Identifier: Apache-2.0
//
// Several reductions of everything at once, and the place of the largest element.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

template <fixed_name N>
auto result(const Setup& s, int k, index_t i) {
    return view<N>(s.at<float>("out", k) + i, shape());
}

const Enter statistics("statistics", [](const Setup& s, int k) {
    const auto x = array<"x">(s, k);
    eval(executor(s), result<"sum">(s, k, 0) = sum(x), result<"squares">(s, k, 1) = sum(square(x)),
         result<"min">(s, k, 2) = min(x), result<"max">(s, k, 3) = max(x), result<"absmax">(s, k, 4) = max(abs(x)));
});

const Enter cosine("cosine", [](const Setup& s, int k) {
    eval(executor(s), scalar_of<"out">(s, k) = cosine_similarity(array<"a">(s, k), array<"b">(s, k)));
});

const Enter norm_of_all("norm", [](const Setup& s, int k) {
    eval(executor(s), scalar_of<"out">(s, k) = norm<2>(array<"x">(s, k)));
});

const Enter place("argmax", [](const Setup& s, int k) {
    eval(executor(s), scalar_of<"out", index_t>(s, k) = argmax(array<"x">(s, k)));
});

}  // namespace
}  // namespace bench
