# SPDX-License-Identifier: Apache-2.0
"""The npm package under Node.js: the bits of the C library, its errors, damaged files, wiping, the worker, and what it weighs."""

import hashlib
import math
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builds import HANGS, ROOT
from oracle import core
from recipes import fenced
from ringside import Ciphertext, Context, ExactContext, Parameters
from ringside.native.library import lib
from ringside.native.streams import WireOptions, write_memory
from wasm.packed import NODE, node, package

SIZE_MAX = 417_000  # bytes of both modules
SOURCE = ROOT / "js" / "src"
STREAM_BYTES = 1 << 14
# bytes of memory, by a file that promises more; a block that is not freed is 16 kB in each of hundreds of rounds
GROWTH_MAX = 1 << 20


# ---- integers -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("scheme", "simd"), [("bfv", False), ("bfv", True), ("bgv", True)])
def test_integers(scheme: str, simd: bool, tmp_path: Path) -> None:
    """BFV and BGV: what the package encrypts, the Python package decrypts, and the reverse."""
    params = Parameters.from_bits(4096, [36, 36, 37], scheme=scheme, plain_modulus="batching:16")
    context = ExactContext(params)
    secret = context.keygen()
    secret.save(tmp_path / "secret.seal")
    half = context.plain_modulus // 2
    values = np.random.default_rng(len(scheme)).integers(-half, half, 4096, endpoint=True)
    context.encrypt(values[::-1], secret).save(tmp_path / "foreign.seal")
    parameters = {"n": 4096, "bits": [36, 36, 37], "scheme": scheme, "plainModulus": "batching:16"}
    found = node(
        "integers", {"place": str(tmp_path), "parameters": parameters, "values": values.tolist(), "simd": simd}
    )
    assert (found["scheme"], found["plain"], found["slots"]) == (scheme, str(context.plain_modulus), 4096)
    assert found["own"] == [values.tolist()] * 3
    assert found["foreign"] == values[::-1].tolist()
    for name in ("pk", "sk", "coefficients"):
        packing = name if name == "coefficients" else "slots"
        file = Ciphertext.load(context, tmp_path / f"{name}.seal")
        assert np.array_equal(context.decrypt_values(file, secret, packing=packing), values), name
    assert found["wrong"] == [
        "RS_JS_TYPE", "RS_ERR_VALUE_RANGE", "RS_JS_TYPE", "RS_JS_TYPE", "RS_ERR_VALUE_COUNT", "RS_JS_OPTION", "RS_JS_OPTION",
    ]  # fmt: skip


# ---- bits ---------------------------------------------------------------------------------------------------------------
def files(n: int, bits: list[int], seed: bytes, values: list[float], scale: float) -> list[bytes]:
    """The C library with given randomness: what exchange.mjs does in the same order."""
    context, rng = core.Context(core.params_from_bits(n, bits)), core.Rng(seed)
    secret = context.secret_key(rng)
    public = context.public_key(secret, rng)
    plain = [context.encode(np.array(values), scale, limbs) for limbs in range(1, context.data_limbs + 1)]
    sent = [context.encrypt_public(public, one, rng) for one in plain]
    seeded = [context.encrypt_secret(secret, one, rng) for one in plain]

    def file(kind: int, thing: core.SecretKey | core.Cipher) -> bytes:
        member = "secret_key" if isinstance(thing, core.SecretKey) else "ciphertext"
        return write_memory({"kind": kind, "context": context.pointer, member: thing.pointer}, WireOptions("none"))

    made = [file(lib.RS_WIRE_SECRET_KEY, secret), file(lib.RS_WIRE_PUBLIC_KEY, public)]
    made += [file(lib.RS_WIRE_CIPHERTEXT, one) for one in (*sent, *seeded)]
    return [*made, context.decode(context.decrypt(secret, sent[-1])).real.tobytes()]


# every ring of both modules: below 2^30, 2^48, 2^50 and 2^60; special primes of each kind; even and odd log N
CHAINS = [
    (1024, [27, 27, 30]),
    (2048, [48, 40, 48]),
    (1024, [50, 49, 50]),
    (2048, [60, 55, 60]),
    (4096, [60, 48, 30, 50, 60]),
    (512, [60, 30, 40]),
    pytest.param(8192, [60, 48, 48, 30, 50, 59], marks=pytest.mark.soak),
    pytest.param(16384, [48, 50, 60, 60], marks=pytest.mark.soak),
    pytest.param(32768, [50, 48, 31, 60], marks=pytest.mark.soak),
]


