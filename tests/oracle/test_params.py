# SPDX-License-Identifier: Apache-2.0
"""Prime choice, identities and the security table."""

import pytest

from oracle import core, reference
from ringside.native._cdef import ffi
from ringside.native.library import lib

# Homomorphic Encryption Standard (Albrecht et al. 2018), table 1: log2 q at most this for a ternary secret and classical
# attacks.
STANDARD = {
    10: (27, 19, 14), 11: (54, 37, 29), 12: (109, 75, 58), 13: (218, 152, 118), 14: (438, 305, 237),
    15: (881, 611, 476),
}  # fmt: skip

# Security Guidelines for Implementing Homomorphic Encryption (Bossuat et al. 2024), table 5.2, the same case.
GUIDELINES = {
    10: (26, 0, 0), 11: (53, 36, 27), 12: (106, 73, 56), 13: (214, 147, 114), 14: (430, 297, 230),
    15: (868, 597, 462), 16: (1747, 1199, 929), 17: (3523, 2411, 1866),
}  # fmt: skip

# What the library checks: the standard as far as it goes.
CHECKED = GUIDELINES | STANDARD

CHOICES = [
    (1024, [27]), (1024, [16, 14, 15, 16]), (2048, [27, 27]), (4096, [30, 20, 20, 30]), (4096, [36, 36, 37]),
    (8192, [43, 43, 44, 44, 44]), (8192, [60, 40, 60, 40, 50, 60]), (16384, [60] + [48] * 6 + [60]),
    (32768, [55] * 15 + [56]), (131072, [60, 60, 60, 60, 60, 20]),
]  # fmt: skip


@pytest.mark.parametrize(("n", "bits"), CHOICES)
def test_primes_are_seals_choice(n: int, bits: list[int]) -> None:
    params = core.params_from_bits(n, bits)
    assert list(params.moduli[0 : len(bits)]) == reference.coeff_modulus(n, bits)


@pytest.mark.parametrize(("n", "bits"), [(1024, 14), (1024, 17), (2048, 17), (32768, 17), (8192, 20)])
def test_primes_run_out(n: int, bits: int) -> None:
    """All there are, and not one more; for 17 bits the last is 2^16 + 1, the smallest number of that size."""
    found = [q for q in range(2**bits - 2 * n + 1, 2 ** (bits - 1), -2 * n) if reference.is_prime(q)]
    assert (65537 in found) == (bits == 17)
    params = ffi.new("rs_params_t *")
    enough, too_many = [bits] * len(found), [bits] * (len(found) + 1)
    core.ok(core.params_status(params, n=n, bits=enough))
    assert list(params.moduli[0 : len(enough)]) == found[::-1]
    assert core.status_name(core.params_status(params, n=n, bits=too_many)) == "RS_ERR_PRIMES"


def test_primality() -> None:
    # products of primes = 1 mod 2048 are 1 mod 2048 themselves
    params = ffi.new("rs_params_t *")
    n = 1024
    composites = [12289 * 12289, 12289 * 18433, 18433 * 40961, 12289 * 18433 * 40961]
    for q in composites:
        assert q % (2 * n) == 1
        assert not reference.is_prime(q)
        assert core.status_name(core.params_status(params, n=n, moduli=[q])) == "RS_ERR_MODULUS_PRIME"
    for start in (2**20, 2**31, 2**32, 2**45, 2**59):
        for q in range(start + 1, start + 1 + 300 * 2 * n, 2 * n):
            assert (core.params_status(params, n=n, moduli=[q]) == 0) == reference.is_prime(q), q


@pytest.mark.parametrize("name", list(core.set_names()))
def test_parms_ids(name: str) -> None:
    params = core.params_named(name)
    moduli = list(params.moduli[0 : params.limb_count])
    assert len(set(moduli)) == len(moduli)
    out = ffi.new("uint8_t[32]")
    for limbs in range(1, len(moduli) + 1):
        core.ok(lib.rs_params_id(params, limbs, out))
        assert bytes(ffi.buffer(out)) == reference.parms_id(
            1 << params.log_n, moduli[:limbs], params.scheme, params.plain_modulus
        )
    if params.log_n <= 13:
        context = core.Context(params)
        for limbs in range(1, len(moduli) + 1):
            got = bytes(ffi.buffer(lib.rs_context_parms_id(context.pointer, limbs), 32))
            assert got == reference.parms_id(context.n, moduli[:limbs], params.scheme, params.plain_modulus)
            assert lib.rs_context_find_id(context.pointer, got) == limbs
        assert lib.rs_context_parms_id(context.pointer, 0) == ffi.NULL
        assert lib.rs_context_parms_id(context.pointer, len(moduli) + 1) == ffi.NULL


def test_total_bits() -> None:
    for name in core.set_names():
        params = core.params_named(name)
        product = 1
        for limbs in range(params.limb_count):
            assert lib.rs_params_total_bits(params, limbs) == product.bit_length()
            product *= params.moduli[limbs]


def test_security_tables() -> None:
    none = (0, 0, 0)
    for log_n in range(20):
        for column, security in enumerate((128, 192, 256)):
            assert lib.rs_security_bits(lib.RS_SECURITY_CHECKED, log_n, security) == CHECKED.get(log_n, none)[column]
            for table, want in (
                (lib.RS_SECURITY_STANDARD_2018, STANDARD),
                (lib.RS_SECURITY_GUIDELINES_2024, GUIDELINES),
            ):
                assert lib.rs_security_bits(table, log_n, security) == want.get(log_n, none)[column]
        assert lib.rs_security_bits(lib.RS_SECURITY_CHECKED, log_n, 100) == 0


@pytest.mark.parametrize("log_n", [11, 12, 13])
def test_security_is_decided_by_the_product(log_n: int) -> None:
    """Sets just at and just above each bound; the special prime counts."""
    n = 1 << log_n
    for security, bound in zip((128, 192, 256), STANDARD[log_n], strict=True):
        for total in (bound, bound + 1):
            count = -(-total // 50)
            bits = [total // count + (i < total % count) for i in range(count)]
            moduli = reference.coeff_modulus(n, bits)
            product = 1
            for q in moduli:
                product *= q
            params = ffi.new("rs_params_t *")
            status = core.params_status(params, n=n, moduli=moduli, security=security)
            secure = product.bit_length() <= bound
            assert core.status_name(status) == ("RS_OK" if secure else "RS_ERR_INSECURE")
            core.ok(core.params_status(params, n=n, moduli=moduli))
            reached = [s for s, b in zip((128, 192, 256), STANDARD[log_n], strict=True) if product.bit_length() <= b]
            assert lib.rs_params_security(params, lib.RS_SECURITY_CHECKED) == max(reached, default=0)


def test_named_sets_meet_the_standard() -> None:
    tables = ((lib.RS_SECURITY_STANDARD_2018, STANDARD), (lib.RS_SECURITY_GUIDELINES_2024, GUIDELINES))
    for name in core.set_names():
        params = core.params_named(name)
        bits = lib.rs_params_total_bits(params, params.limb_count)

        def reached(limits: tuple[int, ...], bits: int = bits) -> int:
            return max((s for s, bound in zip((128, 192, 256), limits, strict=True) if bits <= bound), default=0)

        assert lib.rs_params_security(params, lib.RS_SECURITY_CHECKED) == reached(CHECKED[params.log_n]) >= 128, name
        for table, limits in tables:
            assert lib.rs_params_security(params, table) == reached(limits.get(params.log_n, (0, 0, 0))), name
