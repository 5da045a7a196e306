// SPDX-License-Identifier: Apache-2.0
// ML-DSA's signature, public key and secret key of any bytes. The input is added (XOR) to good ones, so that an input of few bytes damages few.
//
// Input: one control byte, then what is added to the signature, the public key, the secret key, each up to its length. Bits 0 and 1: the set;
// bit 2: the signature's hints are replaced by the input's next bytes, so that all kinds of them are decoded.
// Properties, besides what the sanitizers see: a signature is accepted exactly if neither it nor the public key differs from the good one,
// by every back end; a secret key is accepted by signing exactly if s1 and s2 are in range, and by the check only if it is the good one (but
// for K); the workspace is wiped.
#include "fuzz_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HINTS_FROM_INPUT = 4, SK_K = 32, SK_TR = 64, SK_S1 = 128 };

static const uint8_t XI[RS_MLDSA_SEED_BYTES] = {1}, MESSAGE[] = {2, 3}, CONTEXT[] = {4};

// Whether all packed values of s1 and s2 are at most 2 eta: fields of 3 bits (eta 2) or 4 (eta 4).
static int in_range(const uint8_t *packed, unsigned polys, unsigned bits) {
    for (size_t i = 0; i < 256u * polys; i++) {
        unsigned value = 0;
        for (unsigned bit = 0; bit < bits; bit++) value |= (packed[(bits * i + bit) / 8] >> (bits * i + bit) % 8 & 1u) << bit;
        if (value > (bits == 3 ? 4 : 8)) return 0;
    }
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const rs_mldsa_set_t SETS[] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};
    static const unsigned POLYS[] = {8, 11, 15}, BITS[] = {3, 4, 3}, HINT_BYTES[] = {84, 61, 83};
    if (size < 1) return 0;
    const uint8_t control = *data++;
    size--;
    const unsigned k = (control & 3) % 3;
    const rs_mldsa_set_t set = SETS[k];
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    const size_t pk_bytes = sizes->pk, sk_bytes = sizes->sk, signature_bytes = sizes->signature;
    const size_t memory_bytes = sizes->workspace, verify_bytes = sizes->verify_workspace;
    uint8_t *pk = exact(pk_bytes), *sk = exact(sk_bytes), *signature = exact(signature_bytes), *workspace = exact(memory_bytes);
    const rs_mldsa_message_t text = {.bytes = {MESSAGE, sizeof MESSAGE}, .context = {CONTEXT, sizeof CONTEXT}};
    rs_mldsa_sign_request_t sign = {
        .size = sizeof sign, .set = set, .mode = RS_MLDSA_DETERMINISTIC, .message = text, .workspace = {workspace, memory_bytes}};
    static uint8_t *pks[3], *sks[3], *signatures[3]; // made once
    memset(workspace, 0, memory_bytes);
    if (!pks[k]) {
        pks[k] = exact(pk_bytes), sks[k] = exact(sk_bytes), signatures[k] = exact(signature_bytes);
        demand(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = {pks[k], pk_bytes}, .sk = {sks[k], sk_bytes},
                                          .seed = {XI, sizeof XI}, .workspace = sign.workspace)) == RS_OK);
        sign.sk = (rs_view_t){sks[k], sk_bytes};
        sign.signature = (rs_bytes_t){signatures[k], signature_bytes};
        demand(rs_mldsa_sign(&sign) == RS_OK);
    }
    const uint8_t *good_pk = pks[k], *good = signatures[k];
    uint8_t *good_sk = exact(sk_bytes);
    memcpy(good_sk, sks[k], sk_bytes);
    memcpy(pk, good_pk, pk_bytes);
    memcpy(sk, good_sk, sk_bytes);
    memcpy(signature, good, signature_bytes);
    if (control & HINTS_FROM_INPUT) {
        memset(signature + signature_bytes - HINT_BYTES[k], 0, HINT_BYTES[k]);
        add(signature + signature_bytes - HINT_BYTES[k], HINT_BYTES[k], &data, &size);
    }
    add(signature, signature_bytes, &data, &size);
    add(pk, pk_bytes, &data, &size);
    add(sk, sk_bytes, &data, &size);

    const int is_good = !memcmp(signature, good, signature_bytes) && !memcmp(pk, good_pk, pk_bytes);
    for (unsigned portable = 0; portable < 2; portable++) {
        demand(rs_backend_select(portable ? "portable" : NULL) == RS_OK);
        const rs_status_t verified =
            rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set, .pk = {pk, pk_bytes}, .message = text,
                                       .signature = {signature, signature_bytes}, .workspace = {workspace, verify_bytes}));
        demand(verified == (is_good ? RS_OK : RS_ERR_SIGNATURE));
        demand_wiped(workspace, verify_bytes);
    }
    demand(rs_backend_select(NULL) == RS_OK);

    sign.sk = (rs_view_t){sk, sk_bytes};
    sign.signature = (rs_bytes_t){signature, signature_bytes};
    const rs_status_t signed_by = rs_mldsa_sign(&sign);
    demand_wiped(workspace, memory_bytes);
    if (in_range(sk + SK_S1, POLYS[k], BITS[k])) {
        demand(signed_by == RS_OK || signed_by == RS_ERR_ROUNDS); // the latter with a t0 of large values
    } else {
        demand(signed_by == RS_ERR_SECRET_KEY);
    }
    memcpy(good_sk + SK_K, sk + SK_K, SK_TR - SK_K);
    const rs_status_t checked = rs_mldsa_public_key(set, (rs_bytes_t){NULL, 0}, sign.sk, sign.workspace);
    demand(checked == (memcmp(sk, good_sk, sk_bytes) ? RS_ERR_SECRET_KEY : RS_OK));
    demand_wiped(workspace, memory_bytes);
    free(pk);
    free(sk);
    free(signature);
    free(workspace);
    free(good_sk);
    return 0;
}
