# SPDX-License-Identifier: Apache-2.0
"""A sealed core: signatures of ML-DSA's parts with one polynomial each, attacks on them, and random programs around them, beside the model of the core."""

import random
from collections import Counter

import pytest
from test_rs_core import Twin
from test_rs_core_fields import SEED
from test_rs_core_sealed import DESIGN, Sealed, both, bound, causes_of, changed_lines, put_key, wipe
from test_rs_core_slices import Ring

Q, PSI, RADIX = 8380417, 1753, 1 << 33
TAU, BETA, OMEGA = 39, 78, 80
IMAGE = 2560  # bytes of what is bound: as fields of 20 bits, four polynomials
RHO, SIZES = 0x440, 0x480
SECRETS = 0x3000
# fields that a signature's program has in several places
WHOLE = "ctx0 log_size8"
SIGN = f"""
    HASH d6 d0 [p0] hash13
    CONTEXT ctx0 [vault] log_size8
    LOADD d0 [seed]
    STORED d0 [vault + {SECRETS + 0x180:#x}]
    LOADD d0 [message]
    STORED d0 [vault + {SECRETS + 0x1C0:#x}]
    HASH d1 d6 [vault + {SIZES:#x}] hash9 halves3 bytes2
    LOADD d6 [vault + {RHO:#x}]
    DRAW g2 ctx0 draw11 seed_digest2 long_seed number_bytes2 log_size8
    SCALE g2 g2 {WHOLE}
    HASH d4 d4 [vault + {SECRETS + 0x180:#x}] skip hash9 halves1 bytes96
    NTT g2 {WHOLE}
    DRAW g1 ctx0 draw13 seed_digest4 long_seed number_bytes2 log_size8
    SCALE g4 g1 {WHOLE}
    NTT g4 {WHOLE}
    DRAW g6 ctx0 draw1 seed_digest6 number_bytes2 form1 log_size8
    MUL g0 g6 g4 {WHOLE} b_map1
    MUL g5 g6 g2 {WHOLE} b_map1
    DRAW g3 ctx0 draw11 seed_digest2 long_seed number_bytes2 number1 log_size8
    INTT g5 {WHOLE}
    INTT g0 {WHOLE}
    ADD g5 g3 {WHOLE}
    SCALE g3 g3 {WHOLE}
    NTT g3 {WHOLE}
    STOREF g5 ctx0 [vault + {SECRETS + 0x200:#x}] shrink4 field_width_out8 log_size8
    LOADF g5 ctx0 [vault + {SECRETS + 0x200:#x}] secret grow1 field_width8 power12 log_size8
    SCALE g5 g5 {WHOLE}
    STOREF g0 ctx0 [vault + {SECRETS + 0x200:#x}] shrink5 field_width_out4 log_size8
    NTT g5 {WHOLE}
    HASH d0 d0 [vault + {SECRETS + 0x1C0:#x}] hash1 halves1 bytes256
    STORED d0 [vault + {SECRETS + 0x40:#x}]
    HASH d2 d0 [vault + {SECRETS + 0x40:#x}] hash1 halves3 bytes32
    DRAW g4 ctx0 draw15 seed_digest2 number{TAU} log_size8
    NTT g4 {WHOLE}
    MUL g2 g2 g4 {WHOLE} b_map1
    MUL g3 g3 g4 {WHOLE} b_map1
    MUL g5 g5 g4 {WHOLE} b_map1
    INTT g2 {WHOLE}
    INTT g3 {WHOLE}
    INTT g5 {WHOLE}
    ADD g1 g2 {WHOLE}
    NORM g1 ctx0 log_size8 power17 margin{BETA}
    SUB g0 g3 {WHOLE}
    NORM g0 ctx0 norm1 log_size8 margin{BETA}
    NORM g5 ctx0 norm3 log_size8
    ADD g5 g0 {WHOLE}
    LOADF g6 ctx0 [vault + {SECRETS + 0x200:#x}] secret field_width4 log_size8
    STOREF g5 ctx0 [vault + {SECRETS + 0x600:#x}] shrink5 field_width_out4 log_size8
    LOADF g7 ctx0 [vault + {SECRETS + 0x600:#x}] secret field_width4 log_size8
    SUB g6 g7 {WHOLE}
    NORM g6 ctx0 norm5 log_size8 margin{OMEGA}
    STOREF g1 ctx0 [out] shrink1 field_width_out10 power17 log_size8
    STOREF g0 ctx0 [out + 0x400] shrink5 field_width_out4 log_size8
    STOREF g5 ctx0 [out + 0x600] shrink5 field_width_out4 log_size8
    STORED d0 [out + 0x800]
"""
LINES = SIGN.strip().splitlines()


def at(text, which=0):
    """Number of the line that has it."""
    return [index for index, line in enumerate(LINES) if text in line][which]


MASK, BALL, FIRST = at("draw13"), at("draw15"), at("STOREF g1")


def bound_image():
    """What is bound to a key in the vault: a context of ML-DSA, rho, numbers of polynomials."""
    context = bytes(Ring(8, Q, PSI, RADIX % Q).bytes(DESIGN))
    assert len(context) <= RHO
    return (context.ljust(RHO, b"\0") + SEED[:32] + bytes(32) + b"\1\1").ljust(IMAGE, b"\0")


