# SPDX-License-Identifier: Apache-2.0
"""Known-answer tests of the installed library."""

from __future__ import annotations

from .library import check, lib, workspace


def selftest() -> None:
    """Runs the library's known-answer tests: NTT, hashes, samplers, encode, encrypt, decrypt.

    InternalError if one fails: this build must not be used then.
    """
    size = lib.rs_selftest_size()
    check(lib.rs_selftest(workspace(size), size))
