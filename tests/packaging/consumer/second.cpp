// SPDX-License-Identifier: Apache-2.0
//
// One of two translation units that include everything.
#include <fuse/fuse.hpp>
#include <fuse/version.hpp>

int second();

int second() {
    return FUSE_VERSION;
}
