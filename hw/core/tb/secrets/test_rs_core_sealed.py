# SPDX-License-Identifier: Apache-2.0
"""A sealed core: decapsulation from a slot, attacks on it, and random programs around the key, the vault and the choice beside the model of the core."""

import dataclasses
import hashlib
import random
import re
from collections import Counter

import numpy as np
import pytest
from test_rs_core import BASE, Twin, registers
from test_rs_core_fields import DESIGN as OPEN
from test_rs_core_fields import SEED, Fields, packed

DESIGN = dataclasses.replace(OPEN, field_mode="sealed", bank_groups=8, log_n_max=11)  # with room for ML-KEM-512
ROOTS = bytes(range(100, 164))
# fields of 0 are left out of a program's text
NOTHING = re.compile(r" (hash|halves|bytes|draw|seed_digest|field_width|field_width_out|shrink)0\b")
RUNNING = ("BUS_READ", "BUS_WRITE", "RESIDUE", "VALUE")  # reported by units: what comes behind may have begun
KEY_INDEX, VAULT_LINES, PROGRAM_WORDS = 0x8000, 64, 256


class Sealed(Fields):
    """As Fields; [vault + 0x40] is a place in the vault, [p6] a number."""

    def __init__(self, **memory):
        super().__init__(DESIGN, **memory)

    def program(self, text):
        return self.text(placed(text, self.at))


def placed(text, at):
    """Instructions, with numbers for names of places."""
    lines = []
    for line in text.strip().splitlines():
        head, _, rest = line.strip().partition("[")
        place, _, tail = rest.partition("]")
        name, _, offset = (part.strip() for part in place.partition("+"))
        if name == "vault":
            place = f"p15 + {int(offset or '0', 0):#x}"
        elif name in at:
            place = f"p0 + {at[name] + int(offset or '0', 0):#x}"
        elif name:
            place = f"{name} + {int(offset or '0', 0):#x}"
        lines.append(NOTHING.sub("", f"{head}[{place}]{tail}" if place else head))
    return lines


def both(dut, twin, text, *, fill=False):
    """Cause of a program, that of the model and all of its memory too. fill: zeros behind it, as what is bound to a key has."""
    words = dut.program(text) if isinstance(text, str) else text
    words = [*words, *[0] * (DESIGN.program_depth - len(words))] if fill else words
    cause, pc, job = dut.run(words)
    found = twin.run(words)[:2]
    # what comes behind an instruction that fails as it runs may be refused before that
    assert found == (cause, pc) or (found[0] in RUNNING and pc > found[1]), text
    if found[0] not in RUNNING:
        np.testing.assert_array_equal(dut.core.memory, twin.core.memory)
    return cause, job


def wipe(dut, twin):
    """Digests, vault and slots. Behind a fault of a unit they are not those of the model: what comes behind may have begun."""
    r = registers()
    for core in (dut.core, twin.core):
        core.write(r["CONTROL"], 1 << r["CONTROL_ZEROIZE_SHIFT"])
    dut.wait_wiped()


def bound(program, image=bytes(64 * VAULT_LINES)):
    """The hash that a slot has beside its roots."""
    words = b"".join(int(word).to_bytes(8, "little") for word in program)
    return hashlib.sha3_256(image + words.ljust(8 * PROGRAM_WORDS, b"\0")).digest()


def put_key(cores, slot, roots, wanted, lanes=range(12)):
    r = registers()
    image = roots + wanted
    for core in cores:
        for lane in lanes:
            core.write(r["PROGRAM_INDEX"], KEY_INDEX + 16 * slot + lane)
            core.write(r["PROGRAM_LO"], int.from_bytes(image[8 * lane : 8 * lane + 4], "little"))
            core.write(r["PROGRAM_HI"], int.from_bytes(image[8 * lane + 4 : 8 * lane + 8], "little"))


