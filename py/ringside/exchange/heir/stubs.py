# SPDX-License-Identifier: Apache-2.0
"""The files beside a program's manifest: parameters, a plan of keys, and stubs in C, Python and JavaScript that put values into slots.

Stubs write files of SEAL, whose slots are in the order of 3^j: slot k of the library is `first + k * step` modulo N/2 there, of BGV in row `row + k * flip` modulo 2.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np

from ...formats.lattigo import LattigoParameters
from ...formats.rings import generator_root, integer_slot_places, slot_places
from ...objects.common.params import Parameters, chain_of
from ...objects.key_plan import KeyPlan, Paths
from .layouts import SlotRun
from .program import HeirProgram, Operand

_HEAD = "{program}: slots of a program that HEIR compiled for {library}, made by `ringside heir`"

_C = """// SPDX-License-Identifier: Apache-2.0
// {head}.
// Pack values, encrypt the slots at LEVEL and SCALE (rs_encrypt; its files are SEAL's), and let a gateway that has
// the parameters write {library}'s: `ringside convert upload.seal upload.{library} --keys DIR --format {library}`.
#ifndef {upper}_CLIENT_H
#define {upper}_CLIENT_H
#include <stdint.h>

#define {upper}_N {n}u
#define {upper}_MODULI {{{moduli}}}
#define {upper}_MODULUS_COUNT {count}u // the last one is for keys
{constants}
typedef struct {name}_run {{
    uint32_t value, slot, count; // slot: of all ciphertexts of the argument, one after the other
    int16_t value_step;
    uint16_t slot_step;
}} {name}_run_t;

{tables}
#define {upper}_RUNS(table) (sizeof(table) / sizeof((table)[0]))

static inline uint32_t {name}_place(uint32_t slot)
{{
    return ({row}u + slot * {flip}u) % 2 * ({upper}_N / 2) + (uint32_t)(({first}u + (uint64_t)slot * {step}u) % ({upper}_N / 2));
}}

// Values, in the order of memory, into the slots of one ciphertext of SEAL, which the caller has cleared.
static inline void {name}_pack(const {name}_run_t *runs, uint32_t count, uint32_t ciphertext, const {type} *values, {type} *slots)
{{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < runs[i].count; k++) {{
            const uint32_t slot = runs[i].slot + k * runs[i].slot_step;
            if (slot / {slots}u != ciphertext) continue;
            for (uint32_t at = slot % {slots}u; at < {filled}u; at += {slots}u)
                slots[{name}_place(at)] = values[(int64_t)runs[i].value + (int64_t)k * runs[i].value_step];
        }}
}}

// The values of a result that lie in this ciphertext's slots.
static inline void {name}_unpack(const {name}_run_t *runs, uint32_t count, uint32_t ciphertext, const {type} *slots, {type} *values)
{{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < runs[i].count; k++) {{
            const uint32_t slot = runs[i].slot + k * runs[i].slot_step;
            if (slot / {slots}u != ciphertext) continue;
            values[(int64_t)runs[i].value + (int64_t)k * runs[i].value_step] = slots[{name}_place(slot % {slots}u)];
        }}
}}
#endif
"""

_JS = """// SPDX-License-Identifier: Apache-2.0
// {head}.
// Context.create(parameters), then context.encrypt(slots, key, encryption.arg0) of the package `ringside` gives SEAL's files;
// a gateway writes {library}'s: `ringside convert upload.seal upload.{library} --keys DIR --format {library}`.
export const parameters = {{ n: {n}, moduli: [{bigints}]{exact} }}
export const encryption = {encryption}
const runs = {runs}
const place = (slot) => ((({row} + slot * {flip}) % 2) * {n}) / 2 + (({first} + slot * {step}) % ({n} / 2))

function* places(name, ciphertext) {{
  for (const [value, valueStep, count, slot, slotStep] of runs[name]) {{
    for (let k = 0; k < count; k++) {{
      const at = slot + k * slotStep
      if (Math.floor(at / {slots}) === ciphertext) yield [value + k * valueStep, at % {slots}]
    }}
  }}
}}

/** Values of an argument, in the order of memory, as the slots of one of its ciphertexts. */
export function pack(name, values, ciphertext = 0) {{
  const slots = new {array}({length})
  for (const [value, first] of places(name, ciphertext)) {{
    for (let at = first; at < {filled}; at += {slots}) slots[place(at)] = values[value]
  }}
  return slots
}}

