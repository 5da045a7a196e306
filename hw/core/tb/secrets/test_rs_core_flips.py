# SPDX-License-Identifier: Apache-2.0
"""Single flips of flip-flops of a sealed core. Of its judge, rs_seal, rs_seal_sign and rs_tags: each one, behind each instruction of a sealed decapsulation and
of a round of ML-DSA, and before each question there. Of the control of SEQUENCER, SPONGE and PACK: drawn at random while they run. Nothing that
depends on a secret is let through unless the alert tells."""

import ctypes
import random
import re
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from core_model import BASE, Software
from rs_cocotb import HW, whole
from test_rs_core import registers
from test_rs_core_fields import packed
from test_rs_core_sealed import CHOICE, OTHER, ROOTS, Sealed, bound, put_key
from test_rs_core_sealed import DESIGN as CHOICE_DESIGN

from open_core import harness_of
from ringside import designs, pqc
from ringside.devices.accelerator import Accelerator
from ringside.devices.simulated import bus_of
from ringside.errors import DeviceError, InternalError
from ringside.sim.core import Core, Memory
from ringside.sim.core import model as core_model
from ringside.sim.flip_flops import flip_flops as flip_flops_of
from ringside.sim.flip_flops import public as public_of
from ringside.sim.sources import Harness
from ringside.sim.verilate import Model, SimulationError, build_model

NEVER = (1 << 64) - 1
SEALED = designs.load("pqc-4s")
JUDGE = ("rs_seal", "rs_seal_sign", "rs_tags")
ISSUE = (*JUDGE, "rs_issue", "rs_scoreboard", "rs_checked")
COUNTS = ("flip_flops", "states", "questions", "flips", "judged", "told", "released", "false_alerts", "refused")
# as rs_core_control and rs_sequencer give them
BUILT = {
    "W": SEALED.word_bits, "Groups": SEALED.bank_groups, "Contexts": SEALED.contexts, "Slots": 0, "HasExpand": 0,
    "HasFields": 1, "Sealed": 1, "LogNMax": SEALED.log_n_max, "LogSizeMin": 7, "Slices": SEALED.slices,
}  # fmt: skip


def flip_flops(module):
    """Those of a module's source, if they are built."""
    (path,) = HW.glob(f"*/rtl/{module}.sv")
    return flip_flops_of(path)


def public(modules, place):
    """A file for Verilator that makes all flip-flops of these modules public."""
    sources = [path for m in modules for path in HW.glob(f"*/rtl/{m}.sv")]
    # one of two rs_tags is no class of its own: the state of the model is one block of memory
    lines = [f'inline -module "{m}"' for m in modules if m != "rs_issue"]
    place.write_text("\n".join([public_of(sources), *lines, ""]), encoding="utf-8")
    return place


# ---- the judge -------------------------------------------------------------------------------------------------------
class Judge:
    """rs_issue, with the calls of sim/flips/judge_flips.cpp. edit: of RTL, by the file's name."""

    def __init__(self, place, edit=None):
        sources = []
        for path in whole("rs_issue"):
            if edit and path.stem in edit:
                old, new = edit[path.stem]
                text = path.read_text(encoding="utf-8")
                assert old in text
                path = place / path.name
                path.write_text(text.replace(old, new), encoding="utf-8")
            sources.append(path)
        harness = Harness(("flips/judge_flips.cpp", "model.cpp"), ("model.h", "print.h", "flips/flips.h"))
        file = public(ISSUE, place / "flips.vlt")
        model = Model("rs_issue", [file, *sources], BUILT, harness=harness, assertions=False)
        self.lib = ctypes.CDLL(str(build_model(model)))
        self.lib.rs_judge_open.restype = ctypes.c_void_p
        self.lib.rs_judge_register.restype = ctypes.c_char_p
        for name in ("registers", "register_bits", "released"):
            getattr(self.lib, f"rs_judge_{name}").restype = ctypes.c_uint64
        self.judge = ctypes.c_void_p(self.lib.rs_judge_open())
        count = self.lib.rs_judge_registers(self.judge)
        self.names = [self.lib.rs_judge_register(self.judge, ctypes.c_uint64(i)).decode() for i in range(count)]
        self.bits = [self.lib.rs_judge_register_bits(self.judge, ctypes.c_uint64(i)) for i in range(count)]

    def close(self):
        self.lib.rs_judge_close(self.judge)

    def number(self, end):
        (found,) = [i for i, name in enumerate(self.names) if name.endswith(end)]
        return found

    def of_judge(self, units="seal|tags"):
        """Numbers of the registers of these."""
        return [i for i, name in enumerate(self.names) if re.search(rf"\.u_({units})\.", name)]

    def flips(self, chosen, program, questions, step=1):
        """What was counted, and from which registers something was released without an alert."""
        counts = (ctypes.c_uint64 * len(COUNTS))()

        def array(values):
            return (ctypes.c_uint64 * len(values))(*values)

        self.lib.rs_judge_flips(
            self.judge,
            array(chosen),
            ctypes.c_uint64(len(chosen)),
            ctypes.c_uint64(self.number(".u_seal.u_told.data_q")),
            array(program),
            ctypes.c_uint64(len(program)),
            array(questions),
            ctypes.c_uint64(len(questions)),
            ctypes.c_uint64(step),
            counts,
        )
        released = {
            self.names[i]: n
            for j, i in enumerate(chosen)
            if (n := self.lib.rs_judge_released(self.judge, ctypes.c_uint64(j)))
        }
        return dict(zip(COUNTS, counts, strict=True)), released


