# SPDX-License-Identifier: Apache-2.0
#
# An overlay port, which packs the checkout that it lies in. In a registry vcpkg_from_github takes the place of the first
# command (docs/releasing.md).
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

set(VCPKG_BUILD_TYPE release) # headers alone: nothing differs in a debug build
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DFUSE_BUILD_TESTS=OFF
        -DFUSE_BUILD_EXAMPLES=OFF
        -DFUSE_CUDA=OFF # fuse::cuda comes with the package whether or not this machine has a toolkit
        -DFUSE_INSTALL_CMAKEDIR=share/fuse
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/licenses")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
