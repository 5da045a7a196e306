# SPDX-License-Identifier: Apache-2.0
"""BGV from fewer moduli than a ciphertext has; BFV, which finds by itself what it needs."""

import numpy as np

import ringside as rs
from asserting import raises


def client(scheme: str) -> tuple[rs.ExactContext, rs.SecretKey, rs.Ciphertext]:
    context = rs.ExactContext(rs.Parameters.named(f"{scheme}-13"))
    secret = context.keygen()
    return context, secret, context.encrypt(np.arange(-1000, 1000), context.public_key(secret))


def test_bgv_decrypts_from_the_first_moduli() -> None:
    context, secret, ciphertext = client("bgv")
    for limbs in (1, 2, 3, 4, None):
        found = context.decrypt_values(ciphertext, secret, 2000, limbs=limbs)
        assert np.array_equal(found, np.arange(-1000, 1000))
    for limbs in (0, 5, -1):
        raises(rs.InputError, "limbs", context.decrypt_values, ciphertext, secret, limbs=limbs)


def test_bfv_takes_no_limbs() -> None:
    context, secret, ciphertext = client("bfv")
    for margin_bits in (None, 8):  # by one modulus, and by all
        found = context.decrypt_values(ciphertext, secret, 2000, margin_bits=margin_bits)
        assert np.array_equal(found, np.arange(-1000, 1000))
    raises(rs.InputError, "BGV", context.decrypt_values, ciphertext, secret, limbs=1)
