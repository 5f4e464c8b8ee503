// SPDX-License-Identifier: Apache-2.0
//
// tensor and print of what they do not take; what eval would refuse is said by them, and early.
// expect 1: fuse: keepdims or expand_dims is missing
// expect 2: fuse: keepdims or expand_dims is missing
// expect 3: fuse: a sort cannot be one kernel with a scan or a reduction
// expect 4: fuse: these operands do not broadcast
// expect 5 g++ clang++: fuse: fuse::cuda needs nvcc
// expect 5 nvcc: fuse: a tensor is an array of the host
// expect 6 g++ clang++: fuse: fuse::cuda needs nvcc
// expect 6 nvcc: fuse: keepdims or expand_dims is missing
// expect 7: fuse: tensor begins with an executor, which says where it runs
// expect 8: a_tensor_begins_with_an_executor
// expect 9: fuse: a container is printed through a view of it
// expect 10: fuse: print evaluates an expression where you say
// expect 11 nvcc: fuse: keepdims or expand_dims is missing
#include <fuse/fuse.hpp>

#include <vector>

void f(float* p, [[maybe_unused]] const std::vector<float>& v) {
    using namespace fuse;
    [[maybe_unused]] const auto x = view<"x">(p, 4, 8);
    [[maybe_unused]] const auto a = view<"a">(p, extents<4, 8>{});
    [[maybe_unused]] const auto b = view<"b">(p, extents<4, 7>{});
#if FUSE_WRONG == 1
    static_cast<void>(tensor(fuse::host, x / sum(x, axes<1>)));
#elif FUSE_WRONG == 2
    print(fuse::host, x - mean(x, axes<1>));
#elif FUSE_WRONG == 3
    print(fuse::host, mean(sort(x)));
#elif FUSE_WRONG == 4
    static_cast<void>(tensor(fuse::host, a + b));
#elif FUSE_WRONG == 5
    static_cast<void>(tensor(fuse::cuda, x * 2));
#elif FUSE_WRONG == 6
    print(fuse::cuda, x - mean(x, axes<1>));
#elif FUSE_WRONG == 7
    static_cast<void>(tensor(x * 2));
#elif FUSE_WRONG == 8
    static_cast<void>(tensor(x));
#elif FUSE_WRONG == 9
    print(fuse::host, v);
#elif FUSE_WRONG == 10
    print(x * 2);
#elif FUSE_WRONG == 11
    static_cast<void>(device_tensor(fuse::cuda, x - mean(x, axes<1>)));
#else
    const auto t = tensor(fuse::host, x / sum(x, axes<1>, keepdims));
    print(t);
    print(fuse::host, t);
    print(fuse::host, x);
    print(fuse::host, x * 2);
    print(view(v));
#endif
}
