// SPDX-License-Identifier: Apache-2.0
//
// The version of the library, in the one place where it is written down: CMakeLists.txt and conanfile.py read the
// three macros below with a regular expression, so each stays on a line of its own. The inline namespace in config.hpp
// follows the minor version.
#pragma once

#define FUSE_VERSION_MAJOR 0
#define FUSE_VERSION_MINOR 1
#define FUSE_VERSION_PATCH 0

/// One comparable number: 0.1.0 is 100, 1.2.3 is 10203.
#define FUSE_VERSION (FUSE_VERSION_MAJOR * 10000 + FUSE_VERSION_MINOR * 100 + FUSE_VERSION_PATCH)
