// SPDX-License-Identifier: Apache-2.0
// Power-on test of a core: the same jobs by hardware and by this library, which rs_selftest checks against known answers.
#include <string.h>

#include "machine/design.h"
#include "schemes/on_core/on_core.h"

enum { LOG_N_LEAST = 10, LIMBS = 3, MODULUS_BITS_MAX = 60, POLYS = 3 * LIMBS + 4 * LIMBS + 2 * LIMBS + 1 };
// Slots of the test: whole numbers from -32 to 31. With words of 24 bits they fit a modulus, and what noise makes of them fits 2^BOUND_OUT.
enum { SLOT_VALUES = 64, BOUND_IN = 6, BOUND_OUT = 8 };
enum { PLAIN_MODULUS = 65537 }; // BFV's and BGV's, with slots in every ring
static const double SLOT_SCALES[] = {0x1p12, 0x1.4p12}; // a power of two, and none

typedef struct state {
    rs_device_t *device;
    const rs_context_t *context;
    rs_rng_t rng;
    rs_rng_deterministic_t rng_state;
    rs_secret_key_t secret;
    rs_ciphertext_t public_key;
    rs_plaintext_t message;
    uint64_t *ciphertext[2];
    uint64_t *decrypted[2];
    const rs_fixed_t *fixed; // NULL: the core does not encode
    void *workspace;
    size_t workspace_bytes;
} state_t;

// Three primes as wide as the words, or fewer if there are fewer.
static rs_status_t parameters(const rs_design_t *design, uint32_t scheme, rs_params_t *params) {
    const uint32_t width = design->word_bits < MODULUS_BITS_MAX ? design->word_bits : MODULUS_BITS_MAX;
    const uint32_t bits[LIMBS] = {width, width, width};
    const uint32_t log_n = design->log_n_min > LOG_N_LEAST ? design->log_n_min : LOG_N_LEAST;
    rs_status_t status = RS_ERR_PRIMES;
    for (uint32_t limbs = LIMBS; limbs && status == RS_ERR_PRIMES; limbs--) {
        status = rs_params_init(params, RS_REQUEST(rs_params_request_t, .n = 1u << log_n, .bits = bits, .limb_count = limbs,
                                                   .scheme = scheme, .security = RS_SECURITY_UNCHECKED,
                                                   .plain_modulus = scheme == RS_SCHEME_CKKS ? 0 : PLAIN_MODULUS));
    }
    return status;
}

static size_t workspace_words(const rs_params_t *params) {
    return (size_t)8 << params->log_n; // more than any operation needs
}

static size_t table_bytes(const rs_params_t *params) {
    return (rs_fixed_size(params->log_n) + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

// The same moduli serve all schemes; contexts of integers are the longest.
size_t rs_device_self_test_size(const rs_design_t *design) {
    rs_params_t params;
    if (!design || rs_design_check(design) != RS_OK || parameters(design, RS_SCHEME_BFV, &params) != RS_OK) return 0;
    const size_t tables = rs_design_encodes(design) ? table_bytes(&params) : 0;
    return rs_context_size(&params) + tables + (((size_t)POLYS << params.log_n) + workspace_words(&params)) * sizeof(uint64_t);
}

static rs_status_t restart(state_t *s) {
    static const rs_seed_t SEED = {{1}};
    return rs_rng_deterministic(&s->rng, &s->rng_state, &SEED, "insecure-deterministic");
}

static rs_status_t same(const uint64_t *const words[2], size_t count) {
    return memcmp(words[0], words[1], count * sizeof **words) == 0 ? RS_OK : RS_ERR_DEVICE_SELFTEST;
}

static rs_status_t decrypted(const state_t *s, const rs_ciphertext_t *ciphertext, uint32_t limbs, rs_plaintext_t *to) {
    rs_decrypt_item_t item = {.ciphertext = ciphertext, .plaintext = to, .limb_count = limbs};
    return rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .context = s->context, .secret_key = &s->secret, .items = &item, .count = 1,
                                 .workspace = {s->workspace, s->workspace_bytes}));
}

