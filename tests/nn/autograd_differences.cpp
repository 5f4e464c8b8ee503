// SPDX-License-Identifier: Apache-2.0
//
// A group of gradients against PyTorch on the host.
#include "nn/autograd_loss_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

TEST_CASE("gradients of differences against PyTorch") {
    check_autograd_of_differences(HostTarget{});
}

TEST_CASE("slopes at infinite distances are PyTorch's") {
    const double far = std::numeric_limits<double>::infinity();
    const std::vector<double> inputs{-far, far, 0, 3};
    const std::vector<double> targets(4, 1);
    std::vector<double> slopes(4);
    const auto x = fuse::view<"x">(inputs);
    const auto t = fuse::view<"t">(targets);
    const auto dx = fuse::view<"dx">(slopes);
    const auto slopes_of = [&](const auto& loss) {
        fuse::eval(fuse::host, dx = gradient(loss, x));
        return slopes;
    };
    const auto sum = fuse::reduction::sum;
    CHECK(slopes_of(smooth_l1_loss(x, t, sum, 2.0)) == std::vector<double>{-1, 1, -0.5, 1});
    CHECK(slopes_of(smooth_l1_loss(x, t, sum, 0.0)) == std::vector<double>{-1, 1, -1, 1});
    CHECK(slopes_of(huber_loss(x, t, sum, 2.0)) == std::vector<double>{-2, 2, -1, 2});
    CHECK(slopes_of(l1_loss(x, t, sum)) == std::vector<double>{-1, 1, -1, 1});
}
