# SPDX-License-Identifier: Apache-2.0
#
# The Conan 2 recipe. The package holds headers, the licence and fuse's own CMake package files, so that Conan,
# find_package and add_subdirectory give the same targets. CUDA comes from the toolkit through CMake, not from Conan.
import os
import re

from conan import ConanFile
from conan.tools.build import can_run, check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class FuseConan(ConanFile):
    name = "fuse"
    description = "Fused map/reduce expressions for CUDA and the CPU, header-only C++20"
    license = "Apache-2.0"
    topics = ("cuda", "expression-templates", "kernel-fusion", "reduction", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "tests/*", "examples/digits/*"
    no_copy_source = True

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/fuse/version.hpp"))
        parts = (re.search(rf"FUSE_VERSION_{part} (\d+)", header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
        self.version = ".".join(parts)

    def build_requirements(self):
        if not self._skip_test:
            self.test_requires("catch2/[>=2.13 <4]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    @property
    def _skip_test(self):
        return self.conf.get("tools.build:skip_test", default=False, check_type=bool)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.cache_variables["FUSE_CUDA"] = "OFF"
        toolchain.cache_variables["FUSE_BUILD_TESTS"] = not self._skip_test
        toolchain.cache_variables["FUSE_BUILD_EXAMPLES"] = False
        # Whoever packs the library tests it; that the packaging works is tested by the repository itself.
        toolchain.cache_variables["FUSE_TEST_GROUPS"] = "lang;ops;nn"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        if not self._skip_test:
            cmake.build()
            if can_run(self):
                cmake.ctest(["--output-on-failure"])

    def package(self):
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "share"))
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/fuse"]
