// SPDX-License-Identifier: Apache-2.0
//
// Steps of all shapes on the host and on the emulated device, where neither the order in which threads and blocks come to
// run nor the number of runs changes a bit.
#include "lang/step_shape_cases.hpp"

#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// Results of one eval, as bytes.
std::string bits_of_run(const NdArray& x, const EmulatedExecutor& executor) {
    const EmulatedTarget target{executor};
    Tensor<EmulatedTarget, float> x_data(x);
    Tensor<EmulatedTarget, float> y_data(x.extent);
    Tensor<EmulatedTarget, float> q_data(Extent{x.extent[1]});
    Tensor<EmulatedTarget, float> s_data{Extent{}};
    const auto v = x_data.const_view<"x", 2>();
    target.eval(y_data.view<"y", 2>() = v / sum(v, axes<1>, keepdims) / norm<2>(v),
                q_data.view<"q", 1>() = mean(v, axes<0>), s_data.view<"s", 0>() = sum(square(v - mean(v))));
    std::string bits;
    const auto add = [&bits](const float* data, index_t count) {
        bits.append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(count) * sizeof(float));
    };
    add(y_data.origin(), size_of(x.extent));
    add(q_data.origin(), x.extent[1]);
    add(s_data.origin(), 1);
    return bits;
}

}  // namespace

TEST_CASE("steps of shapes with extents of 1, of integers, and with many carried results, on the host") {
    const HostTarget target;
    check_steps_of_unit_extents(target);
    check_steps_of_empty_axes(target);
    check_steps_of_integers(target, 40, 33);
    check_many_carried_results(target, {6, 11, 40});
}

TEST_CASE("steps of shapes with extents of 1, of integers, and with many carried results, on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_steps_of_unit_extents(target);
    check_steps_of_empty_axes(target);
    check_steps_of_integers(target, 40, 33);
    check_steps_of_integers(target, 700, 5);
    check_steps_of_integers(target, 3, 900);
    check_many_carried_results(target, {6, 11, 40});
    check_many_carried_results(target, {40, 70, 3});
    CHECK(record.all() == std::set<std::string>{"steps 1"});
}

TEST_CASE("steps give the same bits however threads and blocks take turns") {
    LaunchRecord record;
    for (const Extent& extent : {Extent{300, 7}, Extent{5, 600}}) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_reals(extent, -1, 2, 25);
        const std::string first = bits_of_run(x, EmulatedExecutor(record, Order::forward));
        CHECK(bits_of_run(x, EmulatedExecutor(record, Order::reverse)) == first);
        int different = 0;
        for (unsigned seed = 1; seed <= 50; ++seed) {
            different += bits_of_run(x, EmulatedExecutor(record, Order::shuffled, seed)) == first ? 0 : 1;
        }
        CHECK(different == 0);
    }
    CHECK(record.all() == std::set<std::string>{"steps 1"});
}

TEST_CASE("steps by blocks of more and of fewer threads than they take") {
    for (const unsigned threads : {16U, 96U, 512U}) {
        INFO(threads << " threads");
        fuse::Policy policy = small_policy;
        policy.row_block_threads = threads;
        policy.column_x_threads = 12;
        const EmulatedTarget target{EmulatedExecutor().with(policy)};
        check_steps_of_integers(target, 70, 33);
    }
}
