// SPDX-License-Identifier: Apache-2.0
//
// Every functor and every reduction op of the table inside a kernel: the same operands and references as on
// the host, and the 16-bit conversions against the host's bits. Compiling it without a warning already proves
// that each op is device code.
#include "ops/check.hpp"
#include "ops/dense.hpp"
#include "ops/op_table.hpp"
#include "ops/reduction_table.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>

using namespace fuse::testing;
using fuse::testing::DeviceBuffer;

namespace {

constexpr std::size_t count = 4096;

template <class F, class Out, class... In>
__global__ void apply(unsigned n, Out* out, const In*... in) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = F{}(in[i]...);
}

template <class R, class T>
__global__ void fold(fuse::index_t n, typename R::result* out, const T* x) {
    const R r;
    auto a = r.init();
    for (fuse::index_t i = 0; i < n; ++i)
        a = r.reduce(a, x[i], i);
    *out = r.project(r.combine(r.init(), a), n);
}

struct ToHalf {
    template <class T>
    __device__ std::uint16_t operator()(T v) const {
        return fuse::from_compute<fuse::float16>(v).bits;
    }
};
struct ToBrain {
    template <class T>
    __device__ std::uint16_t operator()(T v) const {
        return fuse::from_compute<fuse::bfloat16>(v).bits;
    }
};
struct FromHalf {
    __device__ float operator()(std::uint16_t bits) const { return fuse::to_compute(fuse::float16::from_bits(bits)); }
};
struct FromBrain {
    __device__ float operator()(std::uint16_t bits) const { return fuse::to_compute(fuse::bfloat16::from_bits(bits)); }
};

template <class F, class T, class... More>
auto run(const std::vector<T>& first, const std::vector<More>&... more) {
    using Out = decltype(F{}(first[0], more[0]...));
    DeviceBuffer<Out> out(first.size());
    [&](DeviceBuffer<T> x, auto&&... y) {
        const unsigned n = static_cast<unsigned>(first.size());
        apply<F>
            <<<(n + 127) / 128, 128>>>(n, out.get(), static_cast<const T*>(x.get()), static_cast<const T*>(y.get())...);
    }(DeviceBuffer<T>(first), DeviceBuffer<T>(more)...);
    return out.on_host();
}

template <class T>
double wide(const std::vector<T>& v, std::size_t i) {
    return static_cast<double>(v[i]);
}

template <class T>
void check_unary(auto record, const std::vector<T>& x) {
    using F = typename decltype(record)::functor;
    const auto got = run<F>(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        check_value(F::name, got[i], record.reference(wide(x, i)), record.ulp, wide(x, i));
    }
}

template <class T>
void check_binary(auto record, const std::vector<T>& x, std::vector<T> y) {
    using F = typename decltype(record)::functor;
    if constexpr (std::is_invocable_v<F, T, T>) {
        if (divides<T, F>)
            std::replace(y.begin(), y.end(), T(0), T(1));
        const auto got = run<F>(x, y);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double expected = record.reference(wide(x, i), wide(y, i));
            check_value(F::name, got[i], expected, record.ulp, wide(x, i), wide(y, i));
        }
    }
}

template <class T>
void check_ternary(auto record, const std::vector<T>& x, const std::vector<T>& y, const std::vector<T>& z) {
    using F = typename decltype(record)::functor;
    const auto got = run<F>(x, y, z);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double expected = record.reference(wide(x, i), wide(y, i), wide(z, i));
        check_value(F::name, got[i], expected, record.ulp, wide(x, i), wide(y, i), wide(z, i));
    }
}

template <class T>
void check_random() {
    for_each_record(unary_records(), [](auto record) { check_unary(record, random_values<T>(record.x, count, 1)); });
    for_each_record(binary_records(), [](auto record) {
        check_binary(record, random_values<T>(record.x, count, 2), random_values<T>(record.y, count, 3));
    });
    for_each_record(ternary_records(), [](auto record) {
        check_ternary(record, random_values<T>(record.x, count, 4), random_values<T>(record.y, count, 5),
                      random_values<T>(record.z, count, 6));
    });
}

