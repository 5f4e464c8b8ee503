// SPDX-License-Identifier: Apache-2.0
//
// Arrays as text. What numpy prints of the same integers is quoted; floating-point numbers are written like its, but
// without a point behind whole ones.
#include <unistd.h>

#include <complex>
#include <cstdio>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

using namespace fuse;

namespace {

template <class A>
std::string text_of(const A& array) {
    std::ostringstream out;
    out << array << '.';
    return out.str();
}

/// What f writes to the standard output.
template <class F>
std::string printed(F&& f) {
    std::FILE* const file = std::tmpfile();
    REQUIRE(file != nullptr);
    std::fflush(stdout);
    const int kept = dup(1);
    dup2(fileno(file), 1);
    f();
    std::fflush(stdout);
    dup2(kept, 1);
    close(kept);
    std::rewind(file);
    char text[256] = {};
    const std::size_t n = std::fread(text, 1, sizeof(text) - 1, file);
    std::fclose(file);
    return std::string(text, n);
}

/// 0, 1, 2, ...
template <class T = int, class... I>
auto counted(I... extent) {
    auto t = tensor<T>(extent...);
    T next{};
    for (T& element : t) {
        element = next++;
    }
    return t;
}

}  // namespace

TEST_CASE("shape and type in a line, then rows in brackets") {
    const auto t = tensor<float>({{1, 2.5, 3}, {-4, 5, 6}});
    CHECK(text_of(t) == "float (2, 3)\n[[ 1.0  2.5  3.0]\n [-4.0  5.0  6.0]].");
    const auto x = view<"x">(t);
    CHECK(text_of(x) == "x float (2, 3)\n[[ 1.0  2.5  3.0]\n [-4.0  5.0  6.0]].");
    CHECK(text_of(transpose(x)) == "x[...] float (3, 2)\n[[ 1.0 -4.0]\n [ 2.5  5.0]\n [ 3.0  6.0]].");
    CHECK(text_of(view(t)[0]) == "float (3)\n[1.0 2.5 3.0].");
    CHECK(text_of(x[1][-1]) == "x[...] float ()\n6.");
    CHECK(text_of(tensor<float>(2, 0)) == "float (2, 0)\n[].");
    CHECK(text_of(view<"r">(t.data(), shape(2, 2), strides(0, 1))) == "r float (2, 2)\n[[1.0 2.5]\n [1.0 2.5]].");
    CHECK(text_of(view(static_cast<const float*>(nullptr), 0)) == "float (0)\n[].");
    CHECK_THROWS_WITH(text_of(view<"x">(static_cast<const float*>(nullptr), 3)), "view x(3) is a null pointer");
    CHECK_THROWS_AS(text_of(view<"x">(t.data(), -3)), shape_error);
}

TEST_CASE("more axes, long rows and many elements, as numpy prints them") {
    CHECK(text_of(counted(2, 2, 2)) == "int32 (2, 2, 2)\n[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]].");
    CHECK(text_of(counted(2, 1, 1, 2)) == "int32 (2, 1, 1, 2)\n[[[[0 1]]]\n\n\n [[[2 3]]]].");
    CHECK(text_of(counted(30)) == "int32 (30)\n"
                                  "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
                                  " 24 25 26 27 28 29].");
    CHECK(text_of(counted(1001)) == "int32 (1001)\n[   0    1    2 ...  998  999 1000].");
    CHECK(text_of(counted(1000)).find("...") == std::string::npos);
    CHECK(text_of(counted(7, 200)) == "int32 (7, 200)\n"
                                      "[[   0    1    2 ...  197  198  199]\n"
                                      " [ 200  201  202 ...  397  398  399]\n"
                                      " [ 400  401  402 ...  597  598  599]\n"
                                      " ...\n"
                                      " [ 800  801  802 ...  997  998  999]\n"
                                      " [1000 1001 1002 ... 1197 1198 1199]\n"
                                      " [1200 1201 1202 ... 1397 1398 1399]].");
    const auto deep = text_of(counted<double>(7, 1, 400));
    CHECK(deep.find("\n\n ...\n\n [[1600 1601 1602 ... 1997") != std::string::npos);
    CHECK(deep.size() < 400);
}

TEST_CASE("numbers of every type") {
    using C = std::complex<double>;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(text_of(tensor<float>({0, 1e10F, nan, -infinity})) == "float (4)\n[    0 1e+10   nan  -inf].");
    CHECK(text_of(tensor<float>({1234567, 0.5F})) == "float (2)\n[1234567.0       0.5].");
    CHECK(text_of(tensor<float>({1.0F / 3, -1e-5F})) == "float (2)\n[0.333333   -1e-05].");
    CHECK(text_of(tensor<float>({1e-4F, 1})) == "float (2)\n[0.0001 1.0000].");
    CHECK(text_of(tensor<double>({1.0 / 3, 0.1 + 0.2})) == "double (2)\n[0.33333333 0.30000000].");
    auto half = tensor<float16>(2);
    eval(host, view(half) = 0.1F * (1 + index<0>()));
    CHECK(text_of(half) == "float16 (2)\n[0.1 0.2].");
    auto brain = tensor<bfloat16>(2);
    eval(host, view(brain) = 1000 * (1 + index<0>()));
    CHECK(text_of(brain) == "bfloat16 (2)\n[1000 2000].");
    CHECK(text_of(tensor<std::int8_t>({-128, 65})) == "int8 (2)\n[-128   65].");
    CHECK(text_of(tensor<std::uint64_t>({std::numeric_limits<std::uint64_t>::max()})) ==
          "uint64 (1)\n[18446744073709551615].");
    CHECK(text_of(tensor<bool>({true, false})) == "bool (2)\n[ true false].");
    CHECK(text_of(tensor<C>({C(1, -2), C(0.5, 0)})) == "complex (2)\n[  1-2j 0.5+0j].");
}

TEST_CASE("print of arrays and of expressions") {
    const auto t = counted<float>(2, 2);
    const auto x = view<"x">(t);
    CHECK(printed([&] { print(t); }) == "float (2, 2)\n[[0 1]\n [2 3]]\n");
    CHECK(printed([&] { print(host, t); }) == "float (2, 2)\n[[0 1]\n [2 3]]\n");
    CHECK(printed([&] { print(x[1]); }) == "x[...] float (2)\n[2 3]\n");
    CHECK(printed([&] { print(host, x * 2 > 3); }) == "((x * 2) > 3) bool (2, 2)\n[[false false]\n [ true  true]]\n");
    CHECK(printed([&] { print(host, sum(x, axes<0>)); }) == "sum(x, axes<0>) float (2)\n[2 4]\n");
    CHECK(printed([&] { print(host, mean(x)); }) == "mean(x) float ()\n1.5\n");
    CHECK(printed([&] { CHECK_THROWS_AS(print(host, x + view(t.data(), 3)), shape_error); }).empty());
}
