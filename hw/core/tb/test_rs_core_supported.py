# SPDX-License-Identifier: Apache-2.0
"""The four supported designs whole: their operations, random programs of other tests, registers, addresses. `make coverage` counts what of the RTL, and which
crosses of the functional plan, these reach; elsewhere they are soak."""

import random
import sys

import numpy as np
import pytest
import test_rs_core
import test_rs_core_fields
import test_rs_core_sealed
import test_rs_core_signing
from core_model import Modulus, numbers, primes, roots_image
from rs_cocotb import ROOT
from test_rs_core import BASE, Dut, Twin, registers
from test_rs_core_encode import INT16
from test_rs_core_fields import Fields
from test_rs_core_sealed import bound, put_key

from ringside import designs
from ringside.cycles import schemes
from ringside.cycles.operation import record
from ringside.operations import CKKS, TABLE, names
from ringside.sim.asm import assemble, instruction
from ringside.sim.options import Simulated

sys.path.append(str(ROOT / "scripts" / "plugins"))
import functional_plan as plan

pytestmark = pytest.mark.soak  # builds models of whole designs
LANES, FIELDS = (
    tuple(name for name in designs.supported() if designs.load(name).fields is there) for there in (False, True)
)
PLAIN = [name for name in names(CKKS) if not TABLE[name].fixed]
FIXED = [name for name in names(CKKS) if TABLE[name].fixed]
MEMORIES = (
    {"slave": "any"},
    {"slave": "together", "stall": 40, "latency": 9},
    {"slave": "data_first", "stall": 90, "latency": 2},
    {"slave": "address_first", "bandwidth": 4, "outstanding": 2},
)
# one of each kind, in sizes that differ
SCHEME_OPS = (
    "ml-kem-512-decaps", "ml-dsa-44-sign", "newhope-client", "ml-dsa-65-verify", "ml-kem-1024-encaps",
    "ml-dsa-87-keygen", "newhope-server", "ml-kem-768-keygen", "keccak",
)  # fmt: skip
LANES_OPS = [
    *((name, op) for op in PLAIN for name in LANES),
    *(("aloha-he", op) for op in FIXED if not op.startswith("encode-encrypt-pk") or "direct" in op),
]
FIELD_OPS = [
    *((name, op) for op in SCHEME_OPS for name in FIELDS),
    ("pqc-4s", "ml-kem-768-decaps-sealed"),
    ("pqc-4s", "ml-dsa-44-sign-sealed"),
]


@pytest.mark.parametrize(("name", "op"), LANES_OPS)
def test_operations_of_lanes(name, op):
    """The library's results, or there is a DeviceError; small and large rings, several moduli of every size."""
    wanted = designs.load(name)
    largest = [(wanted.log_n_max, 30)] if op in ("ntt", "intt") else []
    for which, (log_n, bits) in enumerate([(10, 24), (11, wanted.word_bits - 2), *largest]):
        memory = MEMORIES[(which + len(op)) % len(MEMORIES)]
        record(Simulated(wanted, memory), op, 1 << log_n, 2, bits, frames=1 + (which == 0))


@pytest.mark.parametrize(("name", "op"), FIELD_OPS)
def test_operations_of_fields(name, op):
    schemes.measure(Simulated(designs.load(name), MEMORIES[len(op) % len(MEMORIES)]), op)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", LANES)
def test_random_programs(name, seed, monkeypatch, port):
    """Memory is at the lower end of its addresses, and at the upper one."""
    monkeypatch.setitem(test_rs_core.DESIGNS, name, designs.load(name))
    monkeypatch.setattr(test_rs_core, "BASE", (BASE, 0x5A5A_A5A5_5A40_0000, 0xA5A5_5A5A_A580_0000)[seed % 3])
    test_rs_core.test_random_programs(name, seed, port)


