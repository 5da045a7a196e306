// SPDX-License-Identifier: Apache-2.0
// ringside-ltv: the server of a paper (Doröz, Öztürk, Savaş, Sunar, CHES 2015): LTV's scheme over Z[X]/Phi_m, and AES-128 computed on ciphertexts.
//
//   RESEARCH REPRODUCTION, INSECURE BY DESIGN: the modulus is far beyond the fatigue point of NTRU at these degrees
//   (Ducas, van Woerden 2021), and subfield attacks name the scheme (Albrecht, Bai, Ducas 2016). Never use it for data that matter.
//
// A ciphertext of level l is l residue polynomials of n words, modulo the first l primes. A set of `count` ciphertexts is an array
// [l][count][n]. All arrays are the caller's and are aligned to 64 bytes. Objects of one instance may be used by one thread at a time;
// rs_ltv_progress and rs_ltv_stop may be called by any other thread meanwhile.
#ifndef RINGSIDE_LTV_H
#define RINGSIDE_LTV_H

#ifndef RS_CDEF
#include <stddef.h>
#include <stdint.h>
#define RS_LTV_API __attribute__((visibility("default")))
#else
#define RS_LTV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_LTV_SEED_BYTES = 32,
    RS_LTV_DIGEST_BYTES = 32,
    RS_LTV_STATE = 128, // ciphertexts of an AES state: bit b of byte i is number 8 i + b
    RS_LTV_ROUNDS = 10,
    RS_LTV_STEPS_MAX = 16, // records of a round
};

typedef enum rs_ltv_status {
    RS_LTV_OK = 0,
    RS_LTV_ERR_RING, // m is not 255, 4369, 21845 or 65535
    RS_LTV_ERR_PRIMES, // too few or too many primes, or of a size that is not 27 to 31 bits
    RS_LTV_ERR_DEPTH, // the S-box's depth is not 3 or 4
    RS_LTV_ERR_BACKEND, // no back end of that name on this machine
    RS_LTV_ERR_THREADS, // threads cannot be started
    RS_LTV_ERR_MEMORY, // the system has no memory left
    RS_LTV_ERR_LEVEL, // a level or an index outside of its range
    RS_LTV_ERR_RESIDUE, // a word is not below its prime: the file is damaged or of other parameters
    RS_LTV_ERR_SECRET, // not an odd invertible f = 2 u + 1 with u ternary
    RS_LTV_ERR_KEY, // a key that this step needs has not been loaded
    RS_LTV_ERR_SLOTS, // decrypted, but no vector of bits: the noise is too large, or the key another one
    RS_LTV_ERR_STOPPED, // rs_ltv_stop was called
    RS_LTV_ERR_NULL, // a pointer is NULL
    RS_LTV_STATUS_COUNT
} rs_ltv_status_t;

RS_LTV_API const char *rs_ltv_message(rs_ltv_status_t status);

typedef struct rs_ltv_params {
    uint32_t m; // the index of Phi_m
    uint32_t primes; // primes of a fresh ciphertext
    uint32_t special; // primes of the hybrid key switching, 1 to 8; 0: windows of 16 bits, as in the paper
    uint32_t prime_bits; // 31; fewer are for tests: noise needs 30 or 31
    uint32_t sbox_depth; // 4: the paper's count; 3: fewer levels
    uint32_t key_power; // evaluation keys hold f^key_power: 1; 2 is the paper's text, which fails at full size
} rs_ltv_params_t;

typedef struct rs_ltv_info {
    uint32_t n; // coefficients
    uint32_t points; // points of a transform
    uint32_t slots; // AES blocks side by side
    uint32_t order; // the order of 2 modulo m
    uint32_t all_primes; // with the special ones
    uint32_t digits; // digits of an evaluation key
    uint32_t key_rows; // residue polynomials per digit
    uint32_t relinearisations; // relinearisations of ten rounds
    uint32_t threads;
    double log2_q; // size of a fresh ciphertext
    uint64_t memory_bytes; // bytes of keys, tables and ten rounds, at most
} rs_ltv_info_t;

// The parameters that go with a ring, an S-box and a kind of key switching (hybrid 1 or 0).
RS_LTV_API rs_ltv_params_t rs_ltv_default(uint32_t m, uint32_t sbox_depth, uint32_t hybrid);

