// SPDX-License-Identifier: Apache-2.0
// ML-KEM's encapsulation key, decapsulation key and ciphertext of any bytes. The input is added (XOR) to good ones, so that an input of
// few bytes damages few. Its first byte chooses the set and whether H(ek) inside dk is made to fit, so that what is behind that check is reached.
#include <ringside/ringside.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SHARED = RS_MLKEM_SHARED_BYTES, HASH = 32, Q = 3329, FITS = 4 };

// Memory of exactly this length, so that a sanitizer sees a byte too far.
static uint8_t *exact(size_t bytes) {
    uint8_t *memory = malloc(bytes);
    if (!memory) abort();
    return memory;
}

static void demand(int holds) {
    if (!holds) abort();
}

static void add(uint8_t *to, size_t bytes, const uint8_t **data, size_t *left) {
    const size_t take = bytes < *left ? bytes : *left;
    for (size_t i = 0; i < take; i++) to[i] ^= (*data)[i];
    *data += take;
    *left -= take;
}

static int is_canonical(const uint8_t *ek, size_t ek_bytes) {
    for (size_t at = 0; at < ek_bytes - HASH; at += 3) {
        if ((ek[at] | (ek[at + 1] & 15) << 8) >= Q || (ek[at + 1] >> 4 | ek[at + 2] << 4) >= Q) return 0;
    }
    return 1;
}

static void demand_wiped(const uint8_t *workspace, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) demand(workspace[i] == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const rs_mlkem_set_t SETS[] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024, RS_MLKEM_768};
    static const uint8_t SEED[RS_MLKEM_SEED_BYTES] = {1}, M[RS_MLKEM_RANDOM_BYTES] = {2};
    if (size < 1) return 0;
    const uint8_t control = *data++;
    size--;
    const rs_mlkem_set_t set = SETS[control & 3];
    const size_t ek_bytes = rs_mlkem_ek_bytes(set), dk_bytes = rs_mlkem_dk_bytes(set), ct_bytes = rs_mlkem_ct_bytes(set);
    const size_t memory_bytes = rs_mlkem_workspace_size(set), s_bytes = ek_bytes - HASH;
    uint8_t *ek = exact(ek_bytes), *dk = exact(dk_bytes), *ct = exact(ct_bytes), *workspace = exact(memory_bytes);
    uint8_t *other = exact(ct_bytes), shared[SHARED], again[SHARED];
    memset(workspace, 0, memory_bytes);
    demand(rs_mlkem_keygen_seed(set, ek, ek_bytes, dk, dk_bytes, SEED, sizeof SEED, workspace, memory_bytes) == RS_OK);
    demand(rs_mlkem_encaps_derand(set, ct, ct_bytes, shared, SHARED, ek, ek_bytes, M, sizeof M, workspace, memory_bytes) == RS_OK);
    add(ct, ct_bytes, &data, &size);
    add(dk, dk_bytes, &data, &size);
    add(ek, ek_bytes, &data, &size);
    if (control & FITS) rs_sponge_hash(RS_SPONGE_SHA3_256, dk + s_bytes + ek_bytes, HASH, dk + s_bytes, ek_bytes);

    const rs_status_t of_ek = rs_mlkem_check_ek(set, ek, ek_bytes);
    demand(of_ek == (is_canonical(ek, ek_bytes) ? RS_OK : RS_ERR_MLKEM_EK));
    demand(rs_mlkem_encaps_derand(set, other, ct_bytes, shared, SHARED, ek, ek_bytes, M, sizeof M, workspace, memory_bytes) ==
           of_ek);
    demand_wiped(workspace, memory_bytes);

    const rs_status_t of_dk = rs_mlkem_check_dk(set, dk, dk_bytes);
    demand(of_dk == RS_OK || (of_dk == RS_ERR_MLKEM_DK && !(control & FITS)));
    demand(rs_mlkem_decaps(set, shared, SHARED, dk, dk_bytes, ct, ct_bytes, workspace, memory_bytes) == of_dk);
    demand_wiped(workspace, memory_bytes);
    if (of_dk == RS_OK) { // the same on every back end
        demand(rs_backend_select("portable") == RS_OK);
        demand(rs_mlkem_decaps(set, again, SHARED, dk, dk_bytes, ct, ct_bytes, workspace, memory_bytes) == RS_OK);
        demand(memcmp(shared, again, SHARED) == 0);
        demand(rs_backend_select(NULL) == RS_OK);
    }
    free(ek);
    free(dk);
    free(ct);
    free(other);
    free(workspace);
    return 0;
}