# A choice without a scheme: the ciphertext is the first polynomial of g0, "decryption" a product with a secret of d, and what is made again
# the ciphertext itself if `same`, which a program of a scheme would not have.
CHOICE = """
    HASH d6 d0 [p0] hash13
    CONTEXT ctx0 [ctx] log_size7
    LOADF g0 ctx0 [packed] field_width11 log_size8
    STOREF g0 ctx0 [vault + 0x2000] field_width_out11 log_size8
    HASH d2 d7 [vault + 0x2000] hash9 bytes640
    HASH d3 d0 [vault + 0x2000] hash2 bytes640
    HASH d4 d6 [message] hash12 halves1 bytes1
    DRAW g1 ctx0 draw8 seed_digest4 number_bytes1 log_size8
    STOREF g1 ctx0 [vault + 0x3000] shrink2 log_size8
    LOADD d4 [seed]
    HASH d0 d4 [vault + 0x3000] append hash4 halves1 bytes32
    DRAW g2 ctx0 draw9 seed_digest1 number_bytes1 log_size8
    {again}
    HASH d6 d0 [vault + 0x3200] hash2 bytes640
    HASH d1 d0 [message] hash2 bytes0
    HASH d0 d3 [p6] hash14 halves2
    STORED d0 [out]
"""
SAME, OTHER = (
    "LOADF g2 ctx0 [packed] field_width11 log_size8\nSTOREF g2 ctx0 [vault + 0x3200] field_width_out11 log_size8",
    "STOREF g2 ctx0 [vault + 0x3200] field_width_out11 log_size8",
)


@pytest.fixture
def pair(port):
    with Sealed() as dut, Twin(port, dut) as twin:
        fields = [int(x) for x in np.random.default_rng(4).integers(0, 1 << 20, 256)]
        dut.memory[dut.at["packed"] : dut.at["packed"] + 640] = packed(fields, 20)
        yield dut, twin


def choice(dut, again=SAME):
    return dut.program(CHOICE.replace("{again}", again))


def seal(dut, twin, program, slot=0):
    put_key((dut.core, twin.core), slot, ROOTS, bound(program))


@pytest.mark.parametrize("again", [SAME, OTHER], ids=["same", "other"])
def test_the_choice(pair, again):
    """Equal: the hash of the message, whose small coefficients are all zeros. Else: that of z and the ciphertext. Beside it the hash of nothing. The same cycles."""
    dut, twin = pair
    program = choice(dut, again)
    seal(dut, twin, program)
    cause, job = both(dut, twin, program, fill=True)
    assert cause == "NONE"
    ciphertext = dut.stored("packed", 640)
    refusal = hashlib.shake_256(ROOTS[32:] + ciphertext).digest(32)
    wanted = hashlib.sha3_512(bytes(32) + SEED[:32]).digest()[:32] if again == SAME else refusal
    assert dut.stored("out", 64) == wanted + hashlib.sha3_256(b"").digest()
    assert both(dut, twin, program, fill=True)[1].cycles == job.cycles


# ---- the verdict of HASH 13, kept ----------------------------------------------------------------------------------------
HASHED = 400  # cycles that it spares, at least


def again(dut, twin):
    """The program that is there once more: its cause, that of the model and all of its memory, and the cycles."""
    for one in (twin, dut):
        one.core.memory[:] = np.frombuffer(bytes(dut.memory), np.uint8)
        one.doorbell()
        job = one.core.wait()
    assert dut.status() == twin.status()
    np.testing.assert_array_equal(dut.core.memory, twin.core.memory)
    return dut.status()[0], job.cycles


def word(dut, twin, index, value):
    for core in (dut.core, twin.core):
        core.write(registers()["PROGRAM_INDEX"], index)
        core.write(registers()["PROGRAM_LO"], value & 0xFFFFFFFF)
        core.write(registers()["PROGRAM_HI"], value >> 32)


