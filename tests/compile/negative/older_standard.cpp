// SPDX-License-Identifier: Apache-2.0
//
// A compiler without C++20 says so, once.
// flags: -std=c++17
// expect: fuse: needs C++20: add -std=c++20
#include <fuse/fuse.hpp>
#include <fuse/primitives.hpp>
