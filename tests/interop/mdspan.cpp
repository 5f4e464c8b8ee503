// SPDX-License-Identifier: Apache-2.0
//
// Views of mdspans: a stand-in with the standard's interface, since no compiler under test ships the header;
// and the standard's own where there is one.
#include "fuse/interop/mdspan.hpp"

#include <array>
#include <numeric>
#include <type_traits>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

#if __has_include(<mdspan>)
#include <mdspan>
#endif

namespace {

constexpr auto run_time = static_cast<std::size_t>(-1);

/// The part of std::mdspan with layout_stride that the adaptor uses.
template <class T, std::size_t... E>
class Strided {
public:
    using reference = T&;
    using data_handle_type = T*;
    using Numbers = std::array<int, sizeof...(E)>;

    Strided(T* data, const Numbers& extent, const Numbers& stride) : data_(data), extent_(extent), stride_(stride) {}

    static constexpr std::size_t rank() { return sizeof...(E); }
    static constexpr std::size_t static_extent(std::size_t i) {
        constexpr std::size_t known[] = {E..., 0};
        return known[i];
    }
    int extent(std::size_t i) const { return extent_[i]; }
    int stride(std::size_t i) const { return stride_[i]; }
    T* data_handle() const { return data_; }

private:
    T* data_;
    Numbers extent_;
    Numbers stride_;
};

}  // namespace

TEST_CASE("a view of an mdspan keeps extents, strides and element type") {
    std::vector<float> data(6);
    std::iota(data.begin(), data.end(), 0.0F);
    const Strided<const float, run_time, 2> transposed(data.data(), {3, 2}, {1, 3});
    const auto x = fuse::view<"x">(transposed);
    static_assert(
        std::is_same_v<std::remove_const_t<decltype(x)>, fuse::View<const float, fuse::name_t<"x">, fuse::dynamic, 2>>);
    CHECK(x.shape() == fuse::Shape{2, {3, 2}});
    CHECK(x.strides() == fuse::Shape{2, {1, 3}});
    std::vector<float> rows(3);
    fuse::eval(fuse::host, fuse::view<"y">(rows.data(), 3) = sum(x, fuse::axes<1>));
    CHECK(rows == std::vector<float>{0 + 3, 1 + 4, 2 + 5});
}

TEST_CASE("an mdspan is an output as well, and may be unnamed") {
    std::vector<int> data(6, -1);
    const Strided<int, run_time, run_time> every_other(data.data(), {1, 3}, {6, 2});
    fuse::eval(fuse::host, fuse::view(every_other) = fuse::view(every_other) * 5);
    CHECK(data == std::vector<int>{-5, -1, -5, -1, -5, -1});
    const Strided<int> scalar(data.data(), {}, {});
    CHECK(fuse::value(fuse::host, fuse::view<"s">(scalar)) == -5);
}

#if defined(__cpp_lib_mdspan)
TEST_CASE("std::mdspan") {
    std::vector<float> data{1, 2, 3, 4, 5, 6};
    const std::mdspan<float, std::extents<int, 2, std::dynamic_extent>> m(data.data(), 3);
    CHECK(fuse::value(fuse::host, sum(fuse::view<"m">(m))) == 21.0F);
}
#endif
