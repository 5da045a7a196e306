# SPDX-License-Identifier: Apache-2.0
"""The core on other machines (lib/bare): it needs nothing but four memory functions, and computes the same bits as on the host.

Bare metal under QEMU's system emulation: RV64GC, RV64GCV, RV32IMAC, Cortex-M4; the last two have neither 128-bit integers nor doubles in hardware.
Linux under QEMU's user emulation: AArch64, and s390x, because it is big-endian. RINGSIDE_SOAK=1 adds the largest parameter sets.
"""

import platform
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside
from asserting import flipped, written
from bare.machines import BARE, LINUX, SOURCE, TARGETS
from builds import ROOT, cmake, need, output_of, run
from ringside.processors import usable_processors

pytestmark = pytest.mark.alike(2, by="name")

BUILD = ROOT / "build" / "bare"
ALLOWED = {"memcpy", "memmove", "memset", "memcmp"}
LINKER = {"_GLOBAL_OFFSET_TABLE_"}  # no function: the linker makes it
EXIT_SELFTEST = 1


def in_ci(names: Iterable[str]) -> list[Any]:
    """Without RV32, which is much as Cortex-M4 (32 bits, soft doubles) and as RV64 (the instructions), and without AArch64, which test_arm.py runs."""
    return [pytest.param(name, marks=pytest.mark.soak) if name in ("rv32", "aarch64") else name for name in names]


def built(name: str) -> Path:
    target = TARGETS[name]
    need(target.needed)
    return cmake(SOURCE, BUILD / name, *target.options(name))


def host() -> Path:
    return cmake(SOURCE, BUILD / "host")


def archive(build: Path) -> Path:
    return build / "ringside" / "lib" / "libringside.a"


# ---- what the core needs --------------------------------------------------------------------------------------------
def symbols(nm: str, file: Path, *options: str) -> set[str]:
    lines = output_of(nm, "--format=posix", *options, file).splitlines()
    return {words[0] for words in map(str.split, lines) if len(words) > 1}


def check_needs(place: Path, prefix: str, compiler: list[str]) -> None:
    library = archive(place)
    members = output_of(f"{prefix}ar", "t", library).split()
    assert len(members) == len([path for path in core_sources() if path.suffix == ".c"])
    nm = f"{prefix}nm"
    needed = symbols(nm, library, "--undefined-only")
    defined = symbols(nm, library, "--defined-only", "--extern-only")
    # no state: nothing that can be written
    for line in output_of(f"{prefix}size", "--format=sysv", library).splitlines():
        section = line.split()
        if section and re.match(r"\.(data|bss|sdata|sbss|tdata|tbss)", section[0]):
            assert section[0].startswith(".data.rel.ro") or section[1] == "0", line
    arithmetic = symbols(nm, Path(output_of(*compiler, "-print-libgcc-file-name").strip()))
    outside = needed - defined - ALLOWED - LINKER
    assert outside <= arithmetic, f"the core needs {sorted(outside - arithmetic)}"
    assert all(name.startswith(("rs_", "RS_")) for name in defined), defined


def core_sources() -> list[Path]:
    folders = [path for path in (ROOT / "lib" / "src").iterdir() if path.name not in ("host", "x86", "arm")]
    return [path for folder in folders for path in folder.rglob("*")]


def machine_flags(name: str) -> list[str]:
    text = (SOURCE / TARGETS[name].folder / f"{name}.cmake").read_text(encoding="utf-8")
    found = re.search(r'RS_BARE_FLAGS "(.*)"', text)
    return found[1].split() if found else []


@pytest.mark.parametrize("name", in_ci(BARE))
def test_core_needs_four_functions(name: str) -> None:
    prefix = TARGETS[name].prefix
    check_needs(built(name), prefix, [f"{prefix}gcc", *machine_flags(name)])


def test_core_needs_four_functions_on_the_host() -> None:
    check_needs(host(), "", ["gcc"])


