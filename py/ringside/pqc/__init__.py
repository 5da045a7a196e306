# SPDX-License-Identifier: Apache-2.0
"""Post-quantum schemes on the C library: ML-KEM (FIPS 203), ML-DSA (FIPS 204), and the files of their keys; provisionally
FN-DSA's verification; for research NewHope and BLISS.

from ringside import pqc

kem = pqc.MLKEM("ML-KEM-768")
ek, dk = kem.keygen()
ss, ct = kem.encaps(ek)
assert kem.decaps(dk, ct) == ss

docs/pqc.md says what is constant time, and what is for research alone.
"""

from .fndsa import FNDSA
from .key_files import (
    StoredPrivateKey,
    StoredPublicKey,
    decode_private_key,
    decode_public_key,
    encode_private_key,
    encode_public_key,
    new_private_key,
)
from .mldsa import MLDSA, PREHASHES
from .mlkem import MLKEM
from .names import KEM_SETS, PROVISIONAL_SETS, SIGNATURE_SETS
from .research import Bliss, NewHope

__all__ = [
    "FNDSA", "KEM_SETS", "MLDSA", "MLKEM", "PREHASHES", "PROVISIONAL_SETS", "SIGNATURE_SETS", "Bliss", "NewHope",
    "StoredPrivateKey", "StoredPublicKey", "decode_private_key", "decode_public_key", "encode_private_key",
    "encode_public_key", "new_private_key",
]  # fmt: skip
