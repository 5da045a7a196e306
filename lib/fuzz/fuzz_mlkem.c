// SPDX-License-Identifier: Apache-2.0
// ML-KEM's encapsulation key, decapsulation key and ciphertext of any bytes. The input is added (XOR) to good ones, so that an input of
// few bytes damages few. Its first byte chooses the set and whether H(ek) inside dk is made to fit, so that what is behind that check is reached.
#include "fuzz_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SHARED = RS_MLKEM_SHARED_BYTES, HASH = 32, Q = 3329, FITS = 4 };

static int is_canonical(const uint8_t *ek, size_t ek_bytes) {
    for (size_t at = 0; at < ek_bytes - HASH; at += 3) {
        if ((ek[at] | (ek[at + 1] & 15) << 8) >= Q || (ek[at + 1] >> 4 | ek[at + 2] << 4) >= Q) return 0;
    }
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const rs_mlkem_set_t SETS[] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024, RS_MLKEM_768};
    static const uint8_t SEED[RS_MLKEM_SEED_BYTES] = {1}, M[RS_MLKEM_RANDOM_BYTES] = {2};
    if (size < 1) return 0;
    const uint8_t control = *data++;
    size--;
    const rs_mlkem_set_t set = SETS[control & 3];
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
    const size_t ek_bytes = sizes->ek, dk_bytes = sizes->dk, ct_bytes = sizes->ct;
    const size_t memory_bytes = sizes->workspace, s_bytes = ek_bytes - HASH;
    uint8_t *ek = exact(ek_bytes), *dk = exact(dk_bytes), *ct = exact(ct_bytes), *workspace = exact(memory_bytes);
    uint8_t *other = exact(ct_bytes), shared[SHARED], again[SHARED] = {0};
    memset(workspace, 0, memory_bytes);
    demand(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = set, .ek = {ek, ek_bytes}, .dk = {dk, dk_bytes},
                                      .seed = {SEED, sizeof SEED}, .workspace = {workspace, memory_bytes})) == RS_OK);
    rs_mlkem_encaps_request_t encaps = {.size = sizeof encaps,
                                        .set = set,
                                        .ek = {ek, ek_bytes},
                                        .ct = {ct, ct_bytes},
                                        .shared = {shared, SHARED},
                                        .m = {M, sizeof M},
                                        .workspace = {workspace, memory_bytes}};
    demand(rs_mlkem_encaps(&encaps) == RS_OK);
    add(ct, ct_bytes, &data, &size);
    add(dk, dk_bytes, &data, &size);
    add(ek, ek_bytes, &data, &size);
    if (control & FITS) rs_sponge_hash(RS_SPONGE_SHA3_256, dk + s_bytes + ek_bytes, HASH, dk + s_bytes, ek_bytes);

    const rs_view_t none = {NULL, 0};
    const rs_status_t of_ek = rs_mlkem_check(set, encaps.ek, none);
    demand(of_ek == (is_canonical(ek, ek_bytes) ? RS_OK : RS_ERR_PUBLIC_KEY));
    encaps.ct.p = other;
    demand(rs_mlkem_encaps(&encaps) == of_ek);
    demand_wiped(workspace, memory_bytes);

    rs_mlkem_decaps_request_t decaps = {.size = sizeof decaps,
                                        .set = set,
                                        .dk = {dk, dk_bytes},
                                        .ct = {ct, ct_bytes},
                                        .shared = {shared, SHARED},
                                        .workspace = {workspace, memory_bytes}};
    const rs_status_t of_dk = rs_mlkem_check(set, none, decaps.dk);
    demand(of_dk == RS_OK || (of_dk == RS_ERR_SECRET_KEY && !(control & FITS)));
    demand(rs_mlkem_decaps(&decaps) == of_dk);
    demand_wiped(workspace, memory_bytes);
    if (of_dk == RS_OK) { // the same on every back end
        demand(rs_backend_select("portable") == RS_OK);
        decaps.shared.p = again;
        demand(rs_mlkem_decaps(&decaps) == RS_OK);
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
