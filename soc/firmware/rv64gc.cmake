# SPDX-License-Identifier: Apache-2.0
# RV64GC, double precision in hardware: Rocket. Flags that bare machines share: lib/bare/bare.cmake.
set(RS_BARE_FLAGS "-march=rv64gc -mabi=lp64d -mcmodel=medany")
include("${CMAKE_CURRENT_LIST_DIR}/../../lib/bare/bare.cmake")
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