typedef struct rs_ltv rs_ltv_t;
// backend NULL: the best of the machine. threads 0: all processors.
RS_LTV_API rs_ltv_status_t rs_ltv_open(rs_ltv_t **ltv, const rs_ltv_params_t *params, const char *backend, uint32_t threads);
// The same without tables: enough for rs_ltv_info, rs_ltv_prime and rs_ltv_digest.
RS_LTV_API rs_ltv_status_t rs_ltv_describe(rs_ltv_info_t *info, const rs_ltv_params_t *params, uint32_t threads);
// Wipes what is secret.
RS_LTV_API void rs_ltv_close(rs_ltv_t *ltv);
RS_LTV_API void rs_ltv_info(const rs_ltv_t *ltv, rs_ltv_info_t *info);
RS_LTV_API const char *rs_ltv_backend(const rs_ltv_t *ltv);
RS_LTV_API uint32_t rs_ltv_prime(const rs_ltv_t *ltv, uint32_t index);
// SHA3-256 of the parameters and primes.
RS_LTV_API void rs_ltv_digest(const rs_ltv_t *ltv, uint8_t digest[32]);

// ---- keys. All randomness is SHAKE256 of the seed, the parameters and what it is for -------------------------------------------
// f, n coefficients of -1, 1 and odd ones up to 3 in size; loads it, too.
RS_LTV_API rs_ltv_status_t rs_ltv_secret(rs_ltv_t *ltv, const uint8_t seed[32], int8_t *f);
RS_LTV_API rs_ltv_status_t rs_ltv_load_secret(rs_ltv_t *ltv, const int8_t *f);
// h = 2 g / f, [all_primes][n]; needs the secret, and loads it, too.
RS_LTV_API rs_ltv_status_t rs_ltv_public(rs_ltv_t *ltv, const uint8_t seed[32], uint32_t *h);
RS_LTV_API rs_ltv_status_t rs_ltv_load_public(rs_ltv_t *ltv, const uint32_t *h);
// Digit `digit` of the evaluation key, [key_rows][n]: h s + 2 e + w f^key_power, w being 2^(16 digit), or P in the digit's group of primes.
// Needs secret and public key; loads the digit, too.
RS_LTV_API rs_ltv_status_t rs_ltv_evaluation(rs_ltv_t *ltv, const uint8_t seed[32], uint32_t digit, uint32_t *key);
RS_LTV_API rs_ltv_status_t rs_ltv_load_evaluation(rs_ltv_t *ltv, uint32_t digit, const uint32_t *key);

// ---- ciphertexts ------------------------------------------------------------------------------------------------------------
// Every word below its prime?
RS_LTV_API rs_ltv_status_t rs_ltv_check(const rs_ltv_t *ltv, const uint32_t *set, uint32_t level, uint32_t count);
// bits [slots] <-> coefficients [n], each a byte that is 0 or 1
RS_LTV_API rs_ltv_status_t rs_ltv_encode(const rs_ltv_t *ltv, const uint8_t *bits, uint8_t *coefficients);
RS_LTV_API rs_ltv_status_t rs_ltv_decode(const rs_ltv_t *ltv, const uint8_t *coefficients, uint8_t *bits);
// messages [count][n]; the randomness of number i is that of index first + i
RS_LTV_API rs_ltv_status_t rs_ltv_encrypt(rs_ltv_t *ltv, const uint8_t seed[32], uint64_t first, const uint8_t *messages,
                                          uint32_t level, uint32_t count, uint32_t *set);
// Ciphertext `index` of a set times f^power, centred, modulo 2, with log2 of the root mean square and of the maximum of that value.
// Two primes are looked at: values up to 2^60 are found.
RS_LTV_API rs_ltv_status_t rs_ltv_decrypt(rs_ltv_t *ltv, const uint32_t *set, uint32_t level, uint32_t count, uint32_t index,
                                          uint32_t power, uint8_t *coefficients, double noise[2]);
// Drops the set's last prime, rounding to the same parity: [level][count][n] to [level - 1][count][n], in place.
RS_LTV_API rs_ltv_status_t rs_ltv_switch(rs_ltv_t *ltv, uint32_t *set, uint32_t level, uint32_t count);
// Products under f^2 become ciphertexts under f; in place.
RS_LTV_API rs_ltv_status_t rs_ltv_relinearise(rs_ltv_t *ltv, uint32_t *set, uint32_t level, uint32_t count);
// out[i] = a[i] b[i], under f^2
RS_LTV_API rs_ltv_status_t rs_ltv_multiply(rs_ltv_t *ltv, const uint32_t *a, const uint32_t *b, uint32_t level, uint32_t count,
                                           uint32_t *out);
