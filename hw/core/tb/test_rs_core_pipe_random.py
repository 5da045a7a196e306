# SPDX-License-Identifier: Apache-2.0
"""Random programs with PIPE on rs_core, legal ones and others, beside lib/tests/model_core.c: the same cause at the same instruction, the same memory.

Frames of both kinds stream while the lanes prepare others, in the same slots and groups as soon as PIPE lets go of them, or compute something else there. Then
mostly one instruction is changed, moved, left out or added, or a word in memory; what that means is the model's to say.
"""

import random
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from core_model import numbers, roots_image
from test_rs_core import BASE, MEMORIES, Dut, Twin
from test_rs_core_pipe import DESIGN, LIMBS, Images

from ringside.native.library import lib
from ringside.sim.asm import assemble, disassemble, frame_of, instruction, unit_of
from ringside.sim.program import native_design

SIZE = 1 << 22
FRAMES, INT64 = 16, 5  # INT64: a format of numbers
GROUPS, SLOTS = DESIGN.bank_groups, DESIGN.slots
LEGAL = 0.25  # the share of the programs
SEED = 33  # a seed of programs that end with every cause
RUNNING = (
    "BUS_READ",
    "BUS_WRITE",
    "CONTEXT",
    "RESIDUE",
    "VALUE",
)  # reported by units: what comes behind may have begun


# ---- programs ----------------------------------------------------------------------------------------------------------
@dataclass
class Frame:
    """A frame's instructions, in parts that are not to be taken apart."""

    number: int
    place: int  # 0, 1: of its slots and groups
    parts: list[list[str]]


