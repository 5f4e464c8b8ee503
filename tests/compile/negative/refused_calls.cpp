// SPDX-License-Identifier: Apache-2.0
//
// What is said to eval, prepare, value and explain in a wrong way, and to functions of views and arrays.
// expect 1: fuse: eval takes statements, output = expression
// expect 2: fuse: eval takes statements, output = expression
// expect 3: fuse: eval takes at least one statement
// expect 4: fuse: eval begins with an executor
// expect 5: fuse: eval begins with an executor
// expect 6: fuse: value begins with an executor
// expect 7: fuse: value() takes scalar expressions
// expect 8: fuse: explain begins with an executor
// expect 9: fuse: explain takes statements and expressions
// expect 10 g++ clang++: fuse: fuse::cuda needs nvcc
// expect 11 g++ clang++: fuse: fuse::cuda needs nvcc
// expect 12: fuse: prepare takes an executor and statements, as eval does
// expect 13: fuse: rebind takes views and numbers with names
// expect 14: fuse: rebind: the prepared statements have no view or number of this name and type
// expect 15: fuse: rebind: a view of const elements cannot take the place of an output
// expect 16: fuse: an array is not an operand: a view of it is, sum(view<
// expect 17: fuse: an array is not an operand: a view of it is, softmax(view<
// expect 18: a_view_has_no_iterators__write_sort_of_x__or_take_data_and_size
// expect 19: a_view_has_no_iterators__write_sort_of_x__or_take_data_and_size
#include <fuse/fuse.hpp>

#include <algorithm>

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
    [[maybe_unused]] const auto t = fuse::tensor<float>(4, 8);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, x * 2);
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, sum(x));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host);
#elif FUSE_WRONG == 4
    fuse::eval(y = x * 2);
#elif FUSE_WRONG == 5
    fuse::eval(y = x * 2, fuse::host);
#elif FUSE_WRONG == 6
    *q = fuse::value(sum(x));
#elif FUSE_WRONG == 7
    fuse::value(fuse::host, y = x);
#elif FUSE_WRONG == 8
    fuse::explain(y = x * 2);
#elif FUSE_WRONG == 9
    fuse::explain(fuse::host, 2);
#elif FUSE_WRONG == 10
    fuse::eval(fuse::cuda, y = x * 2);
#elif FUSE_WRONG == 11
    *q = fuse::value(fuse::cuda.on(nullptr), sum(x));
#elif FUSE_WRONG == 12
    fuse::prepare(y = x * 2)();
#elif FUSE_WRONG == 13
    fuse::prepare(fuse::host, y = x * 2).rebind(fuse::view(p, 4, 8));
#elif FUSE_WRONG == 14
    fuse::prepare(fuse::host, y = x * 2).rebind(fuse::view<"z">(p, 4, 8));
#elif FUSE_WRONG == 15
    fuse::prepare(fuse::host, y = x * 2).rebind(fuse::view<"y">(static_cast<const float*>(p), 4, 8));
#elif FUSE_WRONG == 16
    *q = fuse::value(fuse::host, sum(t));
#elif FUSE_WRONG == 17
    fuse::eval(fuse::host, y = softmax(t, fuse::axes<1>));
#elif FUSE_WRONG == 18
    std::sort(r.begin(), r.end());
#elif FUSE_WRONG == 19
    for (const float v : r) {
        *q += v;
    }
#else
    fuse::eval(fuse::host, y = x * 2);
    fuse::prepare(fuse::host, y = x * 2).rebind(x);
    *q = fuse::value(fuse::host, sum(x));
#endif
}
