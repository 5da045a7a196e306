// SPDX-License-Identifier: Apache-2.0
// Memory formats, besides those of program.h.
#ifndef RINGSIDE_IMAGE_H
#define RINGSIDE_IMAGE_H

#include <ringside/fixed.h>
#include <ringside/program.h>

#include "arith/ring.h"

// The 64 bytes of constants that a context begins with.
void rs_image_header(const rs_design_t *design, const rs_limb_t *limb, uint64_t constant, uint64_t factor, uint8_t *image);

// As rs_image_write, residues times a factor, and R if times_radix.
void rs_image_write_times(const rs_design_t *design, const rs_limb_t *limb, uint8_t *image, const uint64_t *poly, uint64_t factor,
                          int times_radix);

// The image of a(X^element) from that of a, in NTT form; no index depends on words. element odd, below 2N; image != from.
void rs_image_galois(const rs_design_t *design, uint32_t log_n, uint8_t *image, const uint8_t *from, uint32_t element);

// The tables that streaming transforms make their twiddles from, in words of 8 bytes (wide) or of 4.
void rs_image_stream(const rs_design_t *design, const rs_limb_t *limb, uint8_t *image, int wide);

// The roots of fixed point, rs_design_roots_bytes().
void rs_image_roots(const rs_design_t *design, const rs_fixed_t *fixed, uint8_t *image);

// The factors of SCALEW and of MACW, in the header of the roots' context.
void rs_image_roots_factors(uint64_t factor, uint64_t added, uint8_t *image);

// R of word-level Montgomery modulo q.
uint64_t rs_image_radix(const rs_design_t *design, const rs_modulus_t *m);

// An array as it is, in words of 8 bytes (wide) or in the low 4 bytes of each, and back.
void rs_image_put(uint8_t *image, const uint64_t *words, size_t count, int wide);
void rs_image_get(uint64_t *words, const uint8_t *image, size_t count, int wide);

#endif