class Story(Images):
    """Programs, and the memory that they need."""

    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        drawn = np.random.default_rng(rng.getrandbits(32))
        super().__init__(dut, (True, False), drawn)
        n, small = self.model.n, min(self.model.moduli[:LIMBS])
        self.data = dut.place(drawn.integers(0, self.model.moduli[LIMBS], n, np.uint64).astype("<u4").tobytes())
        self.out = [dut.place(bytes(4 * n)) for _ in range(8)]
        # the special prime once more, at other offsets
        size = int(lib.rs_design_context_bytes(native_design(dut.design), dut.log_n))
        self.roots = dut.place(roots_image(dut.design, dut.log_n, drawn.integers(1 << 30, 1 << 32)))
        image = bytes(dut.memory[self.context : self.context + size])
        self.contexts = [self.context, *[dut.place(image) for _ in range(2)]]
        self.places = {}
        for frame in reversed(range(FRAMES)):  # pointer 7 of frame 0 and any offset behind it: nothing is there
            message = drawn.integers(-(small - 1), small - 1, n, endpoint=True).astype("<i8").tobytes()
            self.places[frame] = dut.place(message + bytes(8 * n * 2 * (LIMBS + 2)))

    @property
    def given(self):
        """Registers."""
        draw, at = self.rng.randbytes, {frame: BASE + place for frame, place in self.places.items()}
        frames = [(frame, draw(64), bytes(64), at[frame]) for frame in range(1, FRAMES)]
        return {"pointers": (BASE, BASE + SIZE, BASE + 32, *[0] * 4, at[0]), "seed": draw(64), "frames": frames}

    @staticmethod
    def of(frame):
        return f" frame{frame}" * (frame > 0)

    def frame(self, number, place, first, groups, spare):
        """first: its three slots. groups: of v_0 and v_1, or of a message's words; None: neither. spare: for NTT(u)."""
        rng, of = self.rng, self.of(number)
        parts = [[f"SAMPLE s{first} 1 ternary{of}"], *[[f"SAMPLE s{first + 1 + j} {2 + j}{of}"] for j in range(2)]]
        rng.shuffle(parts)
        worded, shift = len(groups or ()) == 1, ""
        if worded:
            lines = [f"LOADS g{groups[0]} p7 {numbers(INT64, rng.choice((0, 1)), 1 << self.dut.log_n - 1, 2):#x}{of}"]
            lines += [f"IFFT g{groups[0]} ctx1", *[f"SCALEW g{groups[0]} g{groups[0]} ctx1"] * (rng.random() < 0.5)]
            parts.append(lines)
            shift = f" {rng.choice((253, 0, 0))}"
        elif groups:
            lines = [f"LIFT g{spare} s{first} ctx0 factor", f"NTT g{spare} ctx0"]
            for j in rng.sample(range(2), 2):
                v = groups[j]
                lines += [f"LOAD g{v} ctx0 [p0 + {self.special[j]:#x}] ntt", f"MUL g{v} g{v} g{spare} ctx0"]
                lines += [f"INTT g{v} ctx0", f"ROUND s{first + 1 + j} g{v} ctx0"]
            parts.append(lines)
        operands = "".join(f" g{v}" for v in groups or [])
        pipe = f"PIPE{'M' if worded else '' if groups else 'D'} s{first}{operands} {rng.randrange(LIMBS)}{shift}{of}"
        image = self.images[bool(groups) and not worded]
        parts.append([f"PIPEKEY [p0 + {image:#x}]", pipe, *["DRAIN"] * (rng.random() < 0.3)])
        # what wants its groups and slots at once
        for group in rng.sample(groups or [], rng.randint(0, len(groups or []))):
            parts[-1] += self.lanes(group)
        for slot in rng.sample(range(3), rng.randint(0, 3)):
            parts[-1].append(f"SAMPLE s{first + slot} {rng.choice((1, 4))} ternary{of}")
        return Frame(number, place, parts)

    def lanes(self, group):
        """Something public that is stored."""
        rng = self.rng
        form = rng.random() < 0.5
        lines = [f"LOAD g{group} ctx0 [p0 + {self.data:#x}]", *[f"ADD g{group} g{group} ctx0"] * rng.randrange(2)]
        return [
            *lines,
            *[f"NTT g{group} ctx0"] * form,
            f"STORE g{group} [p0 + {rng.choice(self.out):#x}]" + " ntt" * form,
        ]

    def legal(self):
        """Frames in rising order; two of them at a time, of both parities, with slots and groups of their own."""
        rng = self.rng
        *groups, spare = rng.sample(range(GROUPS), 5)
        bases = rng.sample((0, 3), 2)
        waiting = []
        for i, number in enumerate(sorted(rng.sample(range(FRAMES), rng.randint(1, 4)))):
            own = rng.sample(groups[2 * (i % 2) :][:2], 2)[: rng.choice((0, 1, 1, 2, 2))] or None
            waiting.append(self.frame(number, i % 2, bases[i % 2], own, spare))
        lines, under_way = [f"CONTEXT ctx0 [p0 + {self.context:#x}] aside", f"ROOTS ctx1 [p0 + {self.roots:#x}]"], []
        while waiting or under_way:
            joins = waiting and all(
                (waiting[0].number - f.number) % 2 and waiting[0].place != f.place for f in under_way
            )
            if joins and (not under_way or rng.random() < 0.4):
                under_way.append(waiting.pop(0))
            one = rng.choice(under_way)
            lines += one.parts.pop(0)
            if not one.parts:
                under_way.remove(one)
            if rng.random() < 0.1:
                lines += self.lanes(spare)
        return [*lines, "DRAIN", "END"]

    # ---- what may be wrong with it
    def changed(self, lines):
        """One change, as a rule near a PIPE."""
        rng, lines = self.rng, list(lines)
        pipes = [i for i, line in enumerate(lines) if line.startswith(("PIPE ", "PIPED ", "PIPEM "))]
        pipe = rng.choice(pipes)
        at = rng.choice((rng.randrange(len(lines) - 1), min(max(0, pipe + rng.randint(-4, 3)), len(lines) - 2)))
        kind = rng.choice(
            (
                "drop",
                "swap",
                "twice",
                *["insert"] * 3,
                *["bit"] * 2,
                "key",
                "limbs",
                "word",
                *["sample"] * 2,
                *["pipe"] * 6,
            )
        )
        if kind == "drop":
            del lines[at]
        elif kind == "swap":
            lines[at], lines[at - 1] = lines[at - 1], lines[at]
        elif kind == "twice":
            lines.insert(at, lines[at])
        elif kind == "insert":
            lines.insert(at, self.stranger())
        elif kind == "key":
            where = rng.choice((f"p0 + {self.special[0]:#x}", "p2 + 0x0", "p1 + 0x40"))
            lines.insert(pipe, f"PIPEKEY [{where}]")
        elif kind == "sample":
            at = rng.choice([i for i, line in enumerate(lines) if line.startswith("SAMPLE")])
            _, slot, domain, *rest = lines[at].split()
            other = rng.choice(
                (
                    f"{int(domain) ^ 1} {' '.join(rest)}",
                    f"{domain}{'' if 'ternary' in rest else ' ternary'} {self.of(rng.randrange(FRAMES))}",
                )
            )
            lines[at] = f"SAMPLE {slot} {other}"
        elif kind == "pipe":
            lines[pipe : pipe + 1] = self.wrong(lines[pipe])
        words = assemble("\n".join(lines))
        if kind == "limbs":
            words[pipe] = words[pipe] & ~instruction(0, last_limb=0xFFF) | instruction(0, last_limb=LIMBS)
        elif kind == "bit":
            words[at] ^= 1 << rng.choice(self.bits(words[at]))
        elif kind == "word":
            self.spoil(frame_of(words[pipe]))
        return words

    def wrong(self, line):
        """A PIPE, or what is not quite it, with something around it."""
        rng = self.rng
        name, first, *rest = line.split()
        groups = [part for part in rest if part.startswith("g")]
        limbs, *of = rest[len(groups) :]
        shift = [of.pop(0)] if name == "PIPEM" else []
        tail, others, slot = (
            " ".join([limbs, *shift, *of]),
            [f"g{group}" for group in rng.sample(range(GROUPS), 2)],
            int(first[1:]),
        )
        samples = [f"SAMPLE s{slot + 1 + j} {2 + j} {' '.join(of)}" for j in range(2)]
        kinds = [
            [f"{name} s{rng.randrange(SLOTS)} {' '.join(groups)} {tail}"],
            [f"{name} {first} {' '.join([*groups, limbs, *shift])} {self.of(rng.randrange(FRAMES))}"],
            # the other kind; the same errors once more
            [f"PIPED {first} {limbs} {' '.join(of)}" if groups else f"PIPE {first} {' '.join(others)} {tail}"],
            [f"PIPEM {first} {rng.choice((*groups, *others))} {limbs} 0 {' '.join(of)}"],
            [line, *samples, f"PIPED {first} {limbs} {' '.join(of)}"],
            [*rng.sample(samples, 1), line],
        ]
        if name == "PIPEM":  # words that are too large, or none, or another frame's, or no message's
            kinds += [
                [f"{name} {first} {groups[0]} {limbs} 4 {' '.join(of)}"],
                [f"{name} {first} {others[0]} {tail}"],
                [rng.choice((f"FFT {groups[0]} ctx1", f"IFFT {groups[0]} ctx1", f"NTT {groups[0]} ctx0")), line],
            ]
        elif groups:
            touched = rng.choice(groups)
            kinds += [
                [f"{name} {first} {groups[1]} {groups[0]} {tail}"],
                [f"{name} {first} {groups[0]} {rng.choice(others)} {tail}"],
                [
                    rng.choice(
                        (
                            f"NTT {touched} ctx0",
                            f"MUL {touched} {touched} {touched} ctx0",
                            f"SCALE {touched} {touched} ctx0",
                        )
                    ),
                    line,
                ],
            ]
        return rng.choice(kinds)

    @staticmethod
    def bits(word):
        """Those that may change. Addresses stay, and so does an operation; a LIFT that adds would wait for ever."""
        adds = instruction(0, add=1).bit_length() - 1
        bits = [bit for bit in range(6, 38) if bit != adds or not disassemble(word).startswith("LIFT")]
        if unit_of(word) == "PIPE" and not disassemble(word).startswith("PIPEKEY"):
            return [*bits, *range(38, 64)]
        return [*bits, *range(61, 64)]

    def spoil(self, frame):
        """A word of its message, or of a public key."""
        rng, memory, model = self.rng, self.dut.memory, self.model
        if rng.random() < 0.5:
            at, word = (
                self.places[frame] + 8 * rng.randrange(model.n),
                rng.choice((-1, 1)) * model.moduli[rng.randrange(LIMBS)],
            )
        else:
            limb = rng.randrange(LIMBS)
            at = (
                self.images[rng.random() < 0.5]
                + limb * self.bytes
                + self.bytes
                - 16 * model.n
                + 8 * rng.randrange(2 * model.n)
            )
            word = rng.choice((model.moduli[limb], model.moduli[limb] - 1, 1 << 40))
        memory[at : at + 8] = word.to_bytes(8, "little", signed=True)

    def stranger(self):
        """An instruction that has no business there, or has."""
        rng = self.rng
        group, other, slot, frame = (
            rng.randrange(GROUPS),
            rng.randrange(GROUPS),
            rng.randrange(SLOTS),
            self.of(rng.randrange(FRAMES)),
        )
        if rng.random() < 0.25:  # a modulus that errors may be lifted to
            return f"CONTEXT ctx{rng.randrange(2)} [p0 + {rng.choice(self.contexts):#x}]{rng.choice(('', ' odd', ' aside'))}"
        return rng.choice(
            (
                f"SAMPLE s{slot} {rng.randrange(1, 4)}{rng.choice(('', ' ternary'))}{frame}",
                f"LIFT g{group} s{slot} ctx0{rng.choice(('', ' factor'))}",
                f"ROUND s{slot} g{group} ctx0",
                f"STORE g{group} [p0 + {self.out[0]:#x}]",
                f"MUL g{group} g{other} g{rng.randrange(GROUPS)} ctx0",
                f"LOAD g{group} ctx0 [p0 + {self.data:#x}]{rng.choice(('', ' secret'))}",
                f"PIPED s{rng.randrange(SLOTS)} 0{frame}",
                f"PIPE s{rng.randrange(SLOTS)} g{group} g{other} 0{frame}",
                f"PIPEM s{rng.randrange(SLOTS)} g{group} 0 0{frame}",
                f"LOADS g{group} p7 {numbers(INT64, 1, 1 << self.dut.log_n - 1, 2):#x}{frame}",
                "DRAIN",
                "END",
            )
        )


