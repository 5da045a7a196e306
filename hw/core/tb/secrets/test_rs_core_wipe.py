# SPDX-License-Identifier: Apache-2.0
"""What CONTROL.zeroize and scan_mode_i leave: two runs of a program with other keys, seeds and messages, stopped in the same cycle, wherever that is. When STATUS says that the
wipe is over, or scan_ready_o, every flip-flop and every memory of the core holds the same in both: all variables of the model are compared, whatever their names. Memory may
have stopped to answer before.

The model is built as for synthesis, so that outputs of memories keep what they have read (rs_ram_1rw scrambles them in other simulations)."""

import hashlib
import random
import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from core_model import Modulus, numbers, primes, roots_image
from test_rs_core import BASE, DESIGNS, Dut, registers
from test_rs_core_encode import ADDED, FACTOR, INT16, INT64
from test_rs_core_fields import Fields
from test_rs_core_sealed import DESIGN as SEALED
from test_rs_core_sealed import Sealed, bound, choice, put_key
from test_rs_core_signing import SIGN, VAULT_IMAGE, Signing

from open_core import CHANNELS, harness_of
from ringside import designs
from ringside.sim.asm import assemble
from ringside.sim.core import model
from ringside.sim.verilate import SimulationError, build_model

LATENCIES = (1, 2, 9, 40, 200)
# not compared where memory has stopped to answer: the beat on offer, which is public (STORE writes nothing else) and which AXI4 keeps
OFFERED = re.compile(
    r"m_axi_wdata|fields_wdata|u_bus\.(own_wdata|wdata|wdata_o|unused_bits|u_store\..*(beat|beat_[ioq]|wdata_o))"
    r"|(u_bus\.gen_no_pipe\.gen_vault|u_fields)\..*(wdata_[io]|wdata_shared|u_vault\.data)$"
    r"|u_fields\..*(u_store\.beat_sec_[oq]|u_write\.beat_i|u_pack\.fields|pack_wdata)$"
)
# what is zero, not only equal: operands, and what memories hold and have read
OPERANDS = tuple(f"u_compute.{name}_q" for name in "uvb")
MEMORIES, KEPT = ("u_memory.", "u_slots.", "u_seeds."), ("mem_q", "rdata_o")


def state_library(wanted):
    """The model for synthesis, of which all can be looked at, and which can enter scan."""
    plain = model(wanted)
    sources = [Path(__file__).with_name("state.vlt"), *plain.sources]
    parameters = {**plain.parameters, "ScanWipe": 1}
    return build_model(replace(plain, sources=sources, parameters=parameters, harness=harness_of("scan.cpp")))


def scan(core, on=True):
    """Drives scan_mode_i."""
    core._lib.rs_core_scan(core._core, int(on))


def is_ready(core):
    """The output scan_ready_o."""
    return bool(core._lib.rs_core_scan_ready(core._core))


def bit(name):
    return 1 << registers()[f"{name}_SHIFT"]


