// SPDX-License-Identifier: Apache-2.0
// The operations of client.h by an accelerator core (device.h). The same seeds give the same bits.
//
// A device computes with one context, one public key and one secret key at a time. They stay in memory that both sides
// reach (rs_bus_t) until others are loaded. Workspaces: 8-byte aligned, rs_device_workspace() bytes; what is written to
// them is wiped.
#ifndef RINGSIDE_DEVICE_CKKS_H
#define RINGSIDE_DEVICE_CKKS_H

#include "client.h"
#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

// Power-on test: compares every kind of encryption and decryption by CKKS, BFV and BGV that the design supports, with
// encode and decode if it has them, and rows of switching keys, at its smallest N with two limbs, with the library's result. It forgets what was
// loaded. memory: 8-byte aligned, rs_device_self_test_size() bytes. RS_ERR_DEVICE_SELFTEST.
RS_API size_t rs_device_self_test_size(const rs_design_t *design);
RS_API RS_MUST_CHECK rs_status_t rs_device_self_test(rs_device_t *device, void *memory, size_t memory_bytes);

// Whether a design can compute with these parameters: RS_ERR_DESIGN_DEGREE, RS_ERR_DESIGN_MODULUS,
// RS_ERR_DESIGN_MODULUS.
RS_API RS_MUST_CHECK rs_status_t rs_design_fits(const rs_design_t *design, const rs_params_t *params);
// Bytes of bus memory with which every call works: contexts, both keys, and the buffers of a call on poly_count
// polynomials (2 unless longer ciphertexts are decrypted). frames: 1, or more, then as many items at a time work as a
// program can have.
RS_API size_t rs_device_memory_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count, uint32_t frames);

// ---- what stays in memory ----------------------------------------------------------------------------------------------
typedef struct rs_device_load_request {
    uint32_t size;
    uint32_t reserved;
    const rs_context_t *context; // NULL, here and below: stays as it is
    const rs_ciphertext_t *public_key;
    const rs_secret_key_t *secret_key;
    const rs_fixed_t *fixed; // roots of fixed point, with which the core encodes and decodes
} rs_device_load_request_t;

// Loads what is given, in the order context, roots, public key, secret key. The context must outlive its use here; keys
// and tables are copied. A context forgets keys and roots. The secret key stays in the bus's memory, in NTT form, until
// it is replaced or forgotten, or the device is closed. RS_ERR_DEVICE_NOT_LOADED (no context yet), RS_ERR_DEVICE_MEMORY, the
// statuses of rs_design_fits, RS_ERR_MISMATCH (other parameters, N or words), RS_ERR_SEEDED; for roots RS_ERR_DESIGN
// (no RS_FEATURE_ENCODE).
RS_API RS_MUST_CHECK rs_status_t rs_device_load(rs_device_t *device, const rs_device_load_request_t *request);
// Wipes the secret key from the bus's memory, and the core, whose groups may hold it. Everything else stays loaded.
// RS_OK also without a key. If the bus returns an error, the image is wiped nevertheless.
RS_API RS_MUST_CHECK rs_status_t rs_device_forget(rs_device_t *device);

// ---- encrypt and decrypt -----------------------------------------------------------------------------------------------
RS_API size_t rs_device_workspace(const rs_context_t *context);
// 1 if messages in words are less work than in doubles: the core reduces them, and where it reaches them it reads the
// array itself (not for RS_ENCRYPT_PK with fewer than five groups: there it gets P times them). They are taken in any
// case.
RS_API int rs_device_reads_words(const rs_device_t *device, rs_encryption_t kind);

// As rs_encrypt and rs_decrypt. Context, keys and fixed are NULL, or what is loaded (RS_ERR_MISMATCH). Bits and seeds
// are those of one item after the other; items that the core can do together go together, as many as program and memory
// allow. The status of the first item that fails; it stands in the items of its program and in all behind, whose
// results are undefined, but secrets are wiped.
//
// A plaintext: its message may also be in words (rs_encode_words). RS_ENCRYPT_PK needs a design with a slot, and five
// groups or two contexts (RS_ERR_DESIGN). Several with a public key go together where the core has the streaming unit
// (RS_FEATURE_PIPE), up to RS_FRAMES_MAX: plaintexts of one level whose coefficients' magnitudes are below each of its
// moduli; of BGV, and of BFV in NTT form, values too, if t is at most 1/24 of each.
//
// Values: the core encodes them, as rs_encode_fixed does with the design's words. Integers only
// (RS_ERR_LAYOUT), at least one slot, scale 2^bound at most 2^(bits of the level - 2) (RS_ERR_OVERFLOW) and
// 2^(bits of the smallest modulus - 1) (RS_ERR_DESIGN). A scale with a factor (rs_encode_fixed_scale), which is most
// that are no powers of two, costs a pass of the lanes more, N / lanes cycles. RS_ERR_VALUE_RANGE: a value does not
// fit. RS_ERR_DESIGN also for fewer than four groups, RS_ENCRYPT_PK: six. Up to RS_FRAMES_ENCODE items of one layout,
// level and scale go together. Where the core reaches an array, and it fills whole lines of 64 bytes, nothing is
// copied; likewise ciphertexts that lie one behind another.
//
// BFV and BGV: one item after the other. Of values in slots the core makes the message, if it has slots, four groups (with
// a special prime: six) and t is a prime that its lanes take; a plaintext is one that the processor has made.
//
// RS_DEVICE_START and RS_DEVICE_PREPARE take one item, and encrypt by the lanes. PREPARE: an array of the same
// alignment and place as that of the call to come (the core reaches it or not). A program takes some 100,000 cycles of
// a small processor; it stays until the device has made eight others, or the core runs another one, and is loaded again
// then. After START a message in doubles and the workspace may be overwritten.
RS_API RS_MUST_CHECK rs_status_t rs_device_encrypt(rs_device_t *device, const rs_encrypt_request_t *request, rs_device_mode_t mode);

// Ciphertexts of one level and number of polynomials, not seeded, go together, on three groups: the secret key comes
// from memory once for each limb of all of them, and one is loaded while another one is stored. Values: of one or two
// limbs, at most the ciphertext's (RS_ERR_LEVEL), as many as the message needs (rs_limbs_needed), since every limb
// costs time; two need four groups (RS_ERR_DESIGN). RS_ERR_VALUE_RANGE: a slot or a coefficient is out of range; values
// hold zeros. RS_ERR_OPTION: to publish is the processor's.
// BFV and BGV: on five groups the core rounds, exactly unless a coefficient is nearer to half of the modulus q than by
// q limbs / moduli[0], and decodes slots; the processor does so on fewer groups, and with margin_bits. What rs_decrypt
// switches to moduli[0] (exact.h), the core does too, with at most t limbs / moduli[0] more.
RS_API RS_MUST_CHECK rs_status_t rs_device_decrypt(rs_device_t *device, const rs_decrypt_request_t *request, rs_device_mode_t mode);

// A row of a switching key, as rs_keygen of kind RS_KEY_SWITCH makes it, for relinearisation or a rotation: a call for each
// row, each with seeds of its own. Context and secret key are NULL, or what is loaded (RS_ERR_MISMATCH). The processor
// permutes the secret key's image for a rotation, which is wiped with the call. START, PREPARE and workspace as of
// rs_device_encrypt. RS_ERR_OPTION: another kind. After an error parms_id is zero.
RS_API RS_MUST_CHECK rs_status_t rs_device_keygen_switch(rs_device_t *device, const rs_keygen_request_t *request,
                                                         rs_device_mode_t mode);

#ifdef __cplusplus
}
#endif

#endif
