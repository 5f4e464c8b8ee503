// SPDX-License-Identifier: Apache-2.0
//
// Functions with formulas of their own, over all of their range, on the host.
#include "ops/dense.hpp"

using namespace fuse::testing;

namespace {

/// The error of the host's own functions is at most this many units in the last place, with fused multiplications and
/// without.
constexpr double host_bound = 1.6;

template <class T, class Functor>
std::vector<T> each(Functor functor, const std::vector<T>& x) {
    std::vector<T> result;
    for (const T v : x) {
        result.push_back(functor(v));
    }
    return result;
}

std::vector<double> dense_doubles() {
    std::mt19937_64 engine(10);
    std::vector<double> values{0.625,
                               1.,
                               19.1,
                               709.78,
                               745.13,
                               746.,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
    for (std::uint64_t exponent = 0; exponent < 2047; ++exponent) {
        const int count = exponent >= 1011 && exponent < 1034 ? 1000 : 5;
        values.push_back(std::bit_cast<double>(exponent << 52));
        values.push_back(std::bit_cast<double>(exponent << 52 | 0xfffffffffffffU));
        for (int i = 0; i < count; ++i) {
            values.push_back(std::bit_cast<double>(exponent << 52 | (engine() >> 12)));
        }
    }
    const std::size_t half = values.size();
    for (std::size_t i = 0; i < half; ++i) {
        values.push_back(-values[i]);
    }
    return values;
}

/// Fails unless f of every double is that of a long double within host_bound, and has its sign.
template <class Functor>
void check_double(Functor functor, long double (*f)(long double)) {
    for (const double x : dense_doubles()) {
        const double got = functor(x);
        const long double exact = f(static_cast<long double>(x));
        const double rounded = static_cast<double>(exact);
        INFO(Functor::name << "(" << x << ") is " << got << ", not " << rounded);
        if (std::isnan(rounded)) {
            CHECK(std::isnan(got));
        } else if (got != rounded || std::signbit(got) != std::signbit(rounded)) {
            const double unit = unit_in_last_place<double>(rounded);
            CHECK(std::fabs(static_cast<double>(got - exact)) <= host_bound * unit);
            CHECK(std::signbit(got) == std::signbit(rounded));
        }
    }
}

template <class Functor>
void check_float(Functor functor, double (*f)(double)) {
    const auto x = dense_floats();
    check_dense(Functor::name, x, each(functor, x), f, [](double) { return host_bound; });
}

std::vector<float> bases_and_powers() {
    std::vector<float> values = special_values<float>();
    for (const float v : {0x1p23F - 1, 0x1p23F - 0.5F, 0x1p24F, 0x1p24F + 2, 0x1p25F + 4, 127.F, 128.F, 149.F, 151.F,
                          0.9999999F, 1.0000001F, 1e-38F, 1e30F}) {
        values.push_back(v);
        values.push_back(-v);
    }
    return values;
}

}  // namespace

TEST_CASE("formulas of float functions hold over all of their range") {
    check_dense_functors([](auto functor, const std::vector<float>& x) { return each(functor, x); });
}

TEST_CASE("functions of a float on the host are within 1.6 units in the last place") {
    check_float(fuse::Exp<>{}, [](double v) { return std::exp(v); });
    check_float(fuse::Exp2<>{}, [](double v) { return std::exp2(v); });
    check_float(fuse::Expm1<>{}, [](double v) { return std::expm1(v); });
    check_float(fuse::Log<>{}, [](double v) { return std::log(v); });
    check_float(fuse::Log2<>{}, [](double v) { return std::log2(v); });
    check_float(fuse::Log10<>{}, [](double v) { return std::log10(v); });
    check_float(fuse::Log1p<>{}, [](double v) { return std::log1p(v); });
    check_float(fuse::Sin<>{}, [](double v) { return std::sin(v); });
    check_float(fuse::Cos<>{}, [](double v) { return std::cos(v); });
    check_float(fuse::Tan<>{}, [](double v) { return std::tan(v); });
    check_float(fuse::Tanh<>{}, [](double v) { return std::tanh(v); });
    check_float(fuse::Erf<>{}, [](double v) { return std::erf(v); });
}

TEST_CASE("functions of a double on the host are within 1.6 units in the last place") {
    check_double(fuse::Exp<>{}, [](long double v) { return std::exp(v); });
    check_double(fuse::Log<>{}, [](long double v) { return std::log(v); });
    check_double(fuse::Log1p<>{}, [](long double v) { return std::log1p(v); });
    check_double(fuse::Tanh<>{}, [](long double v) { return std::tanh(v); });
}

TEST_CASE("pow of floats is that of doubles, rounded") {
    const auto check = [](float x, float y) {
        const double exact = std::pow(static_cast<double>(x), static_cast<double>(y));
        const float got = fuse::Pow<>{}(x, y);
        check_value("pow", got, exact, 0.55, static_cast<double>(x), static_cast<double>(y));
        INFO("pow(" << x << ", " << y << ") is " << got);
        CHECK((std::isnan(got) || std::signbit(got) == std::signbit(exact)));
    };
    for (const float x : bases_and_powers()) {
        for (const float y : bases_and_powers()) {
            check(x, y);
        }
    }
    std::mt19937 engine(11);
    std::uniform_real_distribution<float> base(-0.5F, 2), power(-200, 200), small(-8, 8);
    for (int i = 0; i < 100000; ++i) {
        check(std::fabs(base(engine)), power(engine));
        check(8 * base(engine), std::rint(small(engine)));
        check(std::exp2(16 * small(engine)), small(engine));
    }
}
