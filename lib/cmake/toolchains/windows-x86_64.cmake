# SPDX-License-Identifier: Apache-2.0
# Windows on x86-64 by Debian's gcc-mingw-w64-x86-64. The compiler's run time is linked in, so that the library needs the system's alone.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-static-libgcc")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static-libgcc")
