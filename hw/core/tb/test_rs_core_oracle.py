# SPDX-License-Identifier: Apache-2.0
"""Attacks on rs_core by its own programs: operands are chosen so that one coefficient of a secret decides whether words fit, or residues are
below a modulus, and STATUS is read. Both locks of KEY_USE are set and the seed is written once. What is asked again and again must
have one answer, whatever the secret is.

The control asks the same of public numbers, which the core answers: so the questions are good, and it is the tags that refuse them.
"""

from functools import cache

import numpy as np
import pytest
from core_model import Modulus, primes
from test_rs_core import BASE, registers
from test_rs_core import Dut as CheckedDut

from ringside import designs
from ringside.sim.asm import assemble
from ringside.sim.core import Core, Memory, library

LOG_N = 10
N = 1 << LOG_N
ASKED = (0, 1, 31, N - 1)  # coefficients
DESIGNS = [
    "rise-4e",
    *(pytest.param(name, marks=pytest.mark.soak) for name in ("aloha-he", "rise-32e", "aloha-he-32k")),
]
PREFIX = "CONTEXT ctx0 [p0 + {context:#x}] aside\n"
# how a secret comes into group 0, or a public number that stands for it
SECRETS = {
    "u": "SAMPLE s0 1 ternary\nLIFT g0 s0 ctx0",
    "e0": "SAMPLE s0 2\nLIFT g0 s0 ctx0",
    "u times the factor": "SAMPLE s0 1 ternary\nLIFT g0 s0 ctx0 factor",
    "a loaded secret": "LOAD g0 ctx0 [p0 + {secret:#x}] secret {wide}",
}
PUBLIC = "LOAD g0 ctx0 [p0 + {secret:#x}] {wide}"
# what tells whether all words fit: the chosen numbers are added first
TELLS = {
    "CENTRE": "LOAD g1 ctx0 [p0 + {chosen:#x}] {wide}\nADD g0 g1 ctx0\nCENTRE g1 g0 ctx0 {shift}",
    "LIFTW": "LOAD g1 ctx0 [p0 + {chosen:#x}] {wide}\nADD g0 g1 ctx0\nSAMPLE s1 3\nLIFTW g1 s1 g0 ctx0 {lift_shift}",
}


class Attacker(CheckedDut):
    """A named design with both locks set, and its one seed."""

    def __init__(self, name, seed):
        self.design, self.log_n, self.next = designs.load(name), LOG_N, 0
        self.core = Core(library(self.design), Memory(size=1 << 20, address=BASE, latency=5, wait_cycles=1 << 22))
        self.memory = bytearray(1 << 20)
        self.wait_wiped()
        r = registers()
        for i in range(16):
            self.core.write(r["SEED"] + 4 * i, int.from_bytes(seed[4 * i : 4 * i + 4], "little"))
        locks = 1 << r["KEY_USE_NO_ENCRYPT_SHIFT"] | 1 << r["KEY_USE_NO_DECRYPT_SHIFT"]
        self.core.write(r["KEY_USE"], locks)
        assert self.core.read(r["KEY_USE"]) & locks == locks
        bits = self.design.word_bits - 2
        self.q = primes(LOG_N, bits, 1)[0]
        self.wide = "wide" if self.design.word_bits > 32 else ""
        # the smallest number that is no word any more after a shift, and the smallest that is not below q
        self.shift, self.lift_shift = self.design.word_bits + 1 - bits, 2
        self.limits = {"CENTRE": 1 << bits - 2, "LIFTW": -(-self.q // 4)}
        self.context = self.place(Modulus(LOG_N, self.q, self.q // 3, 1).bytes(self.design))
        self.chosen, self.secret = (self.place(bytes(8 * N)) for _ in range(2))

    def put(self, address, residues):
        data = np.asarray(residues, object) % self.q
        self.memory[address : address + 8 * N] = bytes(8 * N)
        raw = data.astype("<u8" if self.wide else "<u4").tobytes()
        self.memory[address : address + len(raw)] = raw

    def ask(self, text):
        """(cause, pc, cycles, counters, memory) of a program, all that it could learn."""
        r, core = registers(), self.core
        core.memory[:] = np.frombuffer(bytes(self.memory), np.uint8)
        names = ("context", "chosen", "secret", "wide", "shift", "lift_shift")
        words = assemble((PREFIX + text + "\nEND").format(**{name: getattr(self, name) for name in names}))
        self.write_program(words)
        core.write(r["LOG_N"], LOG_N)
        for half in range(2):
            core.write(r["POINTER"] + 4 * half, BASE >> 32 * half & 0xFFFFFFFF)
        self.doorbell()
        job = core.wait()
        assert core.memory.tobytes() == bytes(self.memory)
        return (*self.status(), job.cycles, tuple(job.busy.items()), core.read(r["CYCLES"]))

    def signs(self, comes, tells):
        """Two questions for each coefficient: is it at least 1, is it at least 0. The answers."""
        answers = []
        for k in ASKED:
            for least in (1, 0):
                chosen = [32] * N  # as words, residues of negative numbers are not small
                chosen[k] = self.limits[tells] - least
                self.put(self.chosen, chosen)
                answers.append(self.ask(f"{comes}\n{TELLS[tells]}"))
        return answers


@cache
def ternary(seed):
    return np.random.default_rng(seed).integers(-1, 2, N).tolist()


@pytest.mark.slow  # needs models
@pytest.mark.parametrize("name", DESIGNS)
def test_status_says_nothing_of_a_secret(name):
    with Attacker(name, bytes(range(64))) as attacker:
        for tells in TELLS:
            # the control: numbers that are public are read, one answer after the other
            attacker.put(attacker.secret, ternary(1))
            causes = [cause for cause, *_ in attacker.signs(PUBLIC, tells)]
            read = [sum(cause == "VALUE" for cause in pair) - 1 for pair in zip(*2 * [iter(causes)], strict=True)]
            assert read == [ternary(1)[k] for k in ASKED]

            for comes in SECRETS.values():
                seen = set()
                for seed in (1, 2):
                    attacker.put(attacker.secret, ternary(seed))
                    seen |= set(attacker.signs(comes, tells))
                assert len(seen) == 1
                assert next(iter(seen))[0] == "SECRET"


@pytest.mark.slow  # needs models
@pytest.mark.parametrize("name", DESIGNS[:1])
def test_load_says_nothing_of_a_secret(name):
    """A modulus that is chosen below some of its residues: whether there are any shows of public ones alone."""
    small = primes(LOG_N, 20, 1)[0]
    with Attacker(name, bytes(64)) as attacker:
        attacker.context = attacker.place(Modulus(LOG_N, small, 1, 1).bytes(attacker.design))
        for flag, causes in (("", ["NONE", "RESIDUE"]), ("secret", ["NONE", "NONE"])):
            seen = []
            for one in (small - 1, small):
                residues = [0] * N
                residues[7] = one
                attacker.put(attacker.secret, residues)
                seen.append(attacker.ask(PUBLIC + flag))
            assert [cause for cause, *_ in seen] == causes
            if flag:
                assert seen[0] == seen[1]
