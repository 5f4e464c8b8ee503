// SPDX-License-Identifier: Apache-2.0
//
// The version of the library, in the one place where it is written down: CMakeLists.txt and conanfile.py read the
// three macros below with a regular expression, so each stays on a line of its own, and the namespace is made of them.
#pragma once

#define FUSE_VERSION_MAJOR 0
#define FUSE_VERSION_MINOR 2
#define FUSE_VERSION_PATCH 0

/// One comparable number: 0.2.0 is 200, 1.2.3 is 10203.
#define FUSE_VERSION (FUSE_VERSION_MAJOR * 10000 + FUSE_VERSION_MINOR * 100 + FUSE_VERSION_PATCH)

/// The inline namespace, v1_4 for 1.4.x: two versions of the library in one program do not collide.
#define FUSE_VERSION_NAMESPACE FUSE_VERSION_NAMESPACE_OF(FUSE_VERSION_MAJOR, FUSE_VERSION_MINOR)
#define FUSE_VERSION_NAMESPACE_OF(major, minor) FUSE_VERSION_NAMESPACE_JOINED(major, minor)
#define FUSE_VERSION_NAMESPACE_JOINED(major, minor) v##major##_##minor
