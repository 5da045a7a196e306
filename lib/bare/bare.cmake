# SPDX-License-Identifier: Apache-2.0
# What the toolchain files of bare machines share. RS_BARE_FLAGS: the machine's.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# string.h in include/ is all that there is of a C library
set(CMAKE_C_FLAGS_INIT "${RS_BARE_FLAGS} -ffreestanding -ffunction-sections -fdata-sections -I${CMAKE_CURRENT_LIST_DIR}/include")
set(CMAKE_ASM_FLAGS_INIT "${RS_BARE_FLAGS}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${RS_BARE_FLAGS} -nostdlib -static -Wl,--gc-sections")
