// SPDX-License-Identifier: Apache-2.0
//
// Reductions, scans, norms and gradients over more than 2^31 elements, of every family.
#include "fuse/gradient.hpp"
#include "fuse/nn.hpp"
#include "support/huge.hpp"

namespace {

using namespace fuse;
using fuse::testing::check_cuda;
using fuse::testing::datum;
using fuse::testing::for_each_index;
using fuse::testing::HugeBuffer;

using Byte = std::uint8_t;

HugeBuffer<Byte> data_of(index_t n) {
    return HugeBuffer<Byte>(n, [] __device__(index_t i) { return datum(i); });
}

/// Sums of x[i, :, k] by one thread for each of them, for an array of extents outer, folded and inner; so only for many of these.
HugeBuffer<unsigned> sums_of(index_t outer, index_t folded, index_t inner) {
    return HugeBuffer<unsigned>(outer * inner, [=] __device__(index_t i) {
        unsigned sum = 0;
        for (index_t k = 0; k < folded; ++k) {
            sum += datum((i / inner * folded + k) * inner + i % inner);
        }
        return sum;
    });
}

__device__ bool close(double value, double expected, double tolerance) {
    return fabs(value - expected) <= tolerance * (fabs(expected) + 1e-3);
}

}  // namespace

TEST_CASE("huge arrays: sums, extrema and scans along any axis", "[gpu]") {
    fuse::testing::skip_without_memory(24);
    // Short, middling and long rows; many and few columns; middle axes.
    const index_t shapes[][3] = {{126322600, 17, 1}, {2103500, 1021, 1}, {65548, 32771, 1},
                                 {1, 22369700, 96},  {1, 65548, 32771},  {1, 7, 306783400},
                                 {1297, 1289, 1291}, {40, 1123457, 48},  {3000007, 24, 30}};
    for (const auto& [outer, folded, inner] : shapes) {
        CAPTURE(outer, folded, inner);
        const index_t n = outer * folded * inner;
        const index_t many = folded;
        const index_t in = inner;
        REQUIRE(n > index_t{1} << 31);
        const auto x = data_of(n);
        const auto expected = sums_of(outer, folded, inner);
        const unsigned* const want = expected.get();
        const auto array = view<"x">(x.get(), outer, folded, inner);
        {
            const HugeBuffer<unsigned> sums(outer * inner);
            const auto s = view<"s">(sums.get(), outer, inner);
            eval(cuda, s = sum(array, axes<1>));
            sums.check([=] __device__(index_t i, unsigned v) { return v == want[i]; });
            const HugeBuffer<index_t> places(outer * inner);
            eval(cuda, view<"a">(places.get(), outer, inner) = argmax(array, axes<1>));
            places.check([=] __device__(index_t i, index_t v) {
                const index_t first = i / in * many * in + i % in;
                if (v < 0 || v >= many) {
                    return false;
                }
                const unsigned largest = datum(first + v * in);
                for (index_t k = 0; largest < 15 ? k < many : k < v; ++k) {
                    const unsigned other = datum(first + k * in);
                    if (other > largest || (other == largest && k < v)) {
                        return false;
                    }
                }
                return true;
            });
        }
        const HugeBuffer<unsigned> running(n);
        const auto r = view<"r">(running.get(), outer, folded, inner);
        eval(cuda, r = cumsum(array, axes<1>));
        // Differences of neighbours, and the total at the end.
        const unsigned* const got = running.get();
        running.check([=] __device__(index_t i, unsigned v) {
            const index_t k = i / in % many;
            return v == datum(i) + (k == 0 ? 0 : got[i - in]) &&
                   (k != many - 1 || v == want[i / (in * many) * in + i % in]);
        });
        eval(cuda, r = array - min(array, axes<1>, keepdims) + sum(array, axes<1>, keepdims));
        running.check([=] __device__(index_t i, unsigned v) {
            const unsigned other = v - datum(i) - want[i / (in * many) * in + i % in];
            return many > 300 ? other == 0U : other == 0U || other >= -15U;
        });
    }
}

TEST_CASE("one huge row", "[gpu]") {
    fuse::testing::skip_without_memory(30);
    const index_t n = (index_t{1} << 32) + 12347;
    const auto x = data_of(n);
    const auto flat = view<"x">(x.get(), n);
    unsigned long long* total = nullptr;
    check_cuda(cudaMallocManaged(&total, sizeof *total));
    *total = 0;
    for_each_index(1 << 20, [=] __device__(index_t t) {
        unsigned long long part = 0;
        for (index_t i = t; i < n; i += 1 << 20) {
            part += datum(i);
        }
        atomicAdd(total, part);
    });
    CHECK(value(cuda, sum(flat)) == *total);
    const HugeBuffer<unsigned long long> running(n);
    eval(cuda, view<"r">(running.get(), n) = cumsum(flat));
    const unsigned long long* const got = running.get();
    const unsigned long long all = *total;
    running.check([=] __device__(index_t i, unsigned long long v) {
        return v == datum(i) + (i == 0 ? 0 : got[i - 1]) && (i != n - 1 || v == all);
    });
    check_cuda(cudaFree(total));
}

