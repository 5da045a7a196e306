# SPDX-License-Identifier: Apache-2.0
"""The command line: what it does, prints and returns."""

import json
import re
import stat
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import ringside as rs
from asserting import some
from cli_runner import CommandLine, piped, python

SLOTS = 2048  # slots of the key directory's set, lee-12


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    path = tmp_path / "numbers.npy"
    np.save(path, np.random.default_rng(5).normal(size=100))
    return path


# ---- keygen --------------------------------------------------------------------------------------
def test_keygen(tmp_path: Path, ringside: CommandLine) -> None:
    out = tmp_path / "deep" / "keys"
    ringside("keygen", "--params", "eval-12", "--out", out, "--relin", "--galois", "1,-1,0").ends(0)
    names = {"params.seal", "secret.key", "public.key", "relin.key", "galois.key"}
    assert {item.name for item in out.iterdir()} == names
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert stat.S_IMODE((out / "secret.key").stat().st_mode) == 0o600
    before = (out / "secret.key").read_bytes()
    ringside("keygen", "--params", "eval-12", "--out", out).refused(4, "--force")
    assert (out / "secret.key").read_bytes() == before
    done = ringside("keygen", "--bits", "4096:36,36,36", "--out", out, "--force", "--json")
    assert done.json["parameters"]["modulus_bits"] == [36, 36, 36]
    assert set(done.json["files"]) == {"params.seal", "secret.key", "public.key"}
    assert not (out / "relin.key").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        ([], 2, "--params"),
        (["--params", "lee-12", "--bits", "4096:30"], 2, "--bits"),
        (["--params", "lee-99"], 3, "lee-99"),
        (["--bits", "4096:60,60"], 3, "120 modulus bits"),
        (["--bits", "4096:36,36,36", "--security", "192"], 3, "192"),
        (["--bits", "1000:30"], 3, "1000"),
        (["--params", "eval-12", "--galois", "2048"], 3, "2048"),
        (["--params", "lee-12", "--galois", "1"], 3, "Take eval-12"),
        (["--params", "lee-13", "--galois", "1", "--scale", "2^21"], 3, "--coarse"),
        (["--params", "seal-embedded-1024", "--relin"], 3, "special prime"),
        (["--params", "lee-12", "--device", "fpga:0"], 3, "cpu:"),
    ],
)
def test_bad_keygen(tmp_path: Path, ringside: CommandLine, arguments: list[str], code: int, word: str) -> None:
    out = tmp_path / "keys"
    ringside("keygen", "--out", out, *arguments).refused(code, word)
    assert not out.exists()


def test_weak_parameters_warn(tmp_path: Path, ringside: CommandLine, numbers: Path) -> None:
    out = tmp_path / "keys"
    ringside("keygen", "--bits", "1024:30,30", "--security", "none", "--out", out).ends(0)
    done = ringside("encrypt", "--keys", out, numbers, tmp_path / "x.seal", "--json")
    done.ends(0, "warning: these parameters are below 128-bit security")
    assert done.json["level"] == 0


# ---- encrypt and decrypt -------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--seed-type", "blake2xb"],
        ["--public-key"],
        ["--public-key", "--no-special-prime"],
        ["--level", "0"],
        ["--scale", "2^22", "--compression", "none", "--seal-version", "4.4"],
        ["--seal-version", "4.2"],
        ["--seal-version", "4.3"],
        ["--device", "cpu:", "--compression", "zlib"],
    ],
)
def test_round_trip(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path, options: list[str]) -> None:
    sealed, out = tmp_path / "x.seal", tmp_path / "out.npy"
    done = ringside("encrypt", "--keys", keys, *options, numbers, sealed, "--json").ends(0)
    predicted = done.json["predicted_precision_bits"]
    assert done.json["files"] == [{"path": str(sealed), "values": 100, "bytes": sealed.stat().st_size}]
    done = ringside("decrypt", "--keys", keys, sealed, out, "--truth", numbers, "--json").ends(0)
    assert done.json["values"] == done.json["compared"] == 100
    assert abs(done.json["measured_precision_bits"] - predicted) < 1
    assert np.load(out).shape == (100,)


