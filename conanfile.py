# SPDX-License-Identifier: Apache-2.0
#
# The Conan 2 recipe. The package holds headers, the licence and fuse's own CMake package files, so that Conan,
# find_package and add_subdirectory give the same targets. CUDA comes from the toolkit through CMake, not from Conan.
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.scm import Version

required_conan_version = ">=2.0"


class FuseConan(ConanFile):
    name = "fuse"
    description = "Fused map/reduce expressions for CUDA and the CPU, header-only C++20"
    license = "Apache-2.0"
    topics = ("cuda", "expression-templates", "kernel-fusion", "reduction", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*"
    no_copy_source = True

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/fuse/version.hpp"))
        parts = (re.search(rf"FUSE_VERSION_{part} (\d+)", header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
        self.version = ".".join(parts)

    def validate(self):
        # The compiler, not the profile's cppstd: the targets ask for C++20 themselves, whatever a profile says, and
        # Conan's default profile says 17.
        oldest = {"gcc": "12", "clang": "14"}.get(str(self.settings.compiler))
        if oldest and Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration(f"fuse needs {self.settings.compiler} {oldest} or later, for C++20")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.cache_variables["FUSE_CUDA"] = "OFF"
        # There is nothing to build; the tests run in the repository, with scripts/test.
        toolchain.cache_variables["FUSE_BUILD_TESTS"] = False
        toolchain.cache_variables["FUSE_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        CMake(self).configure()

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