TEST_CASE("softmax of huge arrays along any axis", "[gpu]") {
    fuse::testing::skip_without_memory(24);
    const index_t shapes[][3] = {{126322600, 17, 1}, {2097200, 1024, 1}, {42800, 50257, 1}, {3, 715900001, 1},
                                 {1, 22369700, 96},  {1, 7, 306783400},  {40, 1123457, 48}};
    for (const auto& [outer, folded, inner] : shapes) {
        CAPTURE(outer, folded, inner);
        const index_t n = outer * folded * inner;
        const index_t many = folded;
        const index_t in = inner;
        REQUIRE(n > index_t{1} << 31);
        const auto x = data_of(n);
        const HugeBuffer<double> sums(outer * inner);
        double* const to = sums.get();
        check_cuda(cudaMemset(to, 0, static_cast<std::size_t>(outer * inner) * sizeof(double)));
        // By threads that share a row where there are few.
        const index_t share = (many + 1023) / 1024;
        for_each_index(outer * inner * share, [=] __device__(index_t t) {
            const index_t i = t / share;
            double sum = 0;
            for (index_t k = t % share; k < many; k += share) {
                sum += exp(0.125 * (static_cast<int>(datum((i / in * many + k) * in + i % in)) - 15));
            }
            atomicAdd(to + i, sum);
        });
        const HugeBuffer<float> out(n);
        const auto array = view<"x">(x.get(), outer, folded, inner);
        eval(cuda, view<"y">(out.get(), outer, folded, inner) = softmax(0.125F * array, axes<1>));
        out.check([=] __device__(index_t i, float v) {
            const double row = to[i / (in * many) * in + i % in];
            const double expected = exp(0.125 * (static_cast<int>(datum(i)) - 15)) / row;
            return fabs(v - expected) <= 2e-5 * expected;
        });
    }
}

TEST_CASE("gradients of a layer norm of more than 2^31 elements", "[gpu]") {
    fuse::testing::skip_without_memory(40);
    const index_t rows = 2097300;
    constexpr index_t columns = 1024;
    const index_t n = rows * columns;
    REQUIRE(n > index_t{1} << 31);
    const HugeBuffer<float> d_scale(columns);
    const HugeBuffer<float> d_shift(columns);
    const auto slope = [] __device__(index_t i) { return static_cast<float>(datum(i * 3 + 1)) - 8; };
    const HugeBuffer<bfloat16> x(n, [] __device__(index_t i) { return static_cast<float>(datum(i)); });
    const HugeBuffer<bfloat16> dy(n, slope);
    const HugeBuffer<bfloat16> dx(n);
    const HugeBuffer<float> scale(columns,
                                  [] __device__(index_t i) { return 1 + 0.125F * static_cast<float>(datum(i)); });
    const HugeBuffer<float> shift(columns, [] __device__(index_t) { return 0.F; });
    // Per row: mean, rstd, and the means of g and of g times the normalised x, where g = dy * scale.
    const HugeBuffer<double> statistics(4 * rows);
    double* const stats = statistics.get();
    const float* const gamma = scale.get();
    for_each_index(rows, [=] __device__(index_t row) {
        double sum = 0;
        double squares = 0;
        double g = 0;
        double gx = 0;
        for (index_t k = row * columns; k < (row + 1) * columns; ++k) {
            const double value = datum(k);
            const double grad = static_cast<double>(slope(k)) * gamma[k % columns];
            sum += value;
            squares += value * value;
            g += grad;
            gx += grad * value;
        }
        const double mean = sum / columns;
        const double rstd = 1 / sqrt(squares / columns - mean * mean + 1e-5);
        stats[4 * row] = mean;
        stats[4 * row + 1] = rstd;
        stats[4 * row + 2] = g / columns;
        stats[4 * row + 3] = (gx - mean * g) / columns * rstd;
    });
    const HugeBuffer<double> columns_of(2 * columns);
    double* const folded = columns_of.get();
    check_cuda(cudaMemset(folded, 0, 2 * columns * sizeof(double)));
    for_each_index(columns * 1024, [=] __device__(index_t t) {
        double g = 0;
        double gx = 0;
        const index_t j = t % columns;
        for (index_t row = t / columns; row < rows; row += 1024) {
            const double grad = slope(row * columns + j);
            g += grad;
            gx += grad * (datum(row * columns + j) - stats[4 * row]) * stats[4 * row + 1];
        }
        atomicAdd(folded + j, gx);
        atomicAdd(folded + columns + j, g);
    });
    const auto in = view<"x">(x.get(), rows, columns);
    const auto w = view<"w">(scale.get(), columns);
    const auto b = view<"b">(shift.get(), columns);
    const auto loss = layer_norm(in, w, b);
    const auto g = view<"dy">(dy.get(), rows, columns);
    eval(cuda, view<"dx">(dx.get(), rows, columns) = vjp(loss, in, g),
         view<"dw">(d_scale.get(), columns) = vjp(loss, w, g), view<"db">(d_shift.get(), columns) = vjp(loss, b, g));
    dx.check([=] __device__(index_t i, bfloat16 v) {
        const double* const s = stats + 4 * (i / columns);
        const double normalised = (datum(i) - s[0]) * s[1];
        const double grad = static_cast<double>(slope(i)) * gamma[i % columns];
        return fabs(static_cast<float>(v) - s[1] * (grad - s[2] - normalised * s[3])) <= 0.02;
    });
    d_scale.check([=] __device__(index_t i, float v) { return close(v, folded[i], 2e-3); });
    d_shift.check([=] __device__(index_t i, float v) { return close(v, folded[columns + i], 2e-3); });
}
