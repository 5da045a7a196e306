# SPDX-License-Identifier: Apache-2.0
# WebAssembly by Debian's clang-16 with wasi-libc's headers, memory functions and allocator. Nothing of the system interface gets in: the
# modules import one function, `random`.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(RS_CLANG "clang-16" CACHE STRING "a clang of version 16 or newer; older ones have no final relaxed SIMD")
set(CMAKE_C_COMPILER "${RS_CLANG}")
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT "-mbulk-memory -mnontrapping-fptoint -msign-ext -mmutable-globals -ffunction-sections -fdata-sections")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostartfiles -nodefaultlibs -lc -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=262144 -Wl,--stack-first")
set(CMAKE_EXECUTABLE_SUFFIX_C ".wasm")
