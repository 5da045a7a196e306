# SPDX-License-Identifier: Apache-2.0
"""FN-DSA's verification. Provisional: FIPS 206 is not published, so this is Falcon of the third round (specification v1.2)."""

from __future__ import annotations

from typing import Literal

from ..arguments import checks_arguments
from ..native.library import BytesLike, check, ffi, lib, secret_bytes, span
from .buffers import given, known_sizes
from .names import PROVISIONAL_SETS, named

_FORMS = {"padded": lib.RS_FNDSA_PADDED, "compressed": lib.RS_FNDSA_COMPRESSED}


@checks_arguments
class FNDSA:
    """One parameter set of FN-DSA: "FN-DSA-512" (category 1) or "FN-DSA-1024" (category 5). Verification alone, and provisional.

    What is verified are signatures of Falcon, specification v1.2: FIPS 206 is not published, and will change what is hashed. Its signatures will not
    be valid here, nor these there. Public keys have 897 and 1793 bytes, padded signatures 666 and 1280. There is no signing and no key file: both
    wait for the standard. Attributes: name, category, pk_bytes, signature_bytes. Raises ParameterError for another name.
    """

    def __init__(self, name: str = "FN-DSA-512") -> None:
        chosen = named(PROVISIONAL_SETS, name, "FN-DSA")
        self.name = chosen.name
        self.category = chosen.category
        self._set = chosen.number
        self._sizes = known_sizes(lib.rs_fndsa_sizes(self._set), name)
        self.pk_bytes, self.signature_bytes = self._sizes.pk, self._sizes.signature

    def __repr__(self) -> str:
        return f"FNDSA({self.name!r})"

    def verify(
        self, pk: BytesLike, message: BytesLike, signature: BytesLike, form: Literal["padded", "compressed"] = "padded"
    ) -> bool:
        """Whether a signature is the key's owner's, of this message: algorithm 16 of the specification.

        form: "padded" signatures have signature_bytes bytes, "compressed" ones end where the last number ends. One of the other form, or of another
        length, is not valid: False. InputError: `pk` has another length, or is no public key of this set.
        """
        given("FNDSA.verify", "pk", pk, self.pk_bytes, f"a public key of {self.name}")
        if form == "padded" and memoryview(signature).nbytes != self.signature_bytes:
            return False
        key, memory = ffi.new("rs_fndsa_key_t const **"), secret_bytes(self._sizes.key)
        check(lib.rs_fndsa_key_init(key, span(memory), self._set, span(pk)))
        workspace = secret_bytes(self._sizes.workspace)
        status = lib.rs_fndsa_verify(key[0], _FORMS[form], span(message), span(signature), span(workspace))
        if status == lib.RS_ERR_SIGNATURE:
            return False
        check(status)
        return True
