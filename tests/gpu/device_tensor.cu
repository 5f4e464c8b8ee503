// SPDX-License-Identifier: Apache-2.0
//
// Arrays that own device memory: allocation in stream order from a pool of the user's, copies, results of expressions.
#include "fuse/fuse.hpp"

#include <map>
#include <sstream>
#include <vector>

#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse;
using fuse::testing::check_cuda;

namespace {

/// A stream of RMM's kind: made of a cudaStream_t.
struct StreamView {
    StreamView(cudaStream_t s) : stream(s) {}
    cudaStream_t stream;
};

/// A pool with RMM's interface, which knows what it has given out.
class Pool {
public:
    void* allocate_async(std::size_t bytes, StreamView stream) {
        void* p = nullptr;
        check_cuda(cudaMallocAsync(&p, bytes, stream.stream));
        given_[p] = bytes;
        last_ = stream.stream;
        return p;
    }
    void deallocate_async(void* p, std::size_t bytes, StreamView stream) {
        CHECK(given_.at(p) == bytes);
        CHECK(stream.stream == last_);
        given_.erase(p);
        check_cuda(cudaFreeAsync(p, stream.stream));
    }
    std::size_t count() const { return given_.size(); }

private:
    std::map<void*, std::size_t> given_;
    cudaStream_t last_ = nullptr;
};

template <class... A>
concept Viewable = requires(A&&... a) {
    view<"x">(std::forward<A>(a)...);
};
using Matrix = DeviceTensor<float, 2>;
static_assert(Viewable<Matrix&> && Viewable<const Matrix&> && !Viewable<Matrix> && !Viewable<const Matrix>);
static_assert(MemoryResource<Pool> && !MemoryResource<int>);
static_assert(std::is_nothrow_move_constructible_v<Matrix> && std::is_copy_constructible_v<Matrix>);
static_assert(std::is_nothrow_move_assignable_v<Matrix> && std::is_copy_assignable_v<Matrix>);

}  // namespace

TEST_CASE("a device_tensor as input and output") {
    const auto numbers = tensor<float>({{1, 2, 3}, {4, 5, 6}});
    const auto x = device_tensor(numbers);
    auto y = device_tensor<float>(2, 3);
    CHECK(to_vector(y) == std::vector<float>(6));
    eval(cuda, view<"y">(y) = view<"x">(x) * 2 + 1);
    CHECK(to_vector(y) == std::vector<float>{3, 5, 7, 9, 11, 13});
    eval(cuda, y = view<"x">(x) + 1);
    eval(cuda, y *= view<"x">(x));
    CHECK(to_vector(y) == std::vector<float>{2, 6, 12, 20, 30, 42});
    eval(cuda, y = 7);
    CHECK(to_vector(y) == std::vector<float>(6, 7.0F));
    const auto rows = device_tensor(cuda, sum(view<"x">(x), axes<1>));
    CHECK(to_vector(rows) == std::vector<float>{6, 15});
    CHECK(tensor(device_tensor(cuda, max(view<"x">(x))))() == 6);
    eval(cuda, view<"y">(y)[0] = view<"x">(x)[1]);
    CHECK(tensor(y)(0, 2) == 6);
    CHECK(value(cuda, sum(view(rows))) == 21);
}

TEST_CASE("values: copies are deep, moves are not") {
    const auto x = device_tensor(std::vector<int>{1, 2, 3, 4}, 2, -1);
    CHECK(x.shape() == Shape{2, {2, 2}});
    auto y = x;
    eval(cuda, view(y) = 7);
    CHECK((to_vector(x) == std::vector<int>{1, 2, 3, 4} && to_vector(y) == std::vector<int>(4, 7)));
    const int* const data = y.data();
    auto z = std::move(y);
    CHECK((z.data() == data && y.data() == nullptr && y.size() == 0));
    y = x;
    swap(y, z);
    CHECK((y.data() == data && tensor(z)(1, 1) == 4));
    const auto none = device_tensor<double>(3, 0);
    CHECK((none.data() == nullptr && to_vector(none).empty()));
    CHECK(value(cuda, sum(view(none))) == 0);
    CHECK_THROWS_AS(device_tensor<float>(2, -1), shape_error);
    CHECK_THROWS_AS(device_tensor<float>(index_t{1} << 40, index_t{1} << 40), shape_error);
}

