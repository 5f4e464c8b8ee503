// SPDX-License-Identifier: Apache-2.0
//
// Scans on the GPU: the bodies of tests/lang; very long arrays, graphs, streams and a workspace that scans and
// reductions share. Long arrays hold (7i mod 11) - 5, whose sums are known at every position: a kernel checks them.
#include <vector>

#include "lang/recurrence_cases.hpp"
#include "lang/scan_map_cases.hpp"
#include "lang/short_scan_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;
using fuse::index_t;

namespace {

FUSE_HD constexpr int item(index_t i) {
    return static_cast<int>(7 * i % 11) - 5;
}
/// The sum of items 0 .. i. Eleven of them add up to nothing.
FUSE_HD constexpr int sum_through(index_t i) {
    int sum = 0;
    for (index_t k = i / 11 * 11; k <= i; ++k) {
        sum += item(k);
    }
    return sum;
}

__global__ void fill(float* x, index_t n) {
    for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n; i += index_t{gridDim.x} * blockDim.x) {
        x[i] = static_cast<float>(item(i));
    }
}
__global__ void count_wrong(const float* y, index_t n, float scale, unsigned long long* wrong) {
    for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n; i += index_t{gridDim.x} * blockDim.x) {
        if (y[i] != scale * static_cast<float>(sum_through(i))) {
            atomicAdd(wrong, 1ULL);
        }
    }
}

/// Floats on the device, filled with items.
class Floats : public DeviceBuffer<float> {
public:
    explicit Floats(index_t n) : DeviceBuffer(static_cast<std::size_t>(n)) {
        fill<<<1024, 256>>>(get(), n);
        check_cuda(cudaDeviceSynchronize());
    }
    index_t items() const { return static_cast<index_t>(size()); }
    /// Elements that are not `scale` times the running sum.
    unsigned long long wrong(float scale = 1) const {
        ManagedBuffer<unsigned long long> count(1);
        count_wrong<<<1024, 256>>>(get(), items(), scale, count.data());
        check_cuda(cudaDeviceSynchronize());
        return count[0];
    }
};

auto running_sum(const Floats& x, const Floats& y) {
    return fuse::view<"y">(y.get(), y.items()) = fuse::cumsum(fuse::view<"x">(x.get(), x.items()));
}

}  // namespace

TEST_CASE("scans along all axes on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_scans<2, float>(target, scan_row_shapes(), Placement::row_major);
    check_scans<2, float>(target, {{10000, 1, 3}, {1, 1, 1000003}, {3, 1, 30011}, {500, 1, 5001}}, Placement::padded);
    check_scans<1, float>(target, scan_column_shapes(), Placement::row_major);
    check_scans<0, float>(target, {{1, 1, 1}, {64, 3, 5}, {257, 2, 33}, {4097, 1, 40}}, Placement::reversed);
}

TEST_CASE("scans of rows that begin between two vectors on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_odd_rows<float>(target, scan_odd_shapes());
    check_odd_rows<fuse::bfloat16>(target, scan_odd_shapes());
    check_odd_rows<double>(target, scan_odd_shapes());
}

TEST_CASE("scans of short rows on the GPU", "[gpu]") {
    skip_without_gpu();
    check_short_scans(CudaTarget{});
}

TEST_CASE("a scan of any rank and stride on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_scan_of_rank<1, 0>(target, {{1}, {64}, {257}, {50001}});
    check_scan_of_rank<4, 1>(target, {{2, 67, 1, 4}, {2, 5, 3, 7}});
    check_scan_of_rank<4, 3>(target, {{2, 1, 4, 67}, {3, 2, 5, 7}});
}

TEST_CASE("scans keep the order of elements on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_scan_order<1>(target, {{1, 1}, {3, 65}, {1000, 90}, {300, 9001}, {2, 3000001}});
    check_scan_order<0>(target, {{1, 1}, {65, 3}, {257, 40}, {5000, 100}});
}

TEST_CASE("discounted sums on the GPU", "[gpu]") {
    skip_without_gpu();
    check_discounted<1, float>(CudaTarget{}, {{1, 1}, {3, 64}, {200, 1000}, {1, 300000}}, 3e-6);
    check_discounted<0, float>(CudaTarget{}, {{1, 1}, {64, 3}, {1000, 200}}, 3e-6);
}

TEST_CASE("recurrences whose factors overflow, and of integers, on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_overflowing_factors<1, false, float>(target, {{3, 65}, {200, 1000}, {1, 300000}});
    check_overflowing_factors<0, true, float>(target, {{65, 3}, {1000, 200}});
    check_integer_recurrence<1, false, std::int32_t, std::int32_t, std::int64_t>(target, {{3, 65}, {1, 300000}});
}

TEST_CASE("reverse scans on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_reverse_cumsum<1, 0, float>(target, {{0}, {1}, {64}, {257}, {50001}, {1000003}});
    check_reverse_cumsum<3, 1, float>(target, {{1, 1, 1}, {2, 67, 4}, {3, 1000, 2}, {2, 5, 70}});
    check_reverse_order<1>(target, {{1, 1}, {3, 65}, {1000, 90}, {300, 9001}, {2, 300001}});
    check_reverse_order<0>(target, {{1, 1}, {65, 3}, {257, 40}, {5000, 100}});
    check_both_directions<1>(target, {{1, 1}, {3, 65}, {2, 50000}, {300, 7}});
    check_both_directions<0>(target, {{65, 3}, {7, 300}});
    check_special_reverse_scans(target);
    check_logcumsumexp(target, {{1, 1}, {3, 65}, {70, 300}});
}