# The time of a division depends on its operands, of 64 bits (a function of libgcc) as of 32 (an instruction). These functions divide
# public numbers; no other function divides integers at all.
DIVIDING = {
    # moduli, when parameters, constants and contexts are made
    *("rs_is_prime", "rs_modulus_init", "choose_primes", "rs_context_chain", "rs_limb_init", "rs_selftest_run"),
    # the plain modulus by moduli; inverses modulo it, of moduli and of the correction factor of a file
    *("rs_params_init", "rs_plain_check", "rs_plain_limbs_min", "rs_plain_inverse", "rs_exact_context_init", "start_stream"),
    # the limit of the public uniform polynomial; positions in streams; how many samples make a group
    *(
        "rs_draw_uniform", "rs_draw_stream", "rs_draw_cbd21", "rs_draw_ternary", "rs_sample_ternary_bytes",
        "reverse_order",
    ),
    # N by the number of blocks of a stage
    *("rs_ntt_portable_forward", "rs_ntt_portable_inverse"),
    # constants of a prime, and of its stream of words
    *("rs_lean_mod", "rs_lean_root", "rs_lean_load", "rs_lean_limit", "replacement", "rs_lean_spread", "rs_lean_round"),
    "begin_limb",
    # columns of a matrix by groups of a core; its radix modulo q
    *(
        "draw_column", "load_tail", "multiply_column", "put_encryption", "rs_mlkem_program", "rs_mldsa_program",
        "rs_device_mldsa_verify",
    ),
    # hints by words: bits of a high part
    *("put_hints", "take_signature"),
    # how many components a key has
    "open_object",
    # what a design is built with; numbers of limbs and instructions; text
    *(
        "rs_design_context_bytes", "rs_image_header", "rs_image_context", "rs_image_roots", "rs_image_stream",
        "rs_device_load", "rs_on_core_put_dividends", "radix",
    ),
    *("rs_device_encrypt", *("item_at", "rs_program_order"), "transfer", "put_number"),
}  # fmt: skip
TIMING = ("cost", "least", "timing")  # files of machine/timing: they see programs and designs alone
DIVISION = re.compile(r"__(u?(div|mod)[ds]i3|aeabi_u?[li]div(mod)?)\b|\t(udiv|sdiv|divu?|remu?)\t")


@pytest.mark.parametrize("name", in_ci(["rv32", "cortex-m4"]))
def test_no_function_that_sees_secrets_divides(name: str) -> None:
    dump = output_of(f"{TARGETS[name].prefix}objdump", "-dr", archive(built(name)))
    function, member, found = "", "", set()
    for line in dump.splitlines():
        if file := re.match(r"(\w+)\.c\.obj?:\s+file format", line):
            member = file[1]
        elif section := re.match(r"Disassembly of section \.text\.(\S+):", line):
            function = re.sub(r"\.(part|constprop|isra)\.\d+", "", section[1])
        elif DIVISION.search(line) and member not in TIMING:
            found.add(function)
    assert {"rs_modulus_init", "rs_draw_uniform", "reverse_order"} <= found, "the search is blind"
    assert found <= DIVIDING


DOUBLES = re.compile(r"__(aeabi_)?(\w*df\w*|d(add|sub|mul|div|cmp)\w*|\w2d|d2\w+)$")


@pytest.mark.parametrize("name", in_ci(["rv32", "cortex-m4"]))
def test_fixed_point_needs_no_doubles(name: str) -> None:
    """Encode and decode in fixed point call none of the functions that compute with doubles where the processor cannot."""
    calls: dict[str, set[str]] = {}
    file = ""
    for line in output_of(f"{TARGETS[name].prefix}nm", "--undefined-only", archive(built(name))).splitlines():
        if member := re.match(r"(\w+)\.c\.obj?:", line):
            file = member[1]
            calls[file] = set()
        elif line.strip():
            calls[file].add(line.split()[-1])
    assert any(map(DOUBLES.match, calls["fft"])), "the search is blind"
    for file in ("fixed", "fixed_roots", "fixed_slots", "encode_fixed"):
        assert not [call for call in calls[file] if DOUBLES.match(call)], file


