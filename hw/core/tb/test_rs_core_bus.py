# SPDX-License-Identifier: Apache-2.0
"""A memory that stops answering at any time, in any instruction: the program ends, every secret is wiped, and after a reset of
the bus, or when the answers come after all, the next program is right."""

import os
import random

import numpy as np
import pytest
from core_model import Modulus, primes
from test_rs_core import BASE, Dut, healthy, not_zero, registers, small

from ringside.sim.asm import assemble
from ringside.sim.core import SLAVES

END_CYCLES = 4096  # from the event to the end of the program
BURSTS = 100_000 if "RINGSIDE_SOAK" in os.environ else 2_000  # each way, of every kind of slave
ROWS, RINSE = (
    1 << 10,
    128,
)  # rows of a slot: LogNMax is 11, and two values in each; cycles in which zeros are read after that
SECRETS = ("u_memory", "slots", "u_seeds")  # paths of what can hold them


def bit(name):
    return 1 << registers()[f"{name}_SHIFT"]


def everything(dut, rng):
    """A program with every kind of transfer, beside work of all units."""
    q = primes(10, 30, 1)[0]
    context = dut.place(Modulus(10, q, 1, 1).bytes(dut.design))
    key, message = (dut.place(np.array([rng.randrange(q) for _ in range(1024)], "<u4").tobytes()) for _ in range(2))
    out = dut.place(bytes(8192))
    return assemble(f"""CONTEXT ctx0 [p0 + {context:#x}]
        SAMPLE s0 1 ternary
        LOAD g0 ctx0 [p0 + {key:#x}]
        LOAD g1 ctx0 [p0 + {key:#x}] secret
        STORE g0 [p0 + {out:#x}]
        NTT g1 ctx0
        STREAM ctx0 [p0 + {message:#x}]
        LIFT g2 s0 ctx0 add
        SAMPLE s1 2
        LOAD g3 ctx0 [p0 + {key:#x}]
        CONTEXT ctx1 [p0 + {context:#x}]
        STORE g3 [p0 + {out + 4096:#x}]
        NTT g2 ctx0
        END""")


def status(dut):
    return dut.core.read(registers()["STATUS"])


def pass_cycles(dut, cycles):
    end = dut.core.cycles + cycles
    while dut.core.cycles < end:
        dut.core.read(registers()["CYCLES"])


class Trial:
    """A run of the program on a memory that stops after a number of handshakes on a channel, and what happens then."""

    def __init__(self, dut, rng, channel, handshakes, event):
        r, self.dut, self.event = registers(), dut, event
        seed = bytes(rng.randrange(1, 256) for _ in range(64))
        watchdog = rng.randrange(20_000, 40_000) if event == "watchdog" else 1 << 24
        dut.core.write(r["WATCHDOG"], watchdog)
        words = everything(dut, rng)
        dut.core.kill_bus(channel, handshakes)
        dut.start(words, seed=seed)
        self.cause, self.since = "WATCHDOG", dut.core.cycles + watchdog
        if event != "watchdog":
            while not dut.core.bus_is_dead and not status(dut) & bit("STATUS_DONE"):
                pass
            pass_cycles(dut, rng.choice((0, 10, 100, 5000)))
            if not status(dut) & bit("STATUS_DONE"):
                self.cause, self.since = "ABORTED", dut.core.cycles
                command = "CONTROL_ABORT" if event == "abort" else "CONTROL_ZEROIZE"
                dut.core.write(r["CONTROL"], bit(command) | bit("CONTROL_IRQ_ENABLE"))
                if event == "zeroize":
                    pass_cycles(dut, ROWS + 64)  # memories do not wait for the bus
                    assert not_zero(dut, SECRETS) == 0
        dut.core.wait()
        self.end = dut.core.cycles
        self.hung = bool(status(dut) & bit("STATUS_BUS_HUNG"))

    def check_wiped(self):
        start = self.dut.core.cycles
        self.dut.wait_wiped()
        assert self.dut.core.cycles - start <= ROWS + RINSE + 64
        assert not_zero(self.dut, SECRETS) == 0

    def check_end(self):
        if self.hung or self.dut.status()[0] != "NONE":
            assert self.dut.status()[0] == self.cause
            assert self.end - self.since <= END_CYCLES
        if self.hung:
            self.check_wiped()

    def check_refused(self):
        """No program starts, and no seed stays, while the bus hangs."""
        r, core = registers(), self.dut.core
        core.write(r["SEED"], 0x5EED)
        core.write(r["CONTROL"], bit("CONTROL_START"))
        assert status(self.dut) & bit("STATUS_ERROR")
        assert not status(self.dut) & bit("STATUS_BUSY")
        assert not_zero(self.dut, SECRETS) == 0
        core.write(r["CONTROL"], bit("CONTROL_CLEAR_IRQ"))

    def mend(self, how):
        core = self.dut.core
        if how == "late":  # the answers come after all, and are not taken for those of the next program
            core.revive_bus()
            for _ in range(20_000):
                if not status(self.dut) & bit("STATUS_BUS_HUNG"):
                    break
            self.dut.wait_wiped()
        else:
            core.reset_bus(on=True)
            core.write(registers()["CONTROL"], bit("CONTROL_BUS_RESET"))
            assert not status(self.dut) & bit("STATUS_BUS_HUNG")
            core.reset_bus(on=False)
        assert not status(self.dut) & bit("STATUS_BUS_HUNG")


