# SPDX-License-Identifier: Apache-2.0
"""A whole core with slices: programs of several polynomials in one group, compared with Python's integers and with the model of the core; tags, faults, time."""

import random
from collections import Counter

import numpy as np
import pytest
from core_model import Modulus, radix
from rs_orders import reverse
from test_rs_core import Dut, Twin, design

from ringside.sim.asm import assemble

LOG_N, T = 10, 7  # log2 of the sizes of a group, and of a slice
Q, PSI = 2560001, 186441  # 3329 times 769; 17 modulo 3329
DESIGN = design(4, 32, "stored", groups=4, slots=1, bus_bits=128, expand=False, slices=8, log_n_min=8)
WIDE = design(1, 40, "stored", groups=3, slots=1, bus_bits=128, expand=False, slices=4, log_n_min=8, log_n_max=10)


class Ring(Modulus):
    """A context of a given root: 17 modulo 3329 is not the smallest one modulo q, which is no prime."""

    def __init__(self, log_n, q, psi, constant=1):
        super().__init__(log_n, q, 1, constant, psi)

    def ntt_rows(self, rows):
        """The definition; q is below 2^24."""
        size, q = 1 << self.log_n, self.q
        power = np.array([pow(self.psi, k, q) for k in range(2 * size)], np.uint64)
        roots = 2 * np.array([reverse(j, self.log_n) for j in range(size)]) + 1
        return rows @ power[np.outer(np.arange(size), roots) % (2 * size)] % np.uint64(q)


def memory_order(rows):
    """The array of a group whose slices these are: word j of slice s is word j 2^r + brv_r(s)."""
    r = len(rows).bit_length() - 1
    return rows[[reverse(s, r) for s in range(len(rows))]].T.reshape(-1)


class Bench(Dut):
    def __init__(self, wanted=DESIGN, **memory):
        super().__init__(wanted, LOG_N, **memory)
        self.kind = "<u8" if wanted.word_bits > 32 else "<u4"
        self.wide = " wide" if wanted.word_bits > 32 else ""
        self.octets = int(self.kind[2])

    def words(self, values):
        return self.place(np.ascontiguousarray(values).astype(self.kind).tobytes())

    def found(self, address, count):
        return self.core.memory[address : address + self.octets * count].view(self.kind).astype(np.uint64)

    def text(self, lines):
        return assemble("\n".join([*lines, "END"]))

    def check(self, lines):
        cause, pc, job = self.run(self.text(lines))
        assert cause == "NONE", (cause, pc, lines[pc])
        return job


@pytest.mark.parametrize("wanted", [DESIGN, pytest.param(WIDE, marks=pytest.mark.soak)], ids=["P4", "P1-W40"])
def test_load_store_and_transforms(wanted):
    """Slices one by one and all at once; a group of slices is the array of docs/core.md; CONTEXTs of two sizes."""
    with Bench(wanted) as dut:
        rng = np.random.default_rng(1)
        small, large = Ring(T, Q, PSI), Ring(8, 8380417, 1753)
        most = min(8, wanted.slices)
        rows = rng.integers(0, Q, (8, 1 << T)).astype(np.uint64)
        others = rng.integers(0, large.q, (2, 256)).astype(np.uint64)
        first, second = (dut.place(ring.bytes(wanted)) for ring in (small, large))
        whole, single = dut.words(memory_order(rows)), [dut.words(row) for row in rows]
        pair = [dut.words(row) for row in others]
        out, parts, outs = (
            dut.words(np.zeros(1024)),
            dut.words(np.zeros(8 * 128)),
            [dut.words(np.zeros(256)) for _ in pair],
        )
        step = 128 * dut.octets
        lines = [
            f"CONTEXT ctx0 [p0 + {first:#x}] log_size7",
            f"LOAD g0 ctx0 [p0 + {whole:#x}]{dut.wide}",
            f"CONTEXT ctx1 [p0 + {second:#x}] log_size8",
            *(f"LOAD g1 ctx0 [p0 + {at:#x}]{dut.wide} log_size7 slice_dst{i}" for i, at in enumerate(single)),
            *(f"LOAD g2 ctx1 [p0 + {at:#x}]{dut.wide} log_size8 slice_dst{i}" for i, at in enumerate(pair)),
            *(f"NTT g1 ctx0 log_size7 slice_dst{i} slices{most - 1}" for i in range(0, 8, most)),
            "NTT g2 ctx1 log_size8 slices1",
            *(f"NTT g0 ctx0 log_size7 slice_dst{i}" for i in range(8)),
            f"STORE g1 [p0 + {out:#x}]{dut.wide}",
            *(f"STORE g0 [p0 + {parts + i * step:#x}]{dut.wide} ntt log_size7 slice_dst{i}" for i in range(8)),
            *(f"STORE g2 [p0 + {at:#x}]{dut.wide} ntt log_size8 slice_dst{i}" for i, at in enumerate(outs)),
        ]
        lines = [line.replace("slice_dst0", "").replace("slices0", "") for line in lines]
        dut.check(lines)
        expected = small.ntt_rows(rows)
        np.testing.assert_array_equal(dut.found(parts, 1024).reshape(8, 128), expected)
        for at, row in zip(outs, large.ntt_rows(others), strict=True):
            np.testing.assert_array_equal(dut.found(at, 256), row)
        # g1 as it stands, in coefficient form: positions of slices, each turned as NTT form is
        place = np.zeros((8, 128), np.uint64)
        for s in range(8):
            for j in range(128):
                position = reverse(j, T)
                lanes_bits = 2 + wanted.lanes.bit_length() - 1
                bits = T - lanes_bits
                row, word = position >> lanes_bits, position & (1 << lanes_bits) - 1
                turn = T % bits
                row = (row << turn | row >> bits - turn) & (1 << bits) - 1
                place[s, reverse(row << lanes_bits | word, T)] = expected[s, j]
        np.testing.assert_array_equal(dut.found(out, 1024), memory_order(place))