def compare(dut, twin, words, story):
    """Cause of the program on both."""
    given = story.given
    cause, pc, _ = twin.run(words, **given)
    misuse = twin.core.misuse
    got, at, _ = dut.run(words, **given)
    text = "\n".join(f"{i} {disassemble(word)}" for i, word in enumerate(words))
    told_later = cause in RUNNING and unit_of(words[pc]) == "PIPE"  # perhaps by a later instruction of PIPE
    right = at >= pc and unit_of(words[at]) == "PIPE" if told_later else at == pc
    assert got == cause, f"{got} at {at}, the model has {cause} at {pc}:\n{text}"
    assert right, f"{got} at {at}, the model has it at {pc}:\n{text}"
    if misuse or cause in RUNNING:
        return cause
    same = dut.core.memory == twin.core.memory
    if cause != "NONE":  # PIPE is stopped at once, the others are not
        first = min(story.places.values())
        same = same[:first]
    assert same.all(), f"{cause} at {pc}, byte {np.flatnonzero(~same)[0]:#x} is wrong:\n{text}"
    return cause


def several(port, seed, count):
    """Programs one after the other on one core. What became of them."""
    rng, seen = random.Random(seed), Counter()
    with Dut(DESIGN, 11 - seed % 2, size=SIZE, **MEMORIES[seed % 3], seed=seed + 1) as dut:
        story = Story(dut, rng)
        before = bytes(dut.memory)
        with Twin(port, dut) as twin:
            for _ in range(count):
                lines = story.legal()
                legal = rng.random() < LEGAL
                cause = compare(dut, twin, assemble("\n".join(lines)) if legal else story.changed(lines), story)
                assert cause == "NONE" or not legal, f"{cause}:\n" + "\n".join(lines)
                seen[cause] += 1
                dut.memory[:] = before
    return seen


@pytest.mark.soak
def test_random_programs(port):
    seen = several(port, SEED, 26)
    assert seen["NONE"] >= 8
    assert {"SECRET", "EMPTY", "ILLEGAL", "RANGE", "CONTEXT", "RESIDUE", "VALUE"} <= set(seen), seen


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 13))
def test_random_programs_longer(port, seed):
    assert several(port, seed, 100)["NONE"] >= 40