@pytest.mark.parametrize("event", ["abort", "zeroize", "watchdog"])
@pytest.mark.parametrize("channel", ["AR", "R", "AW", "W", "B"])
@pytest.mark.alike(3)
def test_dead_bus(channel, event):
    rng = random.Random(f"{channel}{event}")
    handshakes = {"AR": 24, "R": 2200, "AW": 8, "W": 1024, "B": 8}[channel]
    hung = 0
    with Dut("P1", latency=9, slave=rng.choice(("any", "data_first"))) as dut:
        _, *_, out = small(dut)
        for trial in range(6):
            dut.next = 0
            run = Trial(dut, rng, channel, rng.randrange(handshakes), event)
            run.check_end()
            if run.hung:
                hung += 1
                run.check_refused()
            run.mend(("late", "reset")[trial % 2])
            dut.core.write(registers()["WATCHDOG"], 1 << 24)
            dut.next = 0
            healthy(dut, out)
    assert hung >= 3


def test_a_bus_that_answers_needs_no_reset():
    """CONTROL.bus_reset does nothing then, not even in the middle of a program; a program that is aborted does not hang."""
    r = registers()
    with Dut("P1", latency=100, stall=50) as dut:
        words, *_, out = small(dut)
        for wait in (20, 700, 3000):
            dut.start(words)
            pass_cycles(dut, wait)
            dut.core.write(r["CONTROL"], bit("CONTROL_BUS_RESET") | bit("CONTROL_IRQ_ENABLE"))
            dut.core.wait()
            assert dut.status()[0] == "NONE"
            dut.start(words)
            pass_cycles(dut, wait)
            dut.core.write(r["CONTROL"], bit("CONTROL_ABORT") | bit("CONTROL_IRQ_ENABLE"))
            dut.core.wait()
            assert dut.status()[0] == "ABORTED"
            assert not status(dut) & bit("STATUS_BUS_HUNG")
            healthy(dut, out)


@pytest.mark.parametrize("outstanding", [1, 8])
@pytest.mark.parametrize("slave", SLAVES)
def test_many_bursts(slave, outstanding):
    """LOAD and STORE side by side on every kind of slave, with random pauses on every channel: no rule broken, no hang, every byte right."""
    rng = np.random.default_rng(7)
    pairs, count, size = 28, 1024, 4096
    with Dut("P1", latency=3, slave=slave, outstanding=outstanding, stall=64) as dut:
        q = primes(10, 30, 1)[0]
        context = dut.place(Modulus(10, q, 1, 1).bytes(dut.design))
        sources = [dut.place(bytes(size)) for _ in range(pairs)]
        targets = [dut.place(bytes(size)) for _ in range(pairs)]
        lines = [f"CONTEXT ctx0 [p0 + {context:#x}]"]
        for i, (source, target) in enumerate(zip(sources, targets, strict=True)):
            lines += [f"LOAD g{i % 4} ctx0 [p0 + {source:#x}]", f"STORE g{i % 4} [p0 + {target:#x}]"]
        words = assemble("\n".join([*lines, "END"]))
        reads = writes = 0
        while min(reads, writes) < BURSTS:
            data = rng.integers(0, q, (pairs, count), np.uint32)
            for source, residues in zip(sources, data, strict=True):
                dut.memory[source : source + size] = residues.tobytes()
            cause, _, job = dut.run(words)
            assert cause == "NONE"
            for target, residues in zip(targets, data, strict=True):
                assert dut.core.memory[target : target + size].tobytes() == residues.tobytes()
            assert job.write_beats == pairs * size // 8
            reads, writes = reads + job.read_beats * 8 // 64, writes + job.write_beats * 8 // 64  # a line is a burst


def test_start_together_with_an_abort_is_refused():
    r = registers()
    with Dut("P1") as dut:
        words, *_, out = small(dut)
        for command in ("CONTROL_ABORT", "CONTROL_ZEROIZE"):
            dut.start(words)
            dut.core.wait()
            dut.core.write(r["CONTROL"], bit("CONTROL_START") | bit(command))
            assert status(dut) & bit("STATUS_ERROR")
            dut.wait_wiped()
            assert status(dut) & bit("STATUS_DONE")
            dut.core.write(r["CONTROL"], bit("CONTROL_CLEAR_IRQ"))
            healthy(dut, out)
        assert dut.core.memory_address == BASE
