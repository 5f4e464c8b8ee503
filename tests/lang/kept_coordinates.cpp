// SPDX-License-Identifier: Apache-2.0
//
// Where a row lies, by its number among rows along several axes: numbers below 2^31, whose divisions are narrow, and all
// others; of operands whose rows lie as along one axis, by a product.
#include <fuse/fuse.hpp>

#include "support/catch.hpp"

using namespace fuse;

namespace {

template <int Room>
void check_offsets(std::initializer_list<index_t> extents, bool linear) {
    MergedDims dims;
    index_t stride[Room] = {};
    for (const index_t n : extents) {
        dims.extent[dims.count++] = n;
    }
    const int unused = Room - dims.count;
    index_t along = 3;
    for (int d = dims.count - 1; d >= 0; --d) {
        stride[unused + d] = linear ? along : 1 + 1000003 * d;
        along *= dims.extent[d];
    }
    NarrowDims<Room> divisors;
    detail::set_dims(divisors, dims);
    for (const index_t around : {index_t{0}, dims.size() / 3, index_t{1} << 31, dims.size()}) {
        for (index_t i = around - 300; i < around + 300; ++i) {
            if (i < 0 || i >= dims.size()) {
                continue;
            }
            index_t expected = 0;
            index_t rest = i;
            for (int d = dims.count - 1; d >= 0; --d) {
                expected += rest % dims.extent[d] * stride[unused + d];
                rest /= dims.extent[d];
            }
            if (offset_by_size(divisors, stride, i, linear) != expected) {
                FAIL("row " << i);
            }
        }
    }
}

}  // namespace

TEST_CASE("rows along several axes lie where they should") {
    const bool linear = GENERATE(false, true);
    check_offsets<2>({7}, true);  // one dimension is always linear
    check_offsets<2>({7, 5}, linear);
    check_offsets<2>({3, 2147483648}, linear);
    check_offsets<2>({4294967311, 3}, linear);
    check_offsets<3>({100, 1}, linear);
    check_offsets<3>({65537, 32749}, linear);
    check_offsets<3>({11, 65537, 32749}, linear);
    check_offsets<3>({2, 2147483647, 2}, linear);
    check_offsets<4>({5, 1, 4294967296, 7}, linear);
    check_offsets<4>({13, 1024, 1024, 1024}, linear);
}
