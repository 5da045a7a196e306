# SPDX-License-Identifier: Apache-2.0
"""Programs whose results were computed once with Python's integers, hashlib and rs_fixed_t (vectors.toml): the model of the core and the RTL have these results,
so they cannot change together."""

import hashlib
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from core_model import Modulus, primes, roots_image
from test_rs_core import BASE, DESIGNS, FAST, Alone, Dut

from ringside.sim.asm import assemble

VECTORS = tomllib.loads(Path(__file__).with_name("vectors.toml").read_text(encoding="utf-8"))


def stream(name, count):
    """Words of 64 bits."""
    return np.frombuffer(hashlib.shake_256(name.encode()).digest(8 * count), "<u8").astype(object)


class Vector:
    """A program of vectors.toml in its memory, and what is written to registers."""

    def __init__(self, name):
        given = VECTORS[name]
        self.design, self.log_n = DESIGNS[given["design"]], given["log_n"]
        lines = [line.strip() for line in re.split(r"[;\n]", given["program"].strip())]
        frames, pointers = given.get("frames", {}), given.get("pointers", [])
        names = [*re.findall(r"\[(\w+)", given["program"]), *pointers, *frames.values()]
        self.moduli = primes(self.log_n, given.get("bits", 30), 3)
        self.memory, self.places = bytearray(), {}
        for place in sorted(dict.fromkeys(names), key=lambda place: not place.startswith("q")):
            self.places[place] = len(self.memory)
            data = self.content(place)
            self.memory += data + bytes(-len(data) % 64)
        self.words = assemble("\n".join([*map(self.line, lines), "END"]))
        self.results = [slice(at, at + (8 << self.log_n)) for place, at in self.places.items() if place[0] == "o"]
        seeds = [hashlib.shake_256(f"seeds {frame}".encode()).digest(128) for frame in range(8)]
        self.given = {
            "pointers": (BASE, *(BASE + self.places[place] for place in pointers)),
            "seed": seeds[0][:64],
            "public_seed": seeds[0][64:],
            "frames": [
                (int(f), seeds[int(f)][:64], seeds[int(f)][64:], BASE + self.places[at]) for f, at in frames.items()
            ],
        }

    def line(self, text):
        """Addresses by name: [q0 + 0x40]."""

        def address(found):
            return f"[p0 + {self.places[found[1]] + int(found[2] or '0', 0):#x}]"

        return re.sub(r"\[(\w+)(?: \+ (\w+))?\]", address, text)

    def content(self, place):
        """q, r: contexts. x, w, h: residues of usual, of 8 and of 2 bytes. m: messages. n: numbers. o: results."""
        n, least, kind = 1 << self.log_n, min(self.moduli), place[0]
        words = stream(place, n)
        match kind:
            case "q":
                q = self.moduli[int(place[1:])]
                return Modulus(self.log_n, q, *(int(x) % q for x in words[:2])).bytes(self.design)
            case "r":
                return roots_image(self.design, self.log_n, *(int(x) >> 64 - self.design.word_bits for x in words[:2]))
            case "m" | "n":
                return words.astype("<u8").tobytes()
            case "o":
                return b"\xa5" * (8 * n)
        if kind == "h":
            return (words % (1 << 16)).astype("<u2").tobytes()
        wide = kind == "w" or self.design.word_bits > 32
        return (words % least).astype("<u8" if wide else "<u4").tobytes()

    def digest(self, memory):
        """Of the results; nothing else has changed."""
        after = bytearray(memory[: len(self.memory)])
        found = hashlib.sha256(b"".join(after[place] for place in self.results)).hexdigest()
        for place in self.results:
            after[place] = self.memory[place]
        assert after == self.memory
        return found


def check(vector, core, expected):
    core.memory[: len(vector.memory)] = vector.memory
    assert core.run(vector.words, **vector.given)[0] == "NONE"
    assert vector.digest(core.core.memory.tobytes()) == expected


@pytest.mark.parametrize("name", VECTORS)
def test_model(name, port):
    vector = Vector(name)
    with Alone(port, vector.design, vector.log_n) as twin:
        check(vector, twin, VECTORS[name]["sha256"])
        assert not twin.core.misuse


@pytest.mark.parametrize(
    "name", [name if v["design"] in FAST else pytest.param(name, marks=pytest.mark.soak) for name, v in VECTORS.items()]
)
def test_rtl(name):
    vector = Vector(name)
    with Dut(vector.design, vector.log_n) as dut:
        check(vector, dut, VECTORS[name]["sha256"])