# ---- what it computes -----------------------------------------------------------------------------------------------
SCHEMES = ("mlkem-512", "mlkem-768", "mlkem-1024", "newhope-1024", "bliss-bi", "mldsa-44", "mldsa-65", "mldsa-87")


def lines_of_host(sets: int) -> list[str]:
    """What the host prints for other schemes, and for so many parameter sets of CKKS."""
    lines = output_of(host() / "host").splitlines()
    others: list[str] = []
    names: list[str] = []
    for name in dict.fromkeys(line.split()[0] for line in lines[1:-1]):
        (others if name.startswith(SCHEMES) else names).append(name)
    assert len(others) == len(SCHEMES)
    wanted = {*others, *names[:sets]}
    return [lines[0], *(line for line in lines[1:-1] if line.split()[0] in wanted), lines[-1]]


@pytest.mark.parametrize("name", in_ci(TARGETS))
def test_same_bits_as_on_the_host(name: str) -> None:
    target = TARGETS[name]
    done = run(*target.qemu, built(name) / target.program)
    got = done.stdout.splitlines()
    assert got == lines_of_host(target.sets), done.stderr
    assert done.returncode == 0
    assert got[0] == "selftest RS_OK"
    assert got[-1] == "trace RS_OK"
    operations = {line.split()[1] for line in got}
    assert {"fft", "secret-key", "public-key", "relin-key", "galois-key", "encode"} < operations
    assert {"encrypt-sk", "encrypt-pk", "encrypt-pk-direct", "decrypt", "decode"} < operations
    assert {"parameters", "plaintext", "ciphertext", "read-decrypt"} < operations
    assert {"encapsulation-key", "decapsulation-key", "encaps", "decaps", "rejection"} < operations
    assert {"server", "client", "shared", "pair", "sign-derand"} < operations
    assert {"verification-key", "signing-key", "sign"} < operations
    hashes = [line.split()[-1] for line in got[1:-1]]
    assert len(set(hashes)) > len(hashes) * 0.9  # encodings repeat, nothing else


@pytest.mark.parametrize("bits", [128, 512])
def test_same_bits_with_vectors_of_other_lengths(bits: int) -> None:
    target = TARGETS["rv64v"]
    qemu = [word.replace("vlen=256", f"vlen={bits}") for word in target.qemu]
    assert run(*qemu, built("rv64v") / target.program).stdout.splitlines() == lines_of_host(target.sets)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("program", "operation", "least"), [("encrypt_cost", "encrypt-pk", 4.5), ("mlkem_cost", "encaps-768", 2.5)]
)
def test_vectors_save_instructions(program: str, operation: str, least: float) -> None:
    """Of 256 bits, against RV64GC, both compiled for speed."""

    def counted(name: str) -> int:
        target = TARGETS[name]
        options = (*target.options(name), "-DCMAKE_BUILD_TYPE=Release")
        place = cmake(SOURCE, BUILD / f"{name}-release", *options, targets=[program])
        text = output_of(*target.qemu, place / f"{program}.elf", "-icount", "shift=0")
        return int(re.findall(rf"^{operation} (\d+)$", text, re.MULTILINE)[0])

    assert counted("rv64") >= least * counted("rv64v")