def test_smallest_degree(tmp_path: Path, ringside: CommandLine, numbers: Path) -> None:
    keys, sealed, out = tmp_path / "keys", tmp_path / "x.seal", tmp_path / "out.npy"
    ringside("keygen", "--bits", "512:20", "--out", keys).refused(3, "N = 512, no limit is published")
    done = ringside("keygen", "--bits", "512:40,30,40", "--security", "none", "--out", keys, "--relin", "--galois", "1")
    done.ends(0, "own bits: a SEAL server must pass sec_level_type::none")
    assert ringside("encrypt", "--keys", keys, numbers, sealed).code == 0
    done = ringside("decrypt", "--keys", keys, sealed, out, "--truth", numbers, "--json")
    assert done.json["measured_precision_bits"] > 15
    assert ringside("inspect", keys / "galois.key", "--keys", keys, "--full").code == 0


def test_without_the_secret_key(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    for name in ("params.seal", "public.key"):
        (public / name).write_bytes((keys / name).read_bytes())
    sealed = tmp_path / "x.seal"
    assert ringside("encrypt", "--keys", public, "--public-key", numbers, sealed).code == 0
    ringside("encrypt", "--keys", public, numbers, sealed).refused(4, "secret.key", "--public-key")
    ringside("decrypt", "--keys", public, sealed, tmp_path / "o.npy").refused(4, "secret.key")
    done = ringside("decrypt", "--keys", keys, sealed, tmp_path / "o.csv", "--truth", numbers)
    done.ends(0).shows("measured precision")


def test_split(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    values = np.random.default_rng(1).normal(size=5000) * (1 + 1j)
    source, sealed, out = tmp_path / "in.npy", tmp_path / "x.seal", tmp_path / "out.npy"
    np.save(source, values)
    ringside("encrypt", "--keys", keys, source, sealed).refused(3, "3 ciphertexts", "--split")
    done = ringside("encrypt", "--keys", keys, source, sealed, "--split", "--json")
    files = [Path(item["path"]) for item in done.json["files"]]
    assert [path.name for path in files] == ["x-0.seal", "x-1.seal", "x-2.seal"]
    assert not sealed.exists()
    ringside("decrypt", "--keys", keys, *files, out, "--complex", "--count", 5000, "--truth", source).ends(0)
    assert np.allclose(np.load(out), values, atol=0.01)
    ringside("decrypt", "--keys", keys, files[0], out, "--count", 5000).refused(3, "2048")


def test_png(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    picture = np.random.default_rng(2).integers(0, 256, (30, 40), dtype=np.uint8)
    source, sealed = tmp_path / "in.png", tmp_path / "x.seal"
    Image.fromarray(picture).save(source)
    assert ringside("encrypt", "--keys", keys, source, sealed).code == 0
    for options in (["--shape", "30x40"], ["--truth", source]):
        ringside("decrypt", "--keys", keys, sealed, tmp_path / "out.png", *options).ends(0)
        got = np.asarray(Image.open(tmp_path / "out.png"))
        assert np.array_equal(got, picture)  # 12 bits of precision are enough for 8
    ringside("decrypt", "--keys", keys, sealed, tmp_path / "o.png", "--count", 1200).refused(2, "--shape")
    ringside("decrypt", "--keys", keys, sealed, tmp_path / "o.png", "--complex", "--shape", "2x2").refused(2)
    ringside("decrypt", "--keys", keys, sealed, tmp_path / "o.csv", "--shape", "30x40")
    rows = (tmp_path / "o.csv").read_text().splitlines()
    assert len(rows) == 30
    assert len(rows[0].split(",")) == 40
    assert float(rows[1].split(",")[2]) == pytest.approx(picture[1, 2] / 255, abs=0.01)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,2\n3,4\n", [1, 2, 3, 4]),
        ("1\n\n2.5e0\r\n-3", [1, 2.5, -3]),
        ("\ufeff1, 2 ,3", [1, 2, 3]),
        ("1+2j,3-4i\n5, 6 - 1j\n", [1 + 2j, 3 - 4j, 5, 6 - 1j]),
    ],
)
def test_csv(tmp_path: Path, ringside: CommandLine, keys: Path, text: str, values: list[complex]) -> None:
    source, sealed, out = tmp_path / "in.csv", tmp_path / "x.seal", tmp_path / "out.csv"
    source.write_text(text, encoding="utf-8", newline="")
    assert ringside("encrypt", "--keys", keys, source, sealed).code == 0
    options = ["--complex"] if np.iscomplexobj(values) else []
    ringside("decrypt", "--keys", keys, sealed, out, "--count", len(values), *options).ends(0)
    assert np.allclose([complex(line) for line in out.read_text().splitlines()], values, atol=0.01)


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("in.csv", b"1,2\n3,x\n", "line 2"),
        ("in.csv", b"\xff\xfe", "text"),
        ("in.csv", b"", "no values"),
        ("in.csv", b"1,nan", "line 1, column 2: 'nan'"),
        ("in.csv", b"1e300", "2^20"),
        ("in.npy", b"junk", "NumPy"),
        ("in.npy", b"", "NumPy"),
        ("in.png", b"junk", "PNG"),
    ],
)
def test_bad_input(tmp_path: Path, ringside: CommandLine, keys: Path, name: str, content: bytes, word: str) -> None:
    source, sealed = tmp_path / name, tmp_path / "x.seal"
    source.write_bytes(content)
    ringside("encrypt", "--keys", keys, source, sealed).refused(3, word)
    assert not sealed.exists()


