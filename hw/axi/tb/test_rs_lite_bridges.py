# SPDX-License-Identifier: Apache-2.0
"""APB4 and TL-UL masters at the bridges to AXI4-Lite, with registers that take and answer at random times: each legal access reaches them once, as it was
asked, and its answer comes back; what is not legal answers an error and reaches nobody."""

import random
from pathlib import Path

import pytest
from rs_block import Block
from rs_channels import OKAY, SLVERR, Channel, Steps, Taker
from rs_cocotb import whole

from ringside.sim import verilate

APB, TLUL = Block("rs_apb_lite"), Block("rs_tlul_lite", "SourceBits")
test_apb_lint = APB.lints()
test_tlul_lint = TLUL.lints([8, 1])
test_tlul_illegal = TLUL.refuses("has to be positive", {"SourceBits": 0})

PUT_FULL, PUT_PARTIAL, GET = 0, 1, 4
PACES = [0.2, 1.0]


class Named(verilate.Simulator):
    """Ports without their suffix."""

    def __init__(self, library: Path, seed: int = 1) -> None:
        super().__init__(library, seed)
        self.ports = {name.removesuffix("_i").removesuffix("_o"): name for name in self.bits}

    def set(self, **values: int) -> None:
        super().set(**{self.ports.get(name, name): value for name, value in values.items()})

    def get(self, name: str) -> int:
        return super().get(self.ports.get(name, name))


class Bench(Steps):
    """The registers: a memory that refuses the upper half of its addresses."""

    def __init__(self, top: str, pace: float, seed: int) -> None:
        self.sim = Named(verilate.build(top, whole(top)))
        self.random = chance = random.Random(seed)
        self.words = [chance.getrandbits(32) for _ in range(1 << 10)]
        self.takers = {
            "aw": Taker("m_axil_aw", ("addr", "prot"), pace, chance),
            "w": Taker("m_axil_w", ("data", "strb"), pace, chance),
            "ar": Taker("m_axil_ar", ("addr", "prot"), pace, chance),
        }
        self.answers = {name: Channel(f"m_axil_{name}", pace, chance) for name in ("b", "r")}
        self.asked: dict[str, dict[str, int]] = {}
        self.seen: list[tuple[int, int, int]] = []  # address, protection, the word and its strobes or -1
        self.sim.set(rst_ni=0)
        self.drive()
        self.sim.step(2)
        self.sim.set(rst_ni=1)

    def drive(self) -> None:
        sides: list[Taker | Channel] = [*self.takers.values(), *self.answers.values()]
        for side in sides:
            side.drive(self.sim)

    def sample(self) -> None:
        for name, taker in self.takers.items():
            if taken := taker.sample(self.sim):
                assert name not in self.asked
                self.asked[name] = taken
        for channel in self.answers.values():
            channel.sample(self.sim)
        if "ar" in self.asked:
            asked = self.asked.pop("ar")
            self.seen.append((asked["addr"], asked["prot"], -1))
            refused = asked["addr"] >> 11
            word = 0xBAD if refused else self.words[asked["addr"] >> 2]
            self.answers["r"].queue.append({"data": word, "resp": SLVERR if refused else OKAY})
        if {"aw", "w"} <= self.asked.keys():
            asked = self.asked.pop("aw") | self.asked.pop("w")
            self.seen.append((asked["addr"], asked["prot"], asked["strb"] << 32 | asked["data"]))
            refused = asked["addr"] >> 11
            if not refused:
                self.words[asked["addr"] >> 2] = merged(self.words[asked["addr"] >> 2], asked["data"], asked["strb"])
            self.answers["b"].queue.append({"resp": SLVERR if refused else OKAY})

    def cycle(self) -> None:
        self.drive()
        self.sample()
        self.sim.step()

    def idle(self, most: int = 3) -> None:
        for _ in range(self.random.randrange(most)):
            self.cycle()


def merged(old: int, new: int, strobes: int) -> int:
    mask = sum(0xFF << 8 * i for i in range(4) if strobes >> i & 1)
    return old & ~mask | new & mask