def steady_seed(rng, count):
    """A private seed whose first `count` bytes of domain 1 all become ternary coefficients, so that SAMPLE takes as long as with any other such seed."""
    while True:
        seed = rng.randbytes(64)
        blocks = (
            hashlib.shake_256(seed + struct.pack("<Q", (1 << 56) + i)).digest(136) for i in range(-(-count // 136))
        )
        if max(b"".join(blocks)[:count]) < 243:
            return seed


class Encoding(Dut):
    """A core with encode: a message with a secret, a decryption, products, all units."""

    core_library = staticmethod(state_library)

    def __init__(self, wanted, secret, **memory):
        super().__init__(wanted, wanted.log_n_min, **memory)
        common, rng, n = np.random.default_rng(1), np.random.default_rng(secret), 1 << self.log_n
        q = primes(self.log_n, min(30, wanted.word_bits - 2), 1)[0]
        kind, wide = ("<u8", "wide") if wanted.word_bits > 32 else ("<u4", "")
        context = self.place(Modulus(self.log_n, q, 5, 1).bytes(wanted))
        roots = self.place(roots_image(wanted, self.log_n, FACTOR, ADDED))
        data = self.place(common.integers(0, q, n).astype(kind).tobytes())
        key = self.place(rng.integers(0, q, n).astype(kind).tobytes())
        slots = self.place(rng.integers(-1 << 15, 1 << 15, n // 2).astype("<i2").tobytes())
        out, values = self.place(bytes(8 * n)), self.place(bytes(8 * n // 2))
        self.seed = steady_seed(random.Random(secret), n // 5 + 5)
        self.pointers = (BASE, 0, BASE + slots, BASE + values)
        expand = ["EXPAND g3 ctx0 1 first", "MUL g3 g3 g2 ctx0"] if wanted.expand else []
        self.words = assemble(
            "\n".join(
                [
                    f"CONTEXT ctx0 [p0 + {context:#x}]",
                    f"ROOTS ctx1 [p0 + {roots:#x}]",
                    "SAMPLE s1 1 ternary",
                    f"LOADS g0 p2 {numbers(INT16, 14, n // 2)}",
                    "LIFT g2 s1 ctx0 factor",
                    "NTT g2 ctx0",
                    "IFFT g0 ctx1",
                    "SCALEW g0 g0 ctx1",
                    "SAMPLE s0 2",
                    "LIFTW g1 s0 g0 ctx0 254",
                    "INTT g2 ctx0",
                    f"LOAD g2 ctx0 [p0 + {key:#x}] secret {wide}",
                    f"LOAD g3 ctx0 [p0 + {data:#x}] {wide}",
                    "MUL g2 g2 g3 ctx0",
                    "ADD g1 g2 ctx0",
                    f"STORE g1 [p0 + {out:#x}] {wide}",
                    *expand,
                    "CENTRE g0 g1 ctx0 240",
                    "SCALEW g0 g0 ctx1",
                    "CENTRE g2 g1 ctx0 240 whole",
                    "MACW g0 g2 ctx1",
                    "FFT g0 ctx1",
                    f"STORES g0 p3 {numbers(INT64, 0, n // 2)}",
                    "SAMPLE s0 3",
                    "LIFTON g3 s0 g1 ctx0",
                    "END",
                ]
            )
        )

    def begin(self):
        self.start(self.words, pointers=self.pointers, seed=self.seed)


class Choosing(Sealed):
    """A sealed core: a choice with the roots of a slot."""

    core_library = staticmethod(state_library)

    def __init__(self, wanted, secret, **memory):
        Fields.__init__(self, wanted, **memory)
        fields = np.random.default_rng(4).integers(0, 1 << 8, 640, np.uint8)
        self.memory[self.at["packed"] : self.at["packed"] + 640] = fields.tobytes()
        self.secret = secret
        self.words = choice(self)

    def begin(self):
        words = [*self.words, *[0] * (self.design.program_depth - len(self.words))]
        roots = np.random.default_rng(self.secret).bytes(64)
        put_key([self.core], 0, roots, bound(self.words))
        self.start(words)


class Signer(Signing):
    """A sealed core: a round of a signature, which is not refused, so that all keys' programs end at the same instruction."""

    core_library = staticmethod(state_library)
    accepted: ClassVar[list[bytes]] = []

    def __init__(self, wanted, secret, **memory):
        super().__init__(**memory)
        rng = random.Random(len(self.accepted))
        while len(self.accepted) <= secret:
            roots = rng.randbytes(32) + bytes(32)
            with Signing() as other:
                if ends_well(other, roots):
                    self.accepted.append(roots)
        self.roots = self.accepted[secret]

    def begin(self):
        begin_round(self, self.roots)


def begin_round(dut, roots):
    assert dut.run(dut.program(VAULT_IMAGE))[0] == "NONE"
    words = dut.program(SIGN)
    put_key([dut.core], 0, roots, bound(words, dut.image.ljust(4096, b"\0")))
    dut.start([*words, *[0] * (dut.design.program_depth - len(words))])


def ends_well(dut, roots):
    begin_round(dut, roots)
    dut.core.wait()
    return dut.status()[0] == "NONE"


KINDS = {
    "P4-encode": (Encoding, DESIGNS["P4-encode"]),
    "sealed": (Choosing, SEALED),
    "signing": (Signer, SEALED),
    "rise-4e": (Encoding, designs.load("rise-4e")),
    "aloha-he": (Encoding, designs.load("aloha-he")),
    "pqc-4s": (Choosing, designs.load("pqc-4s")),
}


def stopped(dut, after, command, dead):
    """Its program, stopped after so many cycles; `dead`: after so many more handshakes on a channel memory takes and answers nothing. What all of the core
    holds then, and when the wipe is over; the cycle of that."""
    dut.begin()
    r, core = registers(), dut.core
    if dead:
        core.kill_bus(*dead)
    end = core.cycles + after
    while core.cycles < end:
        core.read(r["CYCLES"])
    before = core.signal_bytes()
    if command == "abort":
        core.write(r["CONTROL"], bit("CONTROL_ABORT"))
    if command == "scan":
        scan(core)
    else:
        core.write(r["CONTROL"], bit("CONTROL_ZEROIZE"))
    while core.read(r["STATUS"]) & bit("STATUS_ZEROIZING") if command != "scan" else not is_ready(core):
        core.read(r["CYCLES"])
    return before, core.signal_bytes(), core.cycles


def check(name, stops, dies=False):
    """The number of bytes that are compared. dies: memory stops to answer at some handshake of each run."""
    kind, wanted = KINDS[name]
    rng = random.Random(name)
    with kind(wanted, 1, latency=40) as dut:
        dut.begin()
        cycles = dut.core.wait().cycles
        assert dut.status()[0] == "NONE"
        signals = dut.core.signals()
    number = np.repeat(np.arange(len(signals)), [count for _, count in signals])
    kept = np.array([not (dies and OFFERED.search(signal)) for signal, _ in signals])
    zero = np.array(
        [
            signal.endswith(OPERANDS) or (signal.endswith(KEPT) and any(path in signal for path in MEMORIES))
            for signal, _ in signals
        ]
    )
    differed = 0
    for stop in range(stops):
        latency, stall = rng.choice(LATENCIES), rng.choice((0, 0, 90))
        after, command = rng.randrange(cycles + 20 * latency), rng.choice(("abort", "zeroize", "scan"))
        dead = (rng.choice(CHANNELS), rng.randrange(200)) if dies else None
        left = []
        for secret in (2 * stop + 2, 2 * stop + 3):
            with kind(wanted, secret, latency=latency, stall=stall) as dut:
                left.append(stopped(dut, after, command, dead))
        (before, one, end), (others_before, other, others_end) = left
        assert end == others_end, (stop, latency, stall, after)
        differed += bool((before != others_before).any())
        wrong = (one != other) & kept[number] | (one != 0) & (zero & kept)[number]
        found = [signals[i][0] for i in np.unique(number[wrong])]
        told = f"stop {stop}: {command} after {after}, latency {latency}, stall {stall}, dead {dead}"
        assert not found, "\n".join([told, *found])
    assert differed > stops // 3
    return sum(count for (_, count), keep in zip(signals, kept, strict=True) if keep)


def of_memories(wanted):
    """Bytes of groups and slots, as the model keeps them."""
    word = 4 if wanted.word_bits <= 32 else 8
    return (wanted.bank_groups << wanted.log_n_max) * word


@pytest.mark.slow  # builds models
@pytest.mark.parametrize(
    ("name", "stops", "dies"),
    # the signature's rounds are short; one of so many stops is between a transform and what overwrites its last difference
    [
        *[("P4-encode", 4, False), ("P4-encode", 4, True), ("sealed", 4, False), ("sealed", 4, True)],
        *[("signing", 50, False), ("signing", 20, True)],
    ],
)
@pytest.mark.alike(3, by="name")
def test_nothing_of_a_secret_is_left(name, stops, dies):
    compared = check(name, stops, dies)
    assert compared > of_memories(KINDS[name][1]) + 40_000, compared


@pytest.mark.slow  # builds a model
def test_nothing_gets_in_while_it_scans():
    """From scan_mode_i on no register is written and lanes read 0; it is ready after the wipe, not before, and no longer than scan_mode_i."""
    kind, wanted = KINDS["sealed"]
    r = registers()
    with kind(wanted, 1) as dut:
        core = dut.core
        core.write(r["PROGRAM_INDEX"], 0)
        core.write(r["PROGRAM_LO"], 0x5EC2E7)
        assert core.read(r["PROGRAM_LO"]) == 0x5EC2E7
        assert not is_ready(core)
        begun = core.cycles
        scan(core)
        for _ in range(3):  # through the synchroniser
            core.read(r["CYCLES"])
        for name in ("PROGRAM_LO", "PROGRAM_HI", "PROGRAM_INDEX", "CONTROL", "SEED", "LOG_N"):
            with pytest.raises(SimulationError):
                core.write(r[name], bit("CONTROL_START"))
            assert not is_ready(core), name
        assert core.read(r["PROGRAM_LO"]) == 0
        while not is_ready(core):
            core.read(r["CYCLES"])
        assert core.cycles - begun > (1 << wanted.log_n_min) // wanted.lanes // 2, "a row of each memory per cycle"
        assert core.read(r["PROGRAM_LO"]) == core.read(r["PROGRAM_HI"]) == 0
        assert not core.read(r["STATUS"]) & bit("STATUS_BUSY")
        scan(core, on=False)
        core.read(r["CYCLES"])
        core.read(r["CYCLES"])
        assert not is_ready(core)
        core.reset()
        dut.wait_wiped()
        dut.begin()
        dut.core.wait()
        assert dut.status()[0] == "NONE"


@pytest.mark.soak
@pytest.mark.parametrize("dies", [False, True], ids=["answers", "dies"])
@pytest.mark.parametrize("name", ["rise-4e", "aloha-he", "pqc-4s", "signing"])
def test_nothing_of_a_secret_is_left_longer(name, dies):
    check(name, 200, dies)
