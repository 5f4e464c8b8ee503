// SPDX-License-Identifier: Apache-2.0
//
// Dictionaries of Python's arrays in and out; examples/pytorch/array_interface.py takes those of NumPy and PyTorch.
#include "fuse/interop/array_interface.hpp"

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"
#include "support/emulated_executor.hpp"

using namespace fuse;

namespace {

ArrayInterface of(void* data, const char* typestr = "<f4") {
    ArrayInterface a;
    a.shape = {2, 3};
    a.typestr = typestr;
    a.data = data;
    a.cuda = false;
    return a;
}

template <class T>
std::string exported_type() {
    T element{};
    return to_array_interface(host, view(&element, 1)).typestr;
}

}  // namespace

TEST_CASE("a dictionary as input and output") {
    std::vector<float> numbers{0, 1, 2, 3, 4, 5, 6};
    ArrayInterface a = of(numbers.data() + 1);
    const auto x = from_array_interface<float, 2>(host, a);
    static_assert(std::is_same_v<decltype(x), const View<float, unnamed, dynamic, dynamic>>);
    CHECK((x.data() == numbers.data() + 1 && x.shape() == Shape{2, {2, 3}} && x.strides() == Shape{2, {3, 1}}));
    CHECK(value(host, sum(view<"x">(x))) == 21);
    a.strides = {4, 8};
    a.read_only = true;
    const auto t = from_array_interface<const float, 2>(host, a);
    CHECK((t(1, 0) == 2 && t(0, 1) == 3 && t.strides() == Shape{2, {1, 2}}));
    a = of(numbers.data() + 6);
    a.strides = {-12, -4};
    CHECK(from_array_interface<float, 2>(host, a)(0, 2) == 4);
    eval(host, from_array_interface<float, 2>(host, a)[1] = 7);
    CHECK(numbers == std::vector<float>{0, 7, 7, 7, 4, 5, 6});
    a.shape = {};
    a.strides = {};
    CHECK(value(host, from_array_interface<float, 0>(host, a) + 1) == 7);
    a = of(nullptr, "=f4");  // Python gives 0 as the address of no elements
    a.shape = {0, 3};
    CHECK(value(host, sum(from_array_interface<float, 2>(host, a))) == 0);
    std::uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
    CHECK(value(host, sum(from_array_interface<const std::uint8_t, 2>(host, of(bytes, "<u1")))) == 21);
    for (int version = 1; version <= 3; ++version) {
        a = of(numbers.data());
        a.version = version;
        CHECK(from_array_interface<float, 2>(host, a).size() == 6);
    }
}

TEST_CASE("a dictionary of another kind is refused") {
    float numbers[7] = {};
    const auto said = [](const ArrayInterface& a) {
        try {
            static_cast<void>(from_array_interface<float, 2>(host, a));
        } catch (const argument_error& e) {
            return std::string(e.what());
        }
        return std::string("taken");
    };
    const std::string begin = "from_array_interface: ";
    for (const char* const type : {"<f8", ">f4", "|f4", "<i4", "<V4", "<f", "<f44", "<", ""}) {
        CHECK(said(of(numbers, type)) == begin + "the elements are " + type + ", not <f4");
    }
    ArrayInterface a = of(numbers);
    a.version = 4;
    CHECK(said(a) == begin + "version 4 is not known");
    a = of(numbers);
    a.masked = true;
    CHECK(said(a) == begin + "the array has a mask");
    a = of(numbers);
    a.cuda = true;
    CHECK(said(a) == begin + "the array lies in memory of a CUDA device, which fuse::host cannot read");
    a = of(numbers);
    a.read_only = true;
    CHECK(said(a) == begin + "the array is read-only: ask for elements that are const");
    a = of(numbers);
    a.strides = {4};
    CHECK(said(a) == begin + "2 axes have 1 strides");
    a.strides = {12, 6};
    CHECK(said(a) == begin + "a stride of 6 bytes is no number of elements of <f4");
    a = of(reinterpret_cast<char*>(numbers) + 2);
    CHECK(said(a) == begin + "the elements are not aligned to their size");
    CHECK_THROWS_WITH((from_array_interface<float, 1>(host, of(numbers))), begin + "the array has 2 axes, not 1");
    // A byte may be 2, which no bool of C++ is.
    CHECK_THROWS_WITH((from_array_interface<bool, 2>(host, of(numbers, "|u1"))),
                      begin + "the elements are |u1, not |b1");
}

TEST_CASE("a dictionary of a view") {
    auto t = tensor<float>({{1, 2, 3}, {4, 5, 6}});
    const ArrayInterface a = to_array_interface(host, flip<0>(view(t)));
    CHECK((a.shape == std::vector<index_t>{2, 3} && a.strides == std::vector<index_t>{-12, 4}));
    CHECK((a.data == t.data() + 3 && a.typestr == "<f4" && !a.read_only && !a.masked && !a.cuda));
    CHECK((a.version == 3 && a.stream == 0));
    CHECK(from_array_interface<float, 2>(host, a)(0, 0) == 4);
    const auto x = view(static_cast<const float*>(t.data()), 6);
    CHECK(to_array_interface(host, x).read_only);
    CHECK(to_array_interface(host, view(t.data(), shape())).shape.empty());
    CHECK(exported_type<bool>() == "|b1");
    CHECK(exported_type<std::int8_t>() == "|i1");
    CHECK(exported_type<std::uint8_t>() == "|u1");
    CHECK(exported_type<std::uint16_t>() == "<u2");
    CHECK(exported_type<std::int64_t>() == "<i8");
    CHECK(exported_type<double>() == "<f8");
    CHECK(exported_type<float16>() == "<f2");
    CHECK(exported_type<bfloat16>() == "<V2");
    CHECK(exported_type<std::complex<float>>() == "<c8");
}

TEST_CASE("a dictionary of memory of a device") {
    float numbers[6] = {1, 2, 3, 4, 5, 6};
    ArrayInterface a = of(numbers);
    const auto on = testing::EmulatedExecutor();
    CHECK_THROWS_WITH((from_array_interface<float, 2>(on, a)),
                      "from_array_interface: the array lies in memory of the host, which fuse::emulated cannot read");
    a.cuda = true;
    CHECK(from_array_interface<const float, 2>(on, a).data() == numbers);
    CHECK(to_array_interface(on, view(numbers, 6)).cuda);
}