static rs_status_t encrypt(state_t *s, rs_encryption_t kind, rs_encrypt_item_t item, rs_device_mode_t mode) {
    RS_TRY(restart(s));
    RS_TRY(rs_device_encrypt(s->device,
                             RS_REQUEST(rs_encrypt_request_t, .kind = kind, .items = &item, .count = 1, .rng = &s->rng,
                                        .workspace = {s->workspace, s->workspace_bytes}),
                             mode));
    return mode == RS_DEVICE_START ? rs_device_finish(s->device) : RS_OK;
}

static rs_status_t decrypt(state_t *s, rs_decrypt_item_t item) {
    return rs_device_decrypt(
        s->device, RS_REQUEST(rs_decrypt_request_t, .items = &item, .count = 1, .workspace = {s->workspace, s->workspace_bytes}),
        RS_DEVICE_RUN);
}

static rs_status_t check_decryption(state_t *s, const rs_ciphertext_t *ciphertext) {
    rs_plaintext_t by_library = {.ntt = s->decrypted[0]};
    rs_plaintext_t by_device = {.ntt = s->decrypted[1]};
    const uint32_t limbs = ciphertext->limb_count;
    RS_TRY(decrypted(s, ciphertext, limbs, &by_library));
    RS_TRY(decrypt(s, (rs_decrypt_item_t){.ciphertext = ciphertext, .plaintext = &by_device}));
    return same((const uint64_t *const *)s->decrypted, (size_t)limbs * s->context->n);
}

static rs_status_t by_library(state_t *s, rs_encryption_t kind, rs_encrypt_item_t item, rs_ciphertext_t *to) {
    const int secret = kind == RS_ENCRYPT_SK;
    *to = (rs_ciphertext_t){.data = s->ciphertext[0]};
    item.ciphertext = to;
    RS_TRY(restart(s));
    return rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = kind, .context = s->context,
                                 .secret_key = secret ? &s->secret : NULL, .public_key = secret ? NULL : &s->public_key,
                                 .items = &item, .count = 1, .rng = &s->rng, .workspace = {s->workspace, s->workspace_bytes}));
}

// Integers, which come back.
static rs_status_t check_values(state_t *s, rs_encrypt_item_t item) {
    const uint64_t *const both[] = {item.values, s->decrypted[1]};
    RS_TRY(decrypt(s, (rs_decrypt_item_t){.ciphertext = item.ciphertext, .values = s->decrypted[1], .count = item.count}));
    return same(both, item.count);
}

static rs_status_t check_kind(state_t *s, rs_encryption_t kind) {
    rs_ciphertext_t expected, got = {.data = s->ciphertext[1]};
    const int exact = s->context->params.scheme != RS_SCHEME_CKKS;
    rs_encrypt_item_t item = {.ciphertext = &got};
    if (exact) {
        item.values = s->decrypted[0];
        item.count = s->context->n;
        for (uint32_t i = 0; i < item.count; i++) s->decrypted[0][i] = (i * 37 & 1023) - UINT64_C(512);
    } else {
        item.plaintext = &s->message;
    }
    RS_TRY(by_library(s, kind, item, &expected));
    RS_TRY(encrypt(s, kind, item, RS_DEVICE_START));
    const size_t count = rs_ciphertext_words(s->context, 2, expected.limb_count, 0);
    RS_TRY(same((const uint64_t *const *)s->ciphertext, count));
    if (exact) return check_values(s, item);
    if (kind != RS_ENCRYPT_SK && rs_design_streams(&s->device->design)) { // the streaming unit, after the lanes
        RS_TRY(encrypt(s, kind, item, RS_DEVICE_RUN));
        RS_TRY(same((const uint64_t *const *)s->ciphertext, count));
    }
    return check_decryption(s, &got);
}

// A row of a relinearisation key, and of one for a rotation.
static rs_status_t check_rows(state_t *s) {
    for (uint32_t element = 0; element <= 3 && s->context->params.limb_count > 1; element += 3) {
        rs_ciphertext_t keys[] = {{.data = s->ciphertext[0]}, {.data = s->ciphertext[1]}};
        rs_keygen_request_t row = {.size = sizeof row,
                                   .kind = RS_KEY_SWITCH,
                                   .element = element,
                                   .rng = &s->rng,
                                   .context = s->context,
                                   .secret_key = &s->secret,
                                   .key = &keys[0],
                                   .workspace = {s->workspace, s->workspace_bytes}};
        RS_TRY(restart(s));
        RS_TRY(rs_keygen(&row));
        row.key = &keys[1];
        RS_TRY(restart(s));
        RS_TRY(rs_device_keygen_switch(s->device, &row, RS_DEVICE_RUN));
        RS_TRY(same((const uint64_t *const *)s->ciphertext, rs_ciphertext_words(s->context, 2, keys[0].limb_count, 0)));
    }
    return RS_OK;
}

