// SPDX-License-Identifier: Apache-2.0
//
// Where a row lies, by its number among rows along several axes: numbers below 2^31, whose divisions are narrow, and all
// others.
#include <fuse/fuse.hpp>

#include "support/catch.hpp"

using namespace fuse;

namespace {

template <int Room>
void check_offsets(std::initializer_list<index_t> extents) {
    MergedDims dims;
    index_t stride[Room] = {};
    for (const index_t n : extents) {
        dims.extent[dims.count++] = n;
    }
    const int unused = Room - dims.count;
    for (int d = 0; d < dims.count; ++d) {
        stride[unused + d] = 1 + 1000003 * d;
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
            if (offset_by_size(divisors, stride, i) != expected) {
                FAIL("row " << i);
            }
        }
    }
}

}  // namespace

TEST_CASE("rows along several axes lie where they should") {
    check_offsets<2>({7});
    check_offsets<2>({7, 5});
    check_offsets<2>({3, 2147483648});
    check_offsets<2>({4294967311, 3});
    check_offsets<3>({100, 1});
    check_offsets<3>({65537, 32749});
    check_offsets<3>({11, 65537, 32749});
    check_offsets<3>({2, 2147483647, 2});
    check_offsets<4>({5, 1, 4294967296, 7});
    check_offsets<4>({13, 1024, 1024, 1024});
}
