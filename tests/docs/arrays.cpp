// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/arrays.md.
#include <fuse/fuse.hpp>
#include <fuse/interop/dlpack.hpp>

#include <cstdio>
#include <numeric>
#include <sstream>
#include <vector>

#include "support/catch.hpp"
#include "support/dlpack.hpp"

TEST_CASE("views of views") {
    std::vector<float> data(24);
    std::iota(data.begin(), data.end(), 0.0F);
    std::vector<float> out(6);
    float first = 0;
    // [snippet:parts]
    auto x = fuse::view<"x">(data, 4, 6);    // a shape_error unless the vector has 24 elements
    auto v = x[1];                           // the second row; x[-1] is the last one
    auto w = row(x, 1);                      // the same of a matrix,
    auto c = column(x, 2);                   // and one of its columns
    auto e = select<-1>(x, 2);               // one index along any axis
    auto s = slice<1>(x, 1, -1);             // x[:, 1:-1]
    auto h = slice<0>(x, {}, {}, 2);         // x[::2]
    auto b = slice<1>(x, 4, {}, -2);         // x[:, 4::-2]
    auto f = flip<1>(x);                     // backwards along one axis; flip(x): along all
    auto t = transpose(x);                   // all axes reversed; transpose<0, 2, 1>(a): in this order
    auto r = reshape(x, 2, 2, -1);           // -1: what is left, here 6
    auto q = squeeze<0>(slice<0>(x, 0, 1));  // without an axis of extent 1
    // [snippet:end]
    CHECK((v(0) == 6 && w(0) == 6 && c(1) == 8 && e(1) == 8 && s(0, 0) == 1 && s.extent(1) == 4 && h(1, 0) == 12));
    CHECK((b(0, 0) == 4 && b(0, 2) == 0 && f(0, 0) == 5 && t(5, 0) == 5 && r(1, 0, 1) == 13 && q(5) == 5));

    // [snippet:write]
    auto y = fuse::view<"y">(out);
    fuse::eval(fuse::host, y = x[0] + x[1]);             // two rows into a third array
    fuse::eval(fuse::host, x[2] = y, flip(x[3]) = y);    // into two rows of the first
    fuse::eval(fuse::host, slice<1>(x, {}, {}, 2) = 0);  // every second column
    auto last = fuse::view<"last">(x[-1]);               // a part with a name is loaded once
    fuse::eval(fuse::host, y = last / max(last));
    // [snippet:end]
    CHECK((x(2, 1) == 8 && x(3, 1) == 14 && x(3, 0) == 0 && out[1] == 1));

    // [snippet:expand]
    auto sums = fuse::view<"sums">(data.data(), 6);
    auto column_of_sums = fuse::view(fuse::expand_dims<1>(sums));  // a view of shape (6, 1), which can be written to
    // [snippet:end]
    CHECK(column_of_sums.extent(1) == 1);

    // [snippet:look]
    first = x(2, 1);          // an element, if the CPU can read it; x(-1, -1) is the last one
    auto n = x.size();        // 24
    auto rows = x.extent(0);  // 4, and x.shape(), x.strides(), x.data()
    // [snippet:end]
    CHECK((first == 8 && n == 24 && rows == 4));
}

TEST_CASE("parts of expressions") {
    const std::vector<float> data{1, 2, 3, 4, 5, 6};
    std::vector<float> out(3);
    std::vector<float> column(2);
    std::vector<float> pair(4);
    std::vector<float> turned(6);
    // [snippet:expressions]
    auto x = fuse::view<"x">(data, 2, 3);
    auto y = fuse::view<"y">(out);
    fuse::eval(fuse::host, y = softmax(x)[1]);            // the second row alone is computed
    float last = fuse::value(fuse::host, (x * 2)[1][2]);  // one element
    auto centred = x - mean(x, fuse::axes<1>, fuse::keepdims);
    fuse::eval(fuse::host, y = flip(centred[0]));
    fuse::eval(fuse::host, fuse::view<"c">(column) = select<1>(centred, 0));
    fuse::eval(fuse::host, fuse::view<"s">(pair, 2, 2) = slice<1>(x + y, 1, {}));
    fuse::eval(fuse::host, fuse::view<"t">(turned, 3, 2) = transpose(centred));
    // [snippet:end]
    CHECK((last == 12 && out == std::vector<float>{1, 0, -1} && column == std::vector<float>{-1, -1}));
    CHECK((pair == std::vector<float>{2, 2, 5, 5} && turned == std::vector<float>{-1, -1, 0, 0, 1, 1}));
}

TEST_CASE("arrays that own their elements") {
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    // [snippet:tensor]
    auto a = fuse::tensor<float>(2, 3);  // zeros; in the shape of another array: tensor<float>(b.shape())
    auto b = fuse::tensor<float>({{1, 2, 3}, {4, 5, 6}});  // these numbers
    auto c = fuse::tensor(numbers, 2, -1);                 // a copy of a vector's elements, as many as they are
    auto x = fuse::view<"x">(b);
    fuse::eval(fuse::host, a = softmax(x));                    // an array is an output, an operand a view of one
    auto d = fuse::tensor(fuse::host, sum(x, fuse::axes<1>));  // or an array is made for the values of an expression
    auto back = to_vector(d);                                  // {6, 15}
    // [snippet:end]
    CHECK((back == std::vector<float>{6, 15} && c(1, 2) == 6 && a(0, 0) + a(0, 1) + a(0, 2) == Approx(1)));
}

TEST_CASE("looking at arrays") {
    auto t = fuse::tensor<float>({{1, 2.5, 3}, {-4, 5, 6}});
    std::ostringstream out;
    // [snippet:print]
    auto x = fuse::view<"x">(t);
    out << x << '\n';                              // any std::ostream; of views and tensors
    print(x[0]);                                   // the same to the standard output
    print(fuse::host, sum(x, fuse::axes<1>) / 2);  // the values of an expression
    // [snippet:end]
    CHECK(out.str() == "x float (2, 3)\n[[ 1.0  2.5  3.0]\n [-4.0  5.0  6.0]]\n");
}

TEST_CASE("arrays of other libraries, and who else learns of a launch") {
    auto t = fuse::tensor<float>({{1, 2, 3}, {4, 5, 6}});
    // [snippet:dlpack]
    DLManagedTensor* managed = to_dlpack(std::move(t));  // an array goes to another library, which calls its deleter
    auto theirs = fuse::from_dlpack<float, 2>(fuse::host, managed->dl_tensor);  // a view of another library's array
    auto x = fuse::view<"x">(theirs);
    // [snippet:end]
    CHECK(value(fuse::host, sum(x)) == 21);
    // [snippet:hook]
    fuse::set_launch_hook([](const fuse::LaunchReport& r) {
        std::printf("%s: %s, %s, %.0f bytes\n", r.executor, r.statements, r.strategy, r.bytes);
    });
    fuse::eval(fuse::host, fuse::view<"y">(x) = x * 2);  // host: y = (x * 2), map, 48 bytes
    fuse::set_launch_hook(nullptr);
    // [snippet:end]
    managed->deleter(managed);
}
