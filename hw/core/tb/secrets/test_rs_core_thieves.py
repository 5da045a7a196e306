# SPDX-License-Identifier: Apache-2.0
"""What nobody has thought of: somebody with the registers and the memory of a sealed core does anything, at any time, on two cores that differ in the
owner's key alone, or on two models. All that he can read stays equal, cycles included: of decapsulations of ciphertexts that nobody has made, and of rounds
of signatures that both keys refuse."""

import random
from collections import Counter

import pytest
from core_model import Software, model_library
from test_rs_core import BASE, faults, library, registers
from test_rs_core_recovery import (
    OPENED,
    PART,
    ROOM,
    SECRETS,
    SIZE,
    THEFT,
    Attacked,
    chosen,
    decapsulating,
    opened_library,
    simulated,
    text,
)
from test_rs_core_sealed import DESIGN, VAULT_LINES, bound, changed_lines, instruction, put_key
from test_rs_core_signing import BETA, FIRST, MASK, SIGN, bound_image

LIMIT = 20000  # cycles of a program
CIPHERTEXT_BYTES = 768
# a norm below a lower bound is one too, and rounds are refused more often
VALUE = next(number for number, name in faults().items() if name == "VALUE")
ROUND = SIGN.replace(f"margin{BETA}", "margin255")


LINES = (0, 1, 7, 8, 24)  # lines that programs leave


def place_of(line):
    return f"[vault + {0x3000 + 64 * line:#x}] secret"


def theft(slot, message):
    return THEFT.replace("{slot}", str(slot)).replace("{message}", message)


