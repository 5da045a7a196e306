// SPDX-License-Identifier: Apache-2.0
// What CKKS does with the requests of client.h.
#include "ckks/checks.h"

const rs_scheme_calls_t RS_CKKS = {
    .encode = rs_ckks_encode,
    .decode_workspace = rs_ckks_decode_workspace,
    .decode = rs_ckks_decode,
    .limb = rs_ckks_plaintext_limb,
    .encrypt_workspace = rs_ckks_encrypt_workspace,
    .encrypt = rs_ckks_encrypt,
    .check_decrypt = rs_ckks_check_decrypt,
    .decrypt_workspace = rs_ckks_decrypt_workspace,
    .decrypt = rs_ckks_decrypt,
    .encrypt_wiped = rs_ckks_encrypt_wiped,
    .decrypt_wiped = rs_ckks_decrypt_wiped,
};
