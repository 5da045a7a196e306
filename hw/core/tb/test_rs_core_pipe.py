# SPDX-License-Identifier: Apache-2.0
"""rs_core with the unit PIPE: encryptions as streams beside the lanes, compared with the library; faults, ends in the middle, a bus that hangs, time."""

import random
from dataclasses import replace

import numpy as np
import pytest
import stream_design
from compute_bench import fixed_of
from core_model import numbers, roots_image
from rs_cocotb import Model
from stream_frames import public_frame
from test_rs_core import BASE, Dut, design, not_zero, registers
from test_rs_core_bus import bit, pass_cycles, status

from ringside.designs import Design
from ringside.native.library import ffi, lib
from ringside.sim.asm import assemble
from ringside.sim.program import native_design

DESIGN = design(
    4,
    32,
    "stored",
    groups=5,
    slots=6,
    contexts=2,
    bus_bits=512,
    expand=False,
    outstanding=16,
    stream_lanes=2,
    encode=True,
)
# four words per cycle, and a port to memory of its own; without encode
TWO = replace(DESIGN, stream_lanes=4, ports=2, encode=False)
STREAM = stream_design.Design(2, DESIGN.log_n_max, 32, (30, 28, 30))  # the last one is the special prime
LIMBS, N = 2, 1024
WORDS = "words"  # a kind of frames: PIPEM
INT64 = 5  # a format
FRAME_BYTES = 8 * N * (1 + 2 * LIMBS)
SECRETS = (
    "u_memory", "slots", "u_seeds", "u_tokens.", "u_read.gen_stream", "u_commutator",
)  # paths of what can hold them  # fmt: skip


def label(value):
    return f"{value.ports} ports" if isinstance(value, Design) else None


