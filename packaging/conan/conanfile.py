# SPDX-License-Identifier: Apache-2.0
"""The C library for Conan 2: `conan create packaging/conan`, or with this file in an index and the source archive in conandata.yml."""

from pathlib import Path
from typing import ClassVar

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get


class RingsideConan(ConanFile):
    name = "ringside"
    version = "@VERSION@"
    license = "Apache-2.0"
    url = homepage = "@URL@"
    description = "The client side of CKKS, BFV and BGV, with Microsoft SEAL's files"
    topics = ("homomorphic-encryption", "ckks", "bfv", "seal")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    # codec: compressed files. core: what needs no operating system, alone
    options: ClassVar = {"shared": [True, False], "codec": [True, False], "core": [True, False]}
    default_options: ClassVar = {"shared": False, "codec": True, "core": False}
    languages = "C"

    def configure(self):
        if self.options.core:
            self.options.rm_safe("codec")

    def requirements(self):
        if self.options.get_safe("codec"):
            self.requires("zlib/[>=1.2.11 <2]")
            self.requires("zstd/[>=1.5 <2]")

    def layout(self):
        cmake_layout(self, src_folder="source")

    def export_sources(self):
        tree = Path(self.recipe_folder).parents[1]
        if not self.conan_data:
            for pattern in ("CMakeLists.txt", "pyproject.toml", "LICENSE", "lib/*"):
                copy(self, pattern, tree, Path(self.export_sources_folder) / "source")

    def source(self):
        if self.conan_data:
            get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for name, value in {
            "RS_CODEC": bool(self.options.get_safe("codec")), "RS_CORE_ONLY": bool(self.options.core), "RS_BUILD_TESTS": False,
            "RS_EVALUATOR": False,
        }.items():  # fmt: skip
            toolchain.cache_variables[name] = value
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install(component="library")
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")

    def package_info(self):
        # the library's own CMake package and pkg-config file say more than Conan's could
        self.cpp_info.libs = ["ringside"]
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/ringside"]
