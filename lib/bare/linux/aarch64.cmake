# SPDX-License-Identifier: Apache-2.0
# 64-bit Arm, Linux; run by qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# residues as doubles below 2^47, as on RISC-V: tested on a second machine
set(CMAKE_C_FLAGS_INIT -DRS_FMA)