VAULT_IMAGE = """
    CONTEXT ctx0 [ring] log_size8
    LOADF g0 ctx0 [image] field_width11 polys3 log_size8
    STOREF g0 ctx0 [vault] field_width_out11 polys3 log_size8
"""


class Signing(Sealed):
    """As Sealed, with what is bound to a key."""

    def __init__(self, **memory):
        super().__init__(**memory)
        self.image = bound_image()
        self.at |= {"ring": self.place(self.image[:RHO]), "image": self.place(self.image)}

    def put_image(self, twin):
        assert both(self, twin, VAULT_IMAGE)[0] == "NONE"


@pytest.fixture
def pair(port):
    with Signing() as dut, Twin(port, dut) as twin:
        dut.put_image(twin)
        yield dut, twin


def seal(dut, twin, program):
    roots = bytes(range(100, 132)) + bytes(32)
    put_key((dut.core, twin.core), 0, roots, bound(program, dut.image.ljust(4096, b"\0")))


def nothing_left(dut, before=bytes(0x840)):
    return dut.stored("out", 0x840) == before


def test_signatures(pair):
    """Rounds of one key: what is refused leaves nothing, and ends where and when all others do; the round is not bound."""
    dut, twin = pair
    program = dut.program(SIGN)
    seal(dut, twin, program)
    ends, cycles = Counter(), {"NONE": set(), "VALUE": set()}
    for number in range(14):
        words = list(program)
        words[MASK] |= number << 48
        dut.memory[dut.at["out"] : dut.at["out"] + 0x840] = bytes(0x840)
        cause, job = both(dut, twin, words, fill=True)
        ends[cause, dut.status()[1]] += 1
        cycles[cause].add(job.cycles)
        assert nothing_left(dut) == (cause == "VALUE")
    assert set(ends) == {("NONE", len(LINES)), ("VALUE", FIRST)}, ends
    assert min(ends.values()) > 2, ends
    assert all(max(times) - min(times) <= 64 for times in cycles.values()), cycles
    # bits that units get of rs_seal are no program's
    for line, bit in ((FIRST, 27), (NORM_Z, 27), (NORM_Z, 8), (MASK, 38)):
        assert both(dut, twin, [program[line] | 1 << bit, 0])[0] == "ILLEGAL"
    for number, cause in ((1023, ("NONE", "VALUE")), (1024, ("SECRET",))):
        words = list(program)
        words[MASK] |= number << 48
        assert both(dut, twin, words, fill=True)[0] in cause


def without(line):
    return "\n".join(LINES[:line] + LINES[line + 1 :])


def changed(line, old, new):
    assert old in LINES[line], (LINES[line], old)
    return "\n".join([*LINES[:line], LINES[line].replace(old, new), *LINES[line + 1 :]])


def beside(line, text):
    """Another line before that one."""
    return "\n".join([*LINES[:line], text, *LINES[line:]])


NORM_Z, NORM_R, NORM_T, NORM_H = (at("NORM", which) for which in range(4))
ATTACKS = {
    # a check is left out, weaker, or of another kind
    "no norm of z": without(NORM_Z),
    "no norm of w": without(NORM_R),
    "no norm of t0": without(NORM_T),
    "no count of hints": without(NORM_H),
    "a wider z": changed(NORM_Z, "power17", "power18"),
    "a lower margin": changed(NORM_Z, f"margin{BETA}", f"margin{BETA - 1}"),
    "of w a lower margin": changed(NORM_R, f"margin{BETA}", f"margin{BETA - 1}"),
    "another gamma2": changed(NORM_R, "norm1", "norm2"),
    "more hints": changed(NORM_H, f"margin{OMEGA}", f"margin{OMEGA + 1}"),
    # before the checks, or something else
    "z before its checks": beside(NORM_Z, LINES[FIRST]),
    "z before the count": beside(NORM_H, LINES[FIRST]),
    "y": beside(MASK + 1, LINES[FIRST]),
    "words of y": beside(MASK + 1, "STORE g1 [out] log_size8"),
    "s1": beside(at("SCALE g2"), LINES[FIRST].replace("g1", "g2")),
    "c": beside(BALL + 1, LINES[FIRST].replace("g1", "g4")),
    "w": beside(at("ADD g5 g3"), LINES[FIRST].replace("g1", "g0")),
    "all of w - c s2": beside(FIRST, LINES[FIRST].replace("g1", "g0")),
    "c~ before z": beside(FIRST, "STORED d0 [out + 0x800]"),
    "the root": beside(1, "STORED d6 [out]"),
    "K and rho'": beside(at("LOADD d6 [vault"), "STORED d2 [out]"),
    "the seed of y": beside(MASK, "STORED d4 [out]"),
    "the time of a parse": beside(MASK, "DRAW g7 ctx0 seed_digest4 number_bytes2 log_size8"),
    # something else in the place of w and t
    "s1 in the place of w": changed(at("STOREF g0 ctx0 [vault"), "STOREF g0", "STOREF g2"),
    "y in the place of w": changed(at("STOREF g0 ctx0 [vault"), "STOREF g0", "STOREF g1"),
    "products with s1 in the place of w": changed(at("MUL g0 g6 g4"), "g6 g4", "g6 g2"),
    "s1 in the place of t": changed(at("STOREF g5 ctx0 [vault"), "STOREF g5", "STOREF g2"),
    "t without s2": without(at("ADD g5 g3")),
    # one mask and two challenges
    "z with another product": beside(NORM_Z, "ADD g1 g2 ctx0 log_size8"),
    "two masks": beside(at("SCALE g4"), LINES[MASK].replace("g1", "g7")),
    "mu changes": beside(at("HASH d0 d0"), f"STORED d6 [vault + {SECRETS + 0x1C0:#x}]"),
    "w1 changes": beside(at("HASH d0 d0"), LINES[at("shrink5")]),
    "a challenge from outside": changed(at("STORED d0 [vault", 2), "STORED d0", "STORED d6"),
    "a stream from outside": changed(BALL, "seed_digest2", "seed_digest0"),
    "a challenge times R": beside(BALL + 1, f"SCALE g4 g4 {WHOLE}"),
    "a key without R": without(at("SCALE g2")),
    "another mask's round": changed(MASK, "number_bytes2", "number_bytes1"),
    # constants
    "a context from outside": changed(1, "[vault]", "[ring]"),
    "a matrix of the caller's": changed(at("draw1 "), "seed_digest6", "seed_digest0"),
    "t0 from outside": changed(at("LOADF g5"), f"[vault + {SECRETS + 0x200:#x}] secret", "[packed]"),
    "what another program left": changed(at("LOADF g6"), f"{SECRETS + 0x200:#x}", f"{SECRETS + 0xA00:#x}"),
}  # fmt: skip