def test_base_multiplication():
    """A matrix of 2 x 2 polynomials of ML-KEM times a vector: 2 k + 1 passes (docs/core.md, Slices), and INTT of both results at once."""
    with Bench() as dut:
        rng = np.random.default_rng(2)
        ring, p, k = Ring(T, Q, PSI), 3329, 2
        r = np.uint64(radix(DESIGN) % Q)
        a = rng.integers(0, p, (k, k, 2, 128)).astype(np.uint64)  # row, column, even and odd coefficients
        s = rng.integers(0, p, (k, 2, 128)).astype(np.uint64)
        gamma = np.array([pow(PSI, 2 * reverse(j, T) + 1, Q) for j in range(128)], np.uint64)
        z = np.stack([gamma * r % np.uint64(Q), np.full(128, r)])
        context = dut.place(ring.bytes(DESIGN))
        columns = [[dut.words(a[i, j, e]) for i in range(k) for e in range(2)] for j in range(k)]
        vector = [dut.words(row * r % np.uint64(Q)) for pair in s for row in pair]
        factors, out = [dut.words(row) for row in z], dut.words(np.zeros(2 * k * 128))
        lines = [f"CONTEXT ctx0 [p0 + {context:#x}] log_size7"]
        lines += [f"LOAD g1 ctx0 [p0 + {at:#x}] log_size7 slice_dst{i}" for i, at in enumerate(vector)]
        lines += ["NTT g1 ctx0 log_size7 slices3"]
        # g2: C, g3: D
        for j in range(k):
            lines += [f"LOAD g0 ctx0 [p0 + {at:#x}] log_size7 slice_dst{i}" for i, at in enumerate(columns[j])]
            lines += ["NTT g0 ctx0 log_size7 slices3"]
            op = "MAC" if j else "MUL"
            lines += [f"{op} g2 g0 g1 ctx0 log_size7 slice_b{2 * j} slices3 b_map1"]
            lines += [f"{op} g3 g0 g1 ctx0 a_xor log_size7 slice_b{2 * j + 1} slices3 b_map1"]
        lines += [f"LOAD g0 ctx0 [p0 + {at:#x}] ntt log_size7 slice_dst{i}" for i, at in enumerate(factors)]
        lines += ["MAC g2 g3 g0 ctx0 log_size7 slices3 b_map2", "INTT g2 ctx0 log_size7 slices3"]
        lines += [f"STORE g2 [p0 + {out + 512 * i:#x}] log_size7 slice_dst{i}" for i in range(2 * k)]
        dut.check([line.replace("slice_dst0", "").replace("slice_b0", "") for line in lines])
        found = dut.found(out, 2 * k * 128).reshape(k, 2, 128) % np.uint64(p)
        for i in range(k):
            total = np.zeros(256, object)
            for j in range(k):
                left, right = (x.T.reshape(-1).astype(object) for x in (a[i, j], s[j]))
                full = np.convolve(left, right)
                total += full[:256]
                total[: len(full) - 256] -= full[256:]
            np.testing.assert_array_equal(found[i].T.reshape(-1), (total % p).astype(np.uint64))


