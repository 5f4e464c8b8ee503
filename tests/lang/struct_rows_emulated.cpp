// SPDX-License-Identifier: Apache-2.0
//
// Elements whose size is no power of two, or that lie at addresses that are no multiple of it: pixels of 3 bytes, points of
// 12, complex numbers behind a header. Each array ends with its block of memory, against plain loops.
#include <complex>
#include <memory>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"
#include "support/targets.hpp"

using fuse::axes;
using fuse::index_t;
using fuse::keepdims;
using fuse::view;
using fuse::testing::EmulatedExecutor;
using fuse::testing::LaunchRecord;

namespace {

/// n elements that begin `offset` bytes behind what an allocation is aligned to, and end where it ends.
template <class T>
class Behind {
public:
    Behind(index_t n, std::size_t offset)
        : offset_(offset), memory_(new unsigned char[offset + sizeof(T) * static_cast<std::size_t>(n)]) {
        for (index_t i = 0; i < n; ++i) {
            new (data() + i) T();
        }
    }
    T* data() { return reinterpret_cast<T*>(memory_.get() + offset_); }

private:
    std::size_t offset_;
    std::unique_ptr<unsigned char[]> memory_;
};

template <int N>
struct Pixel {
    unsigned char channel[N];
};
template <int N>
struct Grey {
    FUSE_HD int operator()(Pixel<N> p) const {
        int sum = 0;
        for (int i = 0; i < N; ++i) {
            sum += p.channel[i];
        }
        return sum;
    }
};
/// Pixels that are as bright as m are black.
template <int N>
struct Blank {
    FUSE_HD Pixel<N> operator()(Pixel<N> p, int m) const { return Grey<N>{}(p) == m ? Pixel<N>{} : p; }
};

/// rows x n pixels, `pitch` from row to row.
template <int N>
void check_pixels(index_t rows, index_t n, index_t pitch) {
    INFO(rows << " x " << n << " of " << N << " bytes, rows " << pitch << " apart");
    const index_t size = (rows - 1) * pitch + n;
    Behind<Pixel<N>> in(size, 0), out(size, 0), row_out(size, 0);
    for (index_t i = 0; i < size; ++i) {
        for (int c = 0; c < N; ++c) {
            in.data()[i].channel[c] = static_cast<unsigned char>(i % (11 + 2 * c));
        }
    }
    const auto x = view<"x">(in.data(), fuse::shape(rows, n), fuse::strides(pitch, 1));
    const auto y = view<"y">(out.data(), fuse::shape(rows, n), fuse::strides(pitch, 1));
    const auto z = view<"z">(row_out.data(), fuse::shape(rows, n), fuse::strides(pitch, 1));
    LaunchRecord record;
    const EmulatedExecutor device(record);
    fuse::eval(device, y = map(Blank<N>{}, x, max(map(Grey<N>{}, x))));
    fuse::eval(device, z = map(Blank<N>{}, x, max(map(Grey<N>{}, x), axes<1>, keepdims)));
    int most = 0;
    for (index_t r = 0; r < rows; ++r) {
        for (index_t i = 0; i < n; ++i) {
            most = std::max(most, Grey<N>{}(x(r, i)));
        }
    }
    int wrong = 0;
    for (index_t r = 0; r < rows; ++r) {
        int row_most = 0;
        for (index_t i = 0; i < n; ++i) {
            row_most = std::max(row_most, Grey<N>{}(x(r, i)));
        }
        for (index_t i = 0; i < n; ++i) {
            const Pixel<N> wanted = Blank<N>{}(x(r, i), most);
            const Pixel<N> of_row = Blank<N>{}(x(r, i), row_most);
            for (int c = 0; c < N; ++c) {
                wrong += y(r, i).channel[c] != wanted.channel[c] || z(r, i).channel[c] != of_row.channel[c] ? 1 : 0;
            }
        }
    }
    CHECK(wrong == 0);
}

template <int N>
struct Point {
    float at[N];
};
template <int N>
struct Largest {
    FUSE_HD float operator()(const Point<N>& p) const {
        float most = p.at[0];
        for (int i = 1; i < N; ++i) {
            most = p.at[i] > most ? p.at[i] : most;
        }
        return most;
    }
};
template <int N>
struct Over {
    FUSE_HD Point<N> operator()(Point<N> p, float m) const {
        for (float& v : p.at) {
            v /= m;
        }
        return p;
    }
};

/// Points over the largest number of their row.
template <int N>
void check_points(index_t rows, index_t n) {
    INFO(rows << " x " << n << " of " << sizeof(Point<N>) << " bytes");
    Behind<Point<N>> in(rows * n, 0), out(rows * n, 0);
    for (index_t i = 0; i < rows * n; ++i) {
        for (int c = 0; c < N; ++c) {
            in.data()[i].at[c] = static_cast<float>(1 + (i * 7 + c) % 31);
        }
    }
    const auto x = view<"x">(in.data(), rows, n);
    const auto y = view<"y">(out.data(), rows, n);
    LaunchRecord record;
    fuse::eval(EmulatedExecutor(record), y = map(Over<N>{}, x, max(map(Largest<N>{}, x), axes<1>, keepdims)));
    int wrong = 0;
    for (index_t r = 0; r < rows; ++r) {
        float most = 0;
        for (index_t i = 0; i < n; ++i) {
            most = std::max(most, Largest<N>{}(x(r, i)));
        }
        for (index_t i = 0; i < n; ++i) {
            for (int c = 0; c < N; ++c) {
                wrong += y(r, i).at[c] != x(r, i).at[c] / most ? 1 : 0;
            }
        }
    }
    CHECK(wrong == 0);
}

/// Complex numbers less the sums of their rows, `offset` bytes behind a multiple of 16.
template <class T>
void check_complex_rows(index_t rows, index_t n, std::size_t offset) {
    INFO(rows << " x " << n << " of " << sizeof(T) << " bytes behind " << offset);
    Behind<T> in(rows * n, offset), out(rows * n, offset);
    for (index_t i = 0; i < rows * n; ++i) {
        in.data()[i] = T(static_cast<typename T::value_type>(i % 13), static_cast<typename T::value_type>(-(i % 7)));
    }
    const auto x = view<"x">(in.data(), rows, n);
    const auto y = view<"y">(out.data(), rows, n);
    LaunchRecord record;
    fuse::eval(EmulatedExecutor(record), y = x - sum(x, axes<1>, keepdims));
    int wrong = 0;
    for (index_t r = 0; r < rows; ++r) {
        T sum{};
        for (index_t i = 0; i < n; ++i) {
            sum += x(r, i);
        }
        for (index_t i = 0; i < n; ++i) {
            wrong += y(r, i) != x(r, i) - sum ? 1 : 0;
        }
    }
    CHECK(wrong == 0);
}

/// The brightest pixels of columns, from an odd address on.
void check_odd_columns(index_t rows, index_t n) {
    INFO(rows << " x " << n);
    Behind<Pixel<2>> in(rows * n, 1);
    for (index_t i = 0; i < rows * n; ++i) {
        in.data()[i] = {{static_cast<unsigned char>(i % 251), static_cast<unsigned char>(i % 19)}};
    }
    std::vector<int> most(static_cast<std::size_t>(n));
    const auto x = view<"x">(in.data(), rows, n);
    LaunchRecord record;
    fuse::eval(EmulatedExecutor(record), view<"y">(most) = max(map(Grey<2>{}, x), axes<0>));
    int wrong = 0;
    for (index_t c = 0; c < n; ++c) {
        int wanted = 0;
        for (index_t r = 0; r < rows; ++r) {
            wanted = std::max(wanted, Grey<2>{}(x(r, c)));
        }
        wrong += most[static_cast<std::size_t>(c)] != wanted ? 1 : 0;
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("pixels of 3 and 5 bytes") {
    for (const index_t n : {1, 5, 33, 101, 257}) {
        check_pixels<3>(40, n, n);
        check_pixels<3>(40, n, n + 3);
    }
    check_pixels<3>(3, 2001, 2004);
    check_pixels<5>(17, 101, 103);
    check_pixels<5>(3, 2001, 2001);
}
TEST_CASE("long rows of points of 12 and 40 bytes") {
    check_points<3>(3, 12001);
    check_points<3>(2, 4096);
    check_points<10>(2, 4096);
    check_points<10>(3, 1537);
}
TEST_CASE("short rows of complex numbers behind a header") {
    for (const index_t n : {2, 7, 16, 33}) {
        check_complex_rows<std::complex<float>>(90, n, 0);
        check_complex_rows<std::complex<float>>(90, n, 4);
        check_complex_rows<std::complex<float>>(90, n, 8);
        check_complex_rows<std::complex<double>>(90, n, 8);
    }
}
TEST_CASE("columns of pixels at an odd address") {
    check_odd_columns(700, 1025);
    check_odd_columns(64, 33);
}
