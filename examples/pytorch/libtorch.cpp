// SPDX-License-Identifier: Apache-2.0
//
// A fused kernel on tensors of libtorch, without a copy: rows of a transposed tensor are normalised in place, and the
// result is compared with PyTorch's.
#include <fuse/fuse.hpp>
#include <fuse/interop/torch.hpp>

#include <ATen/ATen.h>

#include <cstdio>
#include <string>

// [snippet:libtorch]
void softmax_of_columns(const at::Tensor& t) {  // in place
    auto x = fuse::view<"x">(fuse::from_torch<float, 2>(fuse::host, t));
    fuse::eval(fuse::host, transpose(x) = softmax(transpose(x)));
}
// [snippet:end]

int main() {
    const at::Tensor t = at::randn({5, 300}).t();
    const at::Tensor expected = t.softmax(0);
    softmax_of_columns(t);
    const auto difference = (t - expected).abs().max().item<float>();
    bool refused = false;
    try {
        static_cast<void>(fuse::from_torch<double, 2>(fuse::host, t));
    } catch (const fuse::argument_error& e) {
        refused = std::string(e.what()) == "from_torch: the elements are float32, not float64";
    }
    std::printf("libtorch: largest difference %g, another type %s\n", static_cast<double>(difference),
                refused ? "refused" : "TAKEN");
    return difference < 1e-6F && refused ? 0 : 1;
}