class Pair:
    """Two cores to which the same is done."""

    pokes = 8  # kinds
    ends = "NONE"

    def __init__(self, rng, worlds):
        self.rng, self.worlds, self.causes = rng, worlds, Counter()
        self.write("WATCHDOG", LIMIT)

    def each(self, what):
        """What it returns, if that is equal."""
        found = [what(world) for world in self.worlds]
        assert found[0] == found[1]
        return found[0]

    def write(self, name, value, more=0):
        self.each(lambda world: world.core.write(registers()[name] + more, value))

    def status(self):
        return self.each(lambda world: world.core.read(registers()["STATUS"]))

    # ---- who comes ---------------------------------------------------------------------------------------------------------
    def owner(self):
        self.calm()
        self.each(lambda world: world.owner_comes())

    def victim(self):
        if self.rng.randrange(4):
            self.owner()
        self.begin()
        self.causes["victim", self.end(self.pokes)] += 1
        for _ in range(self.rng.randrange(3)):  # with a verdict that is kept, if nobody has done anything
            self.each(lambda world: world.again())
            self.end(self.pokes)

    def known(self):
        """The theft as it was, of all that programs leave."""
        self.owner()
        self.begin()
        self.calm()
        for slot in (1, 0):
            for line in LINES:
                self.start_thief(slot, text(theft(slot, place_of(line))))
                self.calm()
                self.each(lambda world: world.seen())

    def thief(self):
        slot, rng = self.rng.randrange(2), self.rng
        place = place_of(rng.choice((*LINES, rng.randrange(VAULT_LINES))))
        lines = theft(slot, rng.choice(("[message]", place))).strip().splitlines()
        kind = rng.randrange(3)
        if kind == 0:
            lines = changed_lines(rng, lines, 6, instruction, exchanges=True)
        elif kind == 1:
            lines = [*lines[:2], *(instruction(rng) for _ in range(rng.randrange(30)))]
        words = text("\n".join(lines))
        if rng.randrange(3) == 0:
            words[rng.randrange(len(words))] ^= 1 << rng.randrange(64)
        self.start_thief(slot, words, keyed=rng.randrange(4) > 0)
        self.causes["thief", self.end(Pair.pokes)] += 1

    def start_thief(self, slot, words, *, keyed=True):
        if keyed:
            self.each(lambda world: put_key((world.core,), slot, bytes(64), bound(words, world.image)))
        self.each(lambda world: world.start(words, [BASE + ROOM]))

    # ---- what he does meanwhile --------------------------------------------------------------------------------------------
    def poke(self, kinds):
        r, rng = registers(), self.rng
        irq = 1 << r["CONTROL_IRQ_ENABLE_SHIFT"]
        match rng.randrange(kinds):
            case 0:
                self.write("CONTROL", 1 << r["CONTROL_ABORT_SHIFT"] | irq)
            case 1 if rng.randrange(3) == 0:
                self.write("CONTROL", 1 << r["CONTROL_ZEROIZE_SHIFT"] | irq)
            case 2:  # lanes of a key
                self.write("PROGRAM_INDEX", 0x8000 + 16 * rng.randrange(2) + rng.randrange(12))
                for _ in range(rng.randrange(1, 13)):
                    self.write("PROGRAM_LO", rng.getrandbits(32))
                    self.write("PROGRAM_HI", rng.getrandbits(32))
            case 3:  # words of a program
                self.write("PROGRAM_INDEX", rng.randrange(DESIGN.program_depth - 1))
                for word in text(instruction(rng)):
                    self.write("PROGRAM_LO", word & 0xFFFFFFFF)
                    self.write("PROGRAM_HI", word >> 32)
            case 4:
                self.write("CONTROL", 1 << r["CONTROL_START_SHIFT"] | irq)
            case 5:
                self.write("LOG_N", rng.randrange(16))
            case 6:
                self.write("POINTER", BASE + 64 * rng.randrange(SIZE // 64) & 0xFFFFFFFF, 8 * rng.randrange(8))
            case 7:
                at, data = rng.randrange(SIZE - 64), list(rng.randbytes(64))
                for world in self.worlds:
                    world.core.memory[at : at + 64] = data

    def end(self, kinds):
        """The cause."""
        for _ in range(self.rng.choice((0, 0, 1, 2, 5))):
            for _ in range(self.rng.choice((1, 10, 100, 1000))):
                self.status()
            self.poke(kinds)
        self.calm()
        return faults()[self.status() >> registers()["STATUS_CAUSE_SHIFT"] & 15]

    def calm(self):
        r = registers()
        while self.status() & (1 << r["STATUS_BUSY_SHIFT"] | 1 << r["STATUS_ZEROIZING_SHIFT"]):
            pass
        assert self.status() >> r["STATUS_ALERT_SHIFT"] & 3 == 0

    def play(self, count):
        """Owner, his programs and thieves in any order."""
        self.known()
        for _ in range(count):
            turns = (self.victim, self.thief), (self.victim, self.victim, self.thief, self.thief), (self.thief,)
            for turn in self.rng.choice(turns):
                turn()
            self.each(lambda world: world.seen())
        for world in self.worlds:
            world.core.close()


class Decapsulations(Pair):
    def __init__(self, rng, make):
        super().__init__(rng, [decapsulating(make(), secret) for secret in SECRETS])

    def begin(self):
        rng = self.rng
        ct = rng.choice((chosen(rng.randrange(2), rng.randrange(16)), rng.randbytes(CIPHERTEXT_BYTES)))
        log_n = rng.choice((11, 11, 11, 10, 9))

        def begins(world):
            world.log_n = log_n
            world.start_decapsulation(ct)
            world.log_n = 11

        self.each(begins)


class Rounds(Pair):
    """Memory, pointers and LOG_N are the caller's, who may sign what he likes: that one key refuses a round and another one does not is no leak."""

    pokes = 5
    ends = "VALUE"

    def __init__(self, rng, make):
        image = bound_image().ljust(PART, b"\0")
        worlds = [Attacked(make(), text(ROUND), [BASE + ROOM], 10, secret + bytes(32), image) for secret in SECRETS]

        def run(world, number):
            self.start(world, number)
            job, status = world.core.wait(), world.core.read(registers()["STATUS"])
            events = job.events if job else []  # a model has no times
            return status >> registers()["STATUS_CAUSE_SHIFT"] & 15, [event for event in events if event.pc < FIRST]

        # rejections of ExpandS take time and are public: those of both keys are the same
        wanted, candidates = run(worlds[0], 0)[1], iter(range(200))
        while run(worlds[1], 0)[1] != wanted:
            worlds[1].roots = bytes([next(candidates)]) * 32 + bytes(32)
            worlds[1].owner_comes()
        self.refused = [number for number in range(12) if {run(world, number)[0] for world in worlds} == {VALUE}]
        for world in worlds:
            run(world, self.refused[0])
            world.put("out", bytes(PART))
        super().__init__(rng, worlds)

    def start(self, world, number):
        world.put_inputs()
        words = list(world.words)
        words[MASK] |= number << 48
        world.start(words, world.pointers)

    def begin(self):
        number = self.rng.choice(self.refused)
        self.each(lambda world: self.start(world, number))


@pytest.mark.parametrize("kind", [Decapsulations, Rounds])
@pytest.mark.parametrize("count", [pytest.param(8, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.soak)])
def test_two_keys_are_one(kind, count):
    check_pair(kind(random.Random(21), lambda: simulated(library(DESIGN))), count)


def check_pair(pair, count):
    pair.play(count)
    assert min(pair.causes["victim", pair.ends], pair.causes["thief", "SECRET"]) > count // 8, pair.causes


# ---- on the model --------------------------------------------------------------------------------------------------------
# every instruction that reads the vault
READS = (
    "LOADF g1 ctx0 {} secret log_size8", "LOADD d0 {}", "HASH d0 d0 {} hash1 halves1 bytes1",
    "HASH d0 d4 {} append hash4 halves1 bytes32", "HASH d0 d6 {} hash9 halves1 bytes33", "HASH d0 d0 {} skip hash2 halves1 bytes32",
)  # fmt: skip


def models(functions):
    return lambda: Software(functions, DESIGN, SIZE)


def read_everything(pair):
    """At every line of the vault's secrets, with a key of the thief's own."""
    pair.owner()
    pair.begin()
    pair.calm()
    for line in range(VAULT_LINES):
        for read in READS:
            place = f"[vault + {0x3000 + 64 * line:#x}]"
            lines = ["HASH d6 d1 [p0] hash13", "CONTEXT ctx0 [ctx] log_size7", "LOADD d4 [seed]", read.format(place), "STORED d0 [out]"]  # fmt: skip
            pair.start_thief(1, text("\n".join(lines)))
            assert [world.ended() for world in pair.worlds] == 2 * [("SECRET", 3)], (line, read)
    pair.each(lambda world: world.seen())


@pytest.mark.parametrize("kind", [Decapsulations, Rounds])
def test_nothing_reads_what_a_program_left(kind, port):
    read_everything(kind(random.Random(22), models(port)))


@pytest.mark.parametrize("kind", [Decapsulations, Rounds])
@pytest.mark.parametrize("count", [300, pytest.param(20000, marks=pytest.mark.soak)])
def test_two_keys_are_one_in_the_model(kind, count, port):
    check_pair(kind(random.Random(23), models(port)), count)


def test_opened_models_differ(tmp_path):
    make = models(model_library(tmp_path, OPENED["model"]))
    for kind in (Decapsulations, Rounds):
        with pytest.raises(AssertionError):
            kind(random.Random(21), make).known()
        with pytest.raises(AssertionError):
            read_everything(kind(random.Random(22), make))


@pytest.mark.soak  # a model of its own
@pytest.mark.parametrize("kind", [Decapsulations, Rounds])
def test_opened_cores_differ(kind, tmp_path):
    path = opened_library(tmp_path)
    pair = kind(random.Random(21), lambda: simulated(path))
    with pytest.raises(AssertionError):
        pair.known()
