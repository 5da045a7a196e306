// SPDX-License-Identifier: Apache-2.0
// Encode, encrypt, decrypt and decode, of every scheme: a request says what, an executor says where. The same requests serve one call
// (rs_encrypt), a pool of threads (rs_encrypt_batch) and a core (rs_device_encrypt). keys.h says what holds for objects and workspaces.
#ifndef RINGSIDE_CLIENT_H
#define RINGSIDE_CLIENT_H

#include "fixed.h"
#include "keys.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rs_form {
    RS_FORM_NTT = 0, // `ntt`: limb_count * N residues, limb after limb, bit-reversed NTT order (SEAL's plaintext)
    RS_FORM_COEF = 1, // `message`: N integer-valued doubles, natural order
    // `message`: N words of 64 bits, natural order. CKKS, for device.h only: int64_t. BFV and BGV: coefficients from 0 to t - 1
    RS_FORM_WORDS = 2,
    RS_FORM_MAX = 0x7fffffff
} rs_form_t;

typedef struct rs_plaintext {
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint32_t form; // rs_form_t
    uint32_t limb_count;
    double scale;
    void *message RS_SECRET;
    uint64_t *ntt RS_SECRET;
    uint64_t correction_factor; // BFV and BGV: 1; 0: CKKS has none
    uint64_t reserved[2];
} rs_plaintext_t;

// How values lie in memory and in slots. Zero, and NULL: real doubles in slots; of BFV and BGV int64_t in slots.
typedef struct rs_layout {
    // 0: doubles; else rs_fixed_format_t + 1, and the transforms are in fixed point. BFV and BGV: 0: int64_t from -floor(t/2) to floor((t-1)/2);
    // 1: uint64_t from 0 to t - 1
    uint32_t format;
    uint32_t is_complex; // 1: pairs (re, im); 0: real parts
    uint32_t packing; // 0: slots; 1: coefficients, in BFV and BGV
    int32_t exponent; // with `fixed`: a value is its number times 2^exponent
    int32_t bound; // with `fixed`: magnitudes of slots are at most (1 - 2^-10) 2^bound
    uint32_t reserved[3];
} rs_layout_t;

// How values of CKKS are made fit for others to see (ckks.h).
enum { RS_PUBLISH_BITS_MIN = -256, RS_PUBLISH_BITS_MAX = 256, RS_FLOOD_NONE = 1, RS_FLOOD_BITS_MIN = 4, RS_FLOOD_BITS_MAX = 57 };

typedef struct rs_publish {
    int32_t bits; // values become multiples of 2^-bits
    uint32_t
        flood_bits; // 4 to 57: the noise's deviation per coefficient is rs_flood_deviation(flood_bits); RS_FLOOD_NONE: no noise, by name
} rs_publish_t;

// ---- encode and decode -------------------------------------------------------------------------------------------------
// Encodes `count` <= N/2 slot values, the rest zero: m = round(scale * canonical_embedding^-1(values)), half away from zero.
//
// In doubles (fixed NULL) it writes the N doubles of plaintext->message, which the caller has set (form COEF), and needs no other memory.
// words 1: N words take their place (form WORDS), for a core that reads integers (rs_device_reads_words), which is less work, most of all
// for real values; form COEF nevertheless if a coefficient is 2^61 or more.
//
// In fixed point (fixed.h; docs/encoding.md, "In fixed point"): what gates compute, and what a processor without floating point should.
// plaintext->ntt, set by the caller to limb_count N words, is the result (form NTT) and the workspace. Coefficient: word scale
// 2^(bound - (W - 1)), as rs_encode_fixed_scale says. The largest error, but for the rounding to an integer, is a few units of scale
// 2^(bound - (W - 1)).
//
// RS_ERR_NOT_FINITE, RS_ERR_OVERFLOW (SEAL's rule: bits of the largest coefficient + 1 must stay below the bits of the level's modulus),
// RS_ERR_SCALE (already the scale does not fit), RS_ERR_VALUE_COUNT, RS_ERR_LEVEL. In fixed point also the errors of rs_fixed_load,
// rs_fixed_inverse and rs_encode_fixed_scale; RS_ERR_MISMATCH if `fixed` is for another N. RS_ERR_OPTION: a layout that wants `fixed`.
typedef struct rs_encode_request {
    uint32_t size;
    uint32_t count; // values
    uint32_t limb_count; // 0: all data limbs
    uint32_t words;
    const rs_context_t *context;
    const rs_fixed_t *fixed; // NULL: transforms in doubles
    const void *values RS_SECRET;
    const rs_layout_t *layout;
    rs_plaintext_t *plaintext;
    double scale;
} rs_encode_request_t;

RS_API RS_MUST_CHECK rs_status_t rs_encode(const rs_encode_request_t *request);