@pytest.mark.parametrize("pace", PACES)
def test_apb(pace: float) -> None:
    bench = Bench("rs_apb_lite", pace, 1)
    sim, chance = bench.sim, bench.random
    sim.set(psel=0, penable=0)
    given_up = 0
    for _ in range(600):
        address, write, prot = 4 * chance.randrange(1 << 10), chance.getrandbits(1), chance.getrandbits(3)
        data, strobes = chance.getrandbits(32), chance.getrandbits(4) if write else 0
        before = bench.words[address >> 2]
        sim.set(psel=1, penable=0, pwrite=write, paddr=address, pwdata=data, pstrb=strobes, pprot=prot)
        bench.cycle()
        sim.set(penable=1)
        patience = chance.choice((0, 1, 2, 5)) if chance.random() < 0.1 else 1000
        answer = access(bench, patience)
        if answer:
            assert answer == (0 if write else 0xBAD if address >> 11 else before, address >> 11)
            assert bench.seen.pop() == (address, prot, strobes << 32 | data if write else -1)
        given_up += not answer
        sim.set(psel=0, penable=0)
        if not answer:  # it is ended on AXI4-Lite all the same
            for _ in range(60):
                bench.cycle()
            assert len(bench.seen) == 1
            bench.seen.clear()
        bench.idle()
        assert not bench.seen, "an access that nobody asked for"
    assert given_up > 10


def access(bench: Bench, patience: int) -> tuple[int, int] | None:
    """The word and the error of a transfer's answer; None: it did not come in so many cycles."""
    for _ in range(patience):
        bench.drive()
        answer = (bench.sim.get("prdata"), bench.sim.get("pslverr")) if bench.sim.get("pready") else None
        bench.sample()
        bench.sim.step()
        if answer:
            return answer
    return None


def test_apb_after_a_transfer_that_was_given_up() -> None:
    """The next one begins at once, and gets its own answer."""
    for pace in PACES:
        bench = Bench("rs_apb_lite", pace, 2)
        sim, chance = bench.sim, bench.random
        for _ in range(100):
            first, second = (4 * place for place in chance.sample(range(1 << 9), 2))
            sim.set(psel=1, penable=0, pwrite=0, paddr=first, pwdata=0, pstrb=0, pprot=0)
            bench.cycle()
            sim.set(penable=1)
            for _ in range(chance.randrange(2)):
                bench.cycle()
            sim.set(psel=0, penable=0)
            bench.cycle()
            sim.set(psel=1, paddr=second)
            bench.cycle()
            sim.set(penable=1)
            assert access(bench, 200) == (bench.words[second >> 2], 0)
            sim.set(psel=0, penable=0)
            bench.idle()


def lanes(address: int, size: int) -> int:
    return (1 << (1 << size)) - 1 << address % 4 & 15


@pytest.mark.parametrize("pace", PACES)
def test_tlul(pace: float) -> None:
    bench = Bench("rs_tlul_lite", pace, 3)
    sim, chance = bench.sim, bench.random
    ask = Channel("a_", pace, chance)
    take = Taker("d_", ("opcode", "size", "source", "data", "error"), pace, chance)
    sim.set(prot=5, a_valid=0, d_ready=0)
    refused = 0
    for _ in range(1200):
        address, size = chance.randrange(1 << 12), chance.choice((0, 1, 2, 2, 2, 3))
        if size < 3 and chance.random() < 0.9:
            address &= -1 << size
        opcode, source = chance.choice((PUT_FULL, PUT_PARTIAL, GET, GET, chance.randrange(8))), chance.getrandbits(8)
        named = lanes(address, size)
        mask = named & chance.getrandbits(4) if opcode == PUT_PARTIAL else named
        mask = mask if chance.random() < 0.9 else chance.getrandbits(4)
        data, before = chance.getrandbits(32), bench.words[address >> 2]
        legal = opcode in (PUT_FULL, PUT_PARTIAL, GET) and size < 3 and address % (1 << size) == 0
        legal = legal and not mask & ~named and (opcode == PUT_PARTIAL or mask == named)
        offer = {"opcode": opcode, "size": size, "source": source, "address": address, "mask": mask, "data": data}
        ask.queue.append(offer)
        answer = None
        for _ in range(400):
            ask.drive(sim)
            take.drive(sim)
            bench.drive()
            if taken := take.sample(sim):
                answer = taken
            ask.sample(sim)
            bench.sample()
            sim.step()
            if answer:
                break
        assert answer is not None
        error = not legal or address >> 11
        word = 0 if not legal or opcode != GET else 0xBAD if error else before
        wanted = {"opcode": int(opcode == GET), "size": size, "source": source, "data": word, "error": int(bool(error))}
        assert answer == wanted, offer
        word = -1 if opcode == GET else mask << 32 | data
        assert bench.seen == ([(address & -4, 5, word)] if legal else [])
        bench.seen.clear()
        refused += not legal
    assert 100 < refused < 800