static rs_layout_t layout_of(const rs_fixed_layout_t *fixed) {
    return (rs_layout_t){.format = fixed->format + 1u, .bound = fixed->bound};
}

// Decodes the first limbs; out: room for the library's slots and the device's. Of two limbs the second is read with a bound that scale 2^bound is
// above the first modulus with.
static rs_status_t check_decoding(state_t *s, const rs_ciphertext_t *ciphertext, uint32_t limbs, rs_fixed_layout_t layout,
                                  int16_t *const out[2]) {
    rs_plaintext_t plaintext = {.ntt = s->decrypted[0]};
    layout.bound = limbs == 1 ? BOUND_OUT : (int32_t)s->context->limbs[0].modulus.bits;
    RS_TRY(decrypted(s, ciphertext, limbs, &plaintext));
    const rs_layout_t numbers = layout_of(&layout);
    RS_TRY(rs_decode(RS_REQUEST(rs_decode_request_t, .context = s->context, .fixed = s->fixed, .plaintext = &plaintext,
                                .values = out[0], .count = layout.count, .layout = &numbers)));
    memset(out[1], 0, layout.count * sizeof *out[1]);
    const rs_status_t status =
        decrypt(s, (rs_decrypt_item_t){
                       .ciphertext = ciphertext, .values = out[1], .layout = &numbers, .count = layout.count, .limb_count = limbs});
    if (status == RS_ERR_VALUE_RANGE) return RS_ERR_DEVICE_SELFTEST; // the library found everything in range
    RS_TRY(status);
    return memcmp(out[0], out[1], layout.count * sizeof *out[0]) == 0 ? RS_OK : RS_ERR_DEVICE_SELFTEST;
}

// Slots in, ciphertext out, and back. Numbers are where decryptions by the device go otherwise.
static rs_status_t check_slots(state_t *s, rs_encryption_t kind, double scale) {
    const size_t slots = s->context->n / 2;
    int16_t *values = (int16_t *)(void *)s->decrypted[1], *out[2] = {values + slots, values + 2 * slots};
    rs_fixed_layout_t layout = {RS_FIXED_INT16, 0, (uint32_t)slots, 0, BOUND_IN};
    const uint32_t limbs = s->message.limb_count;
    rs_plaintext_t plaintext = {.ntt = s->decrypted[0]};
    rs_ciphertext_t expected, got = {.data = s->ciphertext[1]};
    for (size_t i = 0; i < slots; i++) values[i] = (int16_t)((int)(i * 37 & (SLOT_VALUES - 1)) - SLOT_VALUES / 2);
    const rs_layout_t numbers = layout_of(&layout);
    RS_TRY(
        rs_encode(RS_REQUEST(rs_encode_request_t, .context = s->context, .fixed = s->fixed, .values = values, .count = layout.count,
                             .layout = &numbers, .scale = scale, .limb_count = limbs, .plaintext = &plaintext)));
    RS_TRY(by_library(s, kind, (rs_encrypt_item_t){.plaintext = &plaintext}, &expected));
    const rs_encrypt_item_t item = {
        .values = values, .layout = &numbers, .count = layout.count, .scale = scale, .limb_count = limbs, .ciphertext = &got};
    RS_TRY(encrypt(s, kind, item, RS_DEVICE_RUN));
    RS_TRY(same((const uint64_t *const *)s->ciphertext, rs_ciphertext_words(s->context, 2, expected.limb_count, 0)));
    RS_TRY(check_decoding(s, &got, 1, layout, out));
    return kind == RS_ENCRYPT_SK && limbs > 1 ? check_decoding(s, &got, 2, layout, out) : RS_OK;
}

