// SPDX-License-Identifier: Apache-2.0
// Messages and their representative mu (FIPS 204, sections 5.2 to 5.4 and 6.2).
#ifndef RINGSIDE_MLDSA_MESSAGE_H
#define RINGSIDE_MLDSA_MESSAGE_H

#include "mldsa/params.h"

// RS_ERR_NULL, RS_ERR_OPTION, RS_ERR_CONTEXT_STRING, RS_ERR_PREHASH, RS_ERR_BYTES (of mu).
RS_MUST_CHECK rs_status_t rs_mldsa_check_message(const rs_mldsa_message_t *message);
// What stands before the message in M': one byte of the form, the context, perhaps an OID; nothing where the bytes are M' or mu. Returns its length.
enum { RS_MLDSA_HEAD_BYTES_MAX = 2 + RS_MLDSA_CONTEXT_BYTES_MAX + 11 };
size_t rs_mldsa_message_head(uint8_t *head, const rs_mldsa_message_t *message);
// mu of a message that has been checked. tr: the hash of the public key. The sponge is used, and not wiped.
void rs_mldsa_represent(uint8_t *mu, rs_sponge_t *sponge, const uint8_t *tr, const rs_mldsa_message_t *message);

// sign.c: rnd by the request's mode. RS_ERR_NULL, RS_ERR_OPTION, RS_ERR_BYTES; and 32 bytes of what has been checked: RS_ERR_RNG.
RS_MUST_CHECK rs_status_t rs_mldsa_check_rnd(const rs_mldsa_sign_request_t *request);
RS_MUST_CHECK rs_status_t rs_mldsa_take_rnd(uint8_t *rnd, const rs_mldsa_sign_request_t *request);

#endif
