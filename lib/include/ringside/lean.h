// SPDX-License-Identifier: Apache-2.0
// A client for microcontrollers: the operations of client.h in about 12 bytes of memory per coefficient (50 KiB at N = 4096), by integers alone.
// It has no context and no ciphertext: one limb is in memory at a time, and leaves as part of a SEAL file. docs/microcontrollers.md.
//
// The bits are those of the library. rs_lean_encode gives the plaintext of rs_encode in words of 32 bits. For equal seeds
// rs_lean_keygen gives the key of rs_keygen_secret, and the files are those of rs_encrypt, with a secret key seeded, with SHAKE256,
// written by rs_wire_write.
//
// Parameters: N from 2^10 to 2^14 (else RS_ERR_DESIGN_DEGREE), all moduli below 2^30 and t of BFV and BGV below 2^26 (RS_ERR_DESIGN_MODULUS), at
// most RS_LEAN_LIMBS_MAX moduli (RS_ERR_LIMB_COUNT).
// No branch and no index depends on keys, seeds, messages or noise. Whatever an operation leaves in the memory is wiped before it returns,
// except the message between encode and encrypt, and between decrypt and decode. One rs_lean_t is for one thread.
#ifndef RINGSIDE_LEAN_H
#define RINGSIDE_LEAN_H

#include "wire.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_LEAN_LOG_N_MIN = 10,
    RS_LEAN_LOG_N_MAX = 14,
    RS_LEAN_MODULUS_BITS = 30,
    RS_LEAN_PLAIN_BITS = 26,
    RS_LEAN_LIMBS_MAX = 16,
    RS_LEAN_LOG_SCALE_MAX = 30
};

typedef struct rs_lean rs_lean_t;

// Bytes of memory; 0 if rs_lean_init would refuse the parameters' N or moduli. They depend on N alone.
RS_API size_t rs_lean_size(const rs_params_t *params);
// Enough for a client for keys: what it cannot do (encode, put, decrypt) is RS_ERR_TOO_SMALL. At N = 2^log_n, a constant: 37, 43 and 50 KiB at 2^12 to 2^14.
#define RS_LEAN_KEYS_BYTES(log_n) \
    (512 + ((size_t)1 << (log_n)) + ((size_t)8 << ((log_n) < 12 ? (log_n) : 12)) + ((size_t)8 << ((log_n) + 1) / 2))
// In memory for all, or else for keys. The parameters are checked as by rs_params_check and must stay where they are.
RS_API RS_MUST_CHECK rs_status_t rs_lean_init(rs_lean_t **lean, rs_memory_t memory, const rs_params_t *params, uint32_t security);
// Wipes all of the memory.
RS_API void rs_lean_wipe(rs_lean_t *lean);

// ---- keys --------------------------------------------------------------------------------------------------------------
// A secret key is kept as its coefficients plus 1, two bits each, the first one lowest: N/4 bytes (else RS_ERR_BYTES). RS_ERR_SECRET_KEY where
// a pair is 3, or where all coefficients are 0.
RS_API size_t rs_lean_key_bytes(const rs_params_t *params);
RS_API RS_MUST_CHECK rs_status_t rs_lean_keygen(rs_lean_t *lean, rs_bytes_t key, rs_rng_t *rng);
// A key of keys.h in this form, to be put into a device. workspace: N words. Of any N and moduli.
RS_API RS_MUST_CHECK rs_status_t rs_lean_pack_key(const rs_context_t *context, const rs_secret_key_t *secret, rs_bytes_t key,
                                                  rs_memory_t workspace);
// SEAL's file of the key, limb after limb, for those who decrypt. format: NULL for the usual one; without compression (RS_ERR_COMPRESSION).
RS_API RS_MUST_CHECK rs_status_t rs_lean_write_secret_key(rs_lean_t *lean, rs_view_t key, const rs_sink_t *sink,
                                                          const rs_wire_format_t *format);

// SEAL's files of relinearisation and Galois keys, in an encryption's memory; those of rs_keygen and rs_wire_writer_open for the seeds of
// rs_switch_seed (golden/sample.h), with number 0. rs_wire_bytes tells their sizes.
typedef struct rs_lean_keys_request {
    uint32_t size;
    uint32_t count; // how many elements
    const uint32_t *elements; // odd, below 2N, ascending (rs_galois_element): Galois keys; or 0 alone: the relinearisation key
    rs_view_t secret_key RS_SECRET;
    rs_view_t master
        RS_SECRET; // 64 secret bytes that all seeds come from: equal ones give equal files, so keep it as long as one may break off;
    rs_rng_t *rng; // or what draws it
    const rs_sink_t *sink;
    const rs_wire_format_t *format; // NULL: the usual one; without compression (RS_ERR_COMPRESSION)
    uint64_t first, bytes; // with a master: the file's bytes first … first + bytes - 1, at bytes 0 to its end
} rs_lean_keys_request_t;

