# SPDX-License-Identifier: Apache-2.0
"""The commands' words about a parameter set's security."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...objects.common.params import GUIDELINES_2024, Parameters, SecurityTable
from ...sim.cache import first_time
from .output import note, security_text

NO_SEAL_ROW = "must pass sec_level_type::none; stock SEAL's table of limits does not admit these parameters"


def slots_text(params: Parameters) -> str:
    """What a ciphertext holds: "8192 (4096 slots)", or what takes the place of slots in BFV and BGV."""
    slots = "no slots, coefficients alone" if params.plain_modulus and not params.batching else f"{params.slots} slots"
    return f"{params.n} ({slots})"


def note_exact(keys: Path, count: int) -> None:
    """Why exact values stay private: once for each key directory."""
    if count and first_time("exact", keys):
        note("do not publish these exact values: with the ciphertext they reveal the secret key. Use --publish-bits for values that others will see. (Shown once per key directory.)")  # fmt: skip


def table_text(table: SecurityTable) -> str:
    """One table's verdict: "128 bits (210 modulus bits, 214 allowed)"."""
    if table.max_bits is None or table.margin_bits is None:
        return "no number for this N"
    bits = f"{table.max_bits - table.margin_bits} modulus bits, {table.max_bits} allowed for 128"
    if table.margin_bits < 0:
        return f"below 128 bits: {bits}"
    return f"{table.security} bits ({bits}{'; on the limit' if table.margin_bits == 0 else ''})"


def security_facts(params: Parameters) -> list[tuple[str, str]]:
    """Security by each published table, and what a SEAL server is to be told."""
    facts = [("security", security_text(params.security))]
    facts += [(key.replace("-", " "), table_text(table)) for key, table in params.security_tables.items()]
    if params.seal_security == "none":
        facts.append(("SEAL server", NO_SEAL_ROW))
    return facts


def note_security(sets: Sequence[tuple[str, Parameters]]) -> None:
    """Names on stderr the sets on or over the newer limit, and those for which SEAL has no limit."""
    over: list[str] = []
    on: list[str] = []
    unknown: list[str] = []
    for name, params in sets:
        margin = params.security_tables[GUIDELINES_2024].margin_bits
        if margin is not None and margin <= 0:
            (over if margin else on).append(name)
        if params.seal_security == "none":
            unknown.append(name)
    if over:
        note(f"over the 128-bit limit of the guidelines of 2024: {', '.join(over)}.")
    if on:
        note(f"on the 128-bit limit of the guidelines of 2024: {', '.join(on)}.")
    if unknown:
        note(f"{', '.join(unknown)}: a SEAL server {NO_SEAL_ROW}.")
