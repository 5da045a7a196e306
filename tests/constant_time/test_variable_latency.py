# SPDX-License-Identifier: Apache-2.0
"""Instructions that take longer for some operands: divisions and square roots, and calls of library functions that divide.

valgrind does not see them (test_constant_time.py). So the machine code is searched for them: of gcc and clang for x86-64 with all
back ends, of gcc for AArch64 and RV64, of clang for RV64 with vectors. Debug information leads from each one to the function of the source where it stems from, whatever
was inlined. Only the functions below may divide, for the reasons given.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from asserting import written

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "lib" / "src"
# for other machines: the rooms that compute on secrets
ROOMS = ["base", "arith", "hash", "sampling", "encoding", "params", "rlwe", "ckks", "exact", "mlkem", "mldsa", "papers/newhope", "papers/bliss", "riscv/arith", "riscv/hash"]  # fmt: skip
FLAGS = ["-std=c11", "-O2", "-g", "-ffreestanding", "-ffp-contract=off", "-fno-strict-aliasing", '-DRS_VERSION="0"']
INCLUDES = ["-I", ROOT / "lib" / "include", "-I", SOURCE, "-isystem", ROOT / "lib" / "bare" / "include"]
RISCV = "riscv64-unknown-elf-"
# compilers: prefix of objdump, options
CROSS = {
    "aarch64-linux-gnu-gcc": ("aarch64-linux-gnu-", []),
    f"{RISCV}gcc": (RISCV, ["-march=rv64gc", "-mabi=lp64d"]),
    "clang-16": (RISCV, [f"--target={RISCV[:-1]}", "-march=rv64gcv", "-mabi=lp64d", "-gdwarf-4"]),
}

DIVIDES = re.compile(
    r"\t(v?(div|sqrt|rsqrt|rcp)[0-9]*[ps][sdh]"  # SSE, AVX
    r"|i?div[bwlq]?|fi?div\w*|fprem1?|fsqrt"  # x86 and x87
    r"|[us]div|fdiv|fsqrt|f(rsqrt|recp)[esx]"  # AArch64
    r"|(div|rem)u?w?|f(div|sqrt)\.[sdq]|v(div|rem)u?\.v[vx]|vf(r?div\.\w+|r?sqrt7?\.v|rec7\.v))\s"  # RISC-V
)
CALLS = re.compile(r"\s(__(u?div|u?mod|u?divmod)[sdt]i[34]|__(aeabi_\w*)?div\w*|fmod[fl]?|remainder[fl]?|sqrt[fl]?)\b")

# They divide for their callers, who are named instead.
CARRIERS = {"rs_wide_divide", "rs_factor", "rs_bits_of"}

# reason: file: functions, by the folders of lib/src
SITES = {
    "constants and tables of a modulus, made once": """
        arith/modarith.c: rs_modulus_init; arith/plan.c: init_tables smallest_root; fma/ring_fma.c: constants;
        ckks/message.c: add_wide; encoding/kernels.c: rs_mixed_radix_init; fma/real_passes.h: constants;
        x86/arith/lifts512.h: modulus8; x86/arith/ring_avx2.c: constants; x86/encoding/encoding_vectors.h: factor""",
    "a factor that is the inverse of a modulus, or 1": """
        encoding/lifts.c: rs_portable_lift_rounded; arith/ring.c: rs_portable_lift_small; arith/ring32.c: lift_small;
        x86/arith/lifts512.h: factor8; x86/integers/integers_avx512.c: lift_reals; x86/arith/ring_avx2.c: factor_of;
        riscv/arith/ring_rvv.c: lift_small lift_rounded""",
    "constants of a modulus": """
        x86/arith/ntt_lifted64.h: lift_of; x86/ifma/ntt_products52.h: constants lift_of; x86/ifma/ntt_products60.h: constants""",
    "the special modulus": """
        rlwe/keys.c: rs_row_carry""",
    "t, moduli, and a correction factor: constants of a context, a level, a ciphertext": """
        exact/context.c: rs_exact_context_init; exact/decrypt.c: digit_of find_turns round_sums;
        exact/encode.c: rs_exact_spread; exact/encrypt.c: encrypt_public encrypt_secret;
        lean/exact.c: plain_of rs_lean_round; params/plain.c: rs_plain_inverse; rlwe/keys.c: check_pair;
        schemes/on_core/integers.c: rs_on_core_put_streamed_integers rs_on_core_streamed_factor;
        schemes/on_core/rounding.c: put_switches""",
    "tests of primes and of plain moduli, and the search for primes": """
        arith/modarith.c: rs_is_prime; params/params.c: choose_primes first_candidate;
        params/plain.c: rs_plain_check rs_plain_limbs_min""",
    "N, blocks and indices": """
        arith/ntt.c: forward_pass inverse_pass rs_ntt_portable_forward; mldsa/vectors/transforms.h: layer_in_lanes;
        x86/encoding/fft_passes.h: forward forward_two_stages inverse inverse_two_stages root""",
    "roots of unity": """
        encoding/fft_roots.c: at_rounded_angle dd_div exact_point; encoding/fixed_roots.c: alternating_series""",
    "the scale, and N": """
        ckks/encode.c: encode; ckks/encode_fixed.c: rs_lift_fixed; encoding/kernels.c: rs_exact_reciprocal""",
    "lengths of and positions in streams": """
        sampling/sample.c: private_blocks rs_draw_cbd21 rs_draw_stream rs_draw_ternary rs_sample_ternary_bytes;
        sampling/seed.c: rs_shake256_counter""",
    "what a modulus refuses of a public stream": """
        sampling/sample.c: rs_draw_uniform""",
    "estimates from parameters": """
        rlwe/noise.c: rs_zero_variance; ckks/precision.c: rs_precision_published""",
    "sizes, cycles and the layout of programs and images": """
        arith/wide.h: rs_image_write_times; base/bytes.h: rs_image_roots rs_image_stream;
        machine/design.h: rs_design_seed_rows;
        machine/image.c: put_table radix rs_image_header rs_image_roots rs_image_write_times;
        machine/instruction.c: put_number; seal/wire_keys.c: put_number; machine/order.c: chunks duration keccak_cycles transfer;
        schemes/on_core/integers.c: rs_on_core_lift_integers; schemes/on_core/load.c: load_context;
        schemes/on_core/message.c: rs_on_core_put_dividends; seal/wire_write.c: entries_check""",
    "constants of a prime, and of its stream of words": """
        lean/decrypt.c: begin_limb; lean/ring.c: rs_lean_mod rs_lean_root;
        lean/stream.c: rs_lean_limit rs_lean_load_limb replacement""",
    "hints by words: bits of a high part": """
        mldsa/on_core/device.c: put_hints""",
    "columns of a public matrix by groups of a core; its radix modulo q": """
        mldsa/on_core/device.c: rs_device_mldsa_verify;
        mldsa/on_core/program.c: draw_column make_secrets multiply_column;
        mlkem/on_core/program.c: draw_column load_tail put_encryption rs_mlkem_program keygen rows""",
    "known answers": """
        selftest/selftest.c: ckks transforms""",
    # docs/SOUNDNESS.md, "Known to take a time that may depend on secrets"
    "SECRET: decoded coefficients over a scale that is no power of two": """
        encoding/kernels.c: quotient rs_coefficients_portable; x86/encoding/encoding_vectors.h: scaled""",
    "SECRET: the precision of decrypted values, measured for their owner": """
        ckks/precision.c: log2_of rs_precision_measured""",
}
PUBLIC = "machine/timing/"  # programs and designs, and no data
ALLOWED = {
    f"{file.strip()}: {function}": reason
    for reason, sites in SITES.items()
    for file, functions in (site.split(": ") for site in sites.split(";"))
    for function in functions.split()
}


def divisions(listing: str) -> Iterator[tuple[str, str]]:
    """Divisions of a disassembly with lines and inlined functions: (place in the source, instruction), the place as "file: function"."""
    function, line = "", ""
    outer: list[tuple[str, str]] = []
    in_code = False
    for text in listing.splitlines():
        if re.match(r"\s+[0-9a-f]+:\s", text):
            in_code = True
            found = DIVIDES.search(text) or (CALLS.search(text) if "R_" in text else None)
            if found:
                frames = [(function, line), *outer]
                name, path = next((frame for frame in frames if frame[0] not in CARRIERS), frames[-1])
                yield f"{path}: {name}", found.group().strip()
            continue
        if in_code:
            outer, in_code = [], False
        if heading := re.match(r"([A-Za-z_]\w*)(?:\.[\w.]+)?\(\):$", text):
            function = heading[1]
        elif inlined := re.match(r"inlined by (\S+):\d+ .*?\(([A-Za-z_]\w*)[\w.]*\)$", text):
            outer.append((inlined[2], relative(inlined[1])))
        elif place := re.match(r"(/\S+):\d+", text):
            line = relative(place[1])


def relative(path: str) -> str:
    """Below lib/src, of whichever clone: an object of ccache names the one where it was compiled."""
    place = os.path.normpath(path)
    _, inside, below = place.rpartition("/lib/src/")
    return below if inside else Path(place).name


def found_in(objdump: str, file: Path) -> set[tuple[str, str]]:
    command = [objdump, "-dlr", "--inlines", "--no-show-raw-insn", str(file)]
    return set(divisions(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def compiled(compiler: str, options: list[str], source: Path, place: Path) -> Path:
    out = place / f"{source.parent.name}-{source.stem}.o"
    command = [compiler, *FLAGS, *options, *INCLUDES, "-c", source, "-o", out]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


def in_all(objdump: str, files: list[Path]) -> set[tuple[str, str]]:
    with ThreadPoolExecutor(2) as pool:
        return set().union(*pool.map(lambda file: found_in(objdump, file), files))


def unexpected(found: set[tuple[str, str]]) -> list[str]:
    return sorted(
        f"{site} ({instruction})" for site, instruction in found if site not in ALLOWED and not site.startswith(PUBLIC)
    )


def test_only_public_numbers_divide(program: Path) -> None:
    place = program.parents[1] / "CMakeFiles" / "ringside.dir" / "src"
    files = [place / f"{path.relative_to(SOURCE)}.o" for path in SOURCE.rglob("*.c") if "host" not in path.parts]
    assert len(files) > 40
    assert not unexpected(in_all("objdump", files))


@pytest.mark.soak  # compiles all of the library
@pytest.mark.parametrize("compiler", CROSS)
def test_only_public_numbers_divide_elsewhere(compiler: str, tmp_path: Path) -> None:
    if not shutil.which(compiler):
        pytest.fail(f"{compiler} is missing; `make test` installs it")
    prefix, options = CROSS[compiler]
    sources = [path for room in ROOMS for path in (SOURCE / room).glob("*.c")]
    assert len(sources) > 20

    with ThreadPoolExecutor(2) as pool:
        files = list(pool.map(lambda source: compiled(compiler, options, source, tmp_path), sources))
    assert not unexpected(in_all(f"{prefix}objdump", files))


LEAKS = """
typedef unsigned long word;
static inline word rs_factor(word x, word q) { return x / q; }
static inline word inlined(word x, word q) { return x % q; }
word word_quotient(word secret, word q) { return secret / q; }
word word_remainder(word secret, word q) { return secret + inlined(secret, q); }
__extension__ word wide(unsigned __int128 secret, word q) { return (word)(secret / q); }
double reciprocal(double secret) { return 1 / secret; }
double root(double secret) { return __builtin_sqrt(secret); }
void many(double *restrict secret, double q) { for (int i = 0; i < 64; i++) secret[i] /= q; }
word by_carrier(word secret, word q) { return rs_factor(secret, q); }
"""


@pytest.mark.parametrize(
    ("compiler", "prefix", "options"),
    [("gcc", "", ["-O3"]), ("clang-14", "", ["-O3", "-gdwarf-4"]), *((name, *how) for name, how in CROSS.items())],
)
def test_a_division_would_be_found(compiler: str, prefix: str, options: list[str], tmp_path: Path) -> None:
    source = written(tmp_path / "leaks.c", LEAKS)
    found = found_in(f"{prefix}objdump", compiled(compiler, ["-fno-math-errno", *options], source, tmp_path))
    names = {"word_quotient", "inlined", "wide", "reciprocal", "root", "many", "by_carrier"}
    assert {site for site, _ in found} == {f"leaks.c: {name}" for name in names}
    assert len(unexpected(found)) >= len(names)