@pytest.mark.parametrize("simd", [True, False], ids=["simd", "portable"])
@pytest.mark.parametrize(
    ("n", "bits"), CHAINS, ids=lambda part: "-".join(map(str, part)) if isinstance(part, list) else str(part)
)
def test_bits_of_the_library(n: int, bits: list[int], simd: bool) -> None:
    """Keys, public-key and secret-key encryption at every level, and decryption."""
    seed = hashlib.shake_256(f"{n} {bits}".encode()).digest(64)
    values = np.random.default_rng(n).uniform(-1, 1, n // 2).tolist()
    scale = 2.0**20
    expected = [hashlib.sha256(one).hexdigest() for one in files(n, bits, seed, values, scale)]
    stream = core.private_stream(STREAM_BYTES, seed, core.DOMAIN_RNG).hex()  # the deterministic generator's
    got = node("bits", {"n": n, "bits": bits, "scale": scale, "stream": stream, "values": values, "simd": simd})
    assert got["backend"] == ("simd" if simd else "portable")
    assert got["hashes"] == expected


# ---- which module -------------------------------------------------------------------------------------------------------
def test_the_module_that_the_engine_can_run() -> None:
    assert node("choice")["backend"] == "simd"
    assert node("choice", {"validate": False})["backend"] == "portable"


def test_an_engine_that_does_not_fuse_gets_the_other_module() -> None:
    """V8 computes relaxed_madd with two roundings if it may not use the instruction."""
    got = node("choice", options=("--no-enable-fma3",))
    assert got["backend"] == "portable"
    assert got["forced"]["kind"] == "EngineError"
    assert got["forced"]["code"] == "RS_JS_SIMD"


# ---- errors -------------------------------------------------------------------------------------------------------------
TAKING = ("encrypt", "decrypt", "publish", "a file", "create", "a module", "load")
# what goes wrong, by the kind and the code of its error
EXPECTED: dict[tuple[str, str], set[str]] = {
    ("InputError", "RS_ERR_NOT_FINITE"): {"not finite"},
    ("InputError", "RS_ERR_VALUE_COUNT"): {"too many values"},
    ("InputError", "RS_ERR_OVERFLOW"): {"too large"},
    ("InputError", "RS_ERR_LEVEL"): {"no such level"},
    ("InputError", "RS_ERR_SCALE"): {"scale of 0"},
    ("InputError", "RS_JS_TYPE"): {"text", "no key", "no set", "a name for a file"},
    ("KeyError", "RS_ERR_MISMATCH"): {"other context"},
    ("KeyError", "RS_ERR_KEY_PAIR"): {"pair of others"},
    ("InputError", "RS_JS_FREED"): {"freed"},
    ("FileError", "RS_ERR_KIND"): {"another kind"},
    ("FileError", "RS_ERR_LEVEL"): {"a public key"},
    ("FileError", "RS_ERR_TRUNCATED"): {"cut short"},
    ("FileError", "RS_ERR_MAGIC"): {"no file"},
    ("FileError", "RS_ERR_COMPRESSION"): {"compressed"},
    ("KeyError", "RS_ERR_GALOIS"): {"no such step"},
    ("KeyError", "RS_JS_WRONG_KEY"): {"another key", "another key, complex and at level 0", "another key, published"},
    ("InputError", "RS_JS_OPTION"): {"options that are none", *(f"unknown option of {of}" for of in TAKING)},
    ("FileError", "RS_ERR_VERSION"): {"no such version"},
    ("ParameterError", "RS_ERR_SET"): {"no such set"},
    ("ParameterError", "RS_ERR_INSECURE"): {"insecure"},
    ("ParameterError", "RS_ERR_MODULUS_NTT"): {"no prime"},
}


def test_errors_say_what_is_wrong(tmp_path: Any) -> None:
    import ringside

    context = ringside.Context(ringside.Parameters.named("lee-12"))
    with context.keygen() as key:
        context.encrypt([1.0], key).save(tmp_path / "zlib.seal", compression="zlib")
    got = node("errors", {"place": str(tmp_path)})
    assert got.pop("after") == pytest.approx(1, abs=0.01)
    found: dict[tuple[str, str], set[str]] = {}
    for name, told in got.items():
        found.setdefault((told["kind"], told["code"]), set()).add(name)
    assert found == EXPECTED
    assert all(told["message"] for told in got.values())


@pytest.mark.parametrize("rounds", [150, pytest.param(20_000, marks=pytest.mark.soak)])
def test_damaged_files_are_refused(rounds: int) -> None:
    got = node("damage", {"rounds": rounds, "seed": 7})
    assert got["unknown"] == []
    assert got["grown"] < GROWTH_MAX
    assert got["refused"] > got["read"]
    assert got["refused"] + got["read"] == 4 * rounds


def test_memory_is_wiped() -> None:
    got = node("wiping")
    assert got["there"]  # the search finds what is there
    assert got["left"] == []


def test_worker() -> None:
    got = node("worker", {"frames": 12})
    assert max(got["errors"]) < 0.02
    assert [told["done"] for told in got["progress"]] == list(range(1, 13))
    assert {told["total"] for told in got["progress"]} == {12}
    assert got["progress"][-1]["secondsLeft"] == 0
    assert got["aborted"][-1] == "AbortError"
    assert len(got["aborted"]) == 2
    assert (got["refused"]["kind"], got["refused"]["code"]) == ("FileError", "RS_ERR_MAGIC")
    assert (got["slip"]["kind"], got["slip"]["code"]) == ("InputError", "RS_JS_OPTION")
    assert got["newer"] is True
    assert got["ours"] is True
    assert (got["left"]["kind"], got["left"]["code"]) == ("EngineError", "RS_JS_CLOSED")


# ---- the package --------------------------------------------------------------------------------------------------------
def test_examples_of_the_readme(tmp_path: Path) -> None:
    """As a user has it: by the package's name. What the examples leave to the reader stands before them."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "ringside").symlink_to(package())
    text = (ROOT / "js" / "README.md").read_text(encoding="utf-8")
    examples = fenced(text, "js")
    assert len(examples) == 2
    for number, example in enumerate(examples):
        program = tmp_path / f"example{number}.mjs"
        program.write_text(f"const frames = [[1], [2]], show = () => 0, send = () => 0\n{example}", encoding="utf-8")
        done = subprocess.run([NODE, program], capture_output=True, text=True, timeout=HANGS)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines() == re.findall(r"console\.log\(.*?// (.*)", example)


def test_what_is_said_of_sets() -> None:
    """README's table and the page's list are the library's numbers."""
    readme, page = (ROOT / "js" / name for name in ("README.md", "page/index.html"))
    rows = re.findall(
        r"^\| `([\w-]+)` \| ([\d,]+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \|$", readme.read_text(), re.MULTILINE
    )
    words = r">([\w-]+): ([\d,]+) numbers, about (\d+) bits behind the point, (\d+) levels</option>"
    listed = [(name, count, levels, bits, "") for name, count, bits, levels in re.findall(words, page.read_text())]
    assert (len(rows), len(listed)) == (5, page.read_text().count("<option"))
    for name, count, levels, public, secret in [*rows, *listed]:
        params = Parameters.named(name)
        context = Context(params)
        assert (f"{params.slots:,}", str(params.max_level)) == (count, levels)
        for text, kind in ((public, "public-key"), (secret, "secret-key")):
            bits = context.predicted_precision(kind=kind)
            assert text in ("", f"{bits:.1f}", f"{math.floor(bits)}"), (name, bits)


def test_size() -> None:
    assert sum(path.stat().st_size for path in (package() / "src").glob("*.wasm")) < SIZE_MAX


def exported(text: str) -> set[str]:
    """Names that a module, or its types, give to others."""
    named = re.findall(r"^export (?:declare )?(?:async )?(?:class|function|const) (\w+)", text, re.MULTILINE)
    lists = re.findall(r"^export \{([^}]*)\}", text, re.MULTILINE)
    return {*named, *(name.strip() for part in lists for name in part.split(","))}


def members(text: str, name: str, parameters: bool) -> set[str]:
    """Methods and accessors of a class that are not private, or what its types say."""
    body = re.search(rf"class {name}\b[^{{]*{{\n(.*?)\n}}", text, re.DOTALL)
    assert body is not None, name
    pattern = (
        r"^  (?:static )?(?:async )?(?:get )?\*?(?:async \*)?(\w+)\("
        if not parameters
        else r"^  (?:static )?(?:readonly )?(\w+)(?:\(|\?:|:)"
    )
    return set(re.findall(pattern, body[1], re.MULTILINE)) - {"constructor"}


@pytest.mark.parametrize(
    ("module", "sources", "classes"),
    [("index", ("context", "module"), ("Context", "Ciphertext")), ("client", ("client",), ("Client",))],
)
def test_types_say_what_there_is(module: str, sources: tuple[str, ...], classes: tuple[str, ...]) -> None:
    types = (SOURCE / f"{module}.d.ts").read_text(encoding="utf-8")
    assert exported((SOURCE / f"{module}.js").read_text(encoding="utf-8")) == exported(types)
    code = "\n".join((SOURCE / f"{name}.js").read_text(encoding="utf-8") for name in sources)
    for name in classes:
        there, told = members(code, name, False), members(types, name, True)
        assert there - {"free"} <= told, f"{name}: without types: {there - told}"
