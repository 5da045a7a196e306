# SPDX-License-Identifier: Apache-2.0
"""rs_core with encode and decode: faults, a wipe in mid-program, and time that does not depend on slots. Results: test_rs_core.py, random programs."""

import random

import numpy as np
import pytest
from core_model import Modulus, numbers, primes, roots_image
from test_rs_core import BASE, Dut, not_zero, patch, registers

from ringside.sim.asm import assemble

NAME, LOG_N = "P4-encode", 9
N = 1 << LOG_N
BITS = 30
INT16, INT64 = 2, 5  # formats
SLOTS = 2  # pointer registers
OUT, NOWHERE = 3, 4
FACTOR, ADDED = 0xFEDCBA98, 0xFFFFFFF0  # constants of SCALEW, of MACW
# paths of what can hold secrets; what STORE has may leave the core, but to the owner of the key alone
SECRETS = ("u_memory", "gen_sampler", "u_load", "u_seeds", "u_store")


class Bench:
    """A message encoded, masked and stored, and public residues decoded: instructions, and where what is in memory."""

    def __init__(self, dut, seed=1):
        rng = np.random.default_rng(seed)
        q = primes(LOG_N, BITS, 1)[0]
        self.dut = dut
        dut.next = 0
        self.context = dut.place(Modulus(LOG_N, q, 1, 1).bytes(dut.design))
        self.roots = dut.place(roots_image(dut.design, LOG_N, FACTOR, ADDED))
        self.data, self.key = (dut.place(rng.integers(0, q, N).astype("<u4").tobytes()) for _ in range(2))
        self.slots = dut.place(rng.integers(-1 << 15, 1 << 15, N // 2).astype("<i2").tobytes())
        self.out, self.values = dut.place(bytes(4 * N)), dut.place(bytes(8 * N // 2))
        self.seed = rng.bytes(64)
        self.words = assemble(f"""CONTEXT ctx0 [p0 + {self.context:#x}]
            ROOTS ctx1 [p0 + {self.roots:#x}]
            LOADS g0 p{SLOTS} {numbers(INT16, 14, N // 2)}
            IFFT g0 ctx1
            SCALEW g0 g0 ctx1
            SAMPLE s0 2
            LIFTW g1 s0 g0 ctx0 254
            LOAD g2 ctx0 [p0 + {self.key:#x}] secret
            LOAD g3 ctx0 [p0 + {self.data:#x}]
            MUL g2 g2 g3 ctx0
            ADD g1 g2 ctx0
            STORE g1 [p0 + {self.out:#x}]
            CENTRE g0 g3 ctx0 240
            SCALEW g0 g0 ctx1
            CENTRE g1 g3 ctx0 240 whole
            MACW g0 g1 ctx1
            FFT g0 ctx1
            STORES g0 p{OUT} {numbers(INT64, 0, N // 2)}
            END""")
        self.pointers = (BASE, 0, BASE + self.slots, BASE + self.values, BASE << 1)

    def run(self, words=None):
        return self.dut.run(words or self.words, pointers=self.pointers, seed=self.seed)

    def results(self):
        memory = self.dut.core.memory
        return memory[self.out : self.out + 4 * N].tobytes(), memory[self.values : self.values + 8 * N // 2].tobytes()


FAULTS = {
    "a number beyond a word": (2, f"LOADS g0 p{SLOTS} {numbers(INT16, 20, N // 2)}", "VALUE"),
    "more slots than there are": (2, f"LOADS g0 p{SLOTS} {numbers(INT16, 14, N // 2 + 1)}", "ILLEGAL"),
    "a format that there is not": (2, f"LOADS g0 p{SLOTS} {numbers(7, 14, N // 2)}", "ILLEGAL"),
    "no bus there": (2, f"LOADS g0 p{NOWHERE} {numbers(INT16, 14, N // 2)}", "BUS_READ"),
    "no bus there for writing": (17, f"STORES g0 p{NOWHERE} {numbers(INT64, 0, N // 2)}", "BUS_WRITE"),
    "words of a message times a modulus": (4, "SCALEW g0 g0 ctx0", "CONTEXT"),
    "a coefficient above the modulus": (6, "LIFTW g1 s0 g0 ctx0 20", "VALUE"),
    "a residue beyond a word": (12, "CENTRE g0 g3 ctx0 20", "VALUE"),
    "a sum beyond a word": (12, "CENTRE g0 g3 ctx0 0", "VALUE"),
    "a slot beyond the format": (17, f"STORES g0 p{OUT} {numbers(INT16, 0, N // 2)}", "VALUE"),
    "more slots than there are to store": (17, f"STORES g0 p{OUT} {numbers(INT64, 0, N // 2 + 1)}", "ILLEGAL"),
    "a message": (6, f"STORES g0 p{OUT} {numbers(INT64, 0, N // 2)}", "SECRET"),
    "words of a message": (6, "STORE g0 [p0 + {out:#x}]", "SECRET"),
    "a masked message without a product": (9, "STORE g1 [p0 + {out:#x}]", "SECRET"),
    "one error for two messages": (10, "LIFTW g1 s0 g0 ctx0 254\nADD g1 g2 ctx0", "SECRET"),
    "slots of what is secret": (12, "CENTRE g0 g2 ctx0 240", "SECRET"),
    "a modulus for roots": (1, "ROOTS ctx1 [p0 + {context:#x}]", "CONTEXT"),
    "roots for a modulus": (0, "CONTEXT ctx0 [p0 + {roots:#x}]", "CONTEXT"),
    "a transform with a modulus": (3, "IFFT g0 ctx0", "CONTEXT"),
    "words times a modulus": (13, "SCALEW g0 g0 ctx0", "CONTEXT"),
    "words plus words times a modulus": (15, "MACW g0 g1 ctx0", "CONTEXT"),
    "a residue beyond a word, as it is": (14, "CENTRE g1 g3 ctx0 2 whole", "VALUE"),
    "words and words beyond a word": (14, "CENTRE g1 g3 ctx0 0 whole\nMACW g1 g1 ctx1\nMACW g1 g1 ctx1", "VALUE"),
    "words of what is secret are added": (14, "CENTRE g1 g2 ctx0 240 whole", "SECRET"),
    "residues with roots": (8, "LOAD g3 ctx1 [p0 + {data:#x}]", "CONTEXT"),
}
LATER = {"one error for two messages": 12, "a sum beyond a word": 16, "words and words beyond a word": 16}


@pytest.mark.slow  # needs a model
def test_faults():
    """The cause, the instruction, nothing in memory that was not there; then the core takes the next program."""
    with Dut(NAME, LOG_N) as dut:
        bench = Bench(dut)
        assert bench.run()[0] == "NONE"
        good = bench.results()
        assert all(map(any, good))
        for what, (pc, text, expected) in FAULTS.items():
            text = text.format(out=bench.out, context=bench.context, roots=bench.roots, data=bench.data)
            cause, at, _ = bench.run(patch(bench.words, pc, text))
            assert (cause, at) == (expected, LATER.get(what, pc)), what
            stored, decoded = bench.results()
            assert stored == (good[0] if at > 11 + text.count("\n") else bytes(4 * N)), what
            assert what == "a slot beyond the format" or decoded == bytes(8 * N // 2), what
            assert bench.run()[0] == "NONE", what
            assert bench.results() == good, what


@pytest.mark.slow  # needs a model
def test_a_wipe_in_the_middle():
    """A message is as secret as a key: nothing of it stays, whatever the core is at; and the next program is right."""
    r, rng = registers(), random.Random(1)
    with Dut(NAME, LOG_N, latency=20) as dut:
        bench = Bench(dut)
        cycles = bench.run()[2].cycles
        good, seen = bench.results(), 0
        for trial in range(12):
            dut.start(bench.words, pointers=bench.pointers, seed=bench.seed)
            end = dut.core.cycles + rng.randrange(cycles)
            while dut.core.cycles < end:
                dut.core.read(r["CYCLES"])
            seen += not_zero(dut, SECRETS) > 0
            dut.core.write(r["CONTROL"], 1 << r["CONTROL_ZEROIZE_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])
            dut.core.wait()
            dut.wait_wiped()
            assert not_zero(dut, SECRETS) == 0, trial
            assert bench.run()[0] == "NONE"
            assert bench.results() == good
        assert seen == 12


@pytest.mark.slow  # needs a model
def test_cycles_do_not_depend_on_slots():
    """Other slots, keys, errors: the same instructions in the same cycles; so it is when one of them is out of range."""
    seen = []
    with Dut(NAME, LOG_N) as dut:
        for seed in range(3):
            bench = Bench(dut, seed)
            if seed == 2:
                bench.dut.memory[bench.slots : bench.slots + N] = bytes(N)
            cause, _, job = bench.run()
            assert cause == "NONE"
            seen.append((job.cycles, tuple((event.pc, event.start, event.end) for event in job.events)))
        assert seen.count(seen[0]) == 3
        pc, text, _ = FAULTS["a number beyond a word"]
        cause, _, job = bench.run(
            patch(bench.words, pc, text.replace(str(numbers(INT16, 20, N // 2)), str(numbers(INT16, 16, N // 2))))
        )
        assert cause == "NONE"  # zeros fit
        shifted = [(event.pc, event.start, event.end) for event in job.events]
        assert shifted == list(seen[0][1])
