# SPDX-License-Identifier: Apache-2.0
"""Operations of a design, and how many cycles each unit needs at least for a program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..designs.design import REDUCTIONS, Design
from ..native.library import CData, ffi, lib
from .asm import disassemble, field_of, unit_of

# what the core computes, with the library's name of each
OPERATIONS = {
    "ntt": "RS_JOB_NTT",
    "intt": "RS_JOB_INTT",
    "encrypt-pk": "RS_JOB_ENCRYPT_PK",
    "encrypt-pk-direct": "RS_JOB_ENCRYPT_PK_DIRECT",
    "encrypt-sk": "RS_JOB_ENCRYPT_SK",
    "decrypt": "RS_JOB_DECRYPT",
    # designs with `encode`: in fixed point
    "encode-encrypt-pk": "RS_JOB_ENCRYPT_PK",
    "encode-encrypt-pk-direct": "RS_JOB_ENCRYPT_PK_DIRECT",
    "encode-encrypt-sk": "RS_JOB_ENCRYPT_SK",
    "decrypt-decode": "RS_JOB_DECRYPT",
    # at a scale that is no power of two, such as that of a ciphertext that a server has rescaled
    "encode-encrypt-pk-rescaled": "RS_JOB_ENCRYPT_PK",
    "encode-encrypt-pk-direct-rescaled": "RS_JOB_ENCRYPT_PK_DIRECT",
    "encode-encrypt-sk-rescaled": "RS_JOB_ENCRYPT_SK",
    "decrypt-decode-rescaled": "RS_JOB_DECRYPT",
    # two limbs, where results do not fit the first modulus
    "decrypt-decode-two": "RS_JOB_DECRYPT",
    "decrypt-decode-two-rescaled": "RS_JOB_DECRYPT",
}
KECCAK_BLOCK, KECCAK_ROUNDS = 136, 24  # bytes per permutation of SHAKE256
SLICES = 64  # slices of Keccak's state
SHORT_WORDS, RING = 64, 32  # in FEATURES.stream_lanes: hw/core/regs.rdl
EXPAND_WORDS = 512  # uniform words per block of the public stream


def native_design(design: Design) -> CData:
    """rs_design_t, as the configuration registers of the design say."""
    features = lib.RS_FEATURE_SAMPLER if design.slots else 0
    features |= lib.RS_FEATURE_EXPAND if design.expand else 0
    features |= lib.RS_FEATURE_REDUCE if design.reducers else 0
    features |= lib.RS_FEATURE_STREAM_FACTOR if design.stream_factor else 0
    features |= lib.RS_FEATURE_ENCODE if design.encode else 0
    features |= (
        lib.RS_FEATURE_PIPE | design.stream_lanes << lib.RS_FEATURE_STREAM_LANES_SHIFT if design.stream_lanes else 0
    )
    features |= (design.slices.bit_length() - 1) << lib.RS_FEATURE_LOG_SLICES_SHIFT
    features |= lib.RS_FEATURE_FIELDS if design.fields else 0
    features |= lib.RS_FEATURE_SEALED if design.fields and design.field_mode == "sealed" else 0
    features |= (SHORT_WORDS * design.short | RING * design.ring) << lib.RS_FEATURE_STREAM_LANES_SHIFT
    features |= lib.RS_FEATURE_ON_THE_FLY if design.twiddles == "on_the_fly" else 0
    return ffi.new(
        "rs_design_t *",
        {
            "lanes": design.lanes,
            "word_bits": design.word_bits,
            "reduction": REDUCTIONS.index(design.reduction),
            "log_n_min": design.log_n_min,
            "log_n_max": design.log_n_max,
            "groups": design.bank_groups,
            "contexts": design.contexts,
            "slots": design.slots,
            "bus_bits": design.bus_bits,
            "features": features,
            "program_depth": design.program_depth,
            "keccak_cores": design.keccak_cores,
        },
    )


def decoded_limbs(op: str) -> int:
    """Limbs that an operation which decodes reads."""
    return 2 if op.startswith("decrypt-decode-two") else 1


@dataclass(frozen=True)
class Bound:
    """Cycles that a program takes at least: `units` each for itself, `cycles` the largest, `by` what that is.

    chain: of its longest chain of instructions that need each other's groups, slots or contexts, in the program's order; with two
    groups most of it. Units are not shared in it, so neither of the two includes the other.
    """

    cycles: int
    by: str
    chain: int
    units: dict[str, int]
    transforms: int  # N/2 log2 N butterflies each
    passes: int  # N products or sums each
    fixed_transforms: int  # transforms of encode or decode, N/2 (log2 N - 1) butterflies of two lanes each
    read_beats: int
    write_beats: int
    keccak_permutations: int


_KIND = {
    "COMPUTE": "arithmetic",
    "LOAD": "memory bus",
    "STORE": "memory bus",
    "SAMPLE": "Keccak",
    "EXPAND": "Keccak",
    "LIFT": "lifting",
    "PIPE": "streaming",
    "SPONGE": "Keccak",
    "PACK": "memory bus",
}


def slots_of(word: int) -> tuple[int, int]:
    """Bytes in whole lines of LOADS or STORES, and slots: one per cycle."""
    numbers = field_of(word, "numbers")
    count = (numbers >> 12 & 0xFFFF) + 1
    size = int(lib.rs_fixed_format_bytes(numbers & 7)) << (numbers >> 3 & 1)
    return -(-count * size // 64) * 64, count


def key_image(design: Design, log_n: int) -> int:
    """Bytes of a limb of a key for the streaming unit."""
    return int(lib.rs_design_stream_key_bytes(native_design(design), log_n))


def bound(design: Design, log_n: int, words: Sequence[int]) -> Bound:
    """The bound of a program, if every lane, beat of the bus and Keccak core were busy in every cycle of its unit."""
    n = 1 << log_n
    butterflies, vector, chunks = -(-log_n * n // (2 * design.lanes)), -(-n // design.lanes), -(-n // design.chunk)
    bus = design.bus_bits // 8
    poly_beats = n * (4 if design.word_bits <= 32 else 8) // bus
    context_beats = int(lib.rs_design_context_bytes(native_design(design), log_n)) // bus
    units = dict.fromkeys(_KIND, 0)
    transforms = fixed = passes = read_beats = write_beats = permutations = 0
    ready: dict[str, int] = {}  # when the last instruction that uses it ends at the earliest
    for word in words:
        name, *operands = disassemble(word).split()
        cycles = 0
        if name in ("NTT", "INTT"):
            part = field_of(word, "part")
            transforms += part % 3 == 0
            cycles = butterflies * (log_n if part == 0 else log_n - 2 if part == 3 else 1) // log_n
        elif name in ("IFFT", "FFT"):
            fixed += 1
            cycles = (log_n - 1) * vector
        elif name == "CONTEXT":
            read_beats += context_beats
            cycles = context_beats
        elif name == "CONSTANTS":
            read_beats += 64 // bus
            cycles = 64 // bus
        elif name == "TWIDDLES":
            part = field_of(word, "part")
            part_beats = poly_beats >> min(part, 2)
            read_beats += part_beats
            cycles = part_beats
        elif name == "ROOTS":
            roots_beats = int(lib.rs_design_roots_bytes(native_design(design), log_n)) // bus
            read_beats += roots_beats
            cycles = roots_beats
        elif name in ("LOADS", "STORES"):
            beats, numbers = slots_of(word)
            read_beats += beats // bus * (name == "LOADS")
            write_beats += beats // bus * (name == "STORES")
            cycles = max(beats // bus, numbers)
        elif name in ("LOAD", "STREAM"):
            read_beats += poly_beats
            cycles = max(poly_beats, chunks)
        elif name == "STORE":
            write_beats += poly_beats
            cycles = max(poly_beats, chunks)
        elif name == "SAMPLE":
            size = int(lib.rs_sample_ternary_bytes(n)) if field_of(word, "ternary") else 6 * n
            blocks = -(-size // KECCAK_BLOCK)
            permutations += blocks
            permutation = KECCAK_ROUNDS * SLICES // design.keccak_slices
            cycles = max(blocks * permutation // design.keccak_cores, n // design.sample_lanes)
        elif name == "EXPAND":
            words_at_once = design.expand_words if n >= EXPAND_WORDS * design.expand_words else 1
            blocks = -(-n // (EXPAND_WORDS * words_at_once))
            permutations += -(-8 * n // KECCAK_BLOCK)
            permutation = KECCAK_ROUNDS * SLICES // design.keccak_slices
            cycles = blocks * max(EXPAND_WORDS, -(-EXPAND_WORDS * 8 // KECCAK_BLOCK) * permutation)
            if design.expand_steps:  # at best: a modulus as wide as the words
                cycles = max(cycles, n * -(-(64 - design.word_bits) // design.expand_steps))
        elif name in ("PIPE", "PIPED"):
            limbs = field_of(word, "last_limb") + 1
            read_beats += (n + limbs * (key_image(design, log_n) // 8)) * 8 // bus
            write_beats += 2 * limbs * n * 8 // bus
            cycles = limbs * n // design.stream_lanes
            operands[0:1] = [f"s{int(operands[0][1:]) + i}" for i in range(3)]
        elif name in ("PIPEKEY", "DRAIN"):
            pass
        elif name in ("LIFT", "ROUND", "LIFTW", "CENTRE"):
            cycles = chunks * (2 if name == "ROUND" else 1)
        elif name != "END":
            passes += 1
            cycles = vector
        if cycles:
            units[unit_of(word)] += cycles
        # groups and slots are held by one instruction; contexts are shared, but for the one that loads them
        held = [operand for operand in operands if re.fullmatch(r"(g|s)\d+", operand)]
        shared = [operand for operand in operands if re.fullmatch(r"ctx\d+", operand)]
        if name in ("CONTEXT", "ROOTS", "CONSTANTS", "TWIDDLES"):
            held, shared = [*shared, *(f"users of {ctx}" for ctx in shared)], []
        end = cycles + max((ready.get(resource, 0) for resource in held + shared), default=0)
        ready |= dict.fromkeys(held, end)
        for ctx in shared:
            ready[f"users of {ctx}"] = max(end, ready.get(f"users of {ctx}", 0))
    slowest = max(units, key=lambda unit: units[unit])
    return Bound(
        cycles=units[slowest],
        by=_KIND[slowest],
        chain=max(ready.values(), default=0),
        units=units,
        transforms=transforms,
        passes=passes,
        fixed_transforms=fixed,
        read_beats=read_beats,
        write_beats=write_beats,
        keccak_permutations=permutations,
    )
