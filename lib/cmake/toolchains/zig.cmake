# SPDX-License-Identifier: Apache-2.0
# What the toolchain files for macOS share: clang with the headers and import libraries of macOS, in the PyPI package ziglang.
# RS_ZIG_TARGET: the system. RS_ZIG: the program, in site-packages/ziglang.
set(RS_ZIG "zig" CACHE FILEPATH "the program zig")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RS_ZIG)
set(CMAKE_C_COMPILER "${RS_ZIG}" cc)
set(CMAKE_C_FLAGS_INIT "-target ${RS_ZIG_TARGET}")
set(CMAKE_C_ARCHIVE_CREATE "\"${RS_ZIG}\" ar qc <TARGET> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "\"${RS_ZIG}\" ranlib <TARGET>")
set(CMAKE_C_COMPILER_WORKS TRUE)
