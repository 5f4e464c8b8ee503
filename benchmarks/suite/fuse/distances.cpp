// SPDX-License-Identifier: Apache-2.0
//
// Distances of rows, and their mean.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter mse("mse_rows", [](const Setup& s, int k) {
    const auto distance = mean(square(matrix<"a">(s, k) - matrix<"b">(s, k)), axes<1>);
    eval(executor(s), scalar_of<"out">(s, k) = mean(distance));
});

const Enter cosine("cosine_rows", [](const Setup& s, int k) {
    const auto similarity = cosine_similarity(matrix<"a">(s, k), matrix<"b">(s, k), axes<1>);
    eval(executor(s), scalar_of<"out">(s, k) = mean(1 - similarity));
});

}  // namespace
}  // namespace bench