def encoded(slots):
    """Coefficients of complex slots, by the library."""
    fixed = fixed_of(N.bit_length() - 1, DESIGN.word_bits)
    layout = ffi.new("rs_fixed_layout_t *", [INT64, 1, N // 2, 1 - DESIGN.word_bits, 0])
    points = np.zeros((2, N // 2), np.int64)
    rows = (ffi.from_buffer("int64_t[]", row) for row in points)
    assert lib.rs_fixed_load(fixed.pointer, *rows, ffi.from_buffer(slots), layout) == lib.RS_OK
    words, over = fixed.transform(points, inverse=True)
    assert not over
    return words.reshape(-1)


def small(sample, seed, domain):
    """Coefficients, by a function of the library."""
    out = np.zeros(N, np.int8)
    sample(ffi.from_buffer("int8_t[]", out), N, ffi.new("rs_seed_t *", {"bytes": seed}), domain)
    return out


class Images:
    """Keys, by limb, and the images that the core reads of them; `kinds`: whether they are for frames with special prime."""

    def __init__(self, dut, kinds, rng):
        self.model = model = Model(1 << dut.log_n, STREAM.bits)
        native = native_design(dut.design)
        self.keys = [rng.integers(0, q, (2, model.n), np.uint64) for q in model.moduli]
        # the frames with special prime have another image than those without: the constants differ
        self.images = {}
        self.bytes = int(lib.rs_design_stream_key_bytes(native, model.log_n))  # bytes of a limb
        for rounds in sorted(set(kinds)):
            data = b""
            for limb in range(LIMBS):
                image = np.zeros(self.bytes, np.uint8)
                both = [model.at(np.ascontiguousarray(poly)) for poly in self.keys[limb]]
                drop = LIMBS if rounds else limb
                lib.rs_device_image_stream_key(
                    native, model.pointer, limb, drop, ffi.from_buffer("uint8_t[]", image), *both
                )
                data += image.tobytes()
            self.images[rounds] = dut.place(data)
            dut.place(bytes(64))  # no limb
        context = np.zeros(lib.rs_design_context_bytes(native, model.log_n), np.uint8)
        lib.rs_device_image_context(native, model.pointer, LIMBS, LIMBS, ffi.from_buffer("uint8_t[]", context))
        self.context = dut.place(context.tobytes())
        self.special = [dut.place(poly.astype("<u4").tobytes()) for poly in self.keys[LIMBS]]


class Batch(Images):
    """A key in memory, and frames with messages, seeds and results of their own.

    kinds: by frame, whether it has the special prime, or WORDS.
    """

    def __init__(self, dut, kinds, seed=1, bound=1 << 20):
        self.dut, self.kinds = dut, kinds
        self.random, rng = random.Random(seed), np.random.default_rng(seed)
        super().__init__(dut, {kind is True for kind in kinds}, rng)
        if WORDS in kinds:
            self.roots = dut.place(roots_image(dut.design, dut.log_n))
        self.seeds, self.places, self.limbs = [], [], []
        for kind in kinds:
            rounds = kind is True
            seed = self.random.randbytes(64)
            errors = [small(lib.rs_sample_cbd21, seed, 2 + j) for j in range(2)]
            samples = [small(lib.rs_sample_ternary, seed, 1), np.stack(errors)]
            slots = rng.integers(-bound, bound, N) if kind == WORDS else None
            message = None if slots is None else encoded(slots)
            limbs = public_frame(STREAM, self.model, rng, rounds, self.keys, bound, samples, message)
            self.seeds.append(seed)
            self.limbs.append(limbs)
            given = limbs[0].message if slots is None else slots
            self.places.append(dut.place(given.astype("<i8").tobytes() + bytes(FRAME_BYTES - 8 * N)))

    def text(self):
        """Two sets of slots and groups take turns."""
        lines, image = [f"CONTEXT ctx0 [p0 + {self.context:#x}] aside"], None
        if WORDS in self.kinds:
            lines.append(f"ROOTS ctx1 [p0 + {self.roots:#x}]")
        for f, kind in enumerate(self.kinds):
            rounds = kind is True
            first, v, frame = 3 * (f % 2), 2 * (f % 2), f" frame{f}" * (f > 0)
            if image != self.images[rounds]:
                image = self.images[rounds]
                lines.append(f"PIPEKEY [p0 + {image:#x}]")
            lines += [f"SAMPLE s{first} 1 ternary{frame}"]
            lines += [f"SAMPLE s{first + 1 + j} {2 + j}{frame}" for j in range(2)]
            if rounds:
                lines += [f"LIFT g4 s{first} ctx0 factor", "NTT g4 ctx0"]
                for j in range(2):
                    lines += [f"LOAD g{v + j} ctx0 [p0 + {self.special[j]:#x}] ntt", f"MUL g{v + j} g{v + j} g4 ctx0"]
                    lines += [f"INTT g{v + j} ctx0", f"ROUND s{first + 1 + j} g{v + j} ctx0"]
            if kind == WORDS:
                lines += [f"LOADS g{v} p7 {numbers(INT64, 0, N // 2, 2):#x}{frame}", f"IFFT g{v} ctx1"]
                lines.append(f"PIPEM s{first} g{v} {LIMBS - 1} 0{frame}")
                continue
            groups = f" g{v} g{v + 1}" * rounds
            lines.append(f"PIPE{'' if rounds else 'D'} s{first}{groups} {LIMBS - 1}{frame}")
        return "\n".join([*lines, "DRAIN", "END"])

    @property
    def given(self):
        """What is written to registers before a start."""
        pointers = [BASE + place for place in self.places]
        frames = [(f, seed, bytes(64), pointers[f]) for f, seed in enumerate(self.seeds) if f]
        return {"pointers": (BASE, *[0] * 6, pointers[0]), "seed": self.seeds[0], "frames": frames}

    def start(self, text=None, **changes):
        self.dut.start(assemble(text or self.text()), **(self.given | changes))

    def run(self, text=None, **changes):
        self.start(text, **changes)
        job = self.dut.core.wait()
        return (*self.dut.status(), job)

    def check(self):
        for place, limbs in zip(self.places, self.limbs, strict=True):
            got = self.dut.core.memory[place + 8 * N : place + FRAME_BYTES].view("<u8").reshape(2, LIMBS, N)
            np.testing.assert_array_equal(got, np.stack([limb.want[1:] for limb in limbs[:LIMBS]], axis=1))

    def healthy(self):
        assert self.run()[:2] == ("NONE", len(self.text().splitlines()) - 1)
        self.check()


@pytest.mark.parametrize(
    ("wanted", "seed", "kinds"),
    [
        pytest.param(TWO, 1, (True, False, True), marks=pytest.mark.soak),
        # DESIGN takes a second model; tests/device has encryptions on stream-12, which is much like it
        *(
            pytest.param(wanted, seed, kinds or tuple(f % 3 > 0 for f in range(8)), marks=pytest.mark.soak)
            for wanted, seed, kinds in (
                (DESIGN, 1, (True, True, True)),
                (DESIGN, 2, (False, True, False, True)),
                (DESIGN, 3, ()),
                (TWO, 2, (False, True, False, True)),
                (TWO, 2, ()),
                (TWO, 3, ()),
            )
        ),
    ],
    ids=label,
)
def test_frames(wanted, seed, kinds):
    memories = ({"latency": 20}, {"latency": 40, "stall": 60, "slave": "any"}, {"latency": 7, "slave": "data_first"})
    with Dut(wanted, **memories[seed % 3], seed=seed) as dut:
        batch = Batch(dut, kinds, seed)
        batch.healthy()
        batch.healthy()  # with the same seeds and keys once more


@pytest.mark.parametrize("wanted", [TWO, pytest.param(DESIGN, marks=pytest.mark.soak)], ids=label)
@pytest.mark.alike(2, of="ends")
def test_faults_and_ends_in_the_middle(wanted):
    """Behind each of them the next program is right."""
    r = registers()
    with Dut(wanted, latency=30) as dut:
        batch = Batch(dut, (True, False))
        good, drain = batch.text(), len(batch.text().splitlines()) - 2
        assert batch.run(good.replace("\nDRAIN", ""))[:2] == ("ILLEGAL", drain)
        image = batch.images[True]
        for broken, cause in [
            (f"PIPEKEY [p1 + {image:#x}]", "BUS_READ"),  # nothing is there
            (f"PIPEKEY [p0 + {batch.special[0]:#x}]", "CONTEXT"),
        ]:
            assert batch.run(good.replace(f"PIPEKEY [p0 + {image:#x}]", broken))[0] == cause
        assert batch.run(pointers=(BASE, *[0] * 6, BASE << 1))[0] in ("BUS_READ", "BUS_WRITE")
        # each stream; those of the second half of a message and of index 1 are at the second port, if there is one
        message, poly = batch.places[0], 8 * N
        pk = image + 64 + 8 * 64  # behind constants and tables
        reads = [message, message + poly - 64, pk + 64, pk + poly + 64, image + 64]
        for cause, addresses in ("BUS_READ", reads), ("BUS_WRITE", [message + poly, message + (1 + LIMBS) * poly]):
            for address in addresses:
                dut.core.set_error(BASE + address, 1)
                assert batch.run()[0] == cause
        dut.core.set_error(0, 0)
        saved = bytes(dut.memory)
        dut.memory[batch.places[1] : batch.places[1] + 8] = (1 << 40).to_bytes(8, "little")
        assert batch.run()[0] == "VALUE"
        dut.memory[:] = saved
        dut.memory[pk + 8 : pk + 16] = bytes(7 * [255] + [0])
        assert batch.run()[0] == "RESIDUE"
        dut.memory[:] = saved
        batch.healthy()
        for reads in (300, 2000):
            batch.start()
            pass_cycles(dut, reads)
            dut.core.write(r["CONTROL"], bit("CONTROL_ABORT") | bit("CONTROL_IRQ_ENABLE"))
            dut.core.wait()
            assert dut.status()[0] == "ABORTED"
        batch.start()
        pass_cycles(dut, 3000)
        dut.core.write(r["CONTROL"], bit("CONTROL_ZEROIZE") | bit("CONTROL_IRQ_ENABLE"))
        dut.core.wait()
        dut.wait_wiped()
        assert not_zero(dut, SECRETS) == 0
        batch.healthy()


@pytest.mark.parametrize(
    ("wanted", "channel", "port"),
    [
        (DESIGN, "B", 0),
        (TWO, "R", 1),
        *(
            pytest.param(wanted, channel, port, marks=pytest.mark.soak)
            for wanted, channel, port in [(DESIGN, "R", 0), (TWO, "R", 0), (TWO, "B", 0), (TWO, "B", 1)]
        ),
    ],
    ids=label,
)
@pytest.mark.alike(2, of="ends")
def test_a_bus_that_hangs(wanted, channel, port):
    """Only one of two ports hangs."""
    with Dut(wanted, latency=30) as dut:
        batch = Batch(dut, (False,))
        for how in ("late", "reset"):
            dut.core.write(registers()["WATCHDOG"], 10_000)
            dut.core.kill_bus(channel, {"R": 300, "B": 100}[channel], port)
            assert batch.run()[0] == "WATCHDOG"
            assert status(dut) & bit("STATUS_BUS_HUNG")
            dut.wait_wiped()
            assert not_zero(dut, SECRETS) == 0
            if how == "late":
                dut.core.revive_bus()
                while status(dut) & bit("STATUS_BUS_HUNG"):
                    pass
            else:
                dut.core.reset_bus(on=True)
                dut.core.write(registers()["CONTROL"], bit("CONTROL_BUS_RESET"))
                assert not status(dut) & bit("STATUS_BUS_HUNG")
                dut.core.reset_bus(on=False)
            assert not status(dut) & bit("STATUS_BUS_HUNG")
            dut.wait_wiped()
            dut.core.write(registers()["WATCHDOG"], 1 << 24)
            batch.healthy()


@pytest.mark.parametrize("wanted", [pytest.param(DESIGN, marks=pytest.mark.soak), TWO], ids=label)
def test_cycles_do_not_depend_on_secrets(wanted):
    """Seeds and messages: PIPE's instructions take the same cycles."""
    seen, tokens = set(), LIMBS * N // wanted.stream_lanes
    for seed in range(2):
        with Dut(wanted, latency=20) as dut:
            batch = Batch(dut, (False, True), seed, bound=1 << 10 + seed)
            cause, _, job = batch.run()
            assert cause == "NONE"
            seen.add(tuple(event.end - event.start for event in job.events if event.unit == "PIPE"))
            assert dut.core.read(registers()["BUSY_PIPE"]) == job.busy["PIPE"] > 2 * tokens
    assert len(seen) == 1
    # behind PIPEKEY and before DRAIN: the last frame waits for the memory's latency alone. With one port four words per cycle would wait for their lines
    assert seen.pop()[-2] <= tokens + 20 + 14


@pytest.mark.soak
def test_words_of_the_lanes():
    """Frames of slots among others; VALUE of a word. After an end at any time the next program is right."""
    r, draw = registers(), random.Random(1)
    with Dut(DESIGN, latency=30) as dut:
        batch = Batch(dut, (WORDS, WORDS, True, WORDS, False, WORDS))
        batch.healthy()
        cycles = batch.run()[2].cycles
        frames = [line for line in batch.text().splitlines() if line.startswith("PIPEM")]
        for line in frames:
            large = line.replace(f" {LIMBS - 1} 0", f" {LIMBS - 1} 15")
            assert batch.run(batch.text().replace(f"{line}\n", f"{large}\n"))[0] == "VALUE"
        batch.healthy()
        for command in ("ABORT", "ZEROIZE") * 6:
            batch.start()
            pass_cycles(dut, draw.randrange(cycles))
            dut.core.write(r["CONTROL"], bit(f"CONTROL_{command}") | bit("CONTROL_IRQ_ENABLE"))
            dut.core.wait()
            if command == "ZEROIZE":
                dut.wait_wiped()
                assert not_zero(dut, SECRETS) == 0
            batch.healthy()


@pytest.mark.soak
def test_cycles_do_not_depend_on_words():
    """Slots are of any size."""
    seen = set()
    for seed, bound in ((0, 1 << 10), (1, 1 << 20), (1, 1)):
        with Dut(DESIGN, latency=20) as dut:
            cause, _, job = Batch(dut, (WORDS, True, WORDS), seed, bound).run()
            assert cause == "NONE"
            own = [event for event in job.events if event.unit in ("PIPE", "COMPUTE")]
            seen.add(tuple((event.unit, event.end - event.start) for event in own))
    assert len(seen) == 1
