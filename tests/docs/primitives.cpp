// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/primitives.md: a kernel of one's own, run on emulated blocks of several shapes and on the CPU's.
#include <fuse/ops/ops.hpp>
#include <fuse/primitives.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

namespace {

// [snippet:kernel]
// Each row divided by its root mean square; one block per row, any block shape.
struct RmsNorm {
    const float* x;
    float* y;
    fuse::index_t columns;
    bool aligned;  // x, y and the length of a row are multiples of 16 bytes

    // Bytes of shared memory that the launch must provide: two halves.
    static constexpr std::size_t shared_bytes(unsigned dim_x, unsigned dim_y) {
        return 2 * fuse::block_reduce_scratch_bytes(dim_x, dim_y, sizeof(float));
    }

    template <fuse::ThreadBlock B>
    FUSE_HD void operator()(B& block) const {
        constexpr int V = fuse::max_vector<float>;  // items of one 16-byte access
        const fuse::SumReduction<float> sum;
        const fuse::index_t row = block.block_x() * columns;
        const fuse::index_t mine = fuse::striped_item<V>(block, 0);
        const fuse::index_t step = V * static_cast<fuse::index_t>(fuse::block_threads(block));

        float squares = sum.init();
        for (fuse::index_t i = mine; i < columns; i += step) {
            fuse::VectorType<float> v;
            fuse::ReadData(v, x + row + i, columns - i, aligned, 0.F);  // items beyond the end are 0
            fuse::ElementwiseUnary(v, fuse::Square<>{}, v);
            squares = sum.combine(squares, fuse::ReduceLocal(v, sum));
        }
        const float mean = fuse::BlockReduce(block, squares, sum) / static_cast<float>(columns);
        const fuse::Divide normalise(std::sqrt(mean));
        for (fuse::index_t i = mine; i < columns; i += step) {
            fuse::VectorType<float> v;
            fuse::ReadData(v, x + row + i, columns - i, aligned, 0.F);
            fuse::ElementwiseUnary(v, normalise, v);
            fuse::WriteData(y + row + i, v, columns - i, aligned);
        }
    }
};
// [snippet:end]

/// Largest error of the kernel against a loop in double, over all shapes of rows; `run(rows, kernel)` launches.
template <class Run>
double worst_error(const Run& run) {
    double worst = 0;
    for (const fuse::index_t columns : {1, 3, 4, 100, 1000, 4096}) {
        const fuse::index_t rows = 3;
        std::vector<float> x(static_cast<std::size_t>(rows * columns));
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<float>(1 + i * 7 % 13) * (i % 3 == 0 ? -0.5F : 0.25F);
        }
        std::vector<float> y(x.size(), NAN);
        run(static_cast<unsigned>(rows), RmsNorm{x.data(), y.data(), columns, false});
        for (fuse::index_t r = 0; r < rows; ++r) {
            const float* in = x.data() + r * columns;
            double squares = 0;
            for (fuse::index_t c = 0; c < columns; ++c) {
                squares += static_cast<double>(in[c]) * in[c];
            }
            const double rms = std::sqrt(squares / static_cast<double>(columns));
            for (fuse::index_t c = 0; c < columns; ++c) {
                const double error = std::abs(y[static_cast<std::size_t>(r * columns + c)] - in[c] / rms);
                worst = error <= worst ? worst : std::isnan(error) ? INFINITY : error;
            }
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("the kernel of the page on emulated blocks") {
    using namespace fuse::testing;
    for (const Dim2 block : {Dim2{256, 1}, Dim2{32, 4}, Dim2{33, 3}, Dim2{7, 1}, Dim2{1, 64}}) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(worst_error([&](unsigned rows, const RmsNorm& kernel) {
                  EmulatedRunner{}({rows, 1}, block, RmsNorm::shared_bytes(block.x, block.y), kernel);
              }) < 1e-5);
    }
}

TEST_CASE("the kernel of the page on the block of the CPU") {
    CHECK(worst_error([](unsigned rows, const RmsNorm& kernel) {
              // [snippet:host]
              for (unsigned row = 0; row < rows; ++row) {
                  fuse::HostBlock block(row, 0, rows, 1, nullptr, 0);  // one thread: no scratch memory needed
                  kernel(block);
              }
              // [snippet:end]
          }) < 1e-5);
}
