# SPDX-License-Identifier: Apache-2.0
"""The attack of docs/advisories/2026-11-28-sealed-keys.md, whole: twelve chosen ciphertexts, and a program of the thief's that has what each decrypts to
leave. Cores and models as they are refuse it, and nothing that he can read depends on the key. Where reading another program's lines is opened again
the same code finds the whole key of ML-KEM-512."""

import hashlib
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from core_model import Software, model_library, radix
from rs_formal import mutated
from rs_orders import reverse
from test_rs_core import BASE, faults, library, registers
from test_rs_core_sealed import DESIGN, bound, packed, placed, put_key
from test_rs_core_slices import PSI, Q, Ring

from ringside import pqc
from ringside.devices.accelerator import Accelerator
from ringside.devices.simulated import bus_of
from ringside.sim.asm import assemble
from ringside.sim.core import Core, Memory, model
from ringside.sim.verilate import SimulationError, build_model

OPENED = {
    "rtl": ("told = beyond || (reads_secrets && foreign);", "told = beyond;"),
    "model": (
        "if (!c->seal.written[line_of(word) + i]) return 1;",
        "if (!c->seal.written[line_of(word) + i]) return 0;",
    ),
}
SECRETS = (bytes(range(32)), bytes(range(1, 33)))  # d of two worlds; z is the same
Z = bytes(range(64, 96))
PART, CIPHERTEXT_AT = 4096, 192  # a part of the vault; a ciphertext, behind the driver's pointer
# places in the thief's memory, behind pointer 0; the owner's is below
PLACES = {"ctx": 0, "packed": 0x1000, "seed": 0x1400, "mask": 0x1440, "message": 0x1480, "out": 0x2000, "more": 0x4000}
ROOM, SIZE = 0x8000, 1 << 16
RANK, COEFFICIENTS, MODULUS, ZETA = 2, 256, 3329, 17  # ML-KEM-512
THRESHOLDS = range(-2, 4)  # a coefficient of s is -3 to 3
X = bytes(range(200, 232))
# A choice of the thief's own that says "equal", of some bits of the message that the owner's program has left: their hash leaves. The message is there
# again at the end.
THEFT = """
    HASH d6 d{slot} [p0] hash13
    CONTEXT ctx0 [ctx] log_size7
    LOADF g1 ctx0 {message} log_size8
    LOADF g3 ctx0 {message} log_size8
    LOADF g2 ctx0 [mask] log_size8
    SCALE g1 g1 ctx0 log_size7 slices1
    MUL g1 g1 g2 ctx0 log_size7 slices1
    LOADF g0 ctx0 [packed] field_width11 log_size8
    STOREF g0 ctx0 [vault + 0x2000] field_width_out11 log_size8
    STOREF g1 ctx0 [vault + 0x3000] log_size8
    STOREF g0 ctx0 [vault + 0x3200] field_width_out11 log_size8
    HASH d3 d0 [vault + 0x2000] hash2 bytes640
    HASH d2 d7 [vault + 0x2000] hash9 bytes640
    LOADD d4 [seed]
    HASH d0 d4 [vault + 0x3000] append hash4 halves1 bytes32
    HASH d6 d0 [vault + 0x3200] hash2 bytes640
    HASH d1 d0 [seed] hash2 bytes0
    HASH d0 d3 [p6] hash14 halves2
    STORED d0 [out]
    STOREF g3 ctx0 [vault + 0x3000] log_size8
"""
READ = 2  # the instruction that reads the message


def text(lines):
    """A program of the thief's."""
    return assemble("\n".join([*placed(lines, PLACES), "END"]))