TEST_CASE("a copy to an array of equal extents goes into the memory that it has") {
    const auto from = device_tensor(tensor<float>({{1, 2, 3}, {4, 5, 6}}));
    auto to = device_tensor<float>(2, 3);
    const float* const data = to.data();
    const auto v = view<"v">(to);
    to = from;
    CHECK((to.data() == data && from.data() != data && value(cuda, sum(v[1])) == 15));
    auto& same = to;
    to = same;
    CHECK((to.data() == data && to_vector(to) == std::vector<float>{1, 2, 3, 4, 5, 6}));
    // What is moved, or of other extents, brings its own.
    auto other = device_tensor(cuda, v * 2);
    const float* const others = other.data();
    to = std::move(other);
    CHECK((to.data() == others && to_vector(to).back() == 12 && other.size() == 0));
    const auto turned = device_tensor(tensor<float>({{1, 2}, {3, 4}, {5, 6}}));
    to = turned;
    CHECK((to.shape() == Shape{2, {3, 2}} && to.data() != turned.data() && tensor(to)(2, 1) == 6));
    other = from;
    CHECK(to_vector(other) == to_vector(from));
    auto none = device_tensor<int>(0, 3), no_more = device_tensor<int>(0, 3);
    none = no_more;
    CHECK(none.shape() == Shape{2, {0, 3}});
}

TEST_CASE("a copy between arrays of two streams waits for both") {
    cudaStream_t stream[2] = {};
    for (cudaStream_t& s : stream) {
        check_cuda(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    {
        constexpr index_t n = index_t{1} << 24;
        auto from = device_tensor<float>(cuda.on(stream[0]), n);
        auto to = device_tensor<float>(cuda.on(stream[1]), n);
        const float* const data = to.data();
        for (int round = 1; round <= 20; ++round) {
            eval(cuda.on(stream[0]), view<"from">(from) = view<"from">(from) + 1);
            to = from;
            eval(cuda.on(stream[0]), view<"from">(from) = view<"from">(from) + 1);  // not before it is copied
            const auto [least, most] = value(cuda.on(stream[1]), min(view<"to">(to)), max(view<"to">(to)));
            CHECK((least == static_cast<float>(2 * round - 1) && most == least));
            CHECK((to.data() == data && to.stream() == stream[1]));
        }
    }
    for (cudaStream_t s : stream) {
        check_cuda(cudaStreamDestroy(s));
    }
}

TEST_CASE("copies to and from arrays that are there") {
    auto here = tensor<double>({1, 2, 3});
    auto there = device_tensor<double>(3);
    copy(here, there);
    eval(cuda, view<"t">(there) = view<"t">(there) * 2);
    copy(there, here);
    CHECK(to_vector(here) == std::vector<double>{2, 4, 6});
    auto other = tensor<double>(4);
    CHECK_THROWS_WITH(copy(there, other), "copy of a tensor of shape (3) to one of shape (4)");
}

TEST_CASE("a pool and a stream of one's own") {
    cudaStream_t stream = nullptr;
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    Pool pool;
    {
        const device_memory memory(pool, cuda.on(stream));
        auto x = device_tensor<float>(memory, 1000);
        CHECK((pool.count() == 1 && x.stream() == stream));
        eval(cuda.on(stream), view<"x">(x) = index<0>());
        auto y = x;
        CHECK(pool.count() == 2);
        CHECK(tensor(y)(-1) == 999);
        y = device_tensor(tensor<float>({1, 2}), memory);
        CHECK((pool.count() == 2 && y.size() == 2));
        const auto plain = device_tensor<float>(cuda.on(stream), 10);
        CHECK((pool.count() == 2 && plain.stream() == stream));
        CHECK(to_vector(plain) == std::vector<float>(10));
    }
    CHECK(pool.count() == 0);
    check_cuda(cudaStreamDestroy(stream));
}

TEST_CASE("printing copies what lies in device memory") {
    const auto x = device_tensor(tensor<float>({{1, 2.5}, {3, 4}}));
    std::ostringstream out;
    const auto on_host = tensor(x);
    out << x << '\n' << transpose(view<"x">(x))[0] << '\n' << on_host[1];
    CHECK(out.str() == "float (2, 2) in device memory\n[[1.0 2.5]\n [3.0 4.0]]\n"
                       "x[...] float (2) in device memory\n[1 3]\n"
                       "float (2)\n[3 4]");
    print(cuda, sum(view<"x">(x), axes<1>));
}
