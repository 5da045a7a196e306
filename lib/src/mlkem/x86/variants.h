// SPDX-License-Identifier: Apache-2.0
// K-PKE and its parts by the back end in use: tables of what there is for several instruction sets, for mlkem.c and for tests.
#ifndef RINGSIDE_MLKEM_VARIANTS_H
#define RINGSIDE_MLKEM_VARIANTS_H

#include "backend/backend.h"
#include "mlkem/codec.h"
#include "mlkem/ntt.h"
#include "mlkem/pke.h"
#include "mlkem/sample.h"
#include "x86/x86.h"

#ifdef RS_X86
#define RS_MLKEM_PARTS(part)                                                                                                 \
    part(ntt) part(inverse) part(dot) part(encode) part(decode) part(is_canonical) part(pack) part(unpack) part(add_message) \
        part(to_message) part(sample_rows) part(sample_noise) part(pke_keygen) part(pke_encrypt) part(pke_decrypt)

typedef struct rs_mlkem_variant {
#define PART(name) __typeof__(rs_mlkem_##name) *name;
    RS_MLKEM_PARTS(PART)
#undef PART
} rs_mlkem_variant_t;

#define RS_MLKEM_ENTRY(name) .name = rs_mlkem_##name,
extern const rs_mlkem_variant_t RS_MLKEM_PORTABLE, RS_MLKEM_AVX2, RS_MLKEM_AVX512;

static inline const rs_mlkem_variant_t *rs_mlkem_variant(void) {
    switch (rs_backend_current()->vectors) {
    case RS_VECTORS_AVX512: return &RS_MLKEM_AVX512;
    case RS_VECTORS_AVX2: return &RS_MLKEM_AVX2;
    default: return &RS_MLKEM_PORTABLE;
    }
}
#define RS_MLKEM_BY_VARIANT(name) rs_mlkem_variant()->name
#else
#define RS_MLKEM_BY_VARIANT(name) rs_mlkem_##name
#endif

#endif