def programs(port):
    """The words of a sealed decapsulation and of a round of a sealed signature, as the library writes them, without END."""
    found = []
    for make in (lambda device: pqc.MLKEM._on("ML-KEM-768", device), lambda device: pqc.MLDSA._on("ML-DSA-65", device)):
        software = Software(port, SEALED)
        device = Accelerator("model", software.bus)
        scheme = make(device)
        if isinstance(scheme, pqc.MLKEM):
            ek = scheme.seal(bytes(64))
            assert len(scheme.decaps_sealed(scheme.encaps(ek)[1])) == 32
        else:
            scheme.seal(bytes(32))
            scheme.sign_sealed(b"message", deterministic=True)
        words = device.program
        found.append(words[: words.index(0)] if 0 in words else words)
        scheme.close()
        software.close()
    return found


def neighbours(words):
    """Each instruction, and it with another operand, another digest, or another place in memory or the vault."""
    found = set()
    for word in words:
        found.add(word)
        for field, values in ((8, range(8)), (12, range(8)), (16, (2, 15))):
            found |= {word & ~(15 << field) | value << field for value in values}
        found |= {word & ~(15 << 12 | 15 << 16) | a << 12 | 2 << 16 for a in range(8)}
    return sorted(found)


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    made = Judge(tmp_path_factory.mktemp("judge"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def words(port):
    return programs(port)


def test_flip_flops_are_those_of_the_sources(judge):
    """Tags are there twice; what rs_seal has stands in rs_checked. Together they are more than 400 bits."""
    first, second = judge.of_judge("tags"), judge.of_judge("tags_again")
    assert [judge.bits[i] for i in first] == [judge.bits[i] for i in second]
    found = {judge.names[i].rpartition(".")[2] for i in first}
    # what a core without frames, PIPE, slots and roots has not
    assert found <= flip_flops("rs_tags")
    assert len(found) > 0.6 * len(flip_flops("rs_tags")), flip_flops("rs_tags") - found
    assert {judge.names[i].rpartition(".")[2] for i in judge.of_judge("seal")} == {"data_q", "even_q"}
    assert flip_flops("rs_seal") | flip_flops("rs_seal_sign") == set()
    assert sum(judge.bits[i] for i in judge.of_judge()) > 400


@pytest.mark.parametrize("step", [61, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("number", [0, 1], ids=["decapsulation", "signature"])
def test_flips_of_the_judge_are_told(judge, words, number, step):
    program = words[number]
    counts, released = judge.flips(judge.of_judge(), program, neighbours(program), step)
    assert counts["states"] == len(program) + 1
    assert counts["refused"] == 0
    assert counts["false_alerts"] == 0
    assert counts["told"] > counts["judged"] // 100
    assert released == {}


def changed(rng, words):
    """Programs of attackers: with instructions left out, repeated, exchanged or changed in a field."""
    found = list(words)
    for _ in range(rng.randrange(1, 6)):
        i = rng.randrange(len(found))
        match rng.randrange(4):
            case 0:
                del found[i]
            case 1:
                found.insert(i, rng.choice(words))
            case 2:
                j = rng.randrange(len(found))
                found[i], found[j] = found[j], found[i]
            case 3:
                found[i] ^= 1 << rng.choice((*range(8, 20), *range(24, 48)))
    return found


@pytest.mark.parametrize("count", [2, pytest.param(60, marks=pytest.mark.soak)])
def test_flips_in_programs_of_attackers_are_told(judge, words, count):
    rng = random.Random(5)
    for _ in range(count):
        original = rng.choice(words)
        counts, released = judge.flips(judge.of_judge(), changed(rng, original), neighbours(original), 211)
        assert counts["false_alerts"] == 0
        assert released == {}


@pytest.mark.alike(3, of="flips")
def test_flips_that_nothing_tells_of_release(tmp_path, words):
    """As if the second tags and the parities of rs_seal were not there: the campaign finds what a flip lets through, of rs_seal."""
    judge = Judge(tmp_path, {"rs_issue": ("judges_differ || seal_error || ", "")})
    for program in words:
        counts, released = judge.flips(judge.of_judge(), program, neighbours(program), 211)
        assert counts["false_alerts"] == 0
        assert sum(n for name, n in released.items() if ".u_seal." in name) > 10, released
    judge.close()


# ---- the whole core ----------------------------------------------------------------------------------------------------
WITHIN = 64  # cycles from a wrong word in memory to the alert
CONTROL = (*ISSUE, "rs_fetch", "rs_sequencer", "rs_sponge_unit", "rs_pack_unit")


class Flips:
    """The calls of sim/flips/core_flips.cpp for a core."""

    def __init__(self, core):
        self.lib = core._lib
        for name in ("flip_flops", "flip_flop_bits", "alert", "waited"):
            getattr(self.lib, f"rs_core_{name}").restype = ctypes.c_uint64
        self.lib.rs_core_flip_flop.restype = ctypes.c_char_p
        numbers = [ctypes.c_uint64(i) for i in range(self.lib.rs_core_flip_flops(core._core))]
        self.names = [self.lib.rs_core_flip_flop(i).decode() for i in numbers]
        self.bits = [self.lib.rs_core_flip_flop_bits(i) for i in numbers]

    def drawn(self, rng, cycles):
        """Cycle, register and bit: every register as often."""
        number = rng.choice(
            [i for i, name in enumerate(self.names) if not re.search(r"_sec_q|cycles_q|wipe_row", name)]
        )
        return rng.randrange(5, cycles), number, rng.randrange(self.bits[number])

    def set(self, cycle, number, bit):
        self.lib.rs_core_flip(*map(ctypes.c_uint64, (cycle, number, bit)))

    def limit(self, cycles):
        """The next program is looked at after so many cycles."""
        self.lib.rs_core_limit(ctypes.c_uint64(cycles))

    @property
    def alert(self):
        """Its cycle; None: there was none."""
        found = self.lib.rs_core_alert()
        return None if found == NEVER else found

    @property
    def told(self):
        """Whether there was one in any program since the flip was set."""
        return bool(self.lib.rs_core_told())

    def text(self, drawn):
        cycle, number, bit = drawn
        return f"bit {bit} of {self.names[number]} in cycle {cycle}"

    @property
    def cycles(self):
        found = self.lib.rs_core_waited()
        return None if found == NEVER else found


def flipping(design, place):
    """The library of a core whose flip-flops of control are public."""
    plain = core_model(design)
    harness = harness_of("flips/core_flips.cpp", "flips/flips.h")
    file = public(CONTROL, place / "core.vlt")
    return build_model(replace(plain, sources=[file, *plain.sources], harness=harness))


@pytest.fixture
def flipped(tmp_path, monkeypatch):
    """A small core whose flip-flops of control are public."""
    path = flipping(CHOICE_DESIGN, tmp_path)
    monkeypatch.setattr(Sealed, "core_library", staticmethod(lambda design: path))
    with Sealed() as dut:
        yield dut


def padded(dut, text):
    words = dut.program(text)
    return words + [0] * (dut.design.program_depth - len(words))


def flipped_run(dut, program, hash_):
    """From a reset on, with a key that is bound to what has this hash."""
    dut.core.reset()
    dut.wait_wiped()
    put_key((dut.core,), 0, ROOTS, hash_)
    dut.start(program)
    with suppress(SimulationError):  # it hangs
        dut.core.wait()


@pytest.mark.alike(3, of="flips")
def test_flips_of_a_verdict_are_told(flipped):
    """Of both slots, each flip-flop, before and in HASH 13 of a program that the slot is not for."""
    program = padded(flipped, "HASH d6 d0 [p0] hash13\nHASH d0 d6 [message] hash9 halves1 bytes1\nSTORED d0 [out]")
    flips = Flips(flipped.core)
    pairs = [i for i, name in enumerate(flips.names) if "u_verdict" in name]
    assert [flips.bits[i] for i in pairs] == [1] * 4
    flipped_run(flipped, program, bytes(32))
    assert (flipped.status()[0], flips.alert) == ("SECRET", None)
    before, cycles = flipped.core.memory.copy(), flips.cycles
    for number in pairs:
        for cycle in (2, *range(6, 24), cycles // 2, cycles - 4):
            flips.set(cycle, number, 0)
            flipped_run(flipped, program, bytes(32))
            assert flips.alert is not None, flips.text((cycle, number, 0))
            assert flips.alert - cycle < 6
            assert (flipped.core.memory == before).all()


@pytest.mark.parametrize(
    ("count", "seed"), [(40, 1), *(pytest.param(3000, seed, marks=pytest.mark.soak) for seed in (2, 3, 4))]
)
@pytest.mark.alike(3, of="flips")
def test_flips_of_control_are_told(flipped, count, seed):
    """The choice of a damaged ciphertext on a small core. Memory has nothing but what it had before, or what the program without a flip writes, unless
    the alert comes within 64 cycles."""
    rng, dut = random.Random(seed), flipped
    fields = [int(x) for x in np.random.default_rng(4).integers(0, 1 << 20, 256)]
    dut.memory[dut.at["packed"] : dut.at["packed"] + 640] = packed(fields, 20)
    program = padded(dut, CHOICE.replace("{again}", OTHER))
    flips, told = Flips(dut.core), 0

    def run():
        flipped_run(dut, program, bound(program))

    run()
    assert dut.status()[0] == "NONE"
    assert flips.alert is None
    before, wanted, cycles = np.frombuffer(bytes(dut.memory), np.uint8), dut.core.memory.copy(), flips.cycles
    assert (before != wanted).any()

    def foreign():
        return ((dut.core.memory != before) & (dut.core.memory != wanted)).any()

    for _ in range(count):
        drawn = flips.drawn(rng, cycles)
        flips.set(*drawn)
        run()
        told += flips.alert is not None
        if flips.alert is not None:
            status = dut.core.read(registers()["STATUS"])
            assert status >> registers()["STATUS_ALERT_SHIFT"] & 3 == 2
            assert status >> registers()["STATUS_ZEROIZING_SHIFT"] & 1
        if foreign():
            alert = flips.alert
            assert alert is not None, flips.text(drawn)
            flips.set(*drawn)
            flips.limit(max(0, alert - WITHIN))
            run()
            assert not foreign(), flips.text(drawn)
    assert told > count // 5


@pytest.mark.soak
@pytest.mark.parametrize("count", [1500])
@pytest.mark.parametrize("name", ["ML-KEM-768", "ML-DSA-65"])
def test_flips_of_a_whole_core_are_told(tmp_path, name, count):
    """pqc-4s. No other secret than the one of the refusal, no other signature; and K, which is withheld, is nowhere in memory."""
    rng = random.Random(2)
    seed, told = bytes(range(64)), 0
    core = Core(flipping(SEALED, tmp_path), Memory(1 << 21, BASE))
    flips = Flips(core)
    core._lib.rs_core_silence()
    plain = pqc.MLKEM(name) if name in pqc.KEM_SETS else None
    if plain:
        withheld, ct = plain.encaps(plain.keygen(seed)[0])
        damaged = ct[:-1] + bytes([ct[-1] ^ 1])

    def fresh():
        core.reset()
        device = Accelerator("core", bus_of(core))
        scheme = pqc.MLKEM._on(name, device) if plain else pqc.MLDSA._on(name, device)
        scheme.seal(seed if plain else seed[:32])
        return scheme

    def run(scheme):
        return scheme.decaps_sealed(damaged) if plain else scheme.sign_sealed(b"message", deterministic=True)

    scheme = fresh()
    wanted = run(scheme)
    cycles = core.jobs()[-1].cycles if plain else min(job.cycles for job in core.jobs()[-3:])
    for _ in range(count):
        drawn = flips.drawn(rng, cycles)
        flips.set(*drawn)
        try:
            found = run(scheme)
        except (DeviceError, InternalError):  # or registers do not answer
            found = None
        alert, core_memory = flips.told, core.memory.tobytes()
        told += alert
        if not alert:
            assert found in (None, wanted), flips.text(drawn)
            assert not plain or withheld not in core_memory, flips.text(drawn)
        if alert or found is None:
            scheme = fresh()
            core.forget()
    assert told > count // 8