template <class T>
void check_special() {
    const std::vector<T> special = special_values<T>();
    std::vector<T> x, y, z;
    for (const T a : special) {
        for (const T b : special) {
            for (const T c : {T(-1), T(0), std::numeric_limits<T>::quiet_NaN()}) {
                x.push_back(a);
                y.push_back(b);
                z.push_back(c);
            }
        }
    }
    for_each_record(unary_records(), [&](auto record) { check_unary(record, special); });
    for_each_record(binary_records(), [&](auto record) { check_binary(record, x, y); });
    for_each_record(ternary_records(), [&](auto record) { check_ternary(record, x, y, z); });
}

template <class T>
void check_reductions() {
    for_each_record(reduction_records(), [](auto record) {
        using Record = decltype(record);
        if constexpr (!Record::integers_only || std::is_integral_v<T>) {
            using R = fuse::reduction_op_t<typename Record::op, T>;
            const std::vector<T> v = random_values<T>(record.x, 300, 9);
            Numbers numbers(v.begin(), v.end());
            DeviceBuffer<T> x(v);
            DeviceBuffer<typename R::result> out(1);
            fold<R><<<1, 1>>>(300, out.get(), static_cast<const T*>(x.get()));
            const Numbers got = numbers_of(out.on_host()[0]), expected = record.reference(numbers);
            const double epsilon = std::is_same_v<typename R::result, float> ? 0x1p-23 : 0x1p-52;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                INFO(R::name << " got " << got[i] << " expected " << expected[i]);
                CHECK(std::fabs(got[i] - expected[i]) <= record.scale(numbers) * epsilon * 302);
            }
        }
    });
}

}  // namespace

TEST_CASE("formulas of float functions hold over all of their range on the device") {
    check_dense_functors(
        [](auto functor, const std::vector<float>& x) { return run<std::remove_const_t<decltype(functor)>>(x); });
}

TEST_CASE("functors on the device equal their reference") {
    check_random<float>();
    check_random<double>();
    check_random<std::int32_t>();
    check_random<std::uint8_t>();
    check_special<float>();
    check_special<double>();
}

TEST_CASE("reductions on the device equal their reference") {
    check_reductions<float>();
    check_reductions<double>();
    check_reductions<std::int32_t>();
    check_reductions<std::uint8_t>();
}

TEST_CASE("the device converts 16-bit types as the host does") {
    std::vector<std::uint16_t> bits(65536);
    for (std::size_t i = 0; i < bits.size(); ++i)
        bits[i] = static_cast<std::uint16_t>(i);
    const auto halves = run<FromHalf>(bits);
    const auto brains = run<FromBrain>(bits);
    std::vector<float> floats;
    std::vector<double> doubles;
    int wrong = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const float half = fuse::float16::from_bits(bits[i]), brain = fuse::bfloat16::from_bits(bits[i]);
        wrong += halves[i] == half || (std::isnan(halves[i]) && std::isnan(half)) ? 0 : 1;
        wrong += brains[i] == brain || (std::isnan(brains[i]) && std::isnan(brain)) ? 0 : 1;
        if (std::isnan(half) || std::isnan(brain))
            continue;  // the payload of a NaN is the hardware's choice
        for (const float v : {half, brain}) {
            // A float between two 16-bit numbers, and a double that only differs from a tie where a float
            // cannot.
            floats.push_back(v * 1.003f);
            doubles.push_back(v * 1.00048828125 * (1 + 0x1p-50));
        }
    }
    const auto half_of_float = run<ToHalf>(floats), brain_of_float = run<ToBrain>(floats);
    const auto half_of_double = run<ToHalf>(doubles), brain_of_double = run<ToBrain>(doubles);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        wrong += half_of_float[i] == fuse::float16(floats[i]).bits ? 0 : 1;
        wrong += brain_of_float[i] == fuse::bfloat16(floats[i]).bits ? 0 : 1;
        wrong += half_of_double[i] == fuse::float16(doubles[i]).bits ? 0 : 1;
        wrong += brain_of_double[i] == fuse::bfloat16(doubles[i]).bits ? 0 : 1;
    }
    CHECK(wrong == 0);
}
