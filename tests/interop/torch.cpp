// SPDX-License-Identifier: Apache-2.0
//
// Tensors of libtorch as views, with a stand-in that has the functions of at::Tensor which the header asks for;
// examples/pytorch/libtorch.cpp takes those of PyTorch itself.
#include "fuse/interop/torch.hpp"

#include <complex>
#include <cstdint>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

using namespace fuse;

namespace {

enum class ScalarType : std::int8_t {};

struct Tensor {
    std::vector<std::int64_t> sizes{2, 3};
    std::vector<std::int64_t> strides{1, 2};
    void* data = nullptr;
    int type = 6;
    char device = 'c';
    bool conjugated = false;
    bool negated = false;

    bool defined() const { return type >= 0; }
    bool is_cpu() const { return device == 'c'; }
    bool is_cuda() const { return device == 'g'; }
    bool is_conj() const { return conjugated; }
    bool is_neg() const { return negated; }
    int get_device() const { return 0; }
    std::int64_t dim() const { return static_cast<std::int64_t>(sizes.size()); }
    std::int64_t size(std::int64_t axis) const { return sizes[static_cast<std::size_t>(axis)]; }
    std::int64_t stride(std::int64_t axis) const { return strides[static_cast<std::size_t>(axis)]; }
    void* data_ptr() const { return data; }
    ScalarType scalar_type() const { return static_cast<ScalarType>(type); }
};
static_assert(TorchTensorLike<Tensor> && !TorchTensorLike<std::vector<float>>);

}  // namespace

TEST_CASE("a tensor of libtorch as input and output") {
    std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    Tensor t;
    t.data = numbers.data();
    const auto x = from_torch<const float, 2>(host, t);
    static_assert(std::is_same_v<decltype(x), const View<const float, unnamed, dynamic, dynamic>>);
    CHECK((x(0, 1) == 3 && x(1, 0) == 2 && x.shape() == Shape{2, {2, 3}} && x.strides() == Shape{2, {1, 2}}));
    eval(host, from_torch<float, 2>(host, t)[1] = 7);
    CHECK(numbers == std::vector<float>{1, 7, 3, 7, 5, 7});
    Tensor scalar;
    scalar.sizes = scalar.strides = {};
    scalar.data = numbers.data();
    CHECK(value(host, from_torch<float, 0>(host, scalar) + 1) == 2);
}

TEST_CASE("a tensor of another kind is refused") {
    float number = 0;
    Tensor t;
    t.data = &number;
    CHECK_THROWS_WITH((from_torch<double, 2>(host, t)), "from_torch: the elements are float32, not float64");
    CHECK_THROWS_WITH((from_torch<float, 3>(host, t)), "from_torch: the tensor has 2 axes, not 3");
    t.type = 0;
    CHECK_THROWS_WITH((from_torch<bool, 2>(host, t)), "from_torch: the elements are uint8, not bool");
    t.type = 23;
    CHECK_THROWS_WITH((from_torch<float, 2>(host, t)), "from_torch: the elements are of another type, not float32");
    t.type = 28;
    CHECK_THROWS_WITH((from_torch<float, 2>(host, t)), "from_torch: the elements are uint32, not float32");
    t.type = -1;
    CHECK_THROWS_WITH((from_torch<float, 2>(host, t)), "from_torch: the tensor is undefined");
    t = Tensor();
    t.device = 'g';
    CHECK_THROWS_WITH((from_torch<float, 2>(host, t)),
                      "from_torch: the tensor lies in memory of a CUDA device, which fuse::host cannot read");
    t.device = 'x';
    CHECK_THROWS_WITH((from_torch<float, 2>(host, t)),
                      "from_torch: the tensor lies in memory of another device, which fuse::host cannot read");
    const std::string lazy =
        "from_torch: the elements are to be conjugated or negated when they are read: resolve_conj(), resolve_neg()";
    t = Tensor();
    t.negated = true;
    CHECK_THROWS_WITH((from_torch<float, 2>(host, t)), lazy);
    t = Tensor();
    t.type = 9;
    t.conjugated = true;
    CHECK_THROWS_WITH((from_torch<std::complex<float>, 2>(host, t)), lazy);
}
