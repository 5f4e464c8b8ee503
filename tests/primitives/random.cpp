// SPDX-License-Identifier: Apache-2.0
//
// Philox, its distributions and ElementwiseRandom on emulated blocks, and the ends of the distributions' ranges.
#include <algorithm>

#include "primitives/random_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr std::size_t sample_size = 1 << 16;

/// Mean of f over a sample, less what is expected, in standard errors of the mean (f's deviation is given).
template <class F>
double deviations(const std::vector<double>& sample, double mean, double deviation, F f) {
    double sum = 0;
    for (double x : sample) {
        sum += f(x) - mean;
    }
    return std::abs(sum) / (std::sqrt(static_cast<double>(sample.size())) * deviation);
}

/// Correlation of neighbours, of the members of a pair or a group, in standard errors.
double correlation(const std::vector<double>& sample, double mean, double variance, std::size_t lag) {
    double sum = 0;
    for (std::size_t i = 0; i + lag < sample.size(); ++i) {
        sum += (sample[i] - mean) * (sample[i + lag] - mean);
    }
    return std::abs(sum) / (variance * std::sqrt(static_cast<double>(sample.size() - lag)));
}

/// Chi-square of a sample over equally likely bins; bin_of gives a number in [0, 1).
template <class F>
double chi_square(const std::vector<double>& sample, std::size_t bins, F bin_of) {
    std::vector<double> count(bins);
    for (double x : sample) {
        count.at(static_cast<std::size_t>(bin_of(x) * static_cast<double>(bins))) += 1;
    }
    const double expected = static_cast<double>(sample.size()) / static_cast<double>(bins);
    double sum = 0;
    for (double c : count) {
        sum += (c - expected) * (c - expected) / expected;
    }
    return sum;
}

}  // namespace

TEST_CASE("philox4x32 gives the known answers of Random123") {
    constexpr bool constant =
        same_words(philox4x32(philox_answers[2].counter, philox_answers[2].key), philox_answers[2].words);
    STATIC_REQUIRE(constant);
    CHECK(count_wrong_answers(EmulatedRunner{}) == 0);
    // The reference of the other tests stands on the same answers.
    const PhiloxState pi{0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u};
    for (std::uint64_t i = 0; i < 4; ++i) {
        CHECK(plain_philox_word(pi, i) == philox_answers[2].words.item[i]);
    }
    CHECK(same_words(pi.words(), philox_answers[2].words));
}

TEMPLATE_TEST_CASE("element i of a random array is number i, whatever the launch", "", RandomBits, Uniform<float>,
                   Uniform<double>, Normal<float>, Normal<double>) {
    CHECK(count_wrong_random<TestType>(EmulatedRunner{Order::shuffled, 4}) == 0);
}

TEST_CASE("uniform numbers never leave their interval") {
    CHECK(uniform_float(0) == 0.f);
    CHECK(uniform_float(0xffffffff) == 1.f - 0x1p-24f);
    CHECK(uniform_double(0, 0) == 0.0);
    CHECK(uniform_double(0xffffffff, 0xffffffff) == 1.0 - 0x1p-53);
    CHECK(uniform_double(0, 0x80000000) == 0.5);
    CHECK(positive_uniform_float(0) == 0x1p-33f);
    CHECK(positive_uniform_float(0xffffffff) == 1.f);
    CHECK(positive_uniform_double(0, 0) == 0x1p-53);
    CHECK(positive_uniform_double(0xffffffff, 0xffffffff) == 1.0);
}

TEST_CASE("the largest and the smallest normal numbers are finite") {
    CHECK(box_muller(0x1p-33f, 0.f).item[0] == Catch::Approx(std::sqrt(66 * std::log(2.0))));
    CHECK(box_muller(0x1p-53, 0.5).item[0] == Catch::Approx(-std::sqrt(106 * std::log(2.0))));
    CHECK(box_muller(0x1p-53, 0.25).item[1] == Catch::Approx(std::sqrt(106 * std::log(2.0))));
    CHECK(box_muller(1.f, 0.3f).item[0] == 0.f);
    CHECK(box_muller(1.0, 0.3).item[1] == 0.0);
}

TEMPLATE_TEST_CASE("uniform samples are uniform and uncorrelated", "", Uniform<float>, Uniform<double>) {
    const auto sample = random_sample<TestType>(EmulatedRunner{}, sample_size, 42);
    CHECK(*std::min_element(sample.begin(), sample.end()) >= 0.0);
    CHECK(*std::max_element(sample.begin(), sample.end()) < 1.0);
    CHECK(deviations(sample, 0.5, std::sqrt(1 / 12.0), [](double x) { return x; }) < 5);
    CHECK(deviations(sample, 1 / 3.0, std::sqrt(4 / 45.0), [](double x) { return x * x; }) < 5);
    const double chi = chi_square(sample, 256, [](double x) { return x; });
    CHECK((chi > 255 - 5 * std::sqrt(510.0) && chi < 255 + 5 * std::sqrt(510.0)));
    // Also the low half of the digits.
    const double low = chi_square(sample, 256, [](double x) { return x * 4096 - std::floor(x * 4096); });
    CHECK((low > 255 - 5 * std::sqrt(510.0) && low < 255 + 5 * std::sqrt(510.0)));
    for (std::size_t lag : {1u, 2u, 3u, 4u, 512u}) {
        CHECK(correlation(sample, 0.5, 1 / 12.0, lag) < 5);
    }
}

TEMPLATE_TEST_CASE("normal samples are normal and uncorrelated", "", Normal<float>, Normal<double>) {
    const auto sample = random_sample<TestType>(EmulatedRunner{}, sample_size, 43);
    CHECK(deviations(sample, 0, 1, [](double x) { return x; }) < 5);
    CHECK(deviations(sample, 1, std::sqrt(2.0), [](double x) { return x * x; }) < 5);
    CHECK(deviations(sample, 0, std::sqrt(15.0), [](double x) { return x * x * x; }) < 5);
    CHECK(deviations(sample, 3, std::sqrt(96.0), [](double x) { return x * x * x * x; }) < 5);
    const double chi =
        chi_square(sample, 256, [](double x) { return std::min(0.5 * std::erfc(-x / std::sqrt(2.0)), 0.999999); });
    CHECK((chi > 255 - 5 * std::sqrt(510.0) && chi < 255 + 5 * std::sqrt(510.0)));
    for (std::size_t lag : {1u, 2u, 3u, 4u, 512u}) {
        CHECK(correlation(sample, 0, 1, lag) < 5);
    }
}

TEST_CASE("neighbouring seeds and subsequences are unrelated, and a state goes on where it was") {
    const auto a = random_sample<Uniform<float>>(EmulatedRunner{}, sample_size, 1);
    const auto b = random_sample<Uniform<float>>(EmulatedRunner{}, sample_size, 2);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += (a[i] - 0.5) * (b[i] - 0.5);
    }
    CHECK(std::abs(sum) * 12 / std::sqrt(static_cast<double>(a.size())) < 5);

    PhiloxState state{1};
    Pack<float, 6> first, second;
    ElementwiseRandom(first, state, Uniform<float>{});
    ElementwiseRandom(second, state, Uniform<float>{});
    CHECK(state.offset == 4);  // two groups each
    CHECK((first.item[5] == static_cast<float>(a[5]) && second.item[0] == static_cast<float>(a[8])));

    Pack<float16, 2> halves;
    ElementwiseRandom(halves, PhiloxState{1}, 3, Uniform<float>{});
    CHECK(static_cast<float>(halves.item[1]) == Catch::Approx(a[4]).epsilon(0.001));
}
