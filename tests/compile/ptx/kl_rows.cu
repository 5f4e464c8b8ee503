// SPDX-License-Identifier: Apache-2.0
//
// The logarithm of a row's sum is one value of the row: computed again for each element, with its special cases, it would
// not leave registers for two rows at once. Nothing is written by rows: no policy of the L2. The kernels of rows, and the one
// of short rows, which losses of few classes take.
// ptx: entries 7
// ptx: no .local
// ptx: no cache_hint
// ptxas: no spills
#include <fuse/fuse.hpp>

void kl(const float* student, const float* teacher, float* loss, fuse::index_t rows, fuse::index_t columns) {
    const auto a = log_softmax(fuse::view<"a">(student, rows, columns));
    const auto b = log_softmax(fuse::view<"b">(teacher, rows, columns));
    fuse::eval(fuse::cuda, fuse::view<"loss">(loss, fuse::shape()) = mean(sum(exp(b) * (b - a), fuse::axes<1>)));
}