// Decodes `count` <= N/2 slots of a plaintext in NTT form, which is used up.
//
// In doubles: the plaintext is composed exactly from all its limbs (balanced mixed radix), rounded once to double, divided by the scale,
// and then transformed. RS_ERR_VALUE_RANGE if a value exceeds the range of a double.
//
// In fixed point: one or two limbs (RS_ERR_LEVEL), whose modulus must hold the coefficients (rs_limbs_needed); any scale.
// RS_ERR_VALUE_RANGE: a slot, or a coefficient, is out of range. It is not if slots, noise included, are at most (1 - 2^-10) 2^bound; with
// two limbs choose bound so that scale 2^bound is also at least 2^10 q_0, or one more than slots need. Of two limbs the first alone is read
// where rs_decode_fixed_scales says so: there it holds what is in range. No workspace.
//
// publish: with flood_bits, discrete Gaussian noise is first added to each of the plaintext's N integer coefficients (exactly, before any
// rounding of doubles), from one fresh seed of rng; then every value is rounded to publish->bits. RS_ERR_PUBLISH: bits or flood_bits out
// of range. RS_ERR_OVERFLOW: the noise needs more modulus than the plaintext's limbs have (2^(flood_bits + 8)). In doubles only.
//
// After an error of the work itself `values` hold zeros.
typedef struct rs_decode_request {
    uint32_t size;
    uint32_t count; // values
    const rs_context_t *context;
    const rs_fixed_t *fixed; // NULL: transforms in doubles
    rs_plaintext_t *plaintext;
    void *values RS_SECRET;
    const rs_layout_t *layout;
    const rs_publish_t *publish; // NULL: exact values, which only the key's owner may see
    rs_rng_t *rng; // for flood_bits
    rs_memory_t workspace;
} rs_decode_request_t;

RS_API size_t rs_decode_workspace(const rs_decode_request_t *request);
RS_API RS_MUST_CHECK rs_status_t rs_decode(const rs_decode_request_t *request);

// One limb of a plaintext in NTT form, from either form (RS_ERR_FORM: from words): what SEAL's file holds. out: N words.
RS_API RS_MUST_CHECK rs_status_t rs_plaintext_limb(const rs_context_t *context, const rs_plaintext_t *plaintext, uint32_t limb,
                                                   uint64_t *out);

// ---- encrypt -----------------------------------------------------------------------------------------------------------
// One frame: values, which are encoded on the way, or a plaintext at its own level and scale. With a plaintext all that is about values is 0.
typedef struct rs_encrypt_item {
    const void *values RS_SECRET;
    const rs_layout_t *layout;
    const rs_plaintext_t *plaintext;
    rs_ciphertext_t *ciphertext; // the caller has set its data to rs_ciphertext_words()
    double scale; // to encode with
    uint32_t count; // values
    uint32_t limb_count; // 0: all data limbs
    uint32_t status; // set: rs_status_t
    uint32_t reserved[3];
} rs_encrypt_item_t;

// With a public key: RS_ENCRYPT_PK is the fused form, bit-identical to SEAL's arithmetic for the same u, e0, e1: rounded by the prime that
// follows the plaintext's last limb. If the set has a single limb, it falls back to direct, as SEAL does.
typedef struct rs_encrypt_request {
    uint32_t size;
    uint32_t kind; // rs_encryption_t
    uint32_t seeded; // RS_ENCRYPT_SK. 1: c1 stays a seed. It comes from one in either case
    uint32_t seed_type; // RS_ENCRYPT_SK: rs_seed_type_t; 0: SHAKE256
    const rs_context_t *context; // on a device NULL: the loaded one, and so the keys
    const rs_secret_key_t *secret_key; // RS_ENCRYPT_SK
    const rs_ciphertext_t *public_key; // the other kinds; expanded (rs_expand)
    rs_encrypt_item_t *items;
    size_t count; // 0 is allowed
    const rs_fixed_t *fixed; // NULL: transforms in doubles
    rs_rng_t *rng;
    rs_memory_t workspace;
    uint32_t
        ntt; // BFV. 1: ciphertexts in NTT form, for a server that transforms them, or multiplies them by plaintexts in that form
    uint32_t reserved;
} rs_encrypt_request_t;

// Bytes for the request's kind and its items, or for plaintexts where it has none.
RS_API size_t rs_encrypt_workspace(const rs_encrypt_request_t *request);
// Item after item. An item that fails does not disturb the others. The status of the lowest one that failed; an error of no single item
// stands in all of them. RS_ERR_OPTION: the request or an item contradicts itself.
RS_API RS_MUST_CHECK rs_status_t rs_encrypt(const rs_encrypt_request_t *request);

// ---- decrypt -----------------------------------------------------------------------------------------------------------
// One frame: to values, to a plaintext whose `ntt` the caller has set to limb_count * N words, or to both.
typedef struct rs_decrypt_item {
    const rs_ciphertext_t *ciphertext; // seeded or not
    rs_plaintext_t *plaintext;
    void *values RS_SECRET;
    const rs_layout_t *layout;
    uint32_t count; // values
    // to decrypt, the first ones; 0: all. Fewer give the exact result in CKKS if rs_limbs_needed() says so, in BGV if twice the noise is below
    // their product; not in BFV, which finds its own way (exact.h)
    uint32_t limb_count;
    uint32_t status; // set: rs_status_t
    uint32_t reserved[3];
} rs_decrypt_item_t;

typedef struct rs_decrypt_request {
    uint32_t size;
    uint32_t margin_bits; // BFV, BGV: RS_ERR_NOISE where noise is within 2^-margin_bits of its limit; 0: no such check
    const rs_context_t *context;
    const rs_secret_key_t *secret_key;
    rs_decrypt_item_t *items;
    size_t count; // 0 is allowed
    const rs_fixed_t *fixed; // NULL: transforms in doubles
    const rs_publish_t *publish; // NULL: exact values, which only the key's owner may see (ckks.h). Plaintexts stay exact
    rs_rng_t *rng; // for noise to publish with
    rs_memory_t workspace;
} rs_decrypt_request_t;

RS_API size_t rs_decrypt_workspace(const rs_decrypt_request_t *request);
RS_API RS_MUST_CHECK rs_status_t rs_decrypt(const rs_decrypt_request_t *request); // likewise

#ifdef __cplusplus
}
#endif

#endif
