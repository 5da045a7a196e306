# SPDX-License-Identifier: Apache-2.0
"""The firmware of a sensor (lib/bare/sensor.c, docs/microcontrollers.md): stock SEAL decrypts the file that it sends, and it fits a small device."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside
from asserting import flipped
from bare.machines import SOURCE, TARGETS
from builds import ROOT, cmake, need, output_of
from interop.peers import Peer, SealNative
from ringside.errors import SecretKeyError
from tree_scripts import script

READINGS = 2048
LIMBS = 3
SCALE = 2.0**25
# For N = 4096 and three primes: working memory, key, parameters and stack; encode, encrypt and file.
RAM_BYTES_MAX = 64 * 1024
INSTRUCTIONS_MAX = 18_000_000


def readings() -> NDArray[np.float64]:
    i = np.arange(READINGS)
    return ((i - READINGS // 2) * 24 + i % 7 * 100) / 2.0**15


@functools.cache
def printed_by(name: str, image: str = "sensor") -> str:
    """What the firmware prints; compiled for size, as in test_bare.py."""
    target = TARGETS[name]
    need({f"{target.prefix}gcc": target.packages[0], target.qemu[0]: target.packages[1]})
    place = cmake(SOURCE, ROOT / "build" / "bare" / name, *target.options(name))
    return output_of(*target.qemu, place / f"{image}.elf", "-icount", "shift=0")


def save_file(text: str, title: str, path: Path) -> Path:
    found = re.search(rf"^{title}\n([0-9a-f\n]*)^end\n", text, re.MULTILINE)
    assert found, text[-1000:]
    path.write_bytes(bytes.fromhex(found[1]))
    return path


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Peer:
    path = tmp_path_factory.mktemp("sensor") / "parameters.seal"
    ringside.Parameters.named("seal-embedded-4096").save(path)
    seal = SealNative()
    seal.use(path)
    return seal


@pytest.mark.parametrize("name", ["cortex-m4", pytest.param("rv32", marks=pytest.mark.soak), "rv64"])
def test_seal_decrypts_what_a_sensor_sends(name: str, peer: Peer, tmp_path: Path) -> None:
    text = printed_by(name)
    key = save_file(text, "key-file", tmp_path / "key.seal")
    file = save_file(text, "file", tmp_path / "file.seal")
    if name != "rv64":  # the same bytes everywhere
        assert key.read_bytes() == save_file(printed_by("rv64"), "key-file", tmp_path / "other.seal").read_bytes()
        assert file.read_bytes() == save_file(printed_by("rv64"), "file", tmp_path / "other.seal").read_bytes()
    ciphertext = peer.load("ciphertext", file)
    assert peer.describe(ciphertext) == (2, LIMBS, SCALE)
    decoded = peer.decode(peer.decrypt(ciphertext, peer.load("secret_key", key)))
    assert np.abs(decoded[:READINGS].real - readings()).max() < 2e-4  # noise: 3.2 sqrt(N) / scale, times five

    # what this library makes of the same file, and of one with a bit flipped
    context = ringside.Context(ringside.Parameters.named("seal-embedded-4096"))
    secret = ringside.SecretKey.load(context, key)
    got = context.decrypt_values(ringside.Ciphertext.load(context, file), secret)
    assert np.abs(got[:READINGS] - readings()).max() < 2e-4
    file.write_bytes(flipped(file.read_bytes(), 193))  # the lowest bit of a word
    with pytest.raises(SecretKeyError):  # nothing but noise comes out, as with another key
        context.decrypt_values(ringside.Ciphertext.load(context, file), secret)


@pytest.mark.parametrize("name", [pytest.param("cortex-m4", marks=pytest.mark.soak), "rv64"])
def test_seal_adds_what_a_counter_sends(name: str, tmp_path: Path) -> None:
    """BFV: a file of the device and one of an owner at a desk, added by stock SEAL; and what the client takes."""
    text = printed_by(name, "counts")
    key, file = (save_file(text, title, tmp_path / title) for title in ("key-file", "file"))
    params = ringside.Parameters.from_bits(4096, [30, 30, 30, 19], scheme="bfv", plain_modulus=65537)
    params.save(tmp_path / "parameters")
    context = ringside.ExactContext(params)
    secret = ringside.SecretKey.load(context, key)
    counts = np.tile(np.rint(readings() * 2**15).astype(np.int64), 2)
    assert np.array_equal(context.decrypt_values(ringside.Ciphertext.load(context, file), secret), counts)
    context.encrypt(np.arange(4096), secret).save(tmp_path / "more")
    seal = SealNative().seal
    theirs = seal.EncryptionParameters(seal.SCHEME_TYPE.BFV)
    theirs.load(str(tmp_path / "parameters"))
    server = seal.SEALContext(theirs, True, seal.SEC_LEVEL_TYPE.TC128)
    one, other, total = (seal.Ciphertext() for _ in range(3))
    one.load(server, str(file))
    other.load(server, str(tmp_path / "more"))
    seal.Evaluator(server).add(one, other, total)
    total.save(str(tmp_path / "total"))
    wanted = (counts + np.arange(4096) + 32768) % 65537 - 32768
    assert np.array_equal(context.decrypt_values(ringside.Ciphertext.load(context, tmp_path / "total"), secret), wanted)
    found = {part: int(number) for part, number in re.findall(r"^(\w[\w-]*) (\d+)$", text, re.MULTILINE)}
    if name == "cortex-m4":
        ckks = {
            title: int(count)
            for title, count in re.findall(r"^(\w+-instructions) (\d+)$", printed_by(name), re.MULTILINE)
        }
        assert sum(found[part] for part in ("memory", "key", "parameters", "public-stack")) <= 56 * 1024
        assert found["encrypt-instructions"] <= 1.10 * ckks["encrypt-instructions"]
        assert found["public-instructions"] <= 0.95 * ckks["public-instructions"]


def test_a_sensor_fits_a_small_device() -> None:
    """scripts/bare_tables.py sensor: the bars on a Cortex-M4."""
    printed_by("cortex-m4")  # the tools are there
    lines = output_of("python3", ROOT / "scripts" / "bare_tables.py", "sensor", "cortex-m4").splitlines()
    assert len(lines) == 3
    target, *cells = (cell.strip() for cell in lines[2].strip("|").split("|"))
    ram, memory, key, parameters, stack, _, flash, instructions = (int(cell.replace(",", "")) for cell in cells)
    assert target == TARGETS["cortex-m4"].title
    assert ram == memory + key + parameters + stack
    assert 48 * 1024 < ram <= RAM_BYTES_MAX
    assert key == 1024
    assert 10_000_000 < instructions <= INSTRUCTIONS_MAX
    assert flash < 128 * 1024


def test_the_page_lists_the_files_that_the_lean_client_needs(tmp_path: Path) -> None:
    """They alone are compiled and linked with all functions of lean.h: what is missing then is the compiler's and memcpy. None is too many."""
    gcc = f"{TARGETS['cortex-m4'].prefix}gcc"
    need({gcc: TARGETS["cortex-m4"].packages[0]})
    files = [ROOT / "lib" / "src" / name for name in script("releasing.embed").lean_sources()]
    functions = sorted(set(re.findall(r"\b(rs_lean_\w+)\(", (ROOT / "lib" / "include" / "ringside" / "lean.h").read_text(encoding="utf-8"))))  # fmt: skip
    uses = "".join(f"(void *){name}, " for name in [*functions, "rs_params_init", "rs_status_name"])
    (tmp_path / "uses.c").write_text(
        f"#include <ringside/lean.h>\nvoid *const uses[] = {{{uses}}};\n", encoding="utf-8"
    )
    options = ["-mcpu=cortex-m4", "-mthumb", "-ffreestanding", "-std=c11", "-O0", "-DRS_CORE_ONLY", '-DRS_VERSION=""']
    places = [f"-I{ROOT / 'lib' / place}" for place in ("include", "src", "bare/include")]
    objects = []
    for source in [tmp_path / "uses.c", *files]:
        objects.append(tmp_path / f"{source.parent.name}-{source.stem}.o")
        output_of(gcc, *options, *places, "-c", source, "-o", objects[-1])
    assert output_of(gcc, "-nostdlib", "-r", *objects, "-o", tmp_path / "all.o") == ""
    missing = output_of(gcc.replace("gcc", "nm"), "-u", tmp_path / "all.o").split()[1::2]
    assert [name for name in missing if not name.startswith(("__aeabi_", "__ctz", "__clz", "mem"))] == []
    wanted = set(output_of(gcc.replace("gcc", "nm"), "-u", *objects).split())
    for source, made in zip(files, objects[1:], strict=True):
        defined = output_of(gcc.replace("gcc", "nm"), "-g", "--defined-only", made).split()[2::3]
        assert wanted & set(defined), f"nothing needs {source.name}"
