# SPDX-License-Identifier: Apache-2.0
"""The parameter sets: their names, numbers in the C library, object identifiers and security categories.

The object identifiers are NIST's (2.16.840.1.101.3.4): RFC 9935 for ML-KEM, RFC 9881 for ML-DSA. FN-DSA has none before FIPS 206.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import ParameterError
from ..hints import did_you_mean
from ..native.library import lib


@dataclass(frozen=True)
class SchemeSet:
    """One parameter set. category: NIST's, 1 as hard as a key search of AES-128, 3 of AES-192, 5 of AES-256; 2 a collision of SHA-256."""

    name: str
    number: int
    oid: str
    category: int


def _table(*sets: SchemeSet) -> dict[str, SchemeSet]:
    return {one.name: one for one in sets}


KEM_SETS: Mapping[str, SchemeSet] = _table(
    SchemeSet("ML-KEM-512", lib.RS_MLKEM_512, "2.16.840.1.101.3.4.4.1", 1),
    SchemeSet("ML-KEM-768", lib.RS_MLKEM_768, "2.16.840.1.101.3.4.4.2", 3),
    SchemeSet("ML-KEM-1024", lib.RS_MLKEM_1024, "2.16.840.1.101.3.4.4.3", 5),
)
SIGNATURE_SETS: Mapping[str, SchemeSet] = _table(
    SchemeSet("ML-DSA-44", lib.RS_MLDSA_44, "2.16.840.1.101.3.4.3.17", 2),
    SchemeSet("ML-DSA-65", lib.RS_MLDSA_65, "2.16.840.1.101.3.4.3.18", 3),
    SchemeSet("ML-DSA-87", lib.RS_MLDSA_87, "2.16.840.1.101.3.4.3.19", 5),
)

# verified alone, as Falcon's third round has it; without an identifier
PROVISIONAL_SETS: Mapping[str, SchemeSet] = _table(
    SchemeSet("FN-DSA-512", lib.RS_FNDSA_512, "", 1), SchemeSet("FN-DSA-1024", lib.RS_FNDSA_1024, "", 5)
)


def named(sets: Mapping[str, SchemeSet], name: str, kind: str) -> SchemeSet:
    """The set of this name. ParameterError: there is none."""
    found = sets.get(name)
    if found is None:
        known = f"There are {', '.join(sets)}."
        raise ParameterError("SET", f"{name!r} is no set of {kind}.", did_you_mean(name, sets, known))
    return found
