// SPDX-License-Identifier: Apache-2.0
// Messages modulo t, eight words at a time.
#include "x86/x86.h"

#ifdef RS_X86
#include "x86/avx512.h"
#define TARGET AVX512
#define INLINE AVX512_INLINE
#include "x86/integers/vectors512.h"
#define PRODUCT32(a, b) ((words_t)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#include "x86/integers/words.h"

const rs_integers_t RS_INTEGERS_AVX512 = {lift, digits, collect, turn, settle, spread};
#endif