// Writes the file or its range. A message that was encoded is wiped. RS_ERR_GALOIS: no elements, or as they may not be. RS_ERR_NO_SPECIAL: one
// modulus alone, or a last one below 2^-8 of another, whose keys drown messages. RS_ERR_OPTION: a range by an rng. RS_ERR_LENGTH: a range beyond
// the file. The first error of the sink ends the work and is returned.
RS_API RS_MUST_CHECK rs_status_t rs_lean_write_switch_keys(rs_lean_t *lean, const rs_lean_keys_request_t *request);

// Where the words of an expanded public key are: polynomial 0 (b) or 1 (a), the words from `first` on of one limb, in NTT form. `count` is at
// most 64. Each word is read once or twice per encryption, in the order of limbs, never all at once.
typedef struct rs_lean_public_key {
    rs_status_t (*read)(void *state, uint32_t poly, uint32_t limb, uint32_t first, uint32_t count, uint32_t *words);
    void *state;
} rs_lean_public_key_t;

// The key in a SEAL file that lies in memory, in flash for instance: expanded and not compressed. `words` is where its words begin.
typedef struct rs_lean_key_file {
    const uint8_t *words;
    uint32_t n;
    uint32_t limb_count;
} rs_lean_key_file_t;
// Errors of rs_wire_read_begin; RS_ERR_SEEDED, RS_ERR_COMPRESSION. `state` must stay where it is.
RS_API RS_MUST_CHECK rs_status_t rs_lean_public_key_file(rs_lean_public_key_t *key, rs_lean_key_file_t *state,
                                                         const rs_lean_t *lean, rs_view_t file);

// ---- encrypt -----------------------------------------------------------------------------------------------------------
// As rs_encode with words of 32 bits, whose errors it has. RS_ERR_SCALE also if scale 2^bound is more than 2^30.
RS_API RS_MUST_CHECK rs_status_t rs_lean_encode(rs_lean_t *lean, const void *values, const rs_fixed_layout_t *layout, double scale,
                                                uint32_t limb_count);
// BFV and BGV: integers, the numbers of a layout of RS_FIXED_INT8 to RS_FIXED_INT64 whose other members are 0, become the message's values first …
// first + count - 1, at packing 0 slots and at 1 coefficients (client.h); the others stay as they were, at first 0. So a message may come in pieces,
// all of one packing: RS_ERR_SEQUENCE. It is one of all data limbs. RS_ERR_VALUE_COUNT: beyond N. RS_ERR_VALUE_RANGE: a number is not from -floor(t/2) to
// floor((t-1)/2); the message is wiped. RS_ERR_BATCHING, RS_ERR_LAYOUT; RS_ERR_SCHEME: of CKKS.
RS_API RS_MUST_CHECK rs_status_t rs_lean_put(rs_lean_t *lean, const void *values, const rs_fixed_layout_t *layout, uint32_t first,
                                             uint32_t packing);
typedef struct rs_lean_encrypt_request {
    uint32_t size;
    uint32_t kind; // rs_encryption_t: by the secret key, or by the public one, as for rs_encrypt
    rs_view_t secret_key RS_SECRET;
    const rs_lean_public_key_t *public_key;
    const rs_sink_t *sink;
    const rs_wire_format_t *format; // NULL: the usual one; without compression (RS_ERR_COMPRESSION)
    rs_rng_t *rng;
} rs_lean_encrypt_request_t;

// Encrypts what was encoded and writes the file, header first, c0 limb after limb; with the secret key the seed of c1 comes last. The message
// is used up, also by an error: RS_ERR_SEQUENCE if there is none. The first error of the sink ends the work and is returned; so does that of
// the public key. RS_ERR_RESIDUE: the public key has words that are not below their modulus.
RS_API RS_MUST_CHECK rs_status_t rs_lean_encrypt(rs_lean_t *lean, const rs_lean_encrypt_request_t *request);

// ---- decrypt -----------------------------------------------------------------------------------------------------------
// Reads a ciphertext of two polynomials, with or without a seed, not compressed, and decrypts its first limb, whose modulus q_0 must hold the
// coefficients. BGV: it must be the only one (RS_ERR_LEVEL): a server switches to it. BFV in coefficient form: of any level; more limbs are switched
// here, which moves each value by at most 1/2 + 2^-29 times t (1 + N) / q_0 of the step between messages. Where the noise leaves so much of 1/2, the
// message is rs_decrypt's, for any key. RS_ERR_LEVEL if this is more than 3/8, so that 3 bits of noise budget always suffice; of more limbs in NTT
// form. RS_ERR_SEEDED: more limbs with a seed for BLAKE2Xb. Errors of the reading functions in wire.h.
RS_API RS_MUST_CHECK rs_status_t rs_lean_decrypt(rs_lean_t *lean, rs_view_t key, const rs_source_t *source);
// What rs_decode gives for words of 32 bits and one limb, with its errors. The message is used up. BFV and BGV: the first values, by a layout as of
// rs_lean_put, from slots if t has them, else from coefficients; RS_ERR_VALUE_RANGE: the format does not hold one, and all are 0.
RS_API RS_MUST_CHECK rs_status_t rs_lean_decode(rs_lean_t *lean, void *values, const rs_fixed_layout_t *layout);

#ifdef __cplusplus
}
#endif

#endif
