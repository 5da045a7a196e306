// SPDX-License-Identifier: Apache-2.0
// FN-DSA's signatures and public keys from anybody.
//
// Input: one control byte, then data. Bit 0: the set; bits 1-2: 0 a padded signature, 1 a compressed one, 2 changes to the valid signature (2 bytes of
// position, 1 byte that flips bits, and so on), 3 the same to its public key. Bit 3: the head of a signature is the valid one's, so that mutations get
// past header and nonce; bit 4: a padded one is brought to its length.
// Properties, besides what the sanitizers see: no signature but the valid one is accepted, in either form, nor by another key; the workspace is wiped.
#include <ringside/ringside.h>

#include <stdlib.h>
#include <string.h>

#include "fndsa_samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SETS = 2, HEAD = 1 + RS_FNDSA_NONCE_BYTES, HEAD_FROM_VALID = 8, WHOLE = 16 };

typedef struct set {
    rs_fndsa_set_t number;
    uint8_t pk[RS_FNDSA_PK_BYTES_MAX], valid[RS_FNDSA_SIGNATURE_BYTES_MAX];
    size_t pk_bytes, bytes, compressed; // bytes of the signature, padded and not
    const rs_fndsa_key_t *key;
} set_t;

static set_t sets[SETS];
static uint64_t memory[SETS + 1][1 << 13], workspace[1 << 12];
static const uint8_t MESSAGE[] = "Ringside";

static void require(int holds) {
    if (!holds) abort();
}

static unsigned digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

static void from_hex(uint8_t *out, size_t bytes, const char *text) {
    require(strlen(text) == 2 * bytes);
    for (size_t i = 0; i < bytes; i++) out[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
}

static rs_status_t verify(const rs_fndsa_key_t *key, uint32_t form, const uint8_t *signature, size_t bytes) {
    const rs_status_t status = rs_fndsa_verify(key, form, (rs_view_t){MESSAGE, sizeof MESSAGE - 1}, (rs_view_t){signature, bytes},
                                               (rs_memory_t){workspace, sizeof workspace});
    for (size_t i = 0; i < sizeof workspace / sizeof *workspace; i++) require(!workspace[i]);
    return status;
}

static rs_status_t make_key(const rs_fndsa_key_t **key, unsigned place, const set_t *s, const uint8_t *pk) {
    return rs_fndsa_key_init(key, (rs_memory_t){memory[place], sizeof memory[place]}, s->number, (rs_view_t){pk, s->pk_bytes});
}

static void start(void) {
    for (unsigned k = 0; k < SETS; k++) {
        set_t *s = &sets[k];
        s->number = k ? RS_FNDSA_1024 : RS_FNDSA_512;
        s->pk_bytes = rs_fndsa_sizes(s->number)->pk;
        s->bytes = s->compressed = rs_fndsa_sizes(s->number)->signature;
        from_hex(s->pk, s->pk_bytes, k ? FNDSA_1024_PK : FNDSA_512_PK);
        from_hex(s->valid, s->bytes, k ? FNDSA_1024_SIGNATURE : FNDSA_512_SIGNATURE);
        while (!s->valid[s->compressed - 1]) s->compressed--;
        require(rs_fndsa_sizes(s->number)->workspace <= sizeof workspace);
        require(make_key(&s->key, k, s, s->pk) == RS_OK);
        require(verify(s->key, RS_FNDSA_PADDED, s->valid, s->bytes) == RS_OK);
        require(verify(s->key, RS_FNDSA_COMPRESSED, s->valid, s->compressed) == RS_OK);
    }
}

static void check_signature(const set_t *s, const uint8_t *signature, size_t bytes) {
    const int same = bytes == s->bytes && !memcmp(signature, s->valid, bytes);
    const rs_status_t padded = verify(s->key, RS_FNDSA_PADDED, signature, bytes);
    require(padded == (bytes != s->bytes ? RS_ERR_BYTES : same ? RS_OK : RS_ERR_SIGNATURE));
    const int short_one = bytes == s->compressed && !memcmp(signature, s->valid, bytes);
    require(verify(s->key, RS_FNDSA_COMPRESSED, signature, bytes) == (short_one ? RS_OK : RS_ERR_SIGNATURE));
}

static void check_key(const set_t *s, const uint8_t *pk) {
    const rs_fndsa_key_t *key = NULL;
    const rs_status_t status = make_key(&key, SETS, s, pk);
    require(status == RS_OK || (status == RS_ERR_PUBLIC_KEY && !key));
    if (status != RS_OK) return;
    const int same = !memcmp(pk, s->pk, s->pk_bytes);
    require(verify(key, RS_FNDSA_PADDED, s->valid, s->bytes) == (same ? RS_OK : RS_ERR_SIGNATURE));
}

static void flip(uint8_t *bytes, size_t count, const uint8_t *data, size_t size) {
    for (size_t i = 0; i + 3 <= size; i += 3) bytes[(data[i] | (size_t)data[i + 1] << 8) % count] ^= data[i + 2];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!sets[0].key) start();
    if (size < 1) return 0;
    const unsigned control = *data++, kind = control >> 1 & 3;
    size--;
    const set_t *s = &sets[control & 1];
    const size_t bytes = kind == 3 ? s->pk_bytes : kind == 2 || (kind == 0 && control & WHOLE) ? s->bytes : size;
    uint8_t *made = malloc(bytes ? bytes : 1); // exactly, so that a sanitizer sees a byte too far
    require(made != NULL);
    memset(made, 0, bytes);
    if (kind < 2 && size) memcpy(made, data, size < bytes ? size : bytes);
    if (kind < 2 && control & HEAD_FROM_VALID) memcpy(made, s->valid, bytes < HEAD ? bytes : HEAD);
    if (kind == 2) memcpy(made, s->valid, bytes);
    if (kind == 3) memcpy(made, s->pk, bytes);
    if (kind >= 2) flip(made, bytes, data, size);
    if (kind == 3) {
        check_key(s, made);
    } else {
        check_signature(s, made, bytes);
    }
    free(made);
    return 0;
}
