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
// expect 11: fuse: this axis is outside the operand's rank
// expect 12: fuse: transpose takes each axis of the view once, or none: it then reverses their order
// expect 13: fuse: transpose takes each axis of the view once, or none: it then reverses their order
// expect 14: fuse: squeeze takes an axis of extent 1
// expect 15: fuse: make views with view(...), which says what is wrong
// expect 16: fuse: this axis is outside the operand's rank
// expect 17: fuse: row and column take a matrix
// expect 18: a_temporary_would_be_gone_before_the_expression_runs
// expect 19: a_temporary_would_be_gone_before_the_expression_runs
// expect 20: a_temporary_would_be_gone_before_the_expression_runs
// expect 21: a_temporary_would_be_gone_before_the_expression_runs
// expect 22: a_temporary_would_be_gone_before_the_expression_runs
// expect 23: a_temporary_would_be_gone_before_the_expression_runs
// expect 24: fuse: slice takes where it begins and where it ends
// expect 25: fuse: reshape is of views
// expect 26: fuse: reshape is of views
// expect 27: fuse: the extents of a shape stand one by one
// expect 28: fuse: slice takes where it begins and where it ends
#include <fuse/fuse.hpp>

#include <string>
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
#elif FUSE_WRONG == 11
    const auto z = slice<2>(fuse::view<"x">(p, 2, 3), 0, 1);
#elif FUSE_WRONG == 12
    const auto z = transpose<0, 0>(fuse::view<"x">(p, 2, 3));
#elif FUSE_WRONG == 13
    const auto z = transpose<1>(fuse::view<"x">(p, 2, 3));
#elif FUSE_WRONG == 14
    const auto z = squeeze<0>(fuse::view<"x">(p, fuse::extents<2, 3>{}));
#elif FUSE_WRONG == 15
    const auto z = fuse::View<std::string, fuse::unnamed, fuse::dynamic>(nullptr, {}, {});
#elif FUSE_WRONG == 16
    const auto z = flip<-3>(fuse::view<"x">(p, 2, 3));
#elif FUSE_WRONG == 17
    const auto z = row(fuse::view<"x">(p, 2, 3, 4), 1);
#elif FUSE_WRONG == 18
    const auto z = fuse::view<"z">(std::vector<float>(6), 2, 3);
#elif FUSE_WRONG == 19
    const auto z = fuse::view(std::vector<float>(6), 2, -1);
#elif FUSE_WRONG == 20
    const auto z = fuse::view<"z">(std::vector<float>(6), fuse::shape(2, 3));
#elif FUSE_WRONG == 21
    const auto z = fuse::view<"z">(std::vector<float>(6), fuse::shape(2, 3), fuse::strides(1, 2));
#elif FUSE_WRONG == 22
    const auto z = fuse::view<"z">({1.F, 2.F});
#elif FUSE_WRONG == 23
    const auto z = fuse::view({1.F, 2.F}, 2, 1);
#elif FUSE_WRONG == 24
    const auto z = slice<1>(fuse::view<"x">(p, 2, 3), 1);
#elif FUSE_WRONG == 25
    const auto z = reshape(fuse::view<"x">(p, 2, 3) * 2, 3, 2);
#elif FUSE_WRONG == 26
    const auto z = reshape(softmax(fuse::view<"x">(p, 2, 3)), 6);
#elif FUSE_WRONG == 27
    const auto z = reshape(fuse::view<"x">(p, 2, 3) * 2, {6});
#elif FUSE_WRONG == 28
    const auto z = slice<1>(fuse::view<"x">(p, 2, 3) * 2, 1);
#else
    static_cast<void>(lists);
    const auto r = reshape(fuse::view<"x">(p, 2, 3), 6);
    const auto z = reshape(r, fuse::shape(3, 2));
#endif
    static_cast<void>(z);
}
