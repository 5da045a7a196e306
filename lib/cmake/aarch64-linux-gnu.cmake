# SPDX-License-Identifier: Apache-2.0
# The whole library for 64-bit Arm and Linux, by Debian's cross compiler. Where zlib and zstd for arm64 are is said by
# -DZLIB_LIBRARY, -DZLIB_INCLUDE_DIR, -Dzstd_LIBRARY and -Dzstd_INCLUDE_DIR.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
