# SPDX-License-Identifier: Apache-2.0
"""`ringside params` and `ringside advise`."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from ...errors import ParameterError
from ...objects.ckks.advice import CUSTOM, Advice, nearest
from ...objects.ckks.advice import advise as advise_sets
from ...objects.ckks.inspection import describe
from ...objects.common.params import GUIDELINES_2024, Parameters, named_sets
from ..common.options import JsonFlag, SecurityOption, named_parameters, security_bits
from ..common.output import print_facts, print_json, print_table, scale_text, size_text
from ..common.security import note_security, security_facts, short_table_text


def _bits_text(params: Parameters) -> str:
    """60, 48 x 6, 60."""
    groups: list[list[int]] = []
    for q in params.moduli:
        bits = q.bit_length()
        if groups and groups[-1][0] == bits:
            groups[-1][1] += 1
        else:
            groups.append([bits, 1])
    return ", ".join(f"{bits}" if count == 1 else f"{bits} x {count}" for bits, count in groups)


def params(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[SET]", help="Set to show in detail. Default: a list of all.", autocompletion=named_parameters
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """List the named parameter sets, or show one.

    Example: ringside params lee-14
    """
    if name is not None:
        chosen = Parameters.named(name, security=0)
        if json:
            print_json(describe(chosen))
            return
        facts = [
            ("set", name),
            ("source", next(item.source for item in named_sets() if item.name == name)),
            ("N", f"{chosen.n} ({chosen.slots} slots)"),
            *security_facts(chosen),
            ("modulus bits", f"{_bits_text(chosen)} ({chosen.total_bits} in all)"),
            ("default scale", scale_text(chosen.default_scale)),
            ("parms_id of keys", chosen.parms_id()),
        ]
        for level in range(chosen.max_level, -1, -1):
            facts.append((f"parms_id, level {level}", chosen.parms_id(level)))
        for index, modulus in enumerate(chosen.moduli):
            facts.append((f"modulus {index}", str(modulus)))
        print_facts(facts)
        return
    sets = [(item, Parameters.named(item.name, security=0)) for item in named_sets()]
    if json:
        print_json([{**describe(chosen), "source": item.source} for item, chosen in sets])
        return
    rows = [
        [
            item.name,
            str(chosen.n),
            str(chosen.slots),
            str(chosen.max_level),
            _bits_text(chosen),
            str(chosen.security or "-"),
            short_table_text(chosen.security_tables[GUIDELINES_2024]),
            scale_text(chosen.default_scale),
            item.source,
        ]
        for item, chosen in sets
    ]
    columns = ["set", "N", "slots", "max level", "modulus bits", "security", "by 2024", "scale", "source"]
    print_table(columns, rows, "bits of each modulus, security in bits", ("source", "slots"))
    note_security([(item.name, chosen) for item, chosen in sets])


def _name(item: Advice) -> str:
    return item.name if item.name != CUSTOM else f"{item.params.n}:{_comma_bits(item.params)}"


def _commands(item: Advice) -> list[str]:
    """Commands that make keys for it and encrypt as it was advised."""
    weak = " --security none" if item.params.security < 128 else ""
    chosen = f"--params {item.name}" if item.name != CUSTOM else f"--bits {_name(item)}"
    level = f" --level {item.level}" if item.level != item.params.max_level else ""
    scale = f" --scale {scale_text(item.scale)}" if item.scale != item.params.default_scale else ""
    return [
        f"ringside keygen {chosen}{weak} --out keys",
        f"ringside encrypt --keys keys values.npy upload.seal{level}{scale}",
    ]


def _row(item: Advice) -> list[str]:
    return [
        _name(item) + ("" if item.fits else " (too coarse)"),
        str(item.params.n),
        str(item.params.security or "-"),
        short_table_text(item.params.security_tables[GUIDELINES_2024]),
        scale_text(item.scale),
        f"{item.precision_bits:.1f}",
        f"2^{math.floor(item.range_bits)}",
        str(item.ciphertexts),
        size_text(item.full_bytes),
        size_text(item.seeded_bytes),
        "-" if item.encrypt_ms is None else f"{item.encrypt_ms:.2f}",
    ]


def _comma_bits(chosen: Parameters) -> str:
    return ",".join(str(q.bit_length()) for q in chosen.moduli)


def advise(
    precision: Annotated[
        float, typer.Option("--precision", metavar="BITS", help="Bits after the point that values must keep.")
    ],
    depth: Annotated[int, typer.Option("--depth", help="Number of multiplications one after another.")],
    slots: Annotated[int, typer.Option("--slots", help="Number of values to encrypt.")],
    security: SecurityOption = "128",
    measure: Annotated[bool, typer.Option("--measure/--no-measure", help="Time an encryption with each set.")] = True,
    json: JsonFlag = False,
) -> None:
    """Find parameters for a task, best first.

    A row is a parameter set: its ring dimension N, its security, and for a fresh secret-key ciphertext the precision that is
    predicted and the largest values that it holds. Sizes are of a ciphertext without compression, at the level that the depth
    needs; with a seed in place of its random half it is half as large. Times are measured on this machine now. A row N:BITS,…
    is a suggestion of our own for `ringside keygen --bits`. Security is that of the standard of 2018, which SEAL checks; `by
    2024` is the security by the stricter guidelines of 2024 (docs/threat-model.md).

    Example: ringside advise --precision 20 --depth 3 --slots 4096
    """
    advices = advise_sets(precision, depth, slots, security=security_bits(security), measure=measure)
    secure = f" at {security}-bit security" if security_bits(security) else ""
    if not any(item.fits for item in advices):
        best = nearest(advices, precision, depth, slots, security=security_bits(security))
        if best is None:
            raise ParameterError("RS_ERR_INSECURE", f"No set has depth {depth}{secure}.", "Ask for less depth.")
        message = f"No set reaches {precision:g} bits after the point with depth {depth}{secure}."
        bits, item = best
        raise ParameterError("PRECISION", message, f"Ask for --precision {bits:g}: {_name(item)} reaches that.")
    if json:
        print_json([item.as_dict() | {"commands": _commands(item)} for item in advices])
        return
    columns = ["set", "N", "security", "by 2024", "scale", "precision", "values up to", "ciphertexts"]
    columns += ["size", "seeded", "encryption"]
    units = "security and precision in bits, sizes of a ciphertext without compression, encryption in ms"
    print_table(columns, [_row(item) for item in advices], units, ("N", "ciphertexts", "size", "by 2024"))
    note_security([(_name(item), item.params) for item in advices])
    print("The first that fits:")
    print(*(f"  {one}" for one in _commands(next(item for item in advices if item.fits))), sep="\n")
