// SPDX-License-Identifier: Apache-2.0
// The FFTs of the back ends (rs_encoding_t).
#ifndef RINGSIDE_X86_FFT_H
#define RINGSIDE_X86_FFT_H

#include "encoding/encoding.h"

void rs_fft_avx2_inverse(const rs_fft_t *fft, double *re, double *im, double fix);
uint64_t rs_fft_avx2_inverse_rounded(const rs_fft_t *fft, double *re, double *im, int real, double fix);
void rs_fft_avx2_forward(const rs_fft_t *fft, double *re, double *im);
void rs_fft_avx512_inverse(const rs_fft_t *fft, double *re, double *im, double fix);
uint64_t rs_fft_avx512_inverse_rounded(const rs_fft_t *fft, double *re, double *im, int real, double fix);
void rs_fft_avx512_forward(const rs_fft_t *fft, double *re, double *im);

#endif