@pytest.mark.parametrize("name", FIELDS)
def test_wide_residues(name):
    """Residues of 8 bytes in memory, of words that 4 bytes hold: they come back as they were."""
    wanted = designs.load(name)
    with Fields(wanted) as dut:
        rng = np.random.default_rng(3)
        for log_n in (wanted.log_n_min, wanted.log_n_max):
            dut.log_n = log_n
            q = primes(log_n, wanted.word_bits - 2, 1)[0]
            words = rng.integers(0, q, 1 << log_n).astype("<u8").tobytes()
            dut.at["ring"], dut.at["words"] = dut.place(Modulus(log_n, q, 5, 1).bytes(wanted)), dut.place(words)
            dut.at["back"] = dut.place(bytes(len(words)))
            text = """
                CONTEXT ctx0 [ring]
                LOAD g0 ctx0 [words] wide
                STORE g0 [back] wide
            """
            assert dut.run(dut.program(text))[0] == "NONE"
            assert dut.stored("back", len(words)) == words


# ---- tests of smaller cores ------------------------------------------------------------------------------------------------
@pytest.fixture
def as_small(monkeypatch):
    """These designs in the place of the smaller ones that the tests of fields have."""
    monkeypatch.setattr(Fields.__init__, "__defaults__", (designs.load("pqc-4"),))
    monkeypatch.setattr(test_rs_core_sealed, "DESIGN", designs.load("pqc-4s"))
    monkeypatch.setattr(test_rs_core_signing, "DESIGN", designs.load("pqc-4s"))


@pytest.mark.parametrize("test", ["every_kind", "hashes_and_polynomials", "digests_outlive_programs_but_not_a_wipe"])
def test_open_fields(test, as_small, port):
    getattr(test_rs_core_fields, f"test_{test}")(port)


def test_aborts_of_open_fields(as_small):
    test_rs_core_fields.test_abort_at_any_time()


@pytest.mark.parametrize("test", ["programs_tell_nothing", "nothing_outlives_a_program", "lines_are_written_whole"])
def test_sealed_fields(test, as_small, port):
    with test_rs_core_sealed.Sealed() as dut, Twin(port, dut) as twin:
        dut.memory[dut.at["packed"] : dut.at["packed"] + 640] = random.Random(4).randbytes(640)
        getattr(test_rs_core_sealed, f"test_{test}")((dut, twin))


def test_random_programs_of_sealed_fields(as_small, port):
    with test_rs_core_sealed.Sealed() as dut, Twin(port, dut) as twin:
        dut.memory[dut.at["packed"] : dut.at["packed"] + 640] = random.Random(4).randbytes(640)
        test_rs_core_sealed.test_random_programs((dut, twin), 100)


def test_signatures(as_small, port):
    with test_rs_core_signing.Signing() as dut, Twin(port, dut) as twin:
        dut.put_image(twin)
        test_rs_core_signing.test_signatures((dut, twin))


# ---- registers and addresses --------------------------------------------------------------------------------------------------
# what a random write does no harm to: nothing starts by it
WRITTEN = ("WATCHDOG", "LOG_N", "PROGRAM_INDEX", "PROGRAM_LO", "PROGRAM_HI", "FRAME")


@pytest.mark.parametrize("name", [*LANES, *FIELDS])
def test_registers(name):
    r, rng = registers(), random.Random(1)
    with Dut(designs.load(name)) as dut:
        for _ in range(40):
            word = rng.getrandbits(32)
            for given in (word, ~word & 0xFFFFFFFF):
                for register in WRITTEN:
                    dut.core.write(r[register], given)
                    dut.core.read(r[register])
                for i in range(32):
                    dut.core.write(r["POINTER"] + 4 * i, given)
                for i in range(16):
                    dut.core.write(r["SEED"] + 4 * i, given)
                    dut.core.write(r["PUBLIC_SEED"] + 4 * i, given)
        for register in ("ID", "FEATURES", "STATUS", "CYCLES", "KEY_USE"):
            dut.core.read(r[register])
        dut.core.write(r["KEY_USE"], 0xFFFFFFFF)
        dut.core.read(r["KEY_USE"])


