# SPDX-License-Identifier: Apache-2.0
# RV32IM without floating point: PicoRV32. Flags that bare machines share: lib/bare/bare.cmake.
set(RS_BARE_FLAGS "-march=rv32im -mabi=ilp32 -mcmodel=medany")
include("${CMAKE_CURRENT_LIST_DIR}/../../lib/bare/bare.cmake")
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