TEST_CASE("maps around scans and outputs beside them on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_scans_with_maps(target, {{1, 1}, {3, 65}, {2, 1000}, {3000, 7}, {1, 30001}});
    check_column_scans_with_maps(target, {{1, 1}, {65, 3}, {1000, 2}, {7, 3000}, {100000, 37}});
    check_special_scans(target, {{4, 1}, {4, 64}, {4, 257}, {2, 50000}});
    check_scan_in_place<1>(target, {{3, 65}, {1, 50000}});
    check_scan_in_place<0>(target, {{65, 3}, {1000, 400}});
    check_empty_scans(target);
}

TEMPLATE_TEST_CASE("scans of element types on the GPU", "[gpu]", std::int32_t, std::uint8_t, bool, fuse::float16,
                   fuse::bfloat16, double) {
    skip_without_gpu();
    check_scans_of_type<TestType, 1>(CudaTarget{}, {{1, 1}, {3, 67}, {80, 16}, {2, 100000}});
    check_scans_of_type<TestType, 0>(CudaTarget{}, {{67, 3}, {130, 70}});
}

TEST_CASE("2^28 + 3 elements, and the same bits every time", "[gpu]") {
    skip_without_gpu();
    constexpr index_t n = (index_t{1} << 28) + 3;
    const Floats x(n);
    const Floats y(n);
    CHECK(y.wrong() > 0);
    fuse::eval(fuse::cuda, running_sum(x, y));
    CHECK(y.wrong() == 0);
    fuse::eval(fuse::cuda, running_sum(x, x));  // in place
    CHECK(x.wrong() == 0);

    // A sum that rounds shows every change of order.
    const Floats z(n);
    const auto in = fuse::view<"y">(y.get(), n);
    const auto other_x = fuse::view<"x">(x.get(), n);
    const auto other_z = fuse::view<"z">(z.get(), n);
    fuse::eval(fuse::cuda, other_x = fuse::cumsum(fuse::sin(in * 1.7F) * 0.1F));
    for (int round = 0; round < 3; ++round) {
        fuse::eval(fuse::cuda, other_z = fuse::cumsum(fuse::sin(in * 1.7F) * 0.1F));
        CHECK(fuse::value(fuse::cuda, fuse::count_nonzero(other_x != other_z)) == 0);
    }
    CHECK(fuse::value(fuse::cuda, fuse::count_nonzero(other_x != in)) > n / 2);
}

TEST_CASE("a captured scan replays a hundred times", "[gpu]") {
    skip_without_gpu();
    constexpr index_t n = 3000001;
    const Floats x(n);
    const Floats y(n);
    const Stream stream;
    for (const bool own_workspace : {false, true}) {
        auto executor = fuse::cuda.on(stream.get());
        fuse::workspace memory(fuse::workspace_bytes(executor, running_sum(x, y)));
        REQUIRE(memory.bytes() > 0);
        if (own_workspace) {
            executor = executor.with(memory);
        }
        cudaGraph_t graph;
        cudaGraphExec_t instance;
        check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
        fuse::eval(executor, running_sum(x, y));
        check_cuda(cudaStreamEndCapture(stream.get(), &graph));
        check_cuda(cudaGraphInstantiate(&instance, graph, 0));
        for (int i = 0; i < 100; ++i) {
            check_cuda(cudaMemsetAsync(y.get(), 0xff, n * sizeof(float), stream.get()));
            check_cuda(cudaGraphLaunch(instance, stream.get()));
            if (i % 10 == 9) {
                check_cuda(cudaStreamSynchronize(stream.get()));
                REQUIRE(y.wrong() == 0);
            }
        }
        check_cuda(cudaGraphExecDestroy(instance));
        check_cuda(cudaGraphDestroy(graph));
    }
}

TEST_CASE("two streams scan at the same time", "[gpu]") {
    skip_without_gpu();
    const Floats x((index_t{1} << 25) + 1);
    const Floats a((index_t{1} << 25) + 1);
    const Floats b((index_t{1} << 24) + 77777);  // another length, so that a mix-up would show
    const Stream first;
    const Stream second;
    for (int round = 0; round < 50; ++round) {
        const auto from = fuse::view<"x">(x.get(), b.items());
        fuse::eval(fuse::cuda.on(first.get()), running_sum(x, a));
        fuse::eval(fuse::cuda.on(second.get()), fuse::view<"y">(b.get(), b.items()) = fuse::cumsum(from) * 2);
    }
    check_cuda(cudaDeviceSynchronize());
    CHECK(a.wrong() == 0);
    CHECK(b.wrong(2) == 0);
}

TEST_CASE("scans and reductions take turns with one workspace", "[gpu]") {
    skip_without_gpu();
    const Floats x((index_t{1} << 22) + 5);
    const Floats y((index_t{1} << 22) + 5);
    ManagedBuffer<float> total(1);
    const auto all =
        (fuse::view<"total">(total.data(), fuse::shape()) = fuse::sum(fuse::view<"x">(x.get(), x.items())));
    const std::size_t bytes = fuse::workspace_bytes(fuse::cuda, running_sum(x, y));
    const std::size_t other = fuse::workspace_bytes(fuse::cuda, all);
    fuse::workspace memory(bytes > other ? bytes : other);
    const auto executor = fuse::cuda.with(memory);
    for (int round = 0; round < 30; ++round) {
        total[0] = -99;
        check_cuda(cudaMemset(y.get(), 0xff, static_cast<std::size_t>(y.items()) * sizeof(float)));
        fuse::eval(executor, running_sum(x, y));
        fuse::eval(executor, all);
        check_cuda(cudaDeviceSynchronize());
        REQUIRE(y.wrong() == 0);
        REQUIRE(total[0] == static_cast<float>(sum_through(x.items() - 1)));
    }
    fuse::workspace small(1024);
    CHECK_THROWS_AS(fuse::eval(fuse::cuda.with(small), running_sum(x, y)), fuse::argument_error);
}
