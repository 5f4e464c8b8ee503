// SPDX-License-Identifier: Apache-2.0
//
// named<> around lambdas as nvcc passes them to the host: a class of its own that holds the captures and an address.
#include "lang/named_cases.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

struct OnHost {
    template <class... S>
    void eval(const S&... statements) const {
        fuse::eval(host, statements...);
    }
    template <class E>
    auto value(const E& expression) const {
        return fuse::value(host, expression);
    }
};

struct State {
    char c;
    int i;
    double d;
    float table[3];
};

}  // namespace

TEST_CASE("a name around device lambdas") {
    const auto make = [](const State& s) {
        const char c = s.c;
        const int i = s.i;
        const double d = s.d;
        const float table[3] = {s.table[0], s.table[1], s.table[2]};
        return [c, i, d, table] __host__ __device__(float v) { return v + float(c + i) + float(d) + table[2]; };
    };
    const State s{1, 2, 3, {4, 5, 6}};
    check_named(OnHost{}, make, s, State{2, 2, 3, {4, 5, 6}});
    check_named(OnHost{}, make, s, State{1, 3, 3, {4, 5, 6}});
    check_named(OnHost{}, make, s, State{1, 2, 4, {4, 5, 6}});
    check_named(OnHost{}, make, s, State{1, 2, 3, {4, 5, 7}});
}

TEST_CASE("where no GPU can be used the error says what can") {
    const std::string text = cuda_error(cudaErrorNoDevice, Text() << "fuse: reading the current device").what();
    CHECK(text == "fuse: no usable GPU: no CUDA-capable device is detected (cudaErrorNoDevice), use fuse::host");
    const std::string other = cuda_error(cudaErrorMemoryAllocation, Text() << "fuse: allocating").what();
    CHECK(other == "fuse: allocating: out of memory (cudaErrorMemoryAllocation)");
}