HEAD = [
    "CONTEXT ctx0 [p0 + {context:#x}] log_size7",
    "LOAD g0 ctx0 [p0 + {data:#x}]",
    "LOAD g1 ctx0 [p0 + {data:#x}] log_size7",
]
FAULTS = {
    "a slice without a size": ("NTT g0 ctx0 slices1", "ILLEGAL"),
    "a size of LIFT": (".word 0x7000000f", "ILLEGAL"),
    "other slices of one group": ("ADD g0 g0 ctx0 log_size7 slice_a1", "ILLEGAL"),
    "pairs of one group": ("ADD g0 g0 ctx0 a_xor log_size7 slices1", "ILLEGAL"),
    "other slices of the factor": ("MUL g0 g1 g1 ctx0 log_size7 b_map1", "ILLEGAL"),
    "an odd number in pairs": ("ADD g0 g1 ctx0 a_xor log_size7", "ILLEGAL"),
    "no such map": ("MUL g0 g0 g1 ctx0 log_size7 b_map3", "ILLEGAL"),
    "too small": ("NTT g0 ctx0 log_size6", "RANGE"),
    "larger than N": ("NTT g0 ctx0 log_size11", "RANGE"),
    "behind the group": ("NTT g0 ctx0 log_size7 slice_dst1 slices7", "RANGE"),
    "a behind the group": ("ADD g0 g1 ctx0 log_size7 slice_a7 slices1", "RANGE"),
    "b behind the group": ("MUL g2 g0 g1 ctx0 log_size7 slice_b7 slices1", "RANGE"),
    "more than are built": ("NTT g0 ctx0 log_size7 slices8", "RANGE"),
    "LOAD behind the group": ("LOAD g0 ctx0 [p0 + 0x0] log_size8 slice_dst4", "RANGE"),
    "a gap": ("LOAD g1 ctx0 [p0 + {data:#x}] log_size7 slice_dst2", "EMPTY"),
    "a gap that COMPUTE makes": ("MUL g2 g0 g0 ctx0 log_size7 slice_dst1 slice_a1 slice_b1", "EMPTY"),
    "behind what is written": ("NTT g1 ctx0 log_size7 slices1", "EMPTY"),
    "a behind what is written": ("ADD g0 g1 ctx0 log_size7 slices1", "EMPTY"),
    "b behind what is written": ("MUL g2 g0 g1 ctx0 log_size7 b_map2 slices1", "EMPTY"),
    "all of a part": ("STORE g1 [p0 + {data:#x}]", "EMPTY"),
    "STORE behind what is written": ("STORE g1 [p0 + {data:#x}] log_size7 slice_dst1", "EMPTY"),
    "twiddles of another size": ("NTT g0 ctx0 log_size8", "CONTEXT"),
    "twiddles of N": ("NTT g0 ctx0", "CONTEXT"),
    "a secret beside what is public": (
        "LOAD g1 ctx0 [p0 + {data:#x}] secret log_size7 slice_dst1\nSTORE g1 [p0 + {data:#x}] log_size7",
        "SECRET",
    ),
    "what is public over a part of a secret": (
        "LOAD g0 ctx0 [p0 + {data:#x}] secret\nLOAD g0 ctx0 [p0 + {data:#x}] log_size7\nSTORE g0 [p0 + {data:#x}] log_size7",
        "SECRET",
    ),
    "a secret under what is public": (
        "LOAD g1 ctx0 [p0 + {data:#x}] secret log_size7\nLOAD g1 ctx0 [p0 + {data:#x}] log_size7 slice_dst1\nSTORE g1 [p0 + {data:#x}] log_size7",
        "SECRET",
    ),
    "nothing": ("LOAD g1 ctx0 [p0 + {data:#x}] secret log_size7\nLOAD g1 ctx0 [p0 + {data:#x}] log_size7", "NONE"),
}


def faulty(dut, what):
    """A program that ends with this fault, and its cause."""
    text, cause = FAULTS[what]
    places = {"context": dut.place(Ring(T, Q, PSI).bytes(DESIGN)), "data": dut.words(np.arange(1024))}
    return dut.text([line.format(**places) for line in [*HEAD, *text.split("\n")]]), cause


def test_faults():
    """And no cause depends on what another program has left in a group."""
    with Bench() as dut:
        for what, (text, _) in FAULTS.items():
            dut.next = 0
            words, cause = faulty(dut, what)
            found, pc, _ = dut.run(words)
            assert found == cause, what
            assert pc == len(HEAD) + text.count("\n") + (cause == "NONE"), what