RS_LTV_API rs_ltv_status_t rs_ltv_add(rs_ltv_t *ltv, uint32_t *a, const uint32_t *b, uint32_t level, uint32_t count);

// ---- AES-128: block j is slot j of all 128 ciphertexts. The state is kept in a tower field's basis -------------------------------
RS_LTV_API void rs_ltv_aes_expand(const uint8_t key[16], uint8_t round_keys[176]);
// The state after `rounds` rounds, plain: the block's encryption after 10.
RS_LTV_API void rs_ltv_aes_encrypt_plain(const uint8_t round_keys[176], uint32_t rounds, uint8_t block[16]);
// Level of the state after `round`: primes - depth * round.
RS_LTV_API uint32_t rs_ltv_aes_level(const rs_ltv_t *ltv, uint32_t round);
// Messages for a state, [128][n], of blocks [slots][16]. A round key of round 1 to 10 takes the S-box's constant along.
RS_LTV_API rs_ltv_status_t rs_ltv_aes_messages(const rs_ltv_t *ltv, const uint8_t *blocks, uint32_t is_round_key,
                                               uint8_t *messages);
// Adds known blocks to a state.
RS_LTV_API rs_ltv_status_t rs_ltv_aes_add_blocks(rs_ltv_t *ltv, const uint8_t *blocks, uint32_t level, uint32_t *state);
// blocks [slots][16] of a state, and the largest noise of its ciphertexts
RS_LTV_API rs_ltv_status_t rs_ltv_aes_decrypt(rs_ltv_t *ltv, const uint32_t *state, uint32_t level, uint8_t *blocks,
                                              double noise[2]);

typedef struct rs_ltv_step {
    char name[48];
    uint32_t level;
    double rms, max; // log2 of c f, or of c f^2 after a product: of four ciphertexts
    double predicted; // log2 rms by the scheme's formulas
    double bound; // log2 of half the modulus, at most 59: beyond it decryption fails
} rs_ltv_step_t;

typedef struct rs_ltv_round {
    uint32_t step_count; // 0 unless noise was asked for
    rs_ltv_step_t steps[RS_LTV_STEPS_MAX];
    double products, relinearisation, switching, linear; // seconds
    uint64_t transforms, inverses, relinearisations, switches;
} rs_ltv_round_t;

// Round `round` (1 to 10). state [level of round - 1][128][n] is read; key [level of round][128][n] becomes the next state.
// with_noise 1 needs the secret key, and is for checks: a server has none.
RS_LTV_API rs_ltv_status_t rs_ltv_aes_round(rs_ltv_t *ltv, uint32_t round, const uint32_t *state, uint32_t *key,
                                            uint32_t with_noise, rs_ltv_round_t *record);

// Relinearisations that are done since rs_ltv_open, and their cost in transforms; any thread.
RS_LTV_API uint64_t rs_ltv_progress(const rs_ltv_t *ltv, uint64_t *cost);
// Cost of a round in the same measure.
RS_LTV_API uint64_t rs_ltv_aes_cost(const rs_ltv_t *ltv, uint32_t round);
// Makes what runs end with RS_LTV_ERR_STOPPED soon; any thread.
RS_LTV_API void rs_ltv_stop(rs_ltv_t *ltv);

// Seconds of the processor for one operation, the least of `times`, on an instance with one thread.
typedef enum rs_ltv_timed {
    RS_LTV_TIME_FORWARD,
    RS_LTV_TIME_INVERSE,
    RS_LTV_TIME_REDUCE,
    RS_LTV_TIME_PRODUCT, // two transforms, product, inverse, reduction for all primes
    RS_LTV_TIME_DIGITS, // residues of all primes to windows
    RS_LTV_TIME_SWITCH,
    RS_LTV_TIME_RELINEARISE, // at the highest level
} rs_ltv_timed_t;
RS_LTV_API double rs_ltv_time(rs_ltv_t *ltv, rs_ltv_timed_t what, uint32_t times);

#ifdef __cplusplus
}
#endif

#endif