PATTERNS = (
    0x5555_5555_5555_5540,
    0x2AAA_AAAA_AAAA_AA80,
    0x1FFF_FFFF_FFFF_FFC0,
    64,
)  # below 2^62: the least of all designs
# an instruction of each unit on the bus, with fields or without
MOVES = {
    LANES: ("LOAD g0 ctx0 [p1 + {offset:#x}]{wide}", "STORE g0 [p1 + {offset:#x}]{wide}"),
    FIELDS: (
        "LOAD g1 ctx0 [p1 + {offset:#x}]",
        "STORE g0 [p1 + {offset:#x}]",
        "LOADD d0 [p1 + {near:#x}]",
        "STORED d0 [p1 + {near:#x}]",
        "LOADF g1 ctx0 [p1 + {near:#x}] field_width7 log_size8",
        "STOREF g2 ctx0 [p1 + {near:#x}] field_width_out11 log_size8",
    ),
}


@pytest.mark.parametrize("name", [*LANES, *FIELDS])
def test_addresses(name):
    """Nothing is there: memory answers with an error, so each program ends with the cause of its instruction."""
    wanted = designs.load(name)
    with Dut(wanted) as dut:
        q = primes(10, min(30, wanted.word_bits - 2), 1)[0]
        context = dut.place(Modulus(10, q, 1, 1).bytes(wanted))
        data = dut.place(bytes(8 << 10))
        wide = " wide" if wanted.word_bits > 32 else ""
        head = [f"CONTEXT ctx0 [p0 + {context:#x}]", f"LOAD g0 ctx0 [p0 + {data:#x}]{wide}"]
        head += ["LOADF g2 ctx0 [p0] field_width7 log_size8"] if name in FIELDS else []
        head[-1] = head[-1].replace("[p0]", f"[p0 + {0:#x}]")
        for text in MOVES[LANES if name in LANES else FIELDS]:
            for pattern in PATTERNS:
                near = 64 * (pattern & 0xFF)
                offset = 64 * (pattern >> 8 & 0x3FFFFFF)
                line = text.format(offset=offset, near=near, wide=wide)
                words = assemble("\n".join([*head, line, "END"]))
                cause, pc, _ = dut.run(words, pointers=(BASE, pattern))
                assert cause == ("BUS_WRITE" if line.startswith("STORE") else "BUS_READ"), (line, cause, pc)
                assert pc == len(head)


@pytest.mark.parametrize("name", [*LANES, *FIELDS])
def test_random_words(name):
    """Whatever stands in program memory, the core says something and takes the next program."""
    rng = random.Random(2)
    with Planned(name) as dut:
        for number in range(150):
            operation = rng.choice(list(plan.OPS)) if number % 2 else rng.getrandbits(6)
            word = rng.getrandbits(58) << 6 | operation
            dut.core.write(registers()["WATCHDOG"], 20_000)  # a LIFT or a STREAM waits for the other
            for one in (word, word ^ (1 << 64) - 64):
                dut.run([one, *assemble("END")])
        assert dut.run_planned(assemble("\n".join([*dut.head, "END"])))[0] == "NONE"


