// SPDX-License-Identifier: Apache-2.0
//
// An array of arrays has its extents already; with others it would be a view of rows as elements.
// expect: fuse: a view of an array of arrays is view(a), without extents, or begins at its first element
#include <fuse/fuse.hpp>

float f(const float (&a)[2][3]) {
#ifdef FUSE_CONTROL
    return fuse::value(fuse::host, sum(fuse::view<"a">(a)) + sum(fuse::view<"b">(&a[0][0], 3, 2)));
#else
    return fuse::value(fuse::host, sum(fuse::view<"a">(a, 2, 3)));
#endif
}
