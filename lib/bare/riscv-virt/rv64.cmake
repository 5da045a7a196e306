# SPDX-License-Identifier: Apache-2.0
# RV64GC on QEMU's "virt" machine: 64 bits, double precision in hardware.
set(RS_BOARD riscv-virt)
set(RS_BARE_FLAGS "-march=rv64gc -mabi=lp64d -mcmodel=medany")
include("${CMAKE_CURRENT_LIST_DIR}/../bare.cmake")
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
