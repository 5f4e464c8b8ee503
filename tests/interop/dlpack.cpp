// SPDX-License-Identifier: Apache-2.0
//
// DLPack in and out, with the header of the distribution where it is installed, else with a stand-in of the same layout.
#include "fuse/interop/dlpack.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"
#include "support/dlpack.hpp"

using namespace fuse;

namespace {

constexpr std::uint8_t code_int = 0, code_uint = 1, code_float = 2, code_bfloat = 4, code_bool = 6;

struct Foreign {
    std::vector<float> data{0, 1, 2, 3, 4, 5, 6};
    std::int64_t shape[2] = {2, 3};
    std::int64_t stride[2] = {1, 2};
    DLTensor tensor{data.data(), {kDLCPU, 0}, 2, {code_float, 32, 1}, shape, nullptr, 4};
};

template <class T>
DLDataType exported_type() {
    DLManagedTensor* const m = to_dlpack(tensor<T>(1));
    const DLDataType type = m->dl_tensor.dtype;
    m->deleter(m);
    return type;
}

}  // namespace

TEST_CASE("a DLTensor as input and output") {
    Foreign f;
    const auto x = from_dlpack<float, 2>(host, f.tensor);
    static_assert(std::is_same_v<decltype(x), const View<float, unnamed, dynamic, dynamic>>);
    CHECK((x.data() == f.data.data() + 1 && x.shape() == Shape{2, {2, 3}} && x.strides() == Shape{2, {3, 1}}));
    CHECK(value(host, sum(view<"x">(x))) == 21);
    f.tensor.strides = f.stride;
    const auto t = from_dlpack<const float, 2>(host, f.tensor);
    CHECK((t(1, 0) == 2 && t(0, 1) == 3 && t.strides() == Shape{2, {1, 2}}));
    eval(host, from_dlpack<float, 2>(host, f.tensor) = 7);
    CHECK(f.data == std::vector<float>{0, 7, 7, 7, 7, 7, 7});
}

TEST_CASE("a DLTensor of another kind is refused") {
    Foreign f;
    CHECK_THROWS_WITH((from_dlpack<double, 2>(host, f.tensor)), "from_dlpack: the elements are float32, not float64");
    CHECK_THROWS_WITH((from_dlpack<std::int32_t, 2>(host, f.tensor)),
                      "from_dlpack: the elements are float32, not int32");
    CHECK_THROWS_WITH((from_dlpack<float, 1>(host, f.tensor)), "from_dlpack: the array has 2 axes, not 1");
    f.tensor.byte_offset = 2;
    CHECK_THROWS_WITH((from_dlpack<float, 2>(host, f.tensor)),
                      "from_dlpack: the elements are not aligned to their size");
    f.tensor.dtype.lanes = 2;
    CHECK_THROWS_WITH((from_dlpack<float, 2>(host, f.tensor)), "from_dlpack: the elements are float32x2, not float32");
    f.tensor.dtype.lanes = 1;
    f.tensor.byte_offset = 0;
    // A byte that stands for bool may be 2: no bool of C++ is, and their sum would be wrong.
    std::uint8_t bytes[] = {0, 1, 2, 255, 0, 1};
    f.tensor.data = bytes;
    f.tensor.dtype = {code_uint, 8, 1};
    CHECK_THROWS_WITH((from_dlpack<bool, 2>(host, f.tensor)),
                      "from_dlpack: the elements are uint8, not bool: read them as std::uint8_t, and x != 0 is bool");
    CHECK(value(host, count_nonzero(from_dlpack<const std::uint8_t, 2>(host, f.tensor) != 0)) == 4);
    bool flags[] = {false, true, true, false, true, true};
    f.tensor.data = flags;
    f.tensor.dtype = {code_bool, 8, 1};
    CHECK(value(host, count_nonzero(from_dlpack<bool, 2>(host, f.tensor))) == 4);
    f.tensor.dtype = {code_float, 32, 1};
    f.tensor.device.device_type = kDLCUDA;
    CHECK_THROWS_WITH((from_dlpack<float, 2>(host, f.tensor)),
                      "from_dlpack: the array lies in memory of a CUDA device, which fuse::host cannot read");
}

TEST_CASE("a DLManagedTensor of an array, or of a view") {
    auto t = tensor<float>({{1, 2, 3}, {4, 5, 6}});
    const auto* const data = t.data();
    DLManagedTensor* const owner = to_dlpack(std::move(t));
    const DLTensor& d = owner->dl_tensor;
    CHECK((d.data == data && t.size() == 0 && d.ndim == 2 && d.shape[1] == 3 && d.strides[0] == 3));
    CHECK((d.device.device_type == kDLCPU && d.device.device_id == 0 && d.byte_offset == 0));
    CHECK(value(host, sum(from_dlpack<float, 2>(host, d))) == 21);
    DLManagedTensor* const part = to_dlpack(host, flip<0>(from_dlpack<float, 2>(host, d)));
    CHECK((part->dl_tensor.data == data + 3 && part->dl_tensor.strides[0] == -3));
    part->deleter(part);
    CHECK(from_dlpack<float, 2>(host, d)(1, 2) == 6);
    owner->deleter(owner);

    const auto is = [](DLDataType type, std::uint8_t code, int bits) {
        return type.code == code && type.bits == bits && type.lanes == 1;
    };
    CHECK(is(exported_type<std::int8_t>(), code_int, 8));
    CHECK(is(exported_type<std::uint64_t>(), code_uint, 64));
    CHECK(is(exported_type<bool>(), code_bool, 8));
    CHECK(is(exported_type<double>(), code_float, 64));
    CHECK(is(exported_type<float16>(), code_float, 16));
    CHECK(is(exported_type<bfloat16>(), code_bfloat, 16));
}