/** The values of a result that lie in these slots of one of its ciphertexts. */
export function unpack(name, slots, ciphertext = 0, values = []) {{
  for (const [value, at] of places(name, ciphertext)) values[value] = slots[place(at)]
  return values
}}
"""

_PYTHON = '''# SPDX-License-Identifier: Apache-2.0
"""{head}. It reads manifest.json beside it."""

from pathlib import Path

import ringside as rs

PROGRAM = rs.HeirProgram.read(Path(__file__).with_name("manifest.json"))


def encrypt(server, key, {arguments}):
    """Files of {library} for each argument, a list for each. server: rs.{title} with the program's parameters."""
    return PROGRAM.encrypt(server, key, {arguments})


def decrypt(server, key, files, result=0):
    """The values of a result, from the files of its ciphertexts."""
    return PROGRAM.decrypt(server, key, files, result)
'''


def files_of_program(program: HeirProgram, security: int = 128) -> dict[str, str]:
    """By name. For OpenFHE, whose primes its server's context has, no stubs in C and JavaScript."""
    head = _HEAD.format(program=program.function, library=program.library)
    arguments = ", ".join(one.name for one in program.encrypted)
    title = {"lattigo": "Lattigo", "openfhe": "OpenFHE"}[program.library]
    found = {"manifest.json": program.text()}
    found["client.py"] = _PYTHON.format(head=head, arguments=arguments, library=program.library, title=title)
    if program.parameters is None:
        return found
    theirs = program.lattigo()
    own = chain_of(theirs, security)
    found["params.json"] = theirs.to_bytes().decode() + "\n"
    if program.rotations:
        steps: Paths = {step: (step,) for step in program.rotations}
        found["plan.json"] = KeyPlan(own.parms_id(), own.n, own.max_level, "lattigo", program.rotations, steps).text()
    return found | _stubs(program, theirs, own, head)


def _order(theirs: LattigoParameters) -> dict[str, int]:
    """Where SEAL has the library's slots."""
    n, t, half = theirs.n, theirs.plain_modulus, theirs.n // 2
    places = slot_places(n)[0] if t is None else integer_slot_places(t, n, generator_root)[:half]
    rows, columns, k = places // half, places % half, np.arange(half)
    order = {"row": int(rows[0]), "flip": int(rows[0] != rows[1])}
    order |= {"first": int(columns[0]), "step": int(columns[1] - columns[0]) % half}
    assert np.array_equal(rows, (order["row"] + k * order["flip"]) % 2)
    assert np.array_equal(columns, (order["first"] + k * order["step"]) % half)
    return order


def _stubs(program: HeirProgram, theirs: LattigoParameters, own: Parameters, head: str) -> dict[str, str]:
    name, exact = program.function, theirs.plain_modulus is not None
    common: dict[str, object] = {
        "head": head,
        "library": program.library,
        "n": own.n,
        "slots": program.slots,
        **_order(theirs),
    }
    common["filled"] = program.slots if exact else own.n // 2
    operands = [*program.encrypted, *program.results]
    c: dict[str, object] = {
        "name": name,
        "upper": name.upper(),
        "count": len(own.moduli),
        "type": "int64_t" if exact else "double",
    }
    c["moduli"] = ", ".join(f"UINT64_C({q})" for q in own.moduli)
    c["tables"] = "\n".join(_table(name, one) for one in operands)
    constants = [
        (f"{one.name}_{what}", value)
        for one in program.encrypted
        for what, value in (("LEVEL", one.level), ("LOG_SCALE", one.log_scale))
        if value is not None
    ]
    constants += [] if theirs.plain_modulus is None else [("PLAIN_MODULUS", theirs.plain_modulus)]
    c["constants"] = "".join(f"#define {name.upper()}_{what.upper()} {value}u\n" for what, value in constants)
    js = {"bigints": ", ".join(f"{q}n" for q in own.moduli), "array": "BigInt64Array" if exact else "Float64Array"}
    js["exact"] = f", scheme: 'bgv', plainModulus: {theirs.plain_modulus}" if exact else ""
    js["length"] = str(own.n if exact else own.n // 2)
    js["encryption"] = json.dumps({one.name: _options(one) for one in program.encrypted})
    js["runs"] = json.dumps({one.name: one.runs for one in operands})
    return {"client.h": _C.format(**common, **c), "client.js": _JS.format(**common, **js)}


def _options(one: Operand) -> dict[str, float]:
    options: dict[str, float] = {} if one.level is None else {"level": one.level}
    return options if one.log_scale is None else {**options, "scale": 2.0**one.log_scale}


def _table(name: str, one: Operand) -> str:
    return f"static const {name}_run_t {name}_{one.name}[] = {{{', '.join(_rows(one.runs))}}};"


def _rows(runs: Iterable[SlotRun]) -> Iterable[str]:
    return (
        f"{{{value}, {slot}, {count}, {value_step}, {slot_step}}}" for value, value_step, count, slot, slot_step in runs
    )