def chosen(poly, value):
    """u is 208 in one polynomial, v the same everywhere: each coefficient of the message says whether that of s is below value - 4."""
    u = bytearray(RANK * 10 * COEFFICIENTS // 8)
    u[poly * 10 * COEFFICIENTS // 8] = 64
    return bytes(u) + bytes([value * 17]) * (4 * COEFFICIENTS // 8)


class Attacked:
    """A core in which an owner has put a key, and what somebody does who has its registers and its memory, and knows the owner's program."""

    def __init__(self, core, words, pointers, log_n, roots, image=None):
        """image: what is bound to the key; None: it is in the vault."""
        self.core, self.words, self.pointers, self.log_n, self.roots = core, words, pointers, log_n, roots
        self.cycles = None
        self.put("ctx", Ring(7, Q, PSI, radix(DESIGN) % Q).bytes(DESIGN))
        self.put("packed", packed(range(COEFFICIENTS), 20))
        self.put_inputs()
        if image is None:
            self.copy("vault", "out", PART)
            image = self.out(PART)
        self.image = image
        self.owner_comes()

    def owner_comes(self):
        """What is bound is in the vault, and his key in slot 0. Of a world with another key all but the key is the same."""
        self.put("more", self.image)
        self.copy("more", "vault", PART)
        put_key((self.core,), 0, self.roots, bound(self.words, self.image))

    def put_inputs(self):
        self.put("seed", X.ljust(64, b"\0"))
        self.put("message", bytes(reversed(range(32))))
        self.put("mask", b"\xff" * 32)

    def put(self, name, data):
        at = ROOM + PLACES[name]
        self.core.memory[at : at + len(data)] = np.frombuffer(bytes(data), np.uint8)

    def out(self, count):
        at = ROOM + PLACES["out"]
        return bytes(self.core.memory[at : at + count])

    def start(self, words, pointers):
        r, core = registers(), self.core
        core.write(r["PROGRAM_INDEX"], 0)
        for word in [*words, *[0] * (DESIGN.program_depth - len(words))]:
            core.write(r["PROGRAM_LO"], word & 0xFFFFFFFF)
            core.write(r["PROGRAM_HI"], word >> 32)
        for i, pointer in enumerate(pointers):
            core.write(r["POINTER"] + 8 * i, pointer & 0xFFFFFFFF)
            core.write(r["POINTER"] + 8 * i + 4, pointer >> 32)
        core.write(r["LOG_N"], self.log_n)
        self.again()

    def again(self):
        """The same program."""
        r, core = registers(), self.core
        core.write(r["CONTROL"], 1 << r["CONTROL_CLEAR_IRQ_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])
        core.write(r["CONTROL"], 1 << r["CONTROL_START_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])

    def ended(self):
        """Cause, and the instruction."""
        self.cycles = getattr(self.core.wait(), "cycles", None)
        status = self.core.read(registers()["STATUS"])
        return faults()[status >> registers()["STATUS_CAUSE_SHIFT"] & 15], status >> registers()["STATUS_PC_SHIFT"]

    def copy(self, source, target, count):
        """Lines, some in a program."""
        lines = [f"LOADD d0 [{source} + {at}]\nSTORED d0 [{target} + {at}]" for at in range(0, count, 64)]
        for at in range(0, len(lines), 32):
            self.start(text("\n".join(lines[at : at + 32])), [BASE + ROOM])
            assert self.ended()[0] == "NONE"

    def enter(self, slot, message="[vault + 0x3000] secret"):
        """The thief's program, with a key of his own for it."""
        self.mine = text(THEFT.replace("{slot}", str(slot)).replace("{message}", message))
        put_key((self.core,), slot, bytes(64), bound(self.mine, self.image))

    def steal(self, octet, first=True):
        """Cause and instruction; the hash of a byte of the message and X, if it leaves."""
        self.put("out", bytes(64))
        self.put("mask", bytes(octet) + b"\xff" + bytes(31 - octet))
        self.start(self.mine, [BASE + ROOM]) if first else self.again()
        return (*self.ended(), self.out(32))

    def seen(self):
        """All registers, all memory."""
        found = {}
        for at in range(0, 0x420, 4):
            with suppress(SimulationError):  # there is none
                found[at] = self.core.read(at)
        return found, bytes(self.core.memory[:SIZE])


class Decapsulating(Attacked):
    """The owner's key is one of ML-KEM-512, and comes by the library's driver."""

    def __init__(self, core, bus, secret=SECRETS[0]):
        kem, plain = pqc.MLKEM._on("ML-KEM-512", Accelerator("core", bus)), pqc.MLKEM("ML-KEM-512")
        self.ek = kem.seal(SECRETS[0] + Z)
        shared, ct = plain.encaps(self.ek, X)
        assert kem.decaps_sealed(ct) == shared
        # all that the driver does to decapsulate can be done again
        self.ct_at = bytes(core.memory).index(ct)
        pointers = [BASE, BASE, BASE + self.ct_at - CIPHERTEXT_AT]
        super().__init__(core, list(kem._device.program), pointers, core.read(registers()["LOG_N"]), secret + Z)

    def start_decapsulation(self, ct):
        self.core.memory[self.ct_at : self.ct_at + len(ct)] = np.frombuffer(ct, np.uint8)
        self.start(self.words, self.pointers)

    def decapsulate(self, ct):
        """What comes is a secret that says nothing: nobody has made this ciphertext."""
        self.start_decapsulation(ct)
        assert self.ended()[0] == "NONE"

    def stop_decapsulation(self, ct, cycles, way):
        r, core = registers(), self.core
        if way == "WATCHDOG":
            core.write(r["WATCHDOG"], cycles)
        self.start_decapsulation(ct)
        if way == "ABORTED":
            while core.read(r["CYCLES"]) < cycles:
                pass
            core.write(r["CONTROL"], 1 << r["CONTROL_ABORT_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])
        assert self.ended()[0] == way
        core.write(r["WATCHDOG"], 1 << 28)


def hash_of(octet, value):
    return hashlib.sha3_512(bytes(octet) + bytes([value]) + bytes(31 - octet) + X).digest()[:32]


def stolen_message(thief):
    """32 bytes, of 256 guesses each."""
    found = bytearray()
    for octet in range(32):
        cause, _, leaves = thief.steal(octet, first=not octet)
        assert cause == "NONE"
        found += bytes(value for value in range(256) if hash_of(octet, value) == leaves)
    return bytes(found)


def recovered(thief, slot):
    """s, polynomials of ML-KEM-512's key."""
    s = np.full((RANK, COEFFICIENTS), 3)
    for poly in range(RANK):
        for threshold in THRESHOLDS:
            thief.decapsulate(chosen(poly, 4 + threshold))
            thief.enter(slot)
            message = np.frombuffer(stolen_message(thief), np.uint8)
            s[poly] -= np.unpackbits(message, bitorder="little")
            if not slot:
                thief.owner_comes()
    return s


def encoded(s):
    """As a decapsulation key has them: transforms (FIPS 203, section 4.3), of 12 bits."""
    roots = [pow(ZETA, 2 * reverse(i, 7) + 1, MODULUS) for i in range(128)]
    powers = np.array([[pow(root, j, MODULUS) for j in range(128)] for root in roots])
    return b"".join(packed((powers @ row.reshape(128, 2) % MODULUS).reshape(-1), 12) for row in s)


def has_whole_key(thief, slot):
    """Nothing is missing but z, which ciphertexts that somebody has made do without."""
    plain = pqc.MLKEM("ML-KEM-512")
    _, dk = plain.keygen(SECRETS[0] + Z)
    found = encoded(recovered(thief, slot))
    shared, ct = plain.encaps(thief.ek)
    return found == dk[: len(found)] and plain.decaps(found + dk[len(found) : -32] + bytes(32), ct) == shared


# ---- on the model --------------------------------------------------------------------------------------------------------
@pytest.fixture
def software():
    """Models of a core in which an owner has a key, by their library."""
    opened = []

    def make(functions, secret=SECRETS[0]):
        opened.append(Software(functions, DESIGN))
        return decapsulating(opened[-1], secret)

    yield make
    for one in opened:
        one.close()


def test_an_opened_model_gives_the_key(software, tmp_path):
    """By the other slot, and by the same one, when the owner has put his key there again each time."""
    thief = software(model_library(tmp_path, OPENED["model"]))
    assert has_whole_key(thief, 1)
    assert has_whole_key(thief, 0)


def nothing_leaves(worlds, slot):
    """Neither what was decrypted nor anything that depends on it; what a thief puts there himself does."""
    for world in worlds:
        world.enter(slot)
        assert world.steal(7) == ("SECRET", READ, bytes(32))
    assert worlds[0].seen() == worlds[1].seen()
    for world in worlds:
        world.enter(slot, "[message]")
        assert world.steal(7) == ("NONE", len(world.mine) - 1, hash_of(7, 31 - 7))
    assert worlds[0].seen() == worlds[1].seen()


def test_a_model_gives_nothing(software, port):
    worlds = [software(port, secret) for secret in SECRETS]
    for poly in range(RANK):
        for threshold in THRESHOLDS:
            for slot in (1, 0):
                for world in worlds:
                    world.owner_comes()
                    world.decapsulate(chosen(poly, 4 + threshold))
                assert worlds[0].seen() == worlds[1].seen()
                nothing_leaves(worlds, slot)


# ---- on the RTL ----------------------------------------------------------------------------------------------------------
def simulated(path):
    """A core that was wiped."""
    core = Core(path, Memory(size=SIZE, address=BASE, latency=5, wait_cycles=1 << 22))
    while core.read(registers()["STATUS"]) >> registers()["STATUS_ZEROIZING_SHIFT"] & 1:
        pass
    return core


def opened_library(folder):
    plain = model(DESIGN)
    return build_model(replace(plain, sources=mutated(plain.sources, OPENED["rtl"], folder)))


def decapsulating(core, secret=SECRETS[0]):
    return Decapsulating(core, core.bus if isinstance(core, Software) else bus_of(core), secret)


def test_a_core_gives_nothing():
    """Behind whole decapsulations, and such as were stopped when the message was there."""
    worlds = [decapsulating(simulated(library(DESIGN)), secret) for secret in SECRETS]
    cycles = None
    for way, slot in (("NONE", 1), ("NONE", 0), ("ABORTED", 1), ("WATCHDOG", 1), ("WATCHDOG", 0)):
        for world in worlds:
            world.owner_comes()
            if way == "NONE":
                world.decapsulate(chosen(1, 4))
                cycles = world.cycles
            else:
                world.stop_decapsulation(chosen(1, 4), cycles * 9 // 10, way)
        assert worlds[0].seen() == worlds[1].seen()
        nothing_leaves(worlds, slot)
    for world in worlds:
        world.core.close()


@pytest.mark.soak  # a model of its own, and a million cycles
def test_an_opened_core_gives_the_key(tmp_path):
    """And messages of decapsulations that were stopped."""
    thief = decapsulating(simulated(opened_library(tmp_path)))
    assert has_whole_key(thief, 1)
    thief.owner_comes()
    thief.decapsulate(chosen(1, 4))
    cycles = thief.cycles
    thief.enter(1)
    whole = stolen_message(thief)
    for way in ("ABORTED", "WATCHDOG"):
        thief.decapsulate(chosen(0, 4))
        thief.stop_decapsulation(chosen(1, 4), cycles * 9 // 10, way)
        assert stolen_message(thief) == whole
    thief.core.close()
