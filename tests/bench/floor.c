// SPDX-License-Identifier: Apache-2.0
// What a processor with AVX-512 IFMA allows: cycles of the butterflies of ntt_products52.h and ntt_products60.h in registers alone, eight at a time.
// gcc -O2 -Ilib/include tests/bench/floor.c build/release/lib/libringside.a -lz -lzstd -lpthread -lm -o build/floor && build/floor
// A Zen 5 took at least 26,600 cycles for 16,384 words modulo 48 bits and 48,600 modulo 60; the library's transforms 37,000 and 67,800.
#include <immintrin.h>
#include <ringside/ringside.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

#define KERNEL __attribute__((noinline, target("avx512f,avx512dq,avx512ifma"))) static
#define EIGHT _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++)
enum { TIMES = 2000, RUNS = 300, BUTTERFLIES = 14 * 1024 }; // a transform of 2^14 words has 14 stages of 2^13, eight in a vector

// One stage of sixteen vectors again and again. What the words are makes no difference.
#define STAGES(name, prepare, product)                                                \
    KERNEL void name(__m512i *memory) {                                               \
        __m512i x[8], y[8];                                                           \
        const __m512i w = memory[16], p = memory[17], q = memory[18], c = memory[19]; \
        EIGHT x[i] = memory[i], y[i] = memory[8 + i];                                 \
        for (int k = 0; k < TIMES; k++) {                                             \
            EIGHT {                                                                   \
                prepare;                                                              \
                const __m512i t = product(y[i], w, p, q, c), a = x[i];                \
                x[i] = _mm512_add_epi64(a, t);                                        \
                y[i] = _mm512_sub_epi64(a, t);                                        \
            }                                                                         \
        }                                                                             \
        EIGHT memory[i] = x[i], memory[8 + i] = y[i];                                 \
    }

#define PRODUCT48(y, w, p, q, c) \
    _mm512_madd52lo_epu64(_mm512_madd52lo_epu64(c, y, w), _mm512_madd52hi_epu64(_mm512_setzero_si512(), y, p), q)
#define ESTIMATE60(y, y1, p, c) _mm512_madd52hi_epu64(_mm512_madd52hi_epu64(_mm512_mullo_epi64(y1, p), y, p), y1, c)
#define PRODUCT60(y, w, p, q, c) \
    _mm512_sub_epi64(_mm512_mullo_epi64(y, w), _mm512_mullo_epi64(ESTIMATE60(y, _mm512_srli_epi64(y, 52), p, c), q))
#define EXCHANGE                                                \
    const __m512i low = _mm512_shuffle_i64x2(x[i], y[i], 0x44); \
    y[i] = _mm512_shuffle_i64x2(x[i], y[i], 0xee);              \
    x[i] = low

STAGES(plain48, (void)0, PRODUCT48)
STAGES(across48, EXCHANGE, PRODUCT48)
STAGES(plain60, (void)0, PRODUCT60)
STAGES(across60, EXCHANGE, PRODUCT60)

KERNEL void chain(__m512i *memory) {
    unsigned long long x = (unsigned long long)(size_t)memory;
    for (int k = 0; k < TIMES; k++) EIGHT __asm__ volatile("add $1, %0" : "+r"(x));
}

static double ticks(void (*kernel)(__m512i *)) {
    static __m512i memory[20];
    double least = 1e18;
    for (int r = 0; r < RUNS; r++) {
        const unsigned long long begin = __rdtsc();
        kernel(memory);
        const double d = (double)(__rdtsc() - begin);
        if (d < least) least = d;
    }
    return least / (8.0 * TIMES);
}

// Exchanges across lanes of 128 bits come before two of a transform's 14 stages, and once more to put the words in order.
static void line(const char *name, double plain, double across, double library) {
    const double mean = (11 * plain + 3 * across) / 14;
    printf("%s: %.2f cycles a butterfly, %.2f with an exchange: at least %.0f cycles for a transform of 16,384 words, the "
           "library's takes %.0f\n",
           name, plain, across, mean * BUTTERFLIES, library);
}

// Ticks of the transform of one limb of lee-14.
static double transform(const rs_context_t *context, uint32_t limb, uint64_t *words) {
    double least = 1e18;
    for (int r = 0; r < RUNS; r++) {
        const unsigned long long begin = __rdtsc();
        rs_plan_forward(rs_context_plan(context, limb), words);
        const double d = (double)(__rdtsc() - begin);
        if (d < least) least = d;
    }
    return least;
}

int main(void) {
    static _Alignas(64) uint64_t words[1 << 14];
    const rs_params_request_t named = {.size = sizeof named, .name = "lee-14"};
    const rs_context_t *context;
    rs_params_t params;
    if (rs_params_init(&params, &named) != RS_OK) return 1;
    const size_t bytes = rs_context_size(&params);
    const rs_context_request_t request = {
        .size = sizeof request, .params = &params, .memory = {aligned_alloc(64, (bytes + 63) / 64 * 64), bytes}};
    if (!request.memory.p || rs_context_init(&context, &request) != RS_OK) return 1;
    const double tick = ticks(chain); // an addition waits for the one before: a cycle, in ticks of the time stamp counter
    double least = 1e18;
    for (int r = 0; r < RUNS; r++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        chain((__m512i *)words);
        clock_gettime(CLOCK_MONOTONIC, &end);
        const double ns = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
        if (ns < least) least = ns;
    }
    printf("%.2f GHz\n", 8.0 * TIMES / least);
    line("48 bits", ticks(plain48) / tick, ticks(across48) / tick, transform(context, 1, words) / tick);
    line("60 bits", ticks(plain60) / tick, ticks(across60) / tick, transform(context, 0, words) / tick);
    free(request.memory.p);
    return 0;
}
