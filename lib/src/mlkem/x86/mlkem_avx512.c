// SPDX-License-Identifier: Apache-2.0
// ML-KEM compiled for AVX-512, with transforms.h and codes.h.
#include "x86/x86.h"

#ifdef RS_X86
#define INSTRUCTIONS(name) rs_mlkem_##name##_avx512
#include "base/bytes.h"
#include "x86/avx2.h"
#include "x86/avx512.h"

#include "mlkem/x86/names.h" // before all headers that declare what has another name here

#include "mlkem/x86/variants.h"

#ifdef __clang__
#pragma clang attribute push(AVX512, apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw")
#endif
#define INLINE static inline __attribute__((always_inline))
#include "mlkem/vectors/words_avx512.h"

#include "mlkem/vectors/transforms.h"

#include "mlkem/x86/codes.h"

#include "mlkem/sample.c"

#include "mlkem/pke.c"

const rs_mlkem_variant_t RS_MLKEM_AVX512 = {RS_MLKEM_PARTS(RS_MLKEM_ENTRY)};
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
