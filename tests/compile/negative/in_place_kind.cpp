// SPDX-License-Identifier: Apache-2.0
//
// Half of a view of integers does not fit into it: y = y / 2 says that it is to be cut down.
// expect: fuse: += -= *= /= do not change the kind of number
#include <fuse/fuse.hpp>

void f(int* p) {
    auto y = fuse::view<"y">(p, 3);
#ifdef FUSE_CONTROL
    fuse::eval(fuse::host, y = y / 2);
#else
    fuse::eval(fuse::host, y /= 2);
#endif
}