def test_cycles_do_not_depend_on_secrets():
    with Bench() as dut:
        context = dut.place(Ring(T, Q, PSI).bytes(DESIGN))
        data = dut.words(np.zeros(1024))
        words = dut.text(
            [
                f"CONTEXT ctx0 [p0 + {context:#x}] log_size7",
                f"LOAD g0 ctx0 [p0 + {data:#x}] secret",
                f"LOAD g1 ctx0 [p0 + {data:#x}] secret log_size8",
                "NTT g0 ctx0 log_size7 slices7",
                "NTT g1 ctx0 log_size7 slices1",
                "MAC g0 g0 g1 ctx0 log_size7 slices0 b_map1".replace("slices0", ""),
                "INTT g0 ctx0 log_size7 slices5",
            ]
        )
        counted, rng = set(), np.random.default_rng(3)
        for _ in range(3):
            dut.memory[data : data + 4096] = rng.integers(0, Q, 1024).astype("<u4").tobytes()
            cause, _, job = dut.run(words)
            assert cause in ("NONE", "ILLEGAL")
            counted.add((cause, job.cycles))
        assert len(counted) == 1


def random_lines(rng, count):
    """Any instructions on slices, often of what is not there."""
    lines, size = [], rng.choice((7, 8))
    if rng.random() < 0.8:
        lines = [
            f"LOAD g{g} ctx0 [p0 + {{data:#x}}] ntt log_size{size} slice_dst{i}"
            for g in range(4)
            for i in range(1 << 10 - size)
        ]
    for _ in range(count):
        size = rng.choice((*[size] * 12, 7, 8, 9, 10))
        most = 1 << LOG_N - size
        slices = rng.randint(1, most)
        dst, a, b = rng.sample(range(4), 3) if rng.random() < 0.7 else [rng.randrange(4) for _ in range(3)]
        at = [rng.randint(0, most - slices) for _ in range(3)]
        tail = f"log_size{size} slice_dst{at[0]}"
        several = f"{tail} slice_a{at[1]} slices{slices - 1}"
        flip = "a_xor " if slices % 2 == 0 and rng.random() < 0.3 else ""
        mapping = rng.randrange(3)
        kind = rng.randrange(8)
        if kind < 2:
            lines.append(f"LOAD g{dst} ctx0 [p0 + {{data:#x}}] {rng.choice(('', 'secret '))}ntt {tail}")
        elif kind < 3:
            lines.append(f"LOAD g{dst} ctx0 [p0 + {{data:#x}}] {rng.choice(('', 'secret '))}ntt")
        elif kind < 4:
            lines.append(f"STORE g{a} [p0 + {{out:#x}}] ntt {tail}")
        elif kind < 6:
            lines.append(
                f"{rng.choice(('MUL', 'MAC', 'MSUB'))} g{dst} g{a} g{b} ctx0 {flip}{several} slice_b{at[2]} b_map{mapping}"
            )
        elif kind < 7:
            lines.append(f"{rng.choice(('ADD', 'SUB', 'SCALE'))} g{dst} g{a} ctx0 {flip}{several}")
        else:
            lines.append(f"SCALE g{dst} g{a} ctx0")
    zero = ("slice_dst0", "slice_a0", "slice_b0", "slices0", "b_map0")
    return [" ".join(word for word in line.split(" ") if word not in zero) for line in lines]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 6))])
def test_random_programs_against_the_model(seed, port):
    """Short programs of any instructions on slices end as the model of the core says, and leave the same memory."""
    rng, ended = random.Random(seed), Counter()
    with Bench() as dut, Twin(port, dut) as twin:
        for _ in range(150):
            dut.next = 0
            places = {"context": dut.place(Ring(T, Q, PSI).bytes(DESIGN)), "data": dut.words(np.arange(1024))}
            places["out"] = dut.words(np.zeros(1024))
            lines = [line.format(**places) for line in [HEAD[0], *random_lines(rng, rng.randint(2, 7))]]
            words = dut.text(lines)
            cause, pc, _ = dut.run(words)
            assert twin.run(words)[:2] == (cause, pc), "\n".join(lines)
            if twin.core.misuse:  # slices of other sizes in NTT form
                ended["MISUSE"] += 1
                continue
            np.testing.assert_array_equal(twin.core.memory, dut.core.memory, "\n".join(lines))
            ended[cause] += 1
    assert ended["NONE"] > 20, ended
    assert ended.keys() >= {"EMPTY", "ILLEGAL", "SECRET"}, ended
