// SPDX-License-Identifier: Apache-2.0
//
// Statements that are done in several steps, on the GPU: the bodies of tests/lang, and launches of them again and again,
// in graphs and on two streams at a time.
#include <cstring>

#include "lang/step_cases.hpp"
#include "lang/step_shape_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

namespace {

using fuse::index_t;

/// An eval of three levels, in which blocks share the columns and the sum of all.
class Scaled {
public:
    Scaled(index_t rows, index_t columns, unsigned seed)
        : rows_(rows), columns_(columns), numbers_(random_reals({rows, columns}, 0.5, 2, seed)), x_(floats(numbers_)),
          y_(static_cast<std::size_t>(rows * columns)), q_(static_cast<std::size_t>(columns)) {}

    auto x() const { return fuse::view<"x">(static_cast<const float*>(x_.get()), rows_, columns_); }
    auto scaled() const {
        return fuse::view<"y">(y_.get(), rows_, columns_) =
                   x() / sum(x(), fuse::axes<1>, fuse::keepdims) / fuse::norm<2>(x());
    }
    auto means() const { return fuse::view<"q">(q_.get(), columns_) = mean(x() - mean(x()), fuse::axes<0>); }
    template <class Executor>
    void eval(const Executor& executor) const {
        fuse::eval(executor, scaled(), means());
    }
    void forget(cudaStream_t stream) const {
        check_cuda(cudaMemsetAsync(y_.get(), 0xff, static_cast<std::size_t>(rows_ * columns_) * sizeof(float), stream));
        check_cuda(cudaMemsetAsync(q_.get(), 0xff, static_cast<std::size_t>(columns_) * sizeof(float), stream));
    }
    /// The bits of both results.
    std::string bits() const {
        std::string bits;
        for (const auto& values : {y_.download(), q_.download()}) {
            bits.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
        }
        return bits;
    }
    void check_results() const {
        double squares = 0;
        for (const double a : numbers_.value) {
            squares += a * a;
        }
        const NdArray sums = reduce_reference(sum_reference, numbers_, 0b10, true);
        const NdArray all = reduce_reference(mean_reference, numbers_, 0b11);
        const double size = std::sqrt(squares);
        check_close(numbers(y_, {rows_, columns_}),
                    map_reference([size](double a, double s) { return a / s / size; }, numbers_, sums), 2e-5);
        check_close(numbers(q_, {columns_}),
                    map_reference(std::minus<>{}, reduce_reference(mean_reference, numbers_, 0b01), all), 0, 2e-6);
    }

private:
    static std::vector<float> floats(const NdArray& a) { return std::vector<float>(a.value.begin(), a.value.end()); }
    static NdArray numbers(const DeviceBuffer<float>& buffer, const Extent& extent) {
        NdArray a(extent);
        const std::vector<float> values = buffer.download();
        a.value.assign(values.begin(), values.end());
        return a;
    }
    index_t rows_;
    index_t columns_;
    NdArray numbers_;
    DeviceBuffer<float> x_;
    DeviceBuffer<float> y_;
    DeviceBuffer<float> q_;
};

}  // namespace

TEST_CASE("several sets of axes in one launch on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::transposed}) {
        check_steps_of_matrix<CudaTarget, float>(target, 37, 53, placement);
    }
    check_steps_of_matrix<CudaTarget, float>(target, 512, 512, Placement::row_major);
    check_steps_of_matrix<CudaTarget, float>(target, 3, 200000, Placement::row_major);
    check_steps_of_matrix<CudaTarget, float>(target, 100000, 3, Placement::row_major);
    check_steps_of_matrix<CudaTarget, float>(target, 1, 1, Placement::row_major);
    check_steps_after_rows(target, 1300, 400);
    check_steps_of_images(target, {8, 16, 17, 19});
    check_layer_norm_gradients<CudaTarget, fuse::bfloat16>(target, 700, 1024, 2e-5);
    check_layer_norm_gradients<CudaTarget, fuse::bfloat16>(target, 3001, 1024, 2e-5);
    check_columns_of_rows(target, 5000, 700);
    check_columns_of_rows(target, 5000, 701);
    check_columns_of_rows(target, 300000, 4);
    check_steps_of_other_ranks(target);
}

TEST_CASE("steps of all shapes and types on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_steps_of_unit_extents(target);
    check_steps_of_empty_axes(target);
    check_steps_of_integers(target, 1000, 333);
    check_steps_of_integers(target, 100000, 5);
    check_steps_of_integers(target, 3, 300000);
    check_many_carried_results(target, {60, 70, 400});
    check_many_carried_results(target, {400, 700, 3});
}

TEST_CASE("steps give the same bits two hundred times", "[gpu]") {
    skip_without_gpu();
    for (const Extent& extent : {Extent{2000, 301}, Extent{7, 200000}, Extent{200000, 7}}) {
        INFO("shape " << to_text(extent));
        const Scaled results(extent[0], extent[1], 31);
        results.eval(fuse::cuda);
        results.check_results();
        const std::string first = results.bits();
        int different = 0;
        for (int i = 0; i < 200; ++i) {
            results.forget(nullptr);
            results.eval(fuse::cuda);
            different += results.bits() == first ? 0 : 1;
        }
        CHECK(different == 0);
    }
}

TEST_CASE("captured steps replay a hundred times", "[gpu]") {
    skip_without_gpu();
    const Scaled results(1000, 777, 32);
    const Stream stream;
    results.eval(fuse::cuda.on(stream.get()));
    check_cuda(cudaStreamSynchronize(stream.get()));
    results.check_results();
    const std::string first = results.bits();
    for (const bool own_workspace : {false, true}) {
        auto executor = fuse::cuda.on(stream.get());
        fuse::workspace memory(fuse::workspace_bytes(executor, results.scaled(), results.means()));
        REQUIRE(memory.bytes() > 0);
        if (own_workspace) {
            executor = executor.with(memory);
        }
        cudaGraph_t graph;
        cudaGraphExec_t instance;
        check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
        results.eval(executor);
        check_cuda(cudaStreamEndCapture(stream.get(), &graph));
        std::size_t nodes = 0;
        check_cuda(cudaGraphGetNodes(graph, nullptr, &nodes));
        REQUIRE((!own_workspace || nodes == 1));
        check_cuda(cudaGraphInstantiate(&instance, graph, 0));
        for (int i = 0; i < 100; ++i) {
            results.forget(stream.get());
            check_cuda(cudaGraphLaunch(instance, stream.get()));
            check_cuda(cudaStreamSynchronize(stream.get()));
            REQUIRE(results.bits() == first);
        }
        check_cuda(cudaGraphExecDestroy(instance));
        check_cuda(cudaGraphDestroy(graph));
    }
}

TEST_CASE("two streams run steps at the same time", "[gpu]") {
    skip_without_gpu();
    const Scaled one(3000, 500, 33);
    const Scaled other(400, 2900, 34);  // another shape, so that a mix-up would show
    const Stream first;
    const Stream second;
    const auto both = [&] {
        one.eval(fuse::cuda.on(first.get()));
        other.eval(fuse::cuda.on(second.get()));
    };
    both();
    check_cuda(cudaDeviceSynchronize());
    one.check_results();
    other.check_results();
    const std::string bits_of_one = one.bits();
    const std::string bits_of_other = other.bits();
    for (int round = 0; round < 20; ++round) {
        one.forget(first.get());
        other.forget(second.get());
        for (int i = 0; i < 10; ++i) {
            both();
        }
        check_cuda(cudaDeviceSynchronize());
        REQUIRE(one.bits() == bits_of_one);
        REQUIRE(other.bits() == bits_of_other);
    }
}
