# SPDX-License-Identifier: Apache-2.0
# Cortex-M4 on Arm's MPS2 board with the FPGA image AN386, as QEMU has it: 32 bits, double precision in software.
set(RS_BOARD mps2)
set(RS_BARE_FLAGS "-mcpu=cortex-m4 -mthumb -mfloat-abi=soft")
include("${CMAKE_CURRENT_LIST_DIR}/../bare.cmake")
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