@pytest.mark.parametrize("name", [*LANES, *FIELDS])
def test_long_programs(name):
    """Instructions of each unit at places whose bits differ, in a program that fills the memory; between them moduli of several sizes."""
    with Planned(name) as dut:
        wanted, depth = dut.design, dut.design.program_depth
        bits = [wanted.word_bits - 2 - 3 * i for i in range(3)]
        images = [dut.place(Modulus(10, primes(10, size, 1)[0], 5, 7).bytes(wanted)) for size in bits]
        lines = [f"CONSTANTS ctx1 [p0 + {images[i % 3]:#x}]" for i in range(depth - 1)]
        first = [*dut.head, f"LOAD g0 ctx0 [data]{dut.wide}", *([] if dut.fields else ["SAMPLE s0 1 ternary"])]
        lines[: len(first)] = first
        for i, unit in enumerate(plan.units(wanted.parameters)):
            for at in (depth // 3 + i, depth - 1 - (depth // 3 + i)):
                lines[at] = LAST[unit].format(wide=dut.wide)
        cause, pc, _ = dut.run_planned(assemble("\n".join(map(dut.line, [*lines, "END"]))))
        assert cause == "NONE", (cause, pc, lines[pc])


# ---- the functional plan: directed programs --------------------------------------------------------------------------------------
class Planned(Dut):
    """A design with a modulus, roots of fixed point, residues and room for results."""

    def __init__(self, name, **memory):
        super().__init__(designs.load(name), **memory)
        wanted, rng = self.design, np.random.default_rng(1)
        self.fields, self.encode = name in FIELDS, bool(wanted.encode)
        self.wide = " wide" if wanted.word_bits > 32 else ""
        q = primes(10, min(30, wanted.word_bits - 2), 1)[0]
        kind = "<u8" if wanted.word_bits > 32 else "<u4"
        self.at = {
            "ctx": self.place(Modulus(10, q, 5, 1).bytes(wanted)),
            "data": self.place(rng.integers(0, min(q, 1 << 20) if self.fields else q, 1 << 10).astype(kind).tobytes()),
            "large": self.place(bytes([0xFF]) * 8192),
            "out": self.place(bytes(8192)),
        }
        if self.encode:
            self.at["roots"] = self.place(roots_image(wanted, 10, 3, 5))
        self.head = [self.line("CONTEXT ctx0 [ctx]")]
        self.roots = [self.line("ROOTS ctx1 [roots]")] if self.encode else []

    def line(self, text):
        """Addresses by name."""
        for name, at in self.at.items():
            text = text.replace(f"[{name}]", f"[p0 + {at:#x}]")
        return text

    def tagged(self, kind, number, tag):
        """Instructions that give a group or slot this tag. Those of group and slot 0 have the error 0, others the error 1."""
        slot = f"s{number}"
        error = f"SAMPLE {slot} {2 + number}"
        group = f"g{number}"
        load = f"LOAD {group} ctx0 [data]{self.wide}"
        product = [f"{load} secret", f"MUL {group} {group} {group} ctx0"]
        rounded = [error, *product, f"ROUND {slot} {group} ctx0"]
        if kind == "slot":
            made = {
                "SECRET": [f"SAMPLE {slot} 1 ternary"],
                "MASK": [error],
                "ROUNDED": rounded,
                "SPENT": [f"SAMPLE {slot} 1"],
            }
        elif self.fields:
            made = {"MASK": [f"{load} error"], "SPENT": [f"{load} error", f"SCALE {group} {group} ctx0"]}
        else:
            lift = f"LIFT {group} {slot} ctx0"
            made = {"MASK": [error, lift], "ROUNDED": [*rounded, lift], "SPENT": [f"{load} error"]}
            made["MESSAGE"] = [f"LOADS {group} p2 {numbers(INT16, 14, 512)}"]
        made |= {"EMPTY": []}
        if kind == "group":
            made |= {"PUBLIC": [load], "SECRET": [f"{load} secret"], "PRODUCT": product}
        return [self.line(one) for one in made[tag]]

    def words(self, name, operands):
        """An operation, whose other operands are the first of these."""
        op = plan.ISA["op"][name]
        uses = op.get("uses", [])
        first = next(iter(operands.values()))
        others = {field: operands.get(field, first) for field in ("dst", "a", "b") if field in op}
        if "apart" in op or (op.get("dst") == "group" and not op.get("reads_dst")):
            others["dst"] = 0 if others.get("b", others.get("a")) else 1
        more = {"ctx": int(op.get("ctx_is") == "roots")} if "ctx" in uses else {}
        more |= {"wide": 1} if "wide" in uses and self.wide else {}
        more |= {"offset": self.at["out"] // 64} if "offset" in uses else {}
        more |= {"pointer": 2, "numbers": numbers(INT16, 14, 512)} if "numbers" in uses else {}
        more |= {"log_size": 8, "near": self.at["out"] // 64} if "near" in uses else {}
        more |= {"log_size": 8, "power": 9} if name == "NORM" else {}
        return [instruction(name, **others, **more)]

    def run_planned(self, words, **given):
        return self.run(words, pointers=(BASE, 0, BASE + self.at["out"]), **given)


@pytest.mark.parametrize("name", [*LANES, *FIELDS])
def test_tags(name):
    """Each operation on operands of all tags: accepted or refused as isa.toml says."""
    wanted = designs.load(name)
    with Planned(name) as dut:
        for _, operation, *sources, outcome in sorted(
            cross for cross in plan.expected(wanted.parameters) if cross[0] == "tags"
        ):
            kinds = dict(plan.sources(plan.ISA["op"][operation]))
            tags = dict(source.split() for source in sources)
            order = sorted(tags, key=lambda field: kinds[field] == "group")  # what a slot needs a group for comes first
            numbers_of = {field: i for i, field in enumerate(order)}
            lines = [line for field in order for line in dut.tagged(kinds[field], numbers_of[field], tags[field])]
            words = assemble("\n".join([*dut.head, *dut.roots, *lines]))
            if operation == "STOREF" and outcome == "accepted" and tags["a"] != "PUBLIC":
                words = assemble("HASH d6 d0 [p0 + 0x0] hash13") + words
                words += assemble("STOREF g0 ctx0 [p15 + 0x3000] field_width_out11 log_size8\nEND")
                words += [0] * (wanted.program_depth - len(words))
                put_key([dut.core], 0, bytes(64), bound(words))
            else:
                words += dut.words(operation, numbers_of) + assemble("END")
            cause, pc, _ = dut.run_planned(words)
            assert (cause in ("EMPTY", "SECRET")) == (outcome == "refused"), (operation, tags, cause, pc)


COMMANDS = {"abort": "CONTROL_ABORT", "zeroize": "CONTROL_ZEROIZE"}
LAST = {  # an instruction of a unit that is the last one of a program
    "LOAD": "LOAD g1 ctx0 [data]{wide}",
    "STORE": "STORE g0 [out]{wide}",
    "COMPUTE": "NTT g0 ctx0",
    "SAMPLE": "SAMPLE s1 2",
    "LIFT": "LIFT g1 s0 ctx0",
    "EXPAND": "EXPAND g1 ctx0 1 first",
    "SPONGE": "HASH d0 d0 [data] hash2 bytes4000",
    "PACK": "LOADF g1 ctx0 [data] field_width11 log_size8 polys3",
}


@pytest.mark.parametrize("stop", plan.STOPS)
@pytest.mark.parametrize("name", [*LANES, *FIELDS])
def test_stops(name, stop, port):
    """A program is stopped anywhere, often near its end, where its last instruction drains. Then the core runs it as the model does."""
    r = registers()
    slave = {"abort": "together", "zeroize": "data_first", "watchdog": "any"}[stop]
    with Planned(name, latency=60, stall=60, slave=slave) as dut, Twin(port, dut) as twin:
        fields = ("STOREF g0 ctx0 [out] field_width_out11 log_size8", "LOADD d0 [data]", "STORED d0 [out]")
        for unit in plan.units(dut.design.parameters):
            other = fields if dut.fields else ("SAMPLE s0 1 ternary", f"STORE g0 [out]{dut.wide}")
            before = [f"LOAD g0 ctx0 [data]{dut.wide}", *other]
            lines = [
                *dut.head,
                *(dut.line(line) for line in before),
                *3 * [dut.line(LAST[unit].format(wide=dut.wide))],
                "END",
            ]
            words = assemble("\n".join(lines))
            dut.core.write(r["WATCHDOG"], 1 << 28)
            cause, _, job = dut.run_planned(words)
            assert cause == "NONE"
            for part in range(24):
                after = job.cycles * (2 * part + 1) // 32 if part < 16 else job.cycles - 4 * 3 ** (part - 16)
                dut.core.write(r["WATCHDOG"], max(3, after) if stop == "watchdog" else 1 << 28)
                dut.start(words, pointers=(BASE, 0, BASE + dut.at["out"]))
                if stop != "watchdog":
                    end = dut.core.cycles + max(0, after)
                    while dut.core.cycles < end:
                        dut.core.read(r["STATUS"])
                    dut.core.write(r["CONTROL"], 1 << r[f"{COMMANDS[stop]}_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])
                dut.core.wait()
                dut.wait_wiped()
                assert dut.status()[0] in ("NONE", "ABORTED", "WATCHDOG")
            dut.core.write(r["WATCHDOG"], 1 << 28)
            assert dut.run_planned(words)[0] == "NONE"
            assert twin.run(words, pointers=(BASE, 0, BASE + dut.at["out"]))[0] == "NONE"
            np.testing.assert_array_equal(dut.core.memory, twin.core.memory)


def failing(dut):
    """(unit, cause, lines): what of isa.toml's causes test_stops has not."""
    load = f"LOAD g0 ctx0 [data]{dut.wide}"
    for unit in plan.units(dut.design.parameters):
        name = {"COMPUTE": "NTT", "SPONGE": "DRAW", "PACK": "LOADF"}.get(unit, unit)
        op = plan.ISA["op"][name]
        fields = ("op", *(field for field in ("dst", "a", "b") if field in op), *op.get("uses", []))
        used = [plan.ISA["field"][field]["bits"] for field in fields]
        unused = next(bit for bit in reversed(range(64)) if not any(low <= bit <= high for high, low in used))
        yield unit, "ILLEGAL", [instruction(name) | 1 << unused]
        given = {"wide": 1} if dut.wide and "wide" in fields else {"log_size": 8} if name in ("DRAW", "LOADF") else {}
        given |= {"first": 1} if name == "EXPAND" else {}
        yield unit, "RANGE", [instruction(name, **{"a" if name == "STORE" else "dst": 15}, **given)]
    wide = dut.wide
    yield "LOAD", "ALIGN", [f"LOAD g0 ctx0 [p9 + 0x0]{wide}"]
    yield "STORE", "ALIGN", [load, f"STORE g0 [p9 + 0x0]{wide}"]
    yield "LOAD", "EMPTY", [instruction("LOAD", ctx=1, wide=bool(wide))]
    yield "STORE", "EMPTY", [f"STORE g1 [out]{wide}"]
    yield "COMPUTE", "EMPTY", ["NTT g1 ctx0"]
    yield "COMPUTE", "CONTEXT", ["CONSTANTS ctx0 [ctx]", load, "NTT g0 ctx0"]
    yield "STORE", "SECRET", [f"{load} secret", f"STORE g0 [out]{wide}"]
    yield "LOAD", "RESIDUE", [f"LOAD g0 ctx0 [large]{wide}"]
    yield "LOAD", "CONTEXT", ["CONTEXT ctx0 [large]"]
    yield "LOAD", "BUS_READ", [f"LOAD g0 ctx0 [p3 + 0x0]{wide}"]
    yield "STORE", "BUS_WRITE", [load, f"STORE g0 [p3 + 0x0]{wide}"]


FIELD_FAULTS = [
    ("SPONGE", "ALIGN", ["LOADD d0 [p9 + 0x0]"]),
    ("PACK", "ALIGN", ["LOADF g0 ctx0 [p9 + 0x0] field_width11 log_size8"]),
    ("SPONGE", "EMPTY", ["DRAW g0 ctx1 number_bytes2 log_size8"]),
    ("PACK", "EMPTY", ["STOREF g1 ctx0 [out] field_width_out11 log_size8"]),
    (
        "PACK",
        "SECRET",
        ["LOADF g0 ctx0 [data] secret field_width11 log_size8", "STOREF g0 ctx0 [out] field_width_out11 log_size8"],
    ),
    (
        "PACK",
        "VALUE",
        ["LOADF g0 ctx0 [data] field_width11 log_size8", "STOREF g0 ctx0 [out] field_width_out5 log_size8"],
    ),
    ("SPONGE", "BUS_READ", ["LOADD d0 [p3 + 0x0]"]),
    ("SPONGE", "BUS_WRITE", ["STORED d0 [p3 + 0x0]"]),
    ("PACK", "BUS_READ", ["LOADF g0 ctx0 [p3 + 0x0] field_width11 log_size8"]),
    ("PACK", "BUS_WRITE", ["LOADF g0 ctx0 [data] log_size8", "STOREF g0 ctx0 [p3 + 0x0] field_width_out11 log_size8"]),
]
SEALED_FAULTS = [("SPONGE", "SECRET", ["STORED d0 [p15 + 0x1000]"])]
LANE_FAULTS = [("LIFT", "EMPTY", ["LIFT g0 s1 ctx0"]), ("EXPAND", "EMPTY", ["EXPAND g0 ctx1 1 first"])]
MESSAGES = f"LOADS g0 p2 {numbers(INT16, 14, 512)}"
ENCODE_FAULTS = [
    ("LIFT", "EMPTY", ["LIFT g0 s1 ctx0"]),
    ("EXPAND", "EMPTY", ["EXPAND g0 ctx1 1 first"]),
    ("EXPAND", "CONTEXT", ["EXPAND g0 ctx1 1 first"]),
    ("LIFT", "CONTEXT", ["SAMPLE s0 2", "LIFT g0 s0 ctx1"]),
    ("LOAD", "WIDE", ["LOAD g0 ctx0 [data]"]),
    ("STORE", "WIDE", ["LOAD g0 ctx0 [data] wide", "STORE g0 [out]"]),
    ("COMPUTE", "SECRET", ["LOAD g0 ctx0 [data] wide secret", "IFFT g0 ctx1"]),
    ("LIFT", "SECRET", ["LOAD g0 ctx0 [data] wide secret", "CENTRE g1 g0 ctx0 0"]),
    ("LIFT", "VALUE", ["LOAD g0 ctx0 [data] wide", "CENTRE g1 g0 ctx0 40"]),
    ("COMPUTE", "VALUE", ["LOAD g0 ctx0 [data] wide", "CENTRE g1 g0 ctx0 24", "FFT g1 ctx1"]),
    ("LOAD", "ILLEGAL", [f"LOADS g0 p2 {numbers(7, 14, 512)}"]),
    ("LOAD", "VALUE", [f"LOADS g0 p4 {numbers(INT16, 60, 512)}"]),
    ("STORE", "VALUE", ["LOAD g0 ctx0 [data] wide", "CENTRE g1 g0 ctx0 20", f"STORES g1 p2 {numbers(INT16, 0, 512)}"]),
]


@pytest.mark.parametrize("name", [*LANES, *FIELDS])
def test_faults(name):
    """Each cause of each unit."""
    with Planned(name) as dut:
        more = (
            [*FIELD_FAULTS, *(SEALED_FAULTS if name == "pqc-4s" else [])]
            if dut.fields
            else ENCODE_FAULTS
            if dut.encode
            else LANE_FAULTS
        )
        for unit, cause, lines in [*failing(dut), *more]:
            head = [*dut.head, *(dut.roots if any("ctx1" in str(line) for line in lines) and cause != "EMPTY" else [])]
            words = [
                word
                for line in [*head, *lines, "END"]
                for word in ([line] if isinstance(line, int) else assemble(dut.line(line)))
            ]
            given = (BASE, 0, BASE + dut.at["out"], 1 << 60, BASE + dut.at["large"])
            found, pc, _ = dut.run(words, pointers=given)
            assert found == cause, (unit, cause, lines, found, pc)


# ---- the seal: digests of every kind ---------------------------------------------------------------------------------------------
CIPHERTEXT = "STOREF g0 ctx0 [vault + 0x2000] field_width_out11 log_size8"
DECODED = "STOREF g0 ctx0 [vault + 0x3000] shrink2 log_size8"
AGAIN = "STOREF g0 ctx0 [vault + 0x3200] field_width_out11 log_size8"
HEAD = ("CONTEXT ctx0 [ctx] log_size7", "LOADF g0 ctx0 [packed] field_width11 log_size8")
STEPS = {"NONE": (), "GIVEN": (CIPHERTEXT,), "DECODED": (CIPHERTEXT, DECODED), "MADE": (CIPHERTEXT, DECODED, AGAIN)}
CHOICE = "HASH d{key} d{given} [p{made} + 0x0] hash14 halves{refusal}"
ROLES = {"key": 0, "given": 1, "made": 2, "refusal": 3}


def digests(first, second, step="MADE"):
    """A program that has the key and makes digests 4 and 5 of these kinds; a LOST one is of the program before. Digests 6 and 7, or those that are to be, are
    the roots, 0 is public."""
    kinds = {4: first, 5: second}
    root = next((d for d, kind in kinds.items() if kind == "ROOT"), 7)
    lines = [f"HASH d{root & 6} d0 [p0 + 0x0] hash13", *HEAD]
    if "RAW" in kinds.values():
        lines += [DECODED, "LOADD d4 [vault + 0x3000]"]
    made = {
        "OPEN": "HASH d{d} d0 [message] hash2 bytes0",
        "HASHED": "HASH d{d} d{root} [message] hash12 bytes1",
        "GIVEN": "HASH d{d} d0 [vault + 0x2000] hash2 bytes640",
        "REFUSAL": "HASH d{d} d{root} [vault + 0x2000] hash9 bytes640",
        "KEY": "HASH d{d} d0 [vault + 0x3000] append hash4 bytes32",
        "MADE": "HASH d{d} d0 [vault + 0x3200] hash2 bytes640",
    }
    for digest in [d for d, kind in kinds.items() if kind == "SHARED"]:
        lines += ["LOADD d0 [seed]", *STEPS["MADE"]]
        operands = {**ROLES, "key": digest}
        lines += [made[kind.upper()].format(d=d, root=root) for kind, d in operands.items()]
        lines.append(CHOICE.format(**operands))
    lines += ["LOADD d0 [seed]", *STEPS[step]]
    return [*lines, *(made[kind].format(d=d, root=root) for d, kind in kinds.items() if kind in made)]


def of_cross(operation, *what):
    """Kinds of digests 4 and 5, the step of a choice, and an instruction."""
    places = {name: "[out]" if name == "outside" else f"[vault + 0x{name[-1]}000]" for name in plan.PLACES}
    kinds = [one for one in what if one in plan.DIGESTS]
    first, second = (kinds * 2 + ["OPEN"] * 2)[:2]
    step = next((one.split()[1] for one in what if one.startswith("step ")), "MADE")
    place = places.get(what[-1], places.get(what[0], "[out]"))
    field = {what[-1]: 4} if what[-1] in ROLES else {}
    line = {
        "HASH": f"HASH d1 d4 {place} append hash2 bytes32",
        "STORED": f"STORED d4 {place}",
        "DRAW": "DRAW g1 ctx0 draw8 seed_digest4 number_bytes1 log_size8"
        if what[-1] == "steady"
        else "DRAW g1 ctx0 draw1 seed_digest4 number_bytes2 log_size8",
        "choice": CHOICE.format(**{**ROLES, **field}),
        "LOADD": f"LOADD d2 {place}",
        "LOADF": f"LOADF g1 ctx0 {place} {'secret ' if what[-1] == 'secret' else ''}field_width11 log_size8",
        "STOREF": f"STOREF g0 ctx0 {place} field_width_out11 log_size8",
    }[operation]
    return first, second, step, line


def test_the_seal(as_small, port):
    """As the model: its cause at the same instruction, and its memory."""
    roots = bytes(range(64))
    with test_rs_core_sealed.Sealed() as dut, Twin(port, dut) as twin:
        dut.memory[dut.at["packed"] : dut.at["packed"] + 640] = random.Random(4).randbytes(640)

        def run(lines):
            words = dut.program("\n".join(lines))
            put_key((dut.core, twin.core), 0, roots, bound(words))
            return test_rs_core_sealed.both(dut, twin, words, fill=True)[0]

        for _, *cross in sorted(cross for cross in plan.expected(dut.design.parameters) if cross[0] == "seal"):
            first, second, step, line = of_cross(*cross)
            if "LOST" in (first, second):
                assert run(["HASH d4 d0 [p0 + 0x0] hash13"]) == "NONE"
            if run([*digests(first, second, step), line]) in test_rs_core_sealed.RUNNING:
                test_rs_core_sealed.wipe(dut, twin)
