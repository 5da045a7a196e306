# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(RS_ZIG_TARGET aarch64-macos)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
