// SPDX-License-Identifier: Apache-2.0
// What the passes (ntt_passes.h) need to know of vectors of eight 64-bit words. Included by the kernels after TARGET and INLINE.
enum { LOG_LANES = 3 };
typedef uint64_t word_t;
typedef __m512i vec_t;

INLINE vec_t load(const word_t *p) { return load8(p); }

INLINE void store(word_t *p, vec_t x) { store8(p, x); }

INLINE vec_t splat(uint64_t x) { return set8(x); }

INLINE vec_t add(vec_t x, vec_t y) { return _mm512_add_epi64(x, y); }

INLINE vec_t sub(vec_t x, vec_t y) { return _mm512_sub_epi64(x, y); }

INLINE vec_t csub(vec_t x, vec_t bound) { return csub8(x, bound); }

INLINE vec_t load_wide(const uint64_t *p) { return load8(p); }

INLINE void store_wide(uint64_t *p, vec_t x) { store8(p, x); }

// In runs of t lanes: the odd runs of v[0] and the even runs of v[1] change places.
INLINE void exchange(vec_t *v, unsigned log_t) {
    const vec_t a = v[0];
    const vec_t b = v[1];
    if (log_t == 2) {
        v[0] = _mm512_shuffle_i64x2(a, b, 0x44);
        v[1] = _mm512_shuffle_i64x2(a, b, 0xee);
    } else if (log_t == 1) {
        v[0] = _mm512_mask_permutex_epi64(a, 0xcc, b, 0x4e);
        v[1] = _mm512_mask_permutex_epi64(b, 0x33, a, 0x4e);
    } else {
        v[0] = _mm512_unpacklo_epi64(a, b);
        v[1] = _mm512_unpackhi_epi64(a, b);
    }
}

// 16 neighbours <-> those at even places and those at odd ones
INLINE void even_odd(vec_t *v) {
    const vec_t even = _mm512_permutex2var_epi64(v[0], _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), v[1]);
    v[1] = _mm512_permutex2var_epi64(v[0], _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), v[1]);
    v[0] = even;
}

INLINE void even_odd_undo(vec_t *v) {
    const vec_t first = _mm512_permutex2var_epi64(v[0], _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), v[1]);
    v[1] = _mm512_permutex2var_epi64(v[0], _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), v[1]);
    v[0] = first;
}

// p[l >> log_run] in lane l; p[-(l >> log_run)].
INLINE vec_t load_up(const uint64_t *p, unsigned log_run) {
    if (log_run == 0) return load8(p);
    if (log_run == 2) return _mm512_mask_set1_epi64(set8(p[0]), 0xf0, (long long)p[1]);
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3),
                                    _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)p)));
}

INLINE vec_t load_down(const uint64_t *p, unsigned log_run) {
    if (log_run == 0) return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), load8(p - 7));
    if (log_run == 2) return _mm512_mask_set1_epi64(set8(p[0]), 0xf0, (long long)p[-1]);
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(3, 3, 2, 2, 1, 1, 0, 0),
                                    _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)(p - 3))));
}
