# SPDX-License-Identifier: Apache-2.0
"""A whole core with fields: SPONGE and PACK beside the lanes, compared with hashlib and with the model of the core; the order of what they do with memory,
faults, aborts and wipes, time."""

import dataclasses
import hashlib
import random
import re
from collections import Counter

import numpy as np
import pytest
from test_rs_core import Twin, design, registers
from test_rs_core_slices import PSI, Bench, Q, Ring

DESIGN = dataclasses.replace(
    design(4, 24, "stored", groups=4, slots=0, bus_bits=128, expand=False, slices=8, log_n_min=9, log_n_max=10),
    fields=True,
    field_rounds=2,
    field_words=4,
)
ZERO = re.compile(r" (field_width|field_width_out|grow|shrink|norm|power)0\b")  # left out of a program's text
SEED, MESSAGE = bytes(range(64)), bytes(reversed(range(200)))


class Fields(Bench):
    """Places: a context of ML-KEM, a seed, a message, room for results."""

    def __init__(self, wanted=DESIGN, **memory):
        super().__init__(wanted, **memory)
        self.at = {
            "ctx": self.place(Ring(7, Q, PSI).bytes(wanted)),
            "seed": self.place(SEED),
            "message": self.place(MESSAGE),
        }
        self.at |= {name: self.place(bytes(4096)) for name in ("out", "packed", "more")}

    def program(self, text):
        """Addresses by name: [ctx], [out + 0x40]."""
        lines = []
        for line in text.strip().splitlines():
            head, bracket, rest = line.strip().partition("[")
            if bracket:
                name, _, tail = rest.partition("]")
                name, _, more = name.partition("+")
                head += f"[p0 + {self.at[name.strip()] + int(more or '0', 0):#x}]{tail}"
            lines.append(head)
        return self.text(lines)

    def stored(self, name, count, offset=0):
        at = self.at[name] + offset
        return bytes(self.core.memory[at : at + count])


def both(dut, twin, text):
    """Cause and counter of a program, those of the model and all of its memory too."""
    words = dut.program(text)
    cause, pc, job = dut.run(words)
    assert twin.run(words)[:2] == (cause, pc), text
    if cause == "NONE":
        np.testing.assert_array_equal(dut.core.memory, twin.core.memory)
    return cause, job