def stop(dut, after):
    """By an abort; None: by the watchdog."""
    r, core = registers(), dut.core
    core.memory[:] = np.frombuffer(bytes(dut.memory), np.uint8)
    if after is None:
        core.write(r["WATCHDOG"], 300)
    dut.doorbell()
    if after is not None:
        while core.read(r["CYCLES"]) < after:
            pass
        core.write(r["CONTROL"], 1 << r["CONTROL_ABORT_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])
    core.wait()
    core.write(r["WATCHDOG"], 1 << 28)
    return dut.status()[0]


def test_a_verdict_is_kept(pair):
    """Until what is bound, or the slot, may have changed: then HASH 13 takes its time, and says what the model says, who keeps nothing."""
    dut, twin = pair
    program = choice(dut, OTHER)
    seal(dut, twin, program)
    cause, job = both(dut, twin, program, fill=True)
    first, short = ("NONE", job.cycles), again(dut, twin)
    assert cause == short[0] == "NONE"
    assert first[1] - short[1] > HASHED
    assert again(dut, twin) == short  # as often as one likes
    put_key((dut.core, twin.core), 1, bytes(64), bytes(32))  # the other slot
    assert again(dut, twin) == short
    word(dut, twin, 3, program[3])  # the same word
    assert again(dut, twin) == first
    assert again(dut, twin) == short
    for index, value in ((len(program), 1 << 40), (DESIGN.program_depth - 1, 1)):
        word(dut, twin, index, value)
        assert again(dut, twin)[0] == "SECRET"
        assert again(dut, twin)[0] == "SECRET"
        word(dut, twin, index, 0)
        assert again(dut, twin) == first
        assert again(dut, twin) == short
    for lanes in ([0], [7], [11], range(11)):
        seal(dut, twin, program)
        assert again(dut, twin) == first
        put_key((dut.core, twin.core), 0, ROOTS, bound(program), lanes)
        assert again(dut, twin)[0] == "SECRET"
    seal(dut, twin, program)
    assert again(dut, twin) == first
    put_key((dut.core, twin.core), 0, ROOTS, bound(program[:-2]))  # whole, of another program
    assert again(dut, twin)[0] == "SECRET"
    seal(dut, twin, program)
    assert again(dut, twin) == first
    for after in (40, 300, short[1] // 2, None):
        assert again(dut, twin) == short
        assert stop(dut, after) in ("ABORTED", "WATCHDOG")
        assert again(dut, twin) == first
    assert again(dut, twin) == short
    wipe(dut, twin)
    assert again(dut, twin)[0] == "SECRET"
    assert both(dut, twin, program, fill=True)[0] == "SECRET"


WRITERS = {
    "STORED": ("LOADD d0 [message]\nSTORED d0 [vault + 0x40]", 64),
    "STOREF": (
        "CONTEXT ctx0 [ctx] log_size7\nLOADF g0 ctx0 [message] log_size8\nSTOREF g0 ctx0 [vault + 0x40] log_size8",
        32,
    ),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_program_that_writes_what_is_bound(pair, writer):
    """Before it asks for its key, in the same program: its own verdict of before does not count."""
    dut, twin = pair
    text, count = WRITERS[writer]
    at = dut.at["message"]
    message = bytes(dut.memory[at : at + count])
    program = dut.program(f"{text}\nHASH d6 d0 [p0] hash13")
    image = bytes(64) + message.ljust(64, b"\0") + bytes(64 * (VAULT_LINES - 2))
    put_key((dut.core, twin.core), 0, ROOTS, bound(program, image))
    cause, job = both(dut, twin, program, fill=True)
    assert cause == "NONE"
    assert again(dut, twin) == ("NONE", job.cycles)
    dut.memory[at] ^= 1
    assert again(dut, twin)[0] == "SECRET"
    dut.memory[at] ^= 1
    assert again(dut, twin) == ("NONE", job.cycles)


def without(*lines, more=()):
    """The program without some lines, with others at its end, before the last one."""
    kept = [
        line for index, line in enumerate(CHOICE.replace("{again}", SAME).strip().splitlines()) if index not in lines
    ]
    return "\n".join([*kept[:-1], *more, kept[-1]])


LINES = CHOICE.replace("{again}", SAME).strip().splitlines()
AT = {name: next(i for i, line in enumerate(LINES) if text in line) for name, text in {
    "given": "HASH d3", "made": "HASH d6 d0 [vault", "choice": "hash14", "refusal": "HASH d2", "key": "append",
}.items()}  # fmt: skip
ATTACKS = {
    # what a program on the way to a key would tell
    "root": "HASH d6 d0 [p0] hash13\nSTORED d6 [out]",
    "message": "{head}\nLOADD d0 [vault + 0x3000]\nSTORED d0 [out]",
    "made again": "{head}\nLOADD d0 [vault + 0x3200]\nSTORED d0 [out]",
    "key": without(AT["choice"]),
    "refusal": without(more=["STORED d2 [out]"]),
    "hash of what is made": without(more=["STORED d6 [out]"]),
    "a polynomial of a root": "{head}\nSTOREF g1 ctx0 [out] field_width_out11 log_size8",
    "a challenge of roots behind what is public": "{head}\nLOADD d4 [seed]\nDRAW g2 ctx0 draw15 seed_digest4 number2 log_size8\nSTOREF g2 ctx0 [out] field_width_out11 log_size8",
    "a norm of it": "{head}\nNORM g1 ctx0 log_size8 power9",
    "a product": "{head}\nMUL g2 g1 g0 ctx0 log_size7 slices1\nSTOREF g2 ctx0 [out] field_width_out11 log_size8",
    "a sum": "{head}\nADD g0 g1 ctx0 log_size7 slices1\nSTOREF g0 ctx0 [out] field_width_out11 log_size8",
    "words": "{head}\nSTORE g1 [out]",
    "a secret in the place of the ciphertext": "{head}\nSTOREF g1 ctx0 [vault + 0x2000] field_width_out11 log_size8",
    "a secret where constants are": "{head}\nSTORED d6 [vault]",
    "time of a parse": "{head}\nDRAW g2 ctx0 seed_digest7 number_bytes2 log_size8",
    "secrets as public fields": "{head}\nLOADF g2 ctx0 [vault + 0x3000] log_size8",
    # a choice that is none
    "without a comparison": without(AT["made"]),
    "against itself": without(AT["made"], more=[]).replace("HASH d0 d3 [p6]", "HASH d0 d3 [p3]"),
    "an old comparison": without(more=[]).replace(LINES[AT["choice"]], "STOREF g1 ctx0 [vault + 0x3000] shrink2 log_size8\n" + LINES[AT["choice"]]),
    "another ciphertext": without(more=[]).replace(
        LINES[AT["choice"]], "STOREF g0 ctx0 [vault + 0x2000] field_width_out11 log_size8\n" + LINES[AT["choice"]]
    ),
    "without a refusal": without(AT["refusal"]),
    # places
    "behind a part": "{head}\nHASH d0 d0 [vault + 0x2000] hash2 bytes4097",
    "fields behind a part": "{head}\nLOADF g2 ctx0 [vault + 0x2fc0] field_width11 log_size8",
    "constants that are bound": "{head}\nSTOREF g0 ctx0 [vault] field_width_out11 log_size8",
    "the program": "{head}\nSTOREF g0 ctx0 [vault + 0x1000] field_width_out11 log_size8",
}  # fmt: skip


def test_programs_tell_nothing(pair):
    """Each of these has a key of its own, as if it had been bound by mistake: rs_seal and rs_tags stop it at its last step all the same."""
    dut, twin = pair
    for name, text in ATTACKS.items():
        head = "\n".join(LINES[: AT["made"]])
        program = dut.program(text.replace("{head}", head))
        dut.memory[dut.at["out"] : dut.at["out"] + 640] = bytes(640)
        seal(dut, twin, program)
        cause, _ = both(dut, twin, program, fill=True)
        assert cause in ("SECRET", "EMPTY"), name
        assert dut.stored("out", 640) == bytes(640), name


def test_only_the_bound_program_gets_a_key(pair):
    dut, twin = pair
    program = choice(dut)
    seal(dut, twin, program, slot=1)
    other = dut.program(CHOICE.replace("{again}", SAME).replace("HASH d6 d0 [p0] hash13", "HASH d6 d1 [p0] hash13"))
    assert both(dut, twin, program, fill=True)[0] == "SECRET"  # slot 0 is empty
    assert both(dut, twin, other, fill=True)[0] == "SECRET"  # the hash is of the program that names slot 0
    put_key((dut.core, twin.core), 1, ROOTS, bound(other))
    assert both(dut, twin, other, fill=True)[0] == "NONE"
    for at in (0, 3, len(other) - 1, len(other), DESIGN.program_depth - 1):
        changed = [*other, *[0] * (DESIGN.program_depth - len(other))]
        changed[at] ^= 1 << 40
        assert both(dut, twin, changed)[0] != "NONE"
    # constants in the vault that are not those of the hash
    assert both(dut, twin, "LOADD d0 [seed]\nSTORED d0 [vault + 0x40]")[0] == "NONE"
    assert both(dut, twin, other, fill=True)[0] == "SECRET"
    assert (
        both(dut, twin, "HASH d0 d0 [message] hash2 halves1 bytes0\nLOADD d0 [out + 0x800]\nSTORED d0 [vault + 0x40]")[
            0
        ]
        == "NONE"
    )
    assert both(dut, twin, other, fill=True)[0] == "NONE"


@pytest.mark.parametrize("lanes", [[11], [*range(11)], [*range(8, 12)], [*range(1, 12), 0], [*range(6), *range(7, 12)]])
def test_a_key_is_whole_or_none(pair, lanes):
    """Whoever changes the hash alone, to bind a program of his own, has no key."""
    dut, twin = pair
    program = choice(dut)
    seal(dut, twin, program)
    put_key((dut.core, twin.core), 0, ROOTS, bound(program), lanes)
    assert both(dut, twin, program, fill=True)[0] == "SECRET"


def test_nothing_outlives_a_program(pair):
    """Digests of secrets and the vault's secrets are lost for the next one, a wipe leaves no key."""
    dut, twin = pair
    program = choice(dut)
    seal(dut, twin, program)
    assert both(dut, twin, program, fill=True)[0] == "NONE"
    for text, cause in (
        ("STORED d6 [out]", "EMPTY"),
        ("STORED d0 [out]", "EMPTY"),  # the choice too
        ("HASH d1 d0 [message] hash2 bytes0\nHASH d1 d6 [message] append hash2 bytes32", "EMPTY"),
        ("LOADD d0 [vault + 0x3000]", "SECRET"),
        ("HASH d0 d0 [vault + 0x3200] hash2 bytes64", "SECRET"),
        ("LOADD d0 [vault + 0x2000]\nSTORED d0 [out]", "NONE"),  # the ciphertext is public
    ):
        assert both(dut, twin, text)[0] == cause, text
    wipe(dut, twin)
    assert both(dut, twin, "STORED d6 [out]\nLOADD d0 [vault + 0x2000]\nSTORED d0 [out + 0x40]")[0] == "NONE"
    assert dut.stored("out", 128) == bytes(128)
    assert both(dut, twin, program, fill=True)[0] == "SECRET"


# A program in the other slot, or in this one when it is another key's, that has every comparison of a choice say "equal": the hash of what stands in line 0
# of the vault's secrets would leave. {message}: where that comes from; {slot}: whose.
THEFT = """
    HASH d6 d{slot} [p0] hash13
    CONTEXT ctx0 [ctx] log_size7
    LOADF g1 ctx0 {message} log_size8
    LOADF g0 ctx0 [packed] field_width11 log_size8
    STOREF g0 ctx0 [vault + 0x2000] field_width_out11 log_size8
    STOREF g1 ctx0 [vault + 0x3000] log_size8
    STOREF g0 ctx0 [vault + 0x3200] field_width_out11 log_size8
    HASH d3 d0 [vault + 0x2000] hash2 bytes640
    HASH d2 d7 [vault + 0x2000] hash9 bytes640
    LOADD d4 [seed]
    HASH d0 d4 [vault + 0x3000] append hash4 halves1 bytes{bytes}
    HASH d6 d0 [vault + 0x3200] hash2 bytes640
    HASH d1 d0 [message] hash2 bytes0
    HASH d0 d3 [p6] hash14 halves2
    STORED d0 [out]
"""
LEFT, OWN = "[vault + 0x3000] secret", "[message]"


def thief(dut, twin, slot, message, size=32, *, model=True):
    """Cause and instruction at which it ended."""
    program = dut.program(
        THEFT.replace("{slot}", str(slot)).replace("{message}", message).replace("{bytes}", str(size))
    )
    put_key((dut.core, twin.core), slot, bytes(64), bound(program))
    if model:
        return both(dut, twin, program, fill=True)[0], dut.status()[1]
    return dut.run([*program, *[0] * (DESIGN.program_depth - len(program))])[:2]


@pytest.mark.parametrize("slot", [0, 1])
def test_another_key_gets_nothing_of_what_a_program_left(pair, slot):
    """What it writes into the vault itself it has; what stands there of another program it has not, nor beside its own, nor in its next program."""
    dut, twin = pair
    program = choice(dut, OTHER)
    for message, size, cause, at in (
        (LEFT, 32, "SECRET", 2),
        (OWN, 32, "NONE", 15),
        (LEFT, 32, "SECRET", 2),
        (OWN, 96, "SECRET", 10),
    ):
        seal(dut, twin, program)
        assert both(dut, twin, program, fill=True)[0] == "NONE"
        dut.memory[dut.at["out"] : dut.at["out"] + 64] = bytes(64)
        assert thief(dut, twin, slot, message, size) == (cause, at)
        wanted = bytes(64)
        if cause == "NONE":
            text = dut.stored("message", 32) + SEED[:32]
            wanted = hashlib.sha3_512(text).digest()[:32] + hashlib.sha3_256(b"").digest()
        assert dut.stored("out", 64) == wanted
    # its own words of before are another program's, too; and it has one key
    assert thief(dut, twin, slot, OWN) == ("NONE", 15)
    assert thief(dut, twin, slot, LEFT) == ("SECRET", 2)
    twice = dut.program(f"HASH d6 d{slot} [p0] hash13\nHASH d4 d{slot} [p0] hash13")
    put_key((dut.core, twin.core), slot, bytes(64), bound(twice))
    assert both(dut, twin, twice, fill=True)[0] == "SECRET"
    assert dut.status()[1] == 1


@pytest.mark.parametrize(
    "limit", [6000, pytest.param(4000, marks=pytest.mark.soak), pytest.param(5000, marks=pytest.mark.soak)]
)
def test_another_key_gets_nothing_of_a_program_that_was_stopped(pair, limit):
    """By the watchdog, at some instruction behind the message."""
    dut, twin = pair
    program = choice(dut, OTHER)
    seal(dut, twin, program)
    watchdog = registers()["WATCHDOG"]
    length = both(dut, twin, program, fill=True)[1].cycles
    for left in range(8):
        dut.core.write(watchdog, limit * length // 8000 + 37 * left)
        assert dut.run([*program, *[0] * (DESIGN.program_depth - len(program))])[0] == "WATCHDOG"
        dut.core.write(watchdog, 1 << 28)
        dut.memory[dut.at["out"] : dut.at["out"] + 64] = bytes(64)
        assert thief(dut, twin, 1, LEFT, model=False) == ("SECRET", 2)
        assert dut.stored("out", 64) == bytes(64)


def test_lines_are_written_whole(pair):
    """Behind the last field zeros, up to the end of its line, and no line behind that: of all widths and some polynomials. So nothing of before is left in what
    a program has written."""
    dut, twin = pair
    rng = np.random.default_rng(6)
    pattern = rng.bytes(64)
    dut.memory[dut.at["more"] : dut.at["more"] + 64] = pattern
    for index, bits in enumerate((1, 3, 4, 5, 6, 10, 11, 12, 13, 14, 18, 20)):
        polys = 1 + index % 4 if index else 3
        written = packed(rng.integers(0, min(1 << bits, 3329), 256 * polys), bits)  # those of 12 bits are modulo 3329
        dut.memory[dut.at["packed"] : dut.at["packed"] + len(written)] = written
        fields = f"polys{polys - 1} " if polys > 1 else ""
        text = f"""
            CONTEXT ctx0 [ctx] log_size7
            LOADF g0 ctx0 [packed] field_width{index} {fields}log_size8
            LOADD d0 [more]
            {"".join(f"STORED d0 [vault + {0x2000 + 64 * line:#x}]" + chr(10) for line in range(VAULT_LINES))}
            STOREF g0 ctx0 [vault + 0x2000] field_width_out{index} {fields}log_size8
            HASH d0 d0 [vault + 0x2000] hash2 halves1 bytes4096
            STORED d0 [out]
        """
        assert both(dut, twin, text)[0] == "NONE"
        whole = written + bytes(-len(written) % 64)
        assert dut.stored("out", 32) == hashlib.sha3_256(whole + (pattern * VAULT_LINES)[len(whole) :]).digest(), bits


def test_a_challenge_is_of_four_digests(pair):
    """Behind one that is public, of bytes that no place accepts, the first places of a challenge are bytes of the next one: these are lost."""
    dut, twin = pair
    program = choice(dut)
    seal(dut, twin, program)
    assert both(dut, twin, program, fill=True)[0] == "NONE"
    text = """
        CONTEXT ctx0 [ctx] log_size7
        LOADD d4 [seed]
        DRAW g0 ctx0 draw15 seed_digest4 number2 log_size8
        STOREF g0 ctx0 [out] field_width_out11 log_size8
    """
    assert both(dut, twin, text)[0] == "EMPTY"
    assert both(dut, twin, "LOADD d6 [seed]\n" + text.strip())[0] in ("NONE", "VALUE")  # -1 does not fit


def test_what_was_not_written_is_what_was_there(pair):
    """A program that is stopped on its way to a public digest: a secret is there still."""
    dut, twin = pair
    program = choice(dut)
    seal(dut, twin, program)
    assert both(dut, twin, program, fill=True)[0] == "NONE"
    watchdog = registers()["WATCHDOG"]
    dut.core.write(watchdog, 20)
    assert dut.run(dut.program("HASH d6 d0 [more] hash2 halves1 bytes4096"))[0] == "WATCHDOG"
    dut.core.write(watchdog, 1 << 28)
    assert dut.run(dut.program("STORED d6 [out]"))[0] == "EMPTY"
    assert dut.stored("out", 64)[32:] != ROOTS[32:]
    assert dut.run(dut.program("LOADD d6 [seed]\nSTORED d6 [out]"))[0] == "NONE"


def test_memory_behind_the_last_address_is_not_the_vault(pair):
    """Pointers have 62 bits: what lies behind the highest one is outside."""
    dut, twin = pair
    text = "LOADD d0 [seed]\nSTORED d0 [vault + 0x2000]"
    assert both(dut, twin, text)[0] == "NONE"
    for pointer in (0xC000000000002000, 0x8000000000002000, 0x3FFFFFFFFFFFFFC0):
        words = dut.text(["LOADD d0 [p1 + 0x40]"])
        assert dut.run(words, pointers=(BASE, pointer))[0] == twin.run(words, pointers=(BASE, pointer))[0] == "BUS_READ"


# ---- random programs ----------------------------------------------------------------------------------------------------
PLACES = ("[message]", "[packed]", "[out]", "[vault]", "[vault + 0xa00]", "[vault + 0x1000]", "[vault + 0x2000]", "[vault + 0x2040]", "[vault + 0x2fc0]",
          "[vault + 0x3000]", "[vault + 0x3040]", "[vault + 0x3200]", "[vault + 0x3240]", "[vault + 0x4000]", "[vault + 0x3fc0]")  # fmt: skip


def instruction(rng):
    d, e, place = rng.randrange(8), rng.randrange(8), rng.choice(PLACES)
    g = rng.randrange(3)
    return rng.choice(
        (
            f"HASH d{d} d{e} {place} append hash{rng.randrange(5)} bytes{32 * rng.randrange(4)}",
            f"HASH d{d} d0 {place} hash{rng.choice((2, 2, 1, 4))} bytes{rng.choice((32, 640, 64, 4096, 0))}",
            f"HASH d{d} d{e} {place} hash{rng.randrange(8, 13)} bytes{rng.choice((0, 1, 640, 64))}",
            f"HASH d{d} d{e} [p{rng.randrange(8)}] hash14 halves{rng.randrange(8)}",
            f"LOADD d{d & 6} {place}",
            f"STORED d{d & 6} {place}",
            f"LOADF g{g} ctx0 {place} {rng.choice(('', 'secret '))}field_width{rng.choice((11, 7, 0))} log_size8",
            f"STOREF g{g} ctx0 {place} {rng.choice(('field_width_out11', 'shrink2', 'field_width_out5'))} log_size8",
            f"DRAW g{g} ctx0 draw{rng.choice((0, 8, 9, 11, 13))} seed_digest{d} number_bytes1 log_size8",
            f"MUL g{g} g{rng.randrange(3)} g{rng.randrange(3)} ctx0 log_size7 slices1",
            f"ADD g{g} g{rng.randrange(3)} ctx0 log_size7 slices1",
            f"NORM g{g} ctx0 log_size8 power9",
            f"STORE g{g} {place}",
        )
    )


def changed_lines(rng, lines, changes, new, *, exchanges=False):
    """A program with less than `changes` instructions added, changed, left out or, with `exchanges`, exchanged; the first one stays. new: makes one."""
    lines = list(lines)
    for _ in range(rng.randrange(changes)):
        at = rng.randrange(1, len(lines))
        change = rng.randrange(4 if exchanges else 3)
        if change == 3:
            other = rng.randrange(1, len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            lines[at : at + (change != 0)] = [] if change == 2 else [new(rng)]
    return lines


def causes_of(pair, programs, give_key, renew):
    """How often each cause ended them; each has a key of its own, is run beside the model, and behind a fault `renew` makes both equal again."""
    dut, twin = pair
    causes = Counter()
    for lines in programs:
        program = dut.program("\n".join(lines))
        give_key(dut, twin, program)
        cause, _ = both(dut, twin, program, fill=True)
        causes[cause] += 1
        if cause != "NONE":
            renew(dut, twin)
    return causes


@pytest.mark.parametrize("count", [50, pytest.param(1500, marks=pytest.mark.soak)])
def test_random_programs(pair, count):
    """The way to a choice with an instruction changed, left out or added: the model's cause at the same instruction, and its memory."""
    rng = random.Random(11)
    ways = (CHOICE.replace("{again}", rng.choice((SAME, OTHER))).strip().splitlines() for _ in range(count))
    causes = causes_of(pair, (changed_lines(rng, lines, 4, instruction) for lines in ways), seal, wipe)
    assert min(causes["NONE"], causes["SECRET"]) > count // 20, causes
