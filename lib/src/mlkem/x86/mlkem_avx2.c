// SPDX-License-Identifier: Apache-2.0
// ML-KEM compiled for AVX2, with transforms.h and codes.h.
#include "x86/x86.h"

#ifdef RS_X86
#define INSTRUCTIONS(name) rs_mlkem_##name##_avx2
#include "base/bytes.h"
#include "x86/avx2.h"

#include "mlkem/x86/names.h" // before all headers that declare what has another name here

#include "mlkem/x86/variants.h"

#ifdef __clang__
#pragma clang attribute push(AVX2, apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define INLINE static inline __attribute__((always_inline))
#include "mlkem/vectors/words_avx2.h"

#include "mlkem/vectors/transforms.h"

#include "mlkem/x86/codes.h"

#include "mlkem/sample.c"

#include "mlkem/pke.c"

const rs_mlkem_variant_t RS_MLKEM_AVX2 = {RS_MLKEM_PARTS(RS_MLKEM_ENTRY)};
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
