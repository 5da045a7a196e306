# SPDX-License-Identifier: Apache-2.0
# RV64GC with vectors (RVV 1.0, of 128 bits or more) on QEMU's "virt" machine, by clang: Debian 12's GCC knows no vectors.
set(RS_BOARD riscv-virt)
set(RS_BARE_FLAGS "-march=rv64gcv -mabi=lp64d -mcmodel=medany -msmall-data-limit=0")
include("${CMAKE_CURRENT_LIST_DIR}/../bare.cmake")
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER clang-16)
set(CMAKE_ASM_COMPILER clang-16)
set(CMAKE_C_COMPILER_TARGET riscv64-unknown-elf)
set(CMAKE_ASM_COMPILER_TARGET riscv64-unknown-elf)
set(CMAKE_C_COMPILER_EXTERNAL_TOOLCHAIN /usr) # libgcc and the linker are GCC's