def packed(values, width):
    return sum(int(value) << width * i for i, value in enumerate(values)).to_bytes(len(values) * width // 8, "little")


def parse(seed, number):
    """FIPS 203, algorithm 7."""
    stream = hashlib.shake_128(seed + number.to_bytes(2, "little")).digest(1024)
    words = [
        int.from_bytes(stream[at : at + 3], "little") >> shift & 4095 for at in range(0, 1023, 3) for shift in (0, 12)
    ]
    return [word for word in words if word < 3329][:256]


def test_hashes_and_polynomials(port):
    """What STOREF wrote is what a HASH behind it reads, without a wait in the program; NTT form of halves is that of the lanes."""
    with Fields() as dut, Twin(port, dut) as twin:
        text = """
            CONTEXT ctx0 [ctx] log_size7
            LOADD d0 [seed]
            HASH d2 d0 [message] hash1 halves1 bytes199
            HASH d4 d2 [message] append hash2 bytes64
            HASH d5 d0 [message] skip hash4 halves1 bytes100
            DRAW g0 ctx0 form2 number_bytes2 log_size8 draws3 number258
            STOREF g0 ctx0 [packed] form2 field_width_out7 log_size8 polys3
            HASH d7 d0 [packed] hash2 bytes1536
            LOADF g1 ctx0 [packed] form2 field_width7 log_size8 polys3 margin1
            STOREF g1 ctx0 [more] form2 field_width_out7 log_size8 polys3
            DRAW g2 ctx0 draw8 seed_digest1 number_bytes1 log_size8 draws1
            NORM g2 ctx0 log_size8 polys1 power2 margin1
            NTT g2 ctx0 log_size7 slices3
            INTT g2 ctx0 log_size7 slices3
            STOREF g2 ctx0 [out + 0x200] shrink1 field_width_out1 log_size8 polys1 power1
            STORED d4 [out + 0x40]
            STORED d2 [out]
            STORED d6 [out + 0x80]
            HASH d3 d0 [message] append hash3
            STORED d2 [out + 0xc0]
            STORE g2 [packed + 0x800] log_size8 slice_dst1
        """
        assert both(dut, twin, text)[0] == "NONE"
        second = hashlib.shake_256(MESSAGE[:199]).digest(64)
        third = hashlib.sha3_256(MESSAGE[:64] + second[:32]).digest()
        fourth = hashlib.sha3_512(MESSAGE[32:132]).digest()
        matrix = b"".join(packed(parse(SEED[:32], 258 + k), 12) for k in range(4))
        assert dut.stored("packed", 1536) == dut.stored("more", 1536) == matrix
        assert dut.stored("out", 128) == second + third + fourth[:32]
        assert dut.stored("out", 64, 128) == fourth[32:] + hashlib.sha3_256(matrix).digest()
        assert dut.stored("out", 32, 0xE0) == hashlib.sha3_384(SEED[:32]).digest()[:32]


FAULTS = {
    "NONE": "DRAW g0 ctx0 draw14 seed_digest6 long_seed number_bytes2 log_size8 draws3",
    "beyond": ("RANGE", "HASH d7 d0 [message] halves1 bytes4"),
    "far": ("RANGE", "STORED d8 [out]"),
    "seed": ("RANGE", "DRAW g0 ctx0 seed_digest7 long_seed log_size8"),
    "group": ("RANGE", "DRAW g4 ctx0 log_size8"),
    "slice": ("RANGE", "DRAW g0 ctx0 log_size8 slice_dst4"),
    "slices": ("RANGE", "DRAW g0 ctx0 log_size8 draws4"),
    "kind": ("ILLEGAL", "HASH d0 d0 [message] hash5 bytes4"),
    "operand": ("ILLEGAL", "HASH d0 d1 [message] bytes4"),
    "odd": ("ILLEGAL", "LOADD d1 [seed]"),
    "bytes": ("ILLEGAL", "HASH d0 d1 [message] append bytes33"),
    "draw": ("ILLEGAL", "DRAW g0 ctx0 draw5 log_size8"),
    "form": ("ILLEGAL", "DRAW g0 ctx0 form3 log_size8"),
    "whole": ("ILLEGAL", "DRAW g0 ctx0 draws1"),
    "width": ("ILLEGAL", "LOADF g0 ctx0 [packed] field_width12 log_size8"),
    "store": ("ILLEGAL", "STOREF g1 ctx0 [packed] shrink6 log_size8"),
    "empty": ("EMPTY", "STOREF g0 ctx0 [packed] log_size8"),
    "gap": ("EMPTY", "DRAW g0 ctx0 draw1 log_size8 slice_dst1"),
    "secret": (
        "SECRET",
        "LOADF g0 ctx0 [packed] secret field_width7 log_size8\nSTOREF g0 ctx0 [out] field_width_out7 log_size8",
    ),
    "norm": ("SECRET", "LOADF g0 ctx0 [packed] secret field_width7 log_size8\nNORM g0 ctx0 log_size8 power9"),
    "limit": ("VALUE", "LOADF g0 ctx0 [message] field_width7 log_size7 margin1"),
    "value": ("VALUE", "STOREF g1 ctx0 [out] field_width_out5 log_size8"),
    "bound": ("VALUE", "NORM g1 ctx0 log_size8 power4"),
}
HEAD = "CONTEXT ctx0 [ctx] log_size7\nDRAW g1 ctx0 number_bytes2 log_size8\n"


def test_faults(port):
    with Fields() as dut, Twin(port, dut) as twin:
        for name, found in FAULTS.items():
            cause, text = found if isinstance(found, tuple) else ("NONE", found)
            assert both(dut, twin, HEAD + text)[0] == cause, name


def kinds():
    """Every kind, width and, at the edge, power of PACK, and whether there is such a one (rs_field_pkg)."""
    widths = (1, 3, 4, 5, 6, 10, 11, 12, 13, 14, 18, 20)
    of_store = {2: (1, 4, 5, 10, 11), 3: (10,), 4: (13,), 5: (4, 6)}
    for index in range(16):
        width = widths[index] if index < len(widths) else 0
        for kind in range(4):
            for power in (19, 20) if kind == 1 else (0,):
                there = width and (kind == 0 or (kind == 1 and power == 19) or (kind == 2 and width <= 11))
                yield f"LOADF g0 ctx0 [packed] field_width{index} grow{kind} log_size8 power{power}", bool(there)
        for kind in range(8):
            for power in (19, 20) if kind == 1 else (0,):
                there = width in of_store.get(kind, widths if kind < 2 and power < 20 else ())
                yield f"STOREF g1 ctx0 [more] field_width_out{index} shrink{kind} log_size8 power{power}", there
    for kind in range(8):
        for power in (23, 24):
            yield f"NORM g1 ctx0 norm{kind} log_size8 power{power}", kind < 5 and (kind > 0 or power < 24)


def test_every_kind(port):
    """The core and the model say the same of each; what the sequencer lets through the unit takes, and runs or says VALUE."""
    found = Counter()
    with Fields() as dut, Twin(port, dut) as twin:
        for text, there in kinds():
            cause = both(dut, twin, HEAD + ZERO.sub("", text))[0]
            assert cause in (("NONE", "VALUE") if there else ("ILLEGAL",)), text
            found[cause] += 1
    assert min(found.values()) > 10, found


def test_digests_outlive_programs_but_not_a_wipe(port):
    with Fields() as dut, Twin(port, dut) as twin:
        assert both(dut, twin, "LOADD d4 [seed]")[0] == "NONE"
        assert both(dut, twin, "STORED d4 [out]")[0] == "NONE"
        assert dut.stored("out", 64) == SEED
        r = registers()
        for core in (dut.core, twin.core):
            core.write(r["CONTROL"], 1 << r["CONTROL_ZEROIZE_SHIFT"])
        dut.wait_wiped()
        assert both(dut, twin, "STORED d4 [out]")[0] == "NONE"
        assert dut.stored("out", 64) == bytes(64)


def test_abort_at_any_time():
    """The core is as always afterwards."""
    text = """
        CONTEXT ctx0 [ctx] log_size7
        HASH d0 d0 [message] hash1 halves7 bytes3000
        DRAW g0 ctx0 number_bytes2 log_size8 draws3
        STOREF g0 ctx0 [packed] field_width_out7 log_size8 polys3
        LOADF g1 ctx0 [packed] field_width7 log_size8 polys3
        STORED d2 [out]
    """
    with Fields() as dut:
        r, rng = registers(), random.Random(3)
        words = dut.program(text)
        cycles = dut.run(words)[2].cycles
        for _ in range(12):
            dut.start(words)
            end = dut.core.cycles + rng.randrange(cycles)
            while dut.core.cycles < end:
                dut.core.read(r["STATUS"])
            dut.core.write(r["CONTROL"], 1 << r["CONTROL_ABORT_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])
            dut.core.wait()
            assert dut.status()[0] in ("ABORTED", "NONE")
            cause, _, _ = dut.run(dut.program("HASH d2 d0 [message] hash2 bytes64\nSTORED d2 [out]"))
            assert cause == "NONE"
            assert dut.stored("out", 32) == hashlib.sha3_256(MESSAGE[:64]).digest()


@pytest.mark.parametrize("count", [3])
def test_cycles_do_not_depend_on_secrets(count):
    """Seeds of noise, messages and packed secrets: the same cycles."""
    text = """
        CONTEXT ctx0 [ctx] log_size7
        LOADD d0 [seed]
        HASH d2 d0 [message] hash1 halves1 bytes199
        DRAW g0 ctx0 draw9 seed_digest2 number_bytes1 log_size8 draws3
        STOREF g0 ctx0 [out] field_width_out7 log_size8 polys3
        LOADF g1 ctx0 [packed] secret field_width7 log_size8 polys3
        NTT g1 ctx0 log_size7 slices7
    """
    with Fields() as dut:
        found = set()
        for k in range(count):
            rng = random.Random(k)
            for name, size in (("seed", 64), ("message", 200), ("packed", 1536)):
                dut.memory[dut.at[name] : dut.at[name] + size] = rng.randbytes(size)
            cause, _, job = dut.run(dut.program(text))
            assert cause == "NONE"
            found.add(job.cycles)
        assert len(found) == 1
