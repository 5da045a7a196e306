# SPDX-License-Identifier: Apache-2.0
"""`ringside params` and `ringside advise`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, Literal

import typer

from ...errors import ParameterError, UsageError
from ...objects.ckks.advice import Advice, Computation, advise_on, nearest
from ...objects.ckks.inspection import describe
from ...objects.common.evaluation import ROTATION_COARSE, USEFUL_BITS, best_scale, depth, rotates
from ...objects.common.params import CKKS, CUSTOM, GUIDELINES_2024, STANDARD_2018, Parameters, named_sets, twin
from ...objects.exact.advice import ExactAdvice, ExactTask
from ...objects.exact.advice import advise as exact_advice
from ...objects.exact.noise import SUM, SWITCH, Circuit, NoiseStep
from ...objects.exact.options import SLOTS
from ..common import options as opt
from ..common.output import note, print_facts, print_json, print_table, scale_text, size_text
from ..common.security import note_security, security_facts, slots_text


def _bits_text(params: Parameters, times: str = " x ", comma: str = ", ") -> str:
    """60, 48 x 6, 60."""
    return comma.join(
        f"{bits}" if count == 1 else f"{bits}{times}{count}"
        for bits, count in ((bits, len(list(same))) for bits, same in groupby(q.bit_length() for q in params.moduli))
    )


def _as_option(params: Parameters) -> str:
    """As --bits takes it: 16384:60,48x6,60."""
    return f"{params.n}:{_bits_text(params, 'x', ',')}"


def _power(log2: float | None) -> str:
    return "-" if log2 is None else f"2^{round(log2)}"


def _products_text(params: Parameters) -> str:
    """How many products leave something, and what: "6: 31.4"."""
    count = depth(params, params.default_scale)
    return f"{count}: {params.after(count).precision_bits:.1f}" if count else "-"


def _evaluation_facts(params: Parameters) -> list[tuple[str, str]]:
    facts, count = [], depth(params, params.default_scale)
    if params.special_prime is None:
        return [("products, rotations", "none: there is no special prime")]
    if count:
        seal, other = (params.after(count, nominal=nominal).precision_bits for nominal in (False, True))
        left = f"{count} of {params.max_level} levels leave {seal:.1f} bits, {other:.1f} on TenSEAL and OpenFHE"
        facts.append(("products", f"{left}, for values up to 1"))
    else:
        facts.append(("products", f"none that leaves {USEFUL_BITS:.0f} bits"))
    better, found = best_scale(params, params.max_level)
    if count < params.max_level and found.precision_bits >= USEFUL_BITS:
        facts.append(
            ("with --scale", f"{scale_text(better)}: {params.max_level} leave {found.precision_bits:.1f} bits")
        )
    error = params.rotation_error()
    assert error is not None
    return [*facts, ("one rotation", f"off by about 2^{math.log2(error):.1f} in the worst slot")]


def _message_facts(params: Parameters) -> list[tuple[str, str]]:
    """What messages are, and in CKKS what operations leave of them."""
    if params.scheme == CKKS:
        return [("default scale", scale_text(params.default_scale)), *_evaluation_facts(params)]
    return [
        ("scheme", params.scheme.upper()),
        ("plain modulus", f"{params.plain_modulus}, or another by --plain-modulus"),
    ]


def _secure(params: Parameters) -> str:
    return str(params.security_tables[GUIDELINES_2024].security or "<128")


def _note_evaluation(sets: Sequence[tuple[str, Parameters]]) -> None:
    """Names on stderr the sets with levels or keys that are of little use, and those to take instead."""
    coarse = [name for name, one in sets if one.special_prime and not rotates(one, one.default_scale)]
    lost = [name for name, one in sets if depth(one, one.default_scale) < one.max_level]
    if coarse:
        note(f"one rotation is off by more than {scale_text(ROTATION_COARSE)}: {', '.join(coarse)}.")
    if lost:
        note(f"products leave less than {USEFUL_BITS:.0f} bits before all levels are used: {', '.join(lost)}.")
    twins = {twin(one) for name, one in sets if name in coarse + lost} - {None}
    if twins:
        note(f"for products and rotations take {', '.join(sorted(map(str, twins)))}.")


def params(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[SET]", help="Set to show in detail. Default: a list of all.", autocompletion=opt.named_parameters
        ),
    ] = None,
    json: opt.JsonFlag = False,
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
            ("source", next(item.source for item in named_sets(None) if item.name == name)),
            ("N", slots_text(chosen)),
            *security_facts(chosen),
            ("modulus bits", f"{_bits_text(chosen)} ({chosen.total_bits} in all)"),
            *_message_facts(chosen),
            ("parms_id of keys", chosen.parms_id()),
        ]
        for level in range(chosen.max_level, -1, -1):
            facts.append((f"parms_id, level {level}", chosen.parms_id(level)))
        for index, modulus in enumerate(chosen.moduli):
            facts.append((f"modulus {index}", str(modulus)))
        print_facts(facts)
        return
    every = [(item, Parameters.named(item.name, security=0)) for item in named_sets(None)]
    if json:
        print_json([{**describe(chosen), "source": item.source} for item, chosen in every])
        return
    sets = [pair for pair in every if pair[0].scheme == CKKS]
    rows = [
        [
            item.name,
            _as_option(chosen),
            _secure(chosen),
            scale_text(chosen.default_scale),
            _products_text(chosen),
            _power(None if error is None else math.log2(error)),
        ]
        for item, chosen in sets
        for error in [chosen.rotation_error()]
    ]
    columns = ["set", "N:bits", "secure", "scale", "products", "rotation"]
    print_table(columns, rows, "bits after products (8 or more); error of a rotation", ("N:bits",))
    exact = [
        [item.name, _as_option(chosen), _secure(chosen), str(chosen.plain_modulus), str(chosen.max_level)]
        for item, chosen in every
        if item.scheme != CKKS
    ]
    columns = ["set", "N:bits", "secure", "t", "levels"]
    print_table(columns, exact, "BFV and BGV: integers modulo t (--plain-modulus)", ("N:bits",))
    note_security([(item.name, chosen) for item, chosen in every])
    _note_evaluation([(item.name, chosen) for item, chosen in sets])


def _name(item: Advice | ExactAdvice) -> str:
    return item.name if item.name != CUSTOM else _as_option(item.params)


def _keygen(item: Advice | ExactAdvice, relin: bool, rotates: bool, more: str) -> str:
    weak = " --security none" if item.params.security < 128 else ""
    chosen = f"--params {item.name}" if item.name != CUSTOM else f"--bits {_name(item)}"
    keys = " --relin" * relin + " --galois 1" * rotates
    return f"ringside keygen {chosen}{weak}{more}{keys} --out keys"


def _commands(item: Advice, server: str) -> list[str]:
    """Commands that make keys for it and encrypt as it was advised."""
    level = f" --level {item.level}" if item.level != item.params.max_level else ""
    log2 = math.log2(item.scale)
    scale = f" --scale 2^{log2:.17g}" if item.scale != item.params.default_scale else ""
    form = f" --format {server}" * (server != "seal")
    relin, rotates = item.level > 0, item.rotations > 0
    return [
        _keygen(item, relin, rotates, (scale if relin or rotates or form else "") + form),
        f"ringside encrypt --keys keys values.npy upload.{server}{level}{scale}",
    ]


def _upload(item: Advice | ExactAdvice) -> str:
    size = size_text(item.seeded_bytes)
    return f"{item.ciphertexts} x {size}" if item.ciphertexts > 1 else size


def _row(item: Advice) -> list[str]:
    return [
        _name(item),
        scale_text(item.scale),
        f"{item.precision_bits:.1f}",
        f"{item.nominal_precision_bits:.1f}",
        f"2^{math.floor(item.range_bits)}",
        _upload(item),
        "-" if item.encrypt_ms is None else f"{item.encrypt_ms:.2f}",
    ]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + "s" * (number != 1)


def _operations(depth: int, rotations: int, plain: int = 0, sums: int = 1) -> str:
    """What the precision, or the budget, is left after: "2 products and 1 rotation"."""
    counts = (depth, "product"), (plain, "plain product"), (rotations, "rotation")
    parts = [_count(number, what) for number, what in counts if number] + [f"a sum of {sums}"] * (sums > 1)
    return " and ".join(parts) or "no operation"


def _say_first(item: Advice, task: Computation, server: str) -> None:
    """Scale, level and precision of the first set that fits, and how to use it."""
    done = _operations(task.depth, task.rotations)
    print(
        f"The first that fits, at level {item.level}, scale {scale_text(item.scale)}: {item.fresh_precision_bits:.1f} bits fresh;"
    )
    print(f"after {done} {_bits_left(item, task)}, level 0, scale {scale_text(item.final_scale)}:")
    print(*(f"  {one}" for one in _commands(item, server)), sep="\n")
    if item.rotations:
        note("list the steps of your rotations in --galois: with pow2 a rotation takes several, each with its noise.")


# ---- BFV and BGV ------------------------------------------------------------------------------------------
def _exact_commands(item: ExactAdvice, circuit: Circuit) -> list[str]:
    scheme = f" --scheme {item.params.scheme}" * (item.name == CUSTOM)
    packing = f" --packing {circuit.packing}" * (circuit.packing != SLOTS)
    more = f"{scheme} --plain-modulus {item.params.plain_modulus}"
    keygen = _keygen(item, circuit.depth > 0, circuit.rotations > 0, more)
    return [keygen, f"ringside encrypt --keys keys{packing} values.csv upload.seal"]


def _exact_row(item: ExactAdvice) -> list[str]:
    tables = (item.params.security_tables[key] for key in (STANDARD_2018, GUIDELINES_2024))
    secure = [f"{table.security or '<128'} ({table.margin_bits or 0:+d})" for table in tables]
    return [_name(item), str(item.params.plain_modulus), f"{item.noise.budget_bits:.0f}", _upload(item), *secure]


def _step_text(step: NoiseStep) -> str:
    if step.operation == SUM:
        return f"sum of {step.count}"
    if step.operation == SWITCH:
        return f"switch to level {step.level}"
    return _count(step.count, step.operation) if step.count > 1 else step.operation


def _advise_exact(task: ExactTask, security: int, json: bool) -> None:
    circuit, advices = task.circuit, exact_advice(task, security=security)
    operations = _operations(circuit.depth, circuit.rotations, circuit.plain_products, circuit.sums)
    if not (fitting := [item for item in advices if item.fits]):
        message = f"No set that SEAL loads has noise budget for {operations}, with results up to {task.largest}."
        hint = "Ask for less depth or a smaller --max: results modulo several t make up a larger one (CRT)."
        raise ParameterError("BUDGET", message, hint)
    if json:
        rows = [(describe(item.params) | item.as_dict(), _exact_commands(item, circuit)) for item in advices]
        print_json([row | {"commands": commands} for row, commands in rows])
        return
    columns = ["set", "t", "budget", "upload", "2018", "2024"]
    title = f"{task.scheme.upper()}: bits of noise budget left at least after {operations}; security (bits to spare)"
    print_table(columns, [_exact_row(item) for item in fitting], title, ("upload",))
    if noisy := ", ".join(_name(item) for item in advices if not item.fits):
        print(f"Too noisy: {noisy}.")
    note_security([(_name(item), item.params) for item in fitting])
    first = fitting[0]
    got, bits = (t.bit_length() for t in (first.params.plain_modulus or 0, 2 * task.largest + 1))
    if got > bits:
        note(f"t has {got} bits: no prime of {bits} bits has slots at N = {first.params.n}.")
    chance = math.ceil(first.noise.failure_log2)
    print(f"The first that fits: a chance below 2^{chance} that one of 2^32 answers is wrong. Noise budget, at least:")
    steps = [f"{_step_text(step)}: {step.budget_bits:.1f}" for step in first.noise.steps]
    print(*(f"  {one}" for one in (*steps, *_exact_commands(first, circuit))), sep="\n")


def _check_options(scheme: str, wanted: Mapping[str, object], others: Mapping[str, object]) -> None:
    """UsageError: an option is missing that the scheme needs, or one is given that it does not have."""
    for name, value in wanted.items():
        if value is None:
            raise UsageError("USAGE", f"{name} is missing: {scheme.upper()} needs it.", "`ringside help advise`")
    for name, value in others.items():
        if value is not None:
            raise UsageError("USAGE", f"{name} is not for {scheme.upper()}.", "Leave it out.")


_Precision = Annotated[
    float | None, typer.Option("--precision", metavar="BITS", help="CKKS: bits after the point that results must keep.")
]
_Server = Annotated[
    Literal["seal", "lattigo", "tenseal"] | None,
    typer.Option("--server", help="CKKS: the server's library: TenSEAL takes each prime that it drops for the scale."),
]
_Rotations = Annotated[
    int, typer.Option("--rotations", help="Number of rotations on the way to a result; in BFV and BGV to each product.")
]
_Largest = Annotated[
    Any,
    opt.integer_option(
        "--max", metavar="RESULT", parser=opt.parse_number, help="Largest absolute value of a result, such as 1e6."
    ),
]
_Sums = Annotated[
    int | None, opt.integer_option("--sums", help="Number of ciphertexts that a sum adds up. Default: 1.")
]
_PlainProducts = Annotated[
    int | None, opt.integer_option("--plain-products", help="Number of products with plaintexts in a row.")
]


def advise(
    depth: Annotated[int, typer.Option("--depth", help="Number of multiplications one after another.")],
    slots: Annotated[int, typer.Option("--slots", help="Number of values to encrypt.")],
    precision: _Precision = None,
    rotations: _Rotations = 0,
    server: _Server = None,
    scheme: Annotated[Literal["ckks", "bfv", "bgv"], typer.Option("--scheme", help="Scheme.")] = "ckks",
    largest: _Largest = None,
    sums: _Sums = None,
    plain_products: _PlainProducts = None,
    packing: opt.PackingOption = None,
    security: opt.SecurityOption = "128",
    measure: Annotated[
        bool, typer.Option("--measure/--no-measure", help="CKKS: time an encryption with each set.")
    ] = True,
    json: opt.JsonFlag = False,
) -> None:
    """Find parameters for a task, best first.

    A row is a parameter set: the scale to encrypt with, and the precision that is predicted for values up to 1
    after these multiplications, each relinearised and rescaled, and rotations: on SEAL and Lattigo, and on TenSEAL and OpenFHE, which count
    a dropped prime as the scale. Then the largest results that fit, and the size of the ciphertexts, with a seed
    in place of their random half, without compression; times are measured on this machine now. A row N:BITS,… is a suggestion of our
    own for `ringside keygen --bits`. Sets that do not reach the precision are named below the table.

    In BFV and BGV a row is a set that stock SEAL loads, with the smallest plain modulus t for such results. The noise budget is what is left
    at least, in the order of operations that costs most, with uploads by the public key; each product is relinearised.

    Examples: ringside advise --precision 20 --depth 3 --slots 4096;
    ringside advise --scheme bfv --max 1e6 --depth 1 --sums 1000 --slots 4096
    """
    chosen = opt.security_bits(security)
    integers = {"--max": largest}, {"--sums": sums, "--plain-products": plain_products, "--packing": packing}
    if scheme != CKKS:
        _check_options(scheme, integers[0], {"--precision": precision, "--server": server})
        circuit = Circuit(depth, sums if sums is not None else 1, plain_products or 0, rotations, packing or SLOTS)
        _advise_exact(ExactTask(scheme, math.ceil(largest), circuit, slots), chosen, json)
        return
    _check_options(scheme, {"--precision": precision}, integers[0] | integers[1])
    assert precision is not None
    server = server or "seal"
    task = Computation(precision, depth, slots, rotations, server == "tenseal")
    advices = advise_on(task, security=chosen, measure=measure)
    secure = f" at {security}-bit security" if chosen else ""
    if not any(item.fits for item in advices):
        best = nearest(advices, task, security=chosen)
        if best is None:
            message = f"No set leaves anything after {_operations(depth, rotations)}{secure}."
            raise ParameterError("RS_ERR_INSECURE", message, "Ask for less depth.")
        message = f"No set reaches {precision:g} bits after the point with {_operations(depth, rotations)}{secure}."
        bits, item = best
        raise ParameterError("PRECISION", message, f"Ask for --precision {bits:g}: {_name(item)} reaches that.")
    if json:
        print_json([item.as_dict() | {"commands": _commands(item, server)} for item in advices])
        return
    fitting = [item for item in advices if item.fits]
    columns = ["set", "scale", "precision", "TenSEAL", "values", "size", "ms"]
    rows = [_row(item) for item in fitting]
    print_table(columns, rows, f"bits after the point with {_operations(depth, rotations)}; encryption in ms")
    coarse = ", ".join(f"{_name(item)} ({_bits_left(item, task)})" for item in advices if not item.fits)
    if coarse:
        print(f"Not precise enough: {coarse}.")
    note_security([(_name(item), item.params) for item in fitting])
    _say_first(fitting[0], task, server)


def _bits_left(item: Advice, task: Computation) -> str:
    bits = task.after(item.params, item.scale).precision_bits
    return f"{bits:.1f} bits" if math.isfinite(bits) else "values leave the modulus"