def test_objects_in_npy_are_refused(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    source = tmp_path / "in.npy"
    np.save(source, np.array([{}], dtype=object), allow_pickle=True)
    ringside("encrypt", "--keys", keys, source, tmp_path / "x.seal").refused(3)
    np.save(source, np.array(["text"]))
    ringside("encrypt", "--keys", keys, source, tmp_path / "x.seal").refused(3, "numbers")


def test_bad_encrypt(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path) -> None:
    sealed = tmp_path / "x.seal"
    encrypt = ("encrypt", "--keys", keys)
    ringside(*encrypt, tmp_path / "none.npy", sealed).refused(4, "none.npy")
    ringside(*encrypt, tmp_path / "in.txt", sealed).refused(2, ".csv")
    ringside(*encrypt, numbers, sealed, "--level", 3).refused(3, "levels 0 to 2")
    ringside(*encrypt, numbers, sealed, "--level", -1).refused(3, "levels 0 to 2")
    ringside(*encrypt, numbers, sealed, "--scale", "2^200").refused(3, "2^200")
    ringside(*encrypt, numbers, sealed, "--no-special-prime").refused(2, "--public-key")
    ringside(*encrypt, numbers, tmp_path / "none" / "x.seal").refused(4, "x.seal")
    ringside("encrypt", "--keys", tmp_path, numbers, sealed).refused(4, "params.seal", "keygen")
    for bad in ("0", "-1", "nan", "inf", "2^", "x", "2^99999", "-8^0.5"):
        assert ringside(*encrypt, numbers, sealed, f"--scale={bad}").code == 2, bad
    assert "noise" in ringside(*encrypt, numbers, sealed, "--scale", "2").err
    for good in ("2^20", "2**20", "1e6", "1048576"):
        assert ringside(*encrypt, numbers, sealed, "--scale", good).code == 0, good


def test_wrong_key(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path) -> None:
    other, sealed, out = tmp_path / "other", tmp_path / "x.seal", tmp_path / "out.npy"
    assert ringside("keygen", "--params", "lee-12", "--out", other).code == 0
    assert ringside("encrypt", "--keys", keys, numbers, sealed).code == 0
    ringside("decrypt", "--keys", other, sealed, out).refused(5, "key")
    assert not out.exists()
    assert ringside("keygen", "--params", "lee-13", "--out", other, "--force").code == 0
    ringside("decrypt", "--keys", other, sealed, out).refused(5, "parameters")


def test_bad_decrypt(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path) -> None:
    sealed = tmp_path / "x.seal"
    assert ringside("encrypt", "--keys", keys, numbers, sealed).code == 0
    decrypt = ("decrypt", "--keys", keys)
    ringside(*decrypt, sealed).refused(2, "output")
    ringside(*decrypt, sealed, tmp_path / "out.txt").refused(2, ".npy")
    ringside(*decrypt, tmp_path / "none.seal", tmp_path / "out.npy").refused(4, "none.seal")
    ringside(*decrypt, numbers, tmp_path / "out.npy").refused(4, "SEAL")
    ringside(*decrypt, keys / "secret.key", tmp_path / "out.npy").refused(4)
    ringside(*decrypt, sealed, tmp_path / "out.npy", "--max-abs", "1e30").refused(3, "max-abs")
    ringside(*decrypt, sealed, tmp_path / "out.npy", "--shape", "2x2", "--count", 5).refused(2, "2x2")
    assert ringside(*decrypt, sealed, tmp_path / "out.npy", "--shape", "2y2").code == 2
    sealed.write_bytes(sealed.read_bytes()[:-10])
    ringside(*decrypt, sealed, tmp_path / "out.npy").refused(4, "x.seal")
    done = ringside(*decrypt, sealed, tmp_path / "out.npy", "--json").ends(4)
    assert set(done.json["error"]) == {"code", "message", "hint"}
    assert not (tmp_path / "out.npy").exists()


def test_max_abs(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path) -> None:
    sealed, full, short = tmp_path / "x.seal", tmp_path / "full.npy", tmp_path / "short.npy"
    assert ringside("encrypt", "--keys", keys, numbers, sealed).code == 0
    assert ringside("decrypt", "--keys", keys, sealed, full).code == 0
    assert ringside("decrypt", "--keys", keys, sealed, short, "--max-abs", "10").code == 0
    assert np.array_equal(np.load(full), np.load(short))


def test_readable_secret_key_warns(tmp_path: Path, ringside: CommandLine, numbers: Path) -> None:
    keys = tmp_path / "keys"
    assert ringside("keygen", "--params", "lee-12", "--out", keys).code == 0
    (keys / "secret.key").chmod(0o644)
    ringside("encrypt", "--keys", keys, numbers, tmp_path / "x.seal").ends(0, "chmod 600")


# ---- files and sets ------------------------------------------------------------------------------
def test_inspect(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path) -> None:
    sealed = tmp_path / "x.seal"
    ringside("encrypt", "--keys", keys, numbers, sealed, "--level", 1)
    done = ringside("inspect", sealed)
    for text in ("ciphertext", "level", "2^20", "3.6", "zstd", "4096"):
        assert text in done.out
    done = ringside("inspect", sealed, "--keys", keys, "--json")
    assert (done.json["kind"], done.json["level"], done.json["seeded"]) == ("ciphertext", 1, True)
    assert done.json["parameters"]["name"] == "lee-12"
    assert ringside("inspect", sealed, "--params", keys / "params.seal", "--full", "--json").json["checked"]
    done = ringside("inspect", keys / "params.seal")
    assert "lee-12" in done.out
    assert "128 bits" in done.out
    ringside("inspect", sealed, "--full").refused(2, "--keys")
    ringside("inspect", numbers).refused(4, "SEAL")
    ringside("inspect", tmp_path / "none").refused(4)
    ringside("convert", sealed, sealed, "--compression", "none")
    sealed.write_bytes(sealed.read_bytes()[:-1])
    assert "warning" in ringside("inspect", sealed).err


def test_convert(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path) -> None:
    sealed, copy = tmp_path / "x.seal", tmp_path / "y.seal"
    ringside("encrypt", "--keys", keys, numbers, sealed)
    done = ringside("convert", sealed, copy, "--compression", "none", "--seal-version", "4.1", "--json")
    assert (done.json["version"], done.json["compression"]) == ("4.1", "none")
    done = ringside("decrypt", "--keys", keys, copy, tmp_path / "o.npy", "--truth", numbers, "--json")
    assert done.json["measured_precision_bits"] > 10
    secret = tmp_path / "secret.key"
    assert ringside("convert", keys / "secret.key", secret, "--compression", "none").code == 0
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    ringside("convert", keys / "secret.key", secret).refused(4, "--force")
    assert ringside("convert", keys / "secret.key", secret, "--force").code == 0
    assert ringside("convert", sealed, copy, "--seal-version", "2.0").code == 2


def test_params(ringside: CommandLine) -> None:
    done = ringside("params")
    for item in rs.named_sets(None):
        assert item.name in done.out
    assert [one["name"] for one in ringside("params", "--json").json] == [item.name for item in rs.named_sets(None)]
    done = ringside("params", "lee-14", "--json")
    assert done.json["moduli"] == list(rs.Parameters.named("lee-14").moduli)
    assert done.json["parms_id"] in ringside("params", "lee-14").out
    ringside("params", "nothing").refused(3, "nothing")


def test_advise(ringside: CommandLine) -> None:
    arguments = ("advise", "--precision", 20, "--depth", 1, "--slots", 1000)
    best = ringside(*arguments, "--json").ends(0).json[0]
    assert best["fits"]
    assert best["precision_bits"] >= 20
    assert best["encrypt_ms"] > 0
    assert "encryption in ms" in ringside(*arguments, "--no-measure").out
    ringside("advise", "--precision", 20, "--depth", 99, "--slots", 9).refused(3, "99")
    ringside("advise", "--precision", 0, "--depth", 1, "--slots", 9).refused(3)
    assert ringside("advise").code == 2


@pytest.mark.parametrize(("depth", "security"), [(3, "128"), (0, "256"), (6, "none")])
def test_advise_says_that_nothing_fits(ringside: CommandLine, depth: int, security: str) -> None:
    """And what does: the precision that the hint names is reached."""
    rest = ("--depth", depth, "--slots", 4096, "--security", security, "--no-measure", "--json")
    error = ringside("advise", "--precision", 60, *rest).ends(3).json["error"]
    assert error["message"].startswith("No set reaches 60 bits")
    assert "none-bit" not in error["message"]
    nearest = some(re.fullmatch(r"Ask for --precision ([0-9.]+): .* reaches that\.", error["hint"]))
    assert ringside("advise", "--precision", nearest[1], *rest).ends(0).json[0]["fits"]
    assert ringside("advise", "--precision", float(nearest[1]) + 3, *rest).code == 3  # nothing else does better


def test_security_tables_are_shown(ringside: CommandLine, tmp_path: Path) -> None:
    """params, advise, inspect and keygen name what the newer limits say, and what a SEAL server must pass."""
    done = ringside("params")
    assert "<128" in done.out
    assert "over the 128-bit limit of the guidelines of 2024: seal-embedded-1024, " in done.err
    assert "lee-16: a SEAL server must pass sec_level_type::none" in done.err
    tables = ringside("params", "seal-embedded-4096", "--json").json["security_tables"]
    assert tables["standard-2018"] | {"title": ""} == {"security": 128, "max_bits": 109, "margin_bits": 0, "title": ""}
    assert tables["guidelines-2024"] | {"title": ""} == {"security": 0, "max_bits": 106, "margin_bits": -3, "title": ""}
    assert "on the limit" in ringside("params", "seal-embedded-4096").out

    path = tmp_path / "params.seal"
    rs.Parameters.named("lee-16").save(path)
    done = ringside("inspect", path)
    assert "1560 modulus bits, 1747 allowed" in done.out
    assert "must pass sec_level_type::none" in done.out
    described = ringside("inspect", path, "--json").json["parameters"]
    assert described["seal_sec_level_type"] == "none"
    assert described["security_tables"]["standard-2018"]["max_bits"] is None

    advise = ("advise", "--precision", 12, "--depth", 1, "--slots", 1000, "--no-measure")
    done = ringside(*advise)
    assert "over the 128-bit limit of the guidelines of 2024: seal-embedded-4096" in done.err
    assert "lee-16: a SEAL server must pass sec_level_type::none" in done.err
    found = {item["name"]: item for item in ringside(*advise, "--json").json}
    assert found["lee-16"]["seal_sec_level_type"] == "none"
    assert found["lee-12"]["security_tables"]["guidelines-2024"]["security"] == 128

    done = ringside("keygen", "--params", "seal-embedded-4096", "--out", tmp_path / "keys")
    assert "over the 128-bit limit of the guidelines of 2024: seal-embedded-4096." in done.err
    done = ringside("keygen", "--bits", "4096:54,52", "--out", tmp_path / "other")
    assert "on the 128-bit limit of the guidelines of 2024: own bits." in done.err


def test_selftest(ringside: CommandLine) -> None:
    assert ringside("selftest", "--json").ends(0).json["passed"]
    assert "known answers right" in ringside("selftest").out


def test_version_and_help(ringside: CommandLine) -> None:
    assert ringside("--version").out == f"ringside {rs.__version__}\n"
    done = ringside("--help").ends(0).shows("Exit codes")
    for command in ["keygen", "encrypt", "decrypt", "inspect", "convert", "advise", "params", "selftest"]:
        assert command in done.out
        ringside(command, "--help").ends(0).shows("Example", "--json")
    assert ringside("nothing").code == 2


# ---- the process ---------------------------------------------------------------------------------
def test_full_disk(tmp_path: Path, ringside: CommandLine, keys: Path, numbers: Path) -> None:
    assert Path("/dev/full").exists(), "this system has no /dev/full to test with"
    ringside("encrypt", "--keys", keys, numbers, "/dev/full", "--compression", "none").refused(4, "no space is left")


def test_as_a_process(tmp_path: Path, keys: Path, numbers: Path) -> None:
    sealed = tmp_path / "x.seal"
    done = piped("encrypt", "--keys", keys, numbers, sealed, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["seeded"]
    done = piped("encrypt", "--keys", keys, tmp_path / "none.npy", sealed)
    assert (done.returncode, done.stdout) == (4, b"")
    assert piped("encrypt").returncode == 2


def test_imports_are_light() -> None:
    code = "import sys, ringside; print(*sorted({'rich', 'typer', 'PIL', 'click'} & set(sys.modules)))"
    assert python(code, check=True).stdout.strip() == ""
