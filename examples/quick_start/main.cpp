// SPDX-License-Identifier: Apache-2.0
//
// The first program of the README.
// [snippet:program]
#include <fuse/fuse.hpp>
#include <iostream>
#include <vector>

int main() {
    std::vector<float> a(1000000, 3), b(1000000, 1), p(1000000);
    auto x = fuse::view<"x">(a.data(), 1000, 1000);
    auto t = fuse::view<"t">(b.data(), 1000, 1000);
    auto y = fuse::view<"y">(p.data(), 1000, 1000);

    float mse = fuse::value(fuse::host, mean(square(x - t)));    // one kernel
    fuse::eval(fuse::host, y = softmax(x));                      // one kernel: max, exp, sum, divide
    std::cout << "mse " << mse << ", softmax " << p[0] << '\n';  // mse 4, softmax 0.001
    return mse == 4 ? 0 : 1;
}
// [snippet:end]