static rs_status_t prepare(state_t *s, uint64_t *memory, const rs_params_t *params) {
    const size_t n = (size_t)1 << params->log_n;
    const size_t context_bytes = rs_context_size(params);
    RS_TRY(rs_context_init(&s->context, RS_REQUEST(rs_context_request_t, .security = RS_SECURITY_UNCHECKED, .params = params,
                                                   .memory = {memory, context_bytes})));
    uint64_t *next = memory + context_bytes / sizeof(uint64_t);
    if (rs_design_encodes(&s->device->design) && params->scheme == RS_SCHEME_CKKS) {
        RS_TRY(rs_fixed_init(&s->fixed, next, table_bytes(params), params->log_n, s->device->design.word_bits));
        next += table_bytes(params) / sizeof(uint64_t);
    }
    s->secret.ntt = next;
    s->public_key.data = next += LIMBS * n;
    for (unsigned k = 0; k < 2; k++) s->ciphertext[k] = next += 2 * LIMBS * n;
    for (unsigned k = 0; k < 2; k++) s->decrypted[k] = next += (k ? LIMBS : 2 * LIMBS) * n;
    double *message = (double *)(void *)(next += LIMBS * n);
    s->message.form = RS_FORM_COEF;
    s->message.message = message;
    s->workspace = next += n;
    s->workspace_bytes = workspace_words(params) * sizeof(uint64_t);
    for (size_t i = 0; i < n; i++) message[i] = (double)(i * 37 & 1023) - 512;
    s->message.limb_count = rs_params_data_limbs(params);
    s->message.scale = 1024;
    memcpy(s->message.parms_id, s->context->ids[s->message.limb_count - 1], RS_PARMS_ID_BYTES);
    RS_TRY(restart(s));
    RS_TRY(rs_keygen_secret(s->context, &s->secret, &s->rng));
    RS_TRY(rs_keygen(RS_REQUEST(rs_keygen_request_t, .context = s->context, .secret_key = &s->secret, .key = &s->public_key,
                                .rng = &s->rng, .workspace = {s->workspace, s->workspace_bytes})));
    return rs_device_load(s->device, RS_REQUEST(rs_device_load_request_t, .context = s->context, .public_key = &s->public_key,
                                                .secret_key = &s->secret, .fixed = s->fixed));
}

static rs_status_t check_scheme(rs_device_t *device, uint32_t scheme, void *memory) {
    static const rs_encryption_t KINDS[] = {RS_ENCRYPT_SK, RS_ENCRYPT_PK_DIRECT, RS_ENCRYPT_PK};
    rs_params_t params;
    RS_TRY(parameters(&device->design, scheme, &params));
    state_t s = {.device = device};
    rs_status_t status = prepare(&s, memory, &params);
    for (unsigned k = 0; k < 3 && status == RS_OK; k++) {
        status = check_kind(&s, KINDS[k]);
        if (status == RS_ERR_DESIGN && KINDS[k] == RS_ENCRYPT_PK) status = RS_OK; // not every design has the groups
    }
    if (status == RS_OK) status = check_rows(&s);
    for (unsigned k = 0; k < 6 && status == RS_OK && s.fixed; k++) {
        const rs_encryption_t kind = KINDS[k / 2];
        status = check_slots(&s, kind, SLOT_SCALES[k % 2]);
        if (status == RS_ERR_DESIGN && (kind == RS_ENCRYPT_PK || device->design.groups < 4)) status = RS_OK; // likewise
    }
    return status;
}

rs_status_t rs_device_self_test(rs_device_t *device, void *memory, size_t memory_bytes) {
    static const uint32_t SCHEMES[] = {RS_SCHEME_CKKS, RS_SCHEME_BFV, RS_SCHEME_BGV};
    if (!device) return RS_ERR_NULL;
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(rs_check_memory((rs_memory_t){memory, memory_bytes}, rs_device_self_test_size(&device->design)));
    rs_status_t status = RS_OK;
    for (unsigned k = 0; k < 3 && status == RS_OK; k++) status = check_scheme(device, SCHEMES[k], memory);
    rs_machine_forget(device);
    rs_zeroize(memory, rs_device_self_test_size(&device->design));
    return status;
}
