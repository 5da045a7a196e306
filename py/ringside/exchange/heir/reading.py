# SPDX-License-Identifier: Apache-2.0
"""Programs that HEIR compiled for Lattigo or OpenFHE: what a client needs of the MLIR before it is translated to Go or C++."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import numpy as np

from ...formats.lattigo import LattigoParameters
from ...formats.mlir import MlirFunction, Module, SourceLine, attributes, inside, integers
from ...formats.rings import is_prime, rotation_element
from ...native.library import lib
from ...objects.common.params import BFV, BGV, CKKS, chain_of
from .layouts import POINTS_MAX, runs_of, values_of_slots
from .program import LATTIGO, OPENFHE, HeirProgram, Operand

_TYPE = re.compile(r"(?:tensor|memref)<((?:\d+x)*)([if]\d+|index)>|([if]\d+)")
_LAYOUT = re.compile(r"#tensor_ext\.layout<\"(\{[^\"]*\})\"(?:, .*)?>")
_COMPILE = 'heir-opt --annotate-module="backend=lattigo scheme=ckks" --mlir-to-ckks=min-slot-count=2048 --scheme-to-lattigo program.mlir'


def read_program(data: bytes, where: str, security: int = 128) -> HeirProgram:
    """From the text of heir-opt. InputError, ParameterError: it is none that Ringside is a client for."""
    module = Module(data, where)
    marks = module.attributes or {}
    library, scheme = _backend(module, marks)
    entry = _entry(module)
    slots = _whole(marks.get("scheme.requested_slot_count", ""), module.place)
    if not 0 < slots <= POINTS_MAX or slots & (slots - 1):
        reason = f"its ciphertexts have {slots} slots; 1 to {POINTS_MAX} are read, a power of two"
        raise module.place.wrong(reason, "Compile with a smaller min-slot-count.")
    for place, line in (item for function in module.functions for item in function.body):
        if re.search(r"\b(?:lattigo|openfhe)\.[\w.]*bootstrap", line):
            hint = "Compile it with fewer levels (no bootstrapping), or split it where it refreshes."
            raise place.wrong("the program bootstraps, for which this makes no keys", hint)
    parameters, context = None, None
    if library == LATTIGO:
        found = _literal(module, scheme, security)
        parameters, room = json.loads(found.to_bytes()), found.n // 2
        rotations = _rotations_of_elements(module, found.n)
    else:
        context, rotations, room = _openfhe(module)
    if slots > room:
        raise module.place.wrong(f"{slots} slots do not fit into {room}", "Compile it anew with one min-slot-count.")
    return HeirProgram(
        entry.name, library, scheme, slots, parameters, context,
        tuple(_argument(module, entry, index, slots) for index in _operands(entry)),
        tuple(_result(module, entry, index, slots) for index in range(len(entry.results))),
        any(module.operations("lattigo.rlwe.gen_relinearization_key")) or any(module.operations("openfhe.gen_mulkey")),
        rotations, hashlib.sha256(data).hexdigest(),
    )  # fmt: skip


def _whole(text: str, place: SourceLine) -> int:
    if not re.fullmatch(r"-?\d{1,19}", text):
        raise place.wrong("the module does not say how many slots it has (scheme.requested_slot_count)")
    return int(text)


def _backend(module: Module, marks: dict[str, str]) -> tuple[Any, str]:
    library = next((name for name in (LATTIGO, OPENFHE) if f"backend.{name}" in marks), None)
    if library is None:
        raise module.place.wrong("the module is for neither Lattigo nor OpenFHE", f"Compile it so: {_COMPILE}")
    scheme = next((name for name in (CKKS, BGV, BFV) if f"scheme.{name}" in marks), None)
    if scheme is None:
        other = ", ".join(sorted(name for name in marks if re.fullmatch(r"scheme\.[a-z]+", name))) or "none"
        raise module.place.wrong(
            f"its scheme is {other}", "Ringside is a client of ckks, bgv and bfv: annotate the module with one."
        )
    if library == OPENFHE and scheme != CKKS:
        message = f"of {scheme} Ringside is a client for Lattigo alone"
        raise module.place.wrong(message, "Compile it with backend=lattigo and --scheme-to-lattigo.")
    return library, scheme


def _entry(module: Module) -> MlirFunction:
    found = [one for one in module.functions if '"entry"' in one.attributes.get("heir.interface", "")]
    if len(found) != 1:
        hint = f"heir-opt marks it, in text that was not translated yet: {_COMPILE}"
        raise module.place.wrong(f"{len(found)} functions are entries of a program, not one", hint)
    if not found[0].name.isidentifier():
        raise found[0].place.wrong(f"{found[0].name} is no name in Go or C++", "Give the function another name.")
    return found[0]


# ---- parameters and keys ------------------------------------------------------------------------------------------------
def _literal(module: Module, scheme: str, security: int) -> LattigoParameters:
    lines = list(module.operations("new_parameters_from_literal"))
    if len(lines) != 1:
        hint = f"`--scheme-to-lattigo` adds them, in a function that ends in __configure: {_COMPILE}"
        raise module.place.wrong(f"there are {len(lines)} literals of parameters, not one", hint)
    place, line = lines[0]
    given = attributes(inside(line, "paramsLiteral = <", place), place)
    log_n = given.get("logN", "")
    if not re.fullmatch(r"\d{1,2}", log_n) or not 3 <= int(log_n) <= 17:
        raise place.wrong(f"logN is {log_n or 'missing'}, not 3 to 17", "Compile with another min-slot-count.")
    n, q, p = 1 << int(log_n), integers(given.get("Q", ""), place), integers(given.get("P", "[]"), place)
    _check_primes(place, n, q, p, scheme)
    scale, t = (
        int(given[name]) if given.get(name, "").isdigit() else None for name in ("logDefaultScale", "plaintextModulus")
    )
    if (scheme == CKKS) == (scale is None) or (scheme == CKKS) != (t is None):
        raise place.wrong(f"these are no parameters of {scheme}: logDefaultScale is {scale}, plaintextModulus {t}")
    found = LattigoParameters(n, q, p, scale, t)
    chain_of(found, security)
    return found


def _check_primes(place: SourceLine, n: int, q: tuple[int, ...], p: tuple[int, ...], scheme: str) -> None:
    bits = lib.RS_MODULUS_BITS_MAX
    again = "Take the primes that HEIR chooses: leave out a literal or scheme_param of your own."
    for prime in (*q, *p):
        if (*q, *p).count(prime) > 1:
            raise place.wrong(f"the prime {prime} is there twice", again)
        if prime < 2 or prime % (2 * n) != 1 or not is_prime(prime):
            raise place.wrong(f"{prime} is no prime that is 1 mod 2N = {2 * n}", again)
    for prime in (one for one in q if one >> bits):
        flags = f"bfv-mod-bits={bits - 2}" if scheme == BFV else f"first-mod-bits={bits - 2} scaling-mod-bits=45"
        raise place.wrong(f"the prime {prime} of Q is above 2^{bits}", f'Compile with --mlir-to-{scheme}="{flags}".')
    end = (1 << lib.RS_PLAN_BITS_MAX) + (1 << lib.RS_PLAN_MARGIN_BITS)
    for prime in (one for one in p if one >= end):
        raise place.wrong(f"the prime {prime} of P is above 2^{lib.RS_PLAN_BITS_MAX}", again)
    if not q or not p:
        raise place.wrong("Q or P is empty, so that there are no keys for key switching", again)


def _rotations_of_elements(module: Module, n: int) -> tuple[int, ...]:
    """Steps of the Galois elements of keys, ascending; 0: conjugation."""
    steps = (
        {rotation_element(step, n): step for step in range(n // 2)} if any(module.operations("gen_galois_key")) else {}
    )
    found = set()
    for place, line in module.operations("lattigo.rlwe.gen_galois_key"):
        text = attributes(inside(line, "<", place), place).get("galoisElement", "")
        if not text.isdigit() or int(text) not in steps:
            raise place.wrong(f"{text or 'nothing'} is the Galois element of no rotation with N = {n}")
        found.add(steps[int(text)])
    return tuple(sorted(found))


def _openfhe(module: Module) -> tuple[dict[str, int], tuple[int, ...], int]:
    """Facts of the context, steps of rotation keys, slots that it can have."""
    lines = list(module.operations("openfhe.gen_params"))
    if len(lines) != 1:
        hint = f"`--scheme-to-openfhe` adds them, in a function that ends in __generate_crypto_context: {_COMPILE}"
        raise module.place.wrong(
            f"there are {len(lines)} parameters of a context, not one", hint.replace(LATTIGO, OPENFHE)
        )
    place, line = lines[0]
    given = attributes(inside(line, "<", place), place)
    context = {
        name: int(given[name])
        for name in ("mulDepth", "firstModSize", "scalingModSize")
        if given.get(name, "").isdigit()
    }
    if len(context) != 3 or given.get("scalingTechniqueFixedManual") != "true":
        reason = "its context has another scaling technique than FIXEDMANUAL, or no depth and sizes of moduli"
        raise place.wrong(reason, 'Compile with --scheme-to-openfhe="scaling-technique-fixed-manual=true".')
    steps: set[int] = set()
    for place, line in module.operations("openfhe.gen_rotkey"):
        steps |= {*integers(attributes(inside(line, "<", place), place).get("indices", ""), place)}
    room = _whole((module.attributes or {}).get("scheme.actual_slot_count", ""), module.place)
    return context, tuple(sorted(steps - {0})), room


# ---- arguments and results ------------------------------------------------------------------------------------------------
def _operands(entry: MlirFunction) -> list[int]:
    """Arguments but for evaluator, parameters, encoder and context, which are types of the dialect."""
    return [index for index, (_, kind, _) in enumerate(entry.arguments) if not kind.startswith("!")]


def _argument(module: Module, entry: MlirFunction, index: int, slots: int) -> Operand:
    number = _operands(entry).index(index)
    name, kind, marks = entry.arguments[index]
    types = re.findall(
        r"(?:tensor|memref)<[^>]*>|\w+", inside(entry.attributes["heir.interface"], "input_types = [", entry.place)
    )
    if not marks.get("tensor_ext.original_type") and "!ct" not in kind:  # for the server, in the clear
        text = types[number] if number < len(types) else kind
        return Operand(name, text, _shape(text, entry.place)[0], 0, None, None, "", ())
    helper = _helper(module, entry, "client.encrypt", number)
    level, scale = (
        _number_in(helper, operation, key) for operation, key in (("new_plaintext", "level"), ("encode", "scale"))
    )
    operand = _operand(module, entry, name, kind, marks, slots)
    owners = values_of_slots(operand.relation, operand.shape, operand.ciphertexts, slots)
    places = np.flatnonzero(owners >= 0)
    runs = tuple(runs_of(owners[places], places))
    return Operand(name, operand.type, operand.shape, operand.ciphertexts, level, scale, operand.relation, runs)


def _result(module: Module, entry: MlirFunction, index: int, slots: int) -> Operand:
    _, kind, marks = entry.results[index]
    _helper(module, entry, "client.decrypt", index)
    operand = _operand(module, entry, f"result{index}", kind, marks, slots)
    owners = values_of_slots(operand.relation, operand.shape, operand.ciphertexts, slots)
    values, first = np.unique(owners, return_index=True)
    if np.count_nonzero(values >= 0) != operand.size:
        raise entry.place.wrong(
            f"a value of {operand.name} is in no slot", "Is this file what heir-opt printed? If so, please report it."
        )
    runs = tuple(runs_of(values[values >= 0], first[values >= 0]))
    return Operand(operand.name, operand.type, operand.shape, operand.ciphertexts, None, None, operand.relation, runs)


def _operand(module: Module, entry: MlirFunction, name: str, kind: str, marks: dict[str, str], slots: int) -> Operand:
    """Without runs."""
    place = entry.place
    count = re.match(r"(?:tensor|memref)<(\d{1,7})x!ct\b", kind)
    if count is None:
        raise place.wrong(f"{name} is a {kind}, not a list of ciphertexts")
    text, place = module.resolved(marks.get("tensor_ext.original_type", ""), place)
    if not text.startswith("#tensor_ext.original_type<"):
        hint = "HEIR keeps layouts in tensor_ext.original_type: do not strip attributes, and keep --mlir-to-ckks (or bgv, bfv) whole."
        raise place.wrong(f"{name} has no layout", hint)
    given = attributes(inside(text, "<", place), place)
    layout, place = module.resolved(given.get("layout", ""), place)
    relation = _LAYOUT.fullmatch(layout)
    if relation is None:
        raise place.wrong(f"the layout of {name} is no relation of isl: {layout[:60]}")
    shape, original = _shape(given.get("originalType", ""), place)
    return Operand(name, original, shape, int(count[1]), None, None, relation[1], ())


def _shape(text: str, place: SourceLine) -> tuple[tuple[int, ...], str]:
    found = _TYPE.fullmatch(text)
    if found is None or len(text) > 200:
        raise place.wrong(f"this is no type of numbers: {text[:60]}")
    return tuple(int(one) for one in (found[1] or "").split("x") if one), text


def _helper(module: Module, entry: MlirFunction, role: str, index: int) -> MlirFunction:
    """HEIR's own function for an argument or result: its facts are the parameters of the encryption."""
    for one in module.functions:
        marks = one.attributes.get("heir.interface", "")
        if role in marks:
            given = attributes(inside(marks, "{", one.place), one.place)
            if given.get("index") == str(index) and given.get("func_name") == f'"{entry.name}"':
                return one
    raise entry.place.wrong(
        f"there is no function of the role {role} for number {index}", f"heir-opt adds them: {_COMPILE}"
    )


def _number_in(helper: MlirFunction, operation: str, key: str) -> int | None:
    for place, line in helper.body:
        if f".{operation} " in line and f"<{key} = " in line:
            text = attributes(inside(line, "<", place), place).get(key, "")
            if not re.fullmatch(r"\d{1,4}", text):
                raise place.wrong(f"the {key} is {text[:40]}")
            return int(text)
    return None
