# SPDX-License-Identifier: Apache-2.0
# RV32IMAC on QEMU's "virt" machine: 32 bits, no floating point in hardware.
set(RS_BOARD riscv-virt)
set(RS_BARE_FLAGS "-march=rv32imac -mabi=ilp32 -mcmodel=medany")
include("${CMAKE_CURRENT_LIST_DIR}/../bare.cmake")
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
