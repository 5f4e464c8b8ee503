// SPDX-License-Identifier: Apache-2.0
//
// Normalisations of rows.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter layer("layer_norm", [](const Setup& s, int k) {
    const index_t n = s.extent(1);
    const auto w = shaped<"w", element>(s, k, n);
    eval(executor(s), matrix<"y">(s, k) = layer_norm(matrix<"x">(s, k), w, shaped<"b", element>(s, k, n), 1e-5));
});

const Enter rms("rms_norm", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = rms_norm(matrix<"x">(s, k), shaped<"w", element>(s, k, s.extent(1)), 1e-6));
});

const Enter add_rms("add_rms_norm", [](const Setup& s, int k) {
    const auto h = matrix<"x">(s, k) + matrix<"r">(s, k);
    const auto w = shaped<"w", element>(s, k, s.extent(1));
    eval(executor(s), matrix<"y">(s, k) = rms_norm(h, w, 1e-6), matrix<"h">(s, k) = h);
});

}  // namespace
}  // namespace bench
