// SPDX-License-Identifier: Apache-2.0
//
// What is found wrong at run time is thrown.
// flags: -fno-exceptions
// expect: fuse: needs exceptions
#include <fuse/fuse.hpp>