def test_programs_tell_nothing(pair):
    """Each of these has a key of its own, as if it had been bound by mistake: it is refused before anything has left."""
    dut, twin = pair
    for name, text in ATTACKS.items():
        program = dut.program(text)
        dut.memory[dut.at["out"] : dut.at["out"] + 0x840] = bytes(0x840)
        seal(dut, twin, program)
        cause, _ = both(dut, twin, program, fill=True)
        assert cause == "SECRET", name
        assert nothing_left(dut), name


def test_only_the_bound_program_gets_a_key(pair):
    dut, twin = pair
    program = dut.program(SIGN)
    seal(dut, twin, program)
    for text in (without(NORM_Z), changed(MASK, "draw13", "draw14"), beside(8, "LOADD d6 [seed]")):
        assert both(dut, twin, text, fill=True)[0] == "SECRET"
    # swapped constants: another rho in the vault
    dut.memory[dut.at["image"] + RHO] ^= 1
    dut.put_image(twin)
    assert both(dut, twin, program, fill=True)[0] == "SECRET"
    dut.memory[dut.at["image"] + RHO] ^= 1
    dut.put_image(twin)
    assert both(dut, twin, program, fill=True)[0] in ("NONE", "VALUE")


def instruction(rng):
    g, h, d, line = rng.randrange(8), rng.randrange(8), rng.randrange(8), rng.choice((0x40, 0x180, 0x1C0, 0x200, 0x600))
    place = rng.choice((f"[vault + {SECRETS + line:#x}]", f"[vault + {SECRETS + line:#x}]", "[out]", "[vault]"))
    return rng.choice(
        (
            *LINES,
            f"{rng.choice(('SCALE', 'ADD', 'SUB'))} g{g} g{h} {WHOLE}",
            f"{rng.choice(('NTT', 'INTT'))} g{g} {WHOLE}",
            f"MUL g{g} g{h} g4 {WHOLE} b_map1",
            f"NORM g{g} ctx0 {rng.choice(('norm1', 'norm3', 'norm5', 'power17'))} log_size8 margin{BETA}",
            f"STOREF g{g} ctx0 {place} shrink5 field_width_out4 log_size8",
            f"STOREF g{g} ctx0 {place} shrink4 field_width_out8 log_size8",
            f"LOADF g{g} ctx0 {place} secret field_width4 log_size8",
            f"STORED d{d & 6} {place}",
            f"LOADD d{d & 6} {place}",
            f"DRAW g{g} ctx0 draw{rng.choice((11, 13, 15))} seed_digest{d} number9 log_size8",
            f"HASH d{d} d{d} {place} hash{rng.choice((1, 9))} bytes96",
        )
    )


def renew(dut, twin):
    wipe(dut, twin)
    dut.put_image(twin)


@pytest.mark.parametrize("count", [30, pytest.param(1000, marks=pytest.mark.soak)])
def test_random_programs(pair, count):
    """The way to a signature with instructions changed, left out, added or exchanged: the model's cause at the same instruction, and its memory."""
    rng = random.Random(3)
    programs = (changed_lines(rng, LINES, 3, instruction, exchanges=True) for _ in range(count))
    causes = causes_of(pair, programs, seal, renew)
    assert min(causes["NONE"] + causes["VALUE"], causes["SECRET"]) > count // 20, causes