@pytest.mark.parametrize("name", in_ci(BARE))
def test_a_wrong_answer_fails(name: str, tmp_path: Path) -> None:
    """One bit of the known answers flipped in the image: the self-test must end the run with its exit code."""
    target = TARGETS[name]
    text = (ROOT / "lib" / "src" / "selftest" / "selftest_answers.inc").read_text(encoding="utf-8")
    first = bytes(int(x, 16) for x in re.findall(r"0x([0-9a-f]{2})", text)[:32])
    image = (built(name) / target.program).read_bytes()
    at = image.find(first)
    assert at > 0
    done = run(*target.qemu, written(tmp_path / "wrong.elf", flipped(image, at + 31)))
    assert done.stdout == "selftest RS_ERR_SELFTEST\n"
    assert done.returncode == EXIT_SELFTEST


@pytest.mark.parametrize("name", in_ci(LINUX))
def test_seal_files_are_the_same_bytes(name: str, tmp_path: Path) -> None:
    """Files written there equal the host's, and Python decrypts them."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    output_of(host() / "host", ours)
    output_of(*TARGETS[name].qemu, built(name) / "host", theirs)
    names = sorted(path.name for path in ours.iterdir())
    assert len(names) == 5 * TARGETS[name].sets
    assert sorted(path.name for path in theirs.iterdir()) == names
    for file in names:
        assert (ours / file).read_bytes() == (theirs / file).read_bytes(), file
    context = ringside.Context(ringside.Parameters.load(theirs / "lee-12.parameters.seal", security=0))
    secret = ringside.SecretKey.load(context, theirs / "lee-12.secret-key.seal")
    message = ringside.Ciphertext.load(context, theirs / "lee-12.ciphertext.seal")
    values = context.decrypt_values(message, secret, real=False)
    i = np.arange(context.n, dtype=np.uint64)
    wanted = (i * i * 7919 % 2000).astype(float) / 1000 - 1
    assert np.allclose(values, wanted[0::2] + 1j * wanted[1::2], atol=1e-3)


def test_big_endian_is_what_it_says() -> None:
    """The compiler for s390x really takes the other paths."""
    macros = output_of("s390x-linux-gnu-gcc", "-dM", "-E", "-xc", "/dev/null")
    assert "#define __BYTE_ORDER__ __ORDER_BIG_ENDIAN__" in macros
    assert platform.machine() != "s390x"


@pytest.mark.parametrize("name", in_ci(["rv32", "cortex-m4"]))
def test_32_bit_compilers_have_no_wide_integers(name: str) -> None:
    compiler = f"{TARGETS[name].prefix}gcc"
    macros = output_of(compiler, *machine_flags(name), "-dM", "-E", "-xc", "/dev/null")
    assert "__SIZEOF_INT128__" not in macros
    assert "#define __SIZEOF_POINTER__ 4" in macros


# ---- the host without 128-bit integers ------------------------------------------------------------------------------
@pytest.mark.soak
def test_all_c_tests_without_128_bit_integers() -> None:
    place = ROOT / "build" / "no-int128"
    cmake(ROOT, place, "-DRS_NO_INT128=ON", "-DRS_BUILD_TESTS=ON", "-DRS_WERROR=ON")
    output_of("ctest", "--test-dir", place, "--output-on-failure", "-j", str(usable_processors()))


@pytest.mark.soak
def test_no_branch_or_index_depends_on_a_secret_without_128_bit_integers() -> None:
    """tests/constant_time with the arithmetic of 32-bit machines; its controls, which must be caught, are run there."""
    place = ROOT / "build" / "ctgrind-no-int128"
    options = ["-DRS_NO_INT128=ON", "-DRS_BUILD_TESTS=ON", "-DRS_CTGRIND=ON", "-DCMAKE_C_FLAGS=-gdwarf-4 -g1"]
    program = cmake(ROOT, place, *options) / "lib" / "tests" / "test_constant_time"
    names = [name for name in output_of(program, "--list").split() if not name.startswith("control_")]
    assert len(names) >= 9
    check = ["valgrind", "--quiet", "--error-exitcode=99", "--error-limit=no"]
    output_of(*check, program, *names, RINGSIDE_BACKEND="portable")


# ---- what it takes --------------------------------------------------------------------------------------------------
@pytest.mark.soak
def test_footprint_table() -> None:
    """scripts/bare_tables.py prints a row for each bare machine; an encryption fits into 640 KiB, its code into 128."""
    for name in BARE:
        built(name)
    lines = output_of("python3", ROOT / "scripts" / "bare_tables.py", "footprint").splitlines()
    assert len(lines) == 2 + len(BARE)
    for name, line in zip(BARE, lines[2:], strict=True):
        title, code, memory, *parts = [cell.strip() for cell in line.strip("|").split("|")]
        assert title == TARGETS[name].title
        assert 20 < int(code) < 128
        assert 300 < int(memory) < 640
        assert abs(sum(map(int, parts)) - int(memory)) <= 3


# Instructions of mlkem-native (pq-code-package/mlkem-native, commit d1b2fe78 of August 2026) for ML-KEM-768 and of mldsa-native (commit e0080e7) for
# ML-DSA-65, of a signature one round, on RV64GC: portable C, compiled by GCC 12 with -O3, counted with this start-up code and QEMU. With
# -fsched-pressure, which the library is compiled with, mlkem-native takes 516,039, 610,320 and 761,890.
PEERS: dict[str, tuple[str, float, dict[str, int]]] = {
    "mlkem_cost": ("768", 1.1, {"keygen": 643_658, "encaps": 740_912, "decaps": 919_006}),
    "mldsa_cost": ("65", 1.0, {"keygen": 2_622_161, "sign": 3_948_503, "verify": 2_704_898}),
}
LEAST = {"mlkem_cost": 100_000, "mldsa_cost": 500_000}
WORKSPACES = {
    "mlkem_cost": {"workspace-512": 2560, "workspace-768": 3584, "workspace-1024": 4608},
    "mldsa_cost": {
        "workspace-44": 27_920,
        "workspace-65": 36_112,
        "workspace-87": 46_352,
        "verify-workspace-44": 11_536,
        "verify-workspace-65": 12_560,
        "verify-workspace-87": 14_608,
    },
}


@pytest.mark.parametrize("program", PEERS)
def test_schemes_take_fewer_instructions_than_a_peer(program: str) -> None:
    """Even compiled for size, and memory for a small machine suffices."""
    text = output_of(*TARGETS["rv64"].qemu, built("rv64") / f"{program}.elf", "-icount", "shift=0")
    counts = {name: int(number) for name, number in map(str.split, text.splitlines())}
    number, share, peers = PEERS[program]
    for name, peer in peers.items():
        assert LEAST[program] < counts[f"{name}-{number}"] <= share * peer
    assert {name: counts[name] for name in WORKSPACES[program]} == WORKSPACES[program]
    assert counts["stack"] < 4096


@pytest.mark.soak
@pytest.mark.parametrize("table", PEERS)
def test_cost_tables_of_schemes(table: str) -> None:
    lines = output_of("python3", ROOT / "scripts" / "bare_tables.py", table).splitlines()
    assert len(lines) == 2 + 6 * len(BARE)


def test_encode_cost_table() -> None:
    """scripts/bare_tables.py prints three rows for each bare machine; where doubles are computed in software, fixed
    point takes fewer instructions."""
    for name in BARE:
        built(name)
    lines = output_of("python3", ROOT / "scripts" / "bare_tables.py", "encode_cost").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    assert [row[0] for row in rows] == [TARGETS[name].title for name in BARE for _ in range(3)]
    counts = [[int(cell.replace(",", "")) for cell in row[2:]] for row in rows]
    for name, doubles, narrow, wide in zip(BARE, counts[::3], counts[1::3], counts[2::3], strict=True):
        assert doubles[3] == narrow[3] == wide[3]
        assert 500 < narrow[0] < 5_000
        if not name.startswith("rv64"):  # these have doubles in hardware
            assert narrow[0] < wide[0] < doubles[0]
