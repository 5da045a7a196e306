// SPDX-License-Identifier: Apache-2.0
// The plain modulus t of BFV and BGV. Everything here is public.
#ifndef RINGSIDE_PARAMS_PLAIN_H
#define RINGSIDE_PARAMS_PLAIN_H

#include <ringside/params.h>

// RS_ERR_PLAIN_MODULUS: t is out of range, has a common factor with a modulus, or is not below the product of a fresh ciphertext's.
rs_status_t rs_plain_check(const rs_params_t *params);
// Whether there are slots: t is prime and 1 mod 2N.
int rs_plain_has_slots(const rs_params_t *params);
// The fewest limbs that a ciphertext can have: their product is above t.
uint32_t rs_plain_limbs_min(const rs_params_t *params);
// a^-1 mod t, 0 if there is none.
uint64_t rs_plain_inverse(uint64_t a, uint64_t t);

#endif
