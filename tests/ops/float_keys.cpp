// SPDX-License-Identifier: Apache-2.0
//
// The keys of floats are in their order, with NaNs of either sign beyond both infinities, and extrema that a host folds by
// them are those of a loop, wherever in a row such values stand.
#include "fuse/ops/types/float_keys.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

using fuse::detail::bit_cast;
using fuse::detail::FloatKeys;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nans[] = {bit_cast<float>(0x7fc00000U), bit_cast<float>(0xffc00000U), bit_cast<float>(0x7f800001U),
                      bit_cast<float>(0xff800001U), bit_cast<float>(0x7fffffffU), bit_cast<float>(0xffffffffU)};

template <bool Largest>
void check_order() {
    const std::vector<float> ordered = {-infinity, -3e38F, -1,    -1e-30F, -1e-45F, -0.0F,
                                        0.0F,      1e-45F, 1e-3F, 1,       3e38F,   infinity};
    using Keys = FloatKeys<Largest>;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        CHECK(bit_cast<std::uint32_t>(Keys::value(Keys::key(ordered[i]))) == bit_cast<std::uint32_t>(ordered[i]));
        CHECK(Keys::key(ordered[i]) >= Keys{}.init());
        if (i > 0) {
            CHECK((Keys::key(ordered[i - 1]) < Keys::key(ordered[i])) == Largest);
        }
        for (const float nan : nans) {
            CHECK(Keys::key(nan) > Keys::key(ordered[i]));
            CHECK(bit_cast<std::uint32_t>(Keys::value(Keys::key(nan))) == bit_cast<std::uint32_t>(nan));
        }
    }
}

/// One row with `special` at position `at`, folded by fuse and by a loop.
void check_row(std::vector<float>& row, std::size_t at, float special) {
    const float kept = row[at];
    row[at] = special;
    const auto x = fuse::view<"x">(row.data(), 1, static_cast<fuse::index_t>(row.size()));
    const auto [most, least] = fuse::value(fuse::host, max(x), min(x));
    const auto [last, first] = fuse::value(fuse::host, argmax(x), argmin(x));
    if (std::isnan(special)) {
        CHECK(std::isnan(most));
        CHECK(std::isnan(least));
        CHECK(last == static_cast<fuse::index_t>(at));
        CHECK(first == static_cast<fuse::index_t>(at));
    } else {
        CHECK(most == *std::max_element(row.begin(), row.end()));
        CHECK(least == *std::min_element(row.begin(), row.end()));
        CHECK(last == std::max_element(row.begin(), row.end()) - row.begin());
        CHECK(first == std::min_element(row.begin(), row.end()) - row.begin());
    }
    std::size_t numbers_most = row.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!std::isnan(row[i]) && (numbers_most == row.size() || row[i] > row[numbers_most])) {
            numbers_most = i;
        }
    }
    const fuse::index_t wanted = numbers_most == row.size() ? -1 : static_cast<fuse::index_t>(numbers_most);
    CHECK(fuse::value(fuse::host, argmax(x, fuse::nan::ignore)) == wanted);
    row[at] = kept;
}

}  // namespace

TEST_CASE("keys of floats are in the order of the floats, those of NaNs beyond") {
    check_order<true>();
    check_order<false>();
}

TEST_CASE("extrema of rows with infinities and NaNs of either sign anywhere") {
    for (const std::size_t n : {1U, 7U, 16U, 33U, 128U, 300U, 1100U, 5000U}) {
        std::vector<float> row(n);
        for (std::size_t i = 0; i < n; ++i) {
            row[i] = static_cast<float>((i * 7919U) % 1009U) - 500.5F;
        }
        for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
            check_row(row, at, infinity);
            check_row(row, at, -infinity);
            check_row(row, at, -0.0F);
            for (const float nan : nans) {
                check_row(row, at, nan);
            }
        }
    }
}
