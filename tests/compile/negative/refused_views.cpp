// SPDX-License-Identifier: Apache-2.0
//
// What no view is made of. Pointers without extents and temporaries have files of their own.
// expect 1: fuse: the name of a view is a template argument
// expect 2: fuse: view takes a pointer and its extents, integers
// expect 3: fuse: view takes a pointer and its extents, integers
// expect 4: fuse: view takes a pointer and its extents, integers
// expect 5: fuse: a view's element type must be trivially copyable
// expect 6: fuse: a name has at least one character
// expect 7: fuse: a name has at most 31 characters
// expect 8: fuse: a static extent is not negative
// expect 9: fuse: std::vector<bool> has bits, not elements
// expect 10: fuse: the extents of a view stand one by one
#include <fuse/fuse.hpp>

#include <vector>

void f(float* p, std::vector<std::vector<float>>& lists, [[maybe_unused]] std::vector<bool>& mask) {
#if FUSE_WRONG == 1
    const auto z = fuse::view("z", p, 2, 3);
#elif FUSE_WRONG == 2
    const auto z = fuse::view<"z">(p, 2.0, 3);
#elif FUSE_WRONG == 3
    const auto z = fuse::view<"z">(3);
#elif FUSE_WRONG == 4
    const auto z = fuse::view<"z">(p, fuse::shape(2, 3), fuse::strides(1));
#elif FUSE_WRONG == 5
    const auto z = fuse::view<"z">(lists);
#elif FUSE_WRONG == 6
    const auto z = fuse::view<"">(p, 2, 3);
#elif FUSE_WRONG == 7
    const auto z = fuse::view<"a_name_that_is_longer_than_31_characters">(p, 2, 3);
#elif FUSE_WRONG == 8
    const auto z = fuse::extents<-3>{};
#elif FUSE_WRONG == 9
    const auto z = fuse::view<"z">(mask, 2, 3);
#elif FUSE_WRONG == 10
    const auto z = fuse::view<"z">(p, {2, 3});
#else
    static_cast<void>(lists);
    const auto z = fuse::view<"z">(p, 2, 3);
#endif
    static_cast<void>(z);
}
