// SPDX-License-Identifier: Apache-2.0
#include "mldsa/message.h"

#include <string.h>

// Bytes of the digests by the last arc of their OIDs.
static const uint8_t DIGEST_BYTES[] = {
    [RS_MLDSA_SHA2_256] = 32,     [RS_MLDSA_SHA2_384] = 48,     [RS_MLDSA_SHA2_512] = 64, [RS_MLDSA_SHA2_224] = 28,
    [RS_MLDSA_SHA2_512_224] = 28, [RS_MLDSA_SHA2_512_256] = 32, [RS_MLDSA_SHA3_224] = 28, [RS_MLDSA_SHA3_256] = 32,
    [RS_MLDSA_SHA3_384] = 48,     [RS_MLDSA_SHA3_512] = 64,     [RS_MLDSA_SHAKE128] = 32, [RS_MLDSA_SHAKE256] = 64,
};

size_t rs_mldsa_digest_bytes(uint32_t hash) { return hash < sizeof DIGEST_BYTES ? DIGEST_BYTES[hash] : 0; }

rs_status_t rs_mldsa_check_message(const rs_mldsa_message_t *m) {
    if ((!m->bytes.p && m->bytes.n) || (!m->context.p && m->context.n)) return RS_ERR_NULL;
    if (m->context.n > RS_MLDSA_CONTEXT_BYTES_MAX) return RS_ERR_CONTEXT_STRING;
    if (m->form > RS_MLDSA_INTERNAL || (m->hash && m->form != RS_MLDSA_DIGEST)) return RS_ERR_OPTION;
    if (m->context.n && m->form >= RS_MLDSA_MU) return RS_ERR_OPTION;
    if (m->form == RS_MLDSA_DIGEST) {
        const size_t wanted = rs_mldsa_digest_bytes(m->hash);
        if (!wanted || m->bytes.n != wanted) return RS_ERR_PREHASH;
    }
    return m->form == RS_MLDSA_MU ? RS_CHECK_SPAN(m->bytes, RS_MLDSA_MU_BYTES) : RS_OK;
}

size_t rs_mldsa_message_head(uint8_t *head, const rs_mldsa_message_t *m) {
    // DER of 2.16.840.1.101.3.4.2.x but for its last byte
    static const uint8_t OID[] = {0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};
    uint8_t *at = head;
    if (m->form != RS_MLDSA_PURE && m->form != RS_MLDSA_DIGEST) return 0;
    *at++ = m->form == RS_MLDSA_DIGEST;
    *at++ = (uint8_t)m->context.n;
    if (m->context.n) memcpy(at, m->context.p, m->context.n);
    at += m->context.n;
    if (m->form == RS_MLDSA_DIGEST) {
        memcpy(at, OID, sizeof OID);
        at += sizeof OID;
        *at++ = (uint8_t)m->hash;
    }
    return (size_t)(at - head);
}

// The sponge takes the message's bytes.
static void start(rs_sponge_t *sponge, const uint8_t *tr, const rs_mldsa_message_t *m) {
    uint8_t head[RS_MLDSA_HEAD_BYTES_MAX];
    const size_t bytes = rs_mldsa_message_head(head, m);
    rs_sponge_init(sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(sponge, tr, RS_MLDSA_TR_BYTES);
    rs_sponge_absorb(sponge, head, bytes);
}

void rs_mldsa_represent(uint8_t *mu, rs_sponge_t *sponge, const uint8_t *tr, const rs_mldsa_message_t *m) {
    if (m->form == RS_MLDSA_MU) {
        memcpy(mu, m->bytes.p, RS_MLDSA_MU_BYTES);
        return;
    }
    start(sponge, tr, m);
    rs_sponge_absorb(sponge, m->bytes.p, m->bytes.n);
    rs_sponge_squeeze(sponge, mu, RS_MLDSA_MU_BYTES);
}

rs_status_t rs_mldsa_mu_start(uint32_t set, rs_sponge_t *sponge, rs_view_t pk, rs_view_t context) {
    uint8_t tr[RS_MLDSA_TR_BYTES];
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    const rs_mldsa_message_t message = {.form = RS_MLDSA_PURE, .context = context};
    if (!p) return RS_ERR_SET;
    if (!sponge) return RS_ERR_NULL;
    RS_TRY(RS_CHECK_SPAN(pk, p->sizes.pk));
    RS_TRY(rs_mldsa_check_message(&message));
    rs_shake256(tr, sizeof tr, pk.p, pk.n);
    start(sponge, tr, &message);
    return RS_OK;
}

rs_status_t rs_mldsa_mu(uint32_t set, rs_bytes_t mu, rs_view_t pk, const rs_mldsa_message_t *message) {
    uint8_t tr[RS_MLDSA_TR_BYTES];
    rs_sponge_t sponge;
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    if (!p) return RS_ERR_SET;
    if (!message) return RS_ERR_NULL;
    RS_TRY(RS_CHECK_SPAN(mu, RS_MLDSA_MU_BYTES));
    RS_TRY(RS_CHECK_SPAN(pk, p->sizes.pk));
    RS_TRY(rs_mldsa_check_message(message));
    rs_shake256(tr, sizeof tr, pk.p, pk.n);
    rs_mldsa_represent(mu.p, &sponge, tr, message);
    rs_zeroize(&sponge, sizeof sponge);
    return RS_OK;
}
