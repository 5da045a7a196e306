# SPDX-License-Identifier: Apache-2.0
"""Keys of BFV and BGV at a shell: integers come back, and what does not fit is told with its place."""

import os
import shutil
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises, written
from cli_runner import CommandLine, output, piped
from ringside.tenseal import protobuf

BATCHING_20 = 1032193  # the largest prime of 20 bits that is 1 mod 8192
TABLE = "day,count\n1,-5\n2,32768\n3,0\n"
VALUES = [1, -5, 2, 32768, 3, 0]


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Key directories of both schemes, by a name."""
    folder = tmp_path_factory.mktemp("exact")
    sets = {name: rs.Parameters.named(name) for name in ("bfv-12", "bgv-12")}  # the same moduli
    own: Any = {"security": 128, "plain_modulus": "batching:20"}
    sets["bgv-own"] = rs.Parameters.from_bits(4096, [36, 35, 36], scheme="bgv", **own)
    sets["bfv-even"] = rs.Parameters.named("bfv-12", plain_modulus=65536)  # no slots
    for name, params in sets.items():
        rs.make_keys(params, folder / name, rs.KeySpec(relin=True, rotations=[1, 0]))
    return {name: folder / name for name in sets}


SLOTS = ("bfv-12", "bgv-12", "bgv-own")


# ---- keygen ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "scheme", "t", "shown"),
    [
        ("--params bfv-12", "bfv", 65537, "bfv-12: N = 4096 (4096 slots), BFV modulo 65537, levels 0 to 1"),
        ("--params bgv-12 --plain-modulus batching:20 --relin --galois 1,0", "bgv", BATCHING_20, "BGV modulo 1032193"),
        ("--bits 4096:36,36,37 --scheme bfv --plain-modulus 65537", "bfv", 65537, "own bits: N = 4096 (4096 slots)"),
        ("--bits 4096:30,30,30 --scheme bgv --plain-modulus 1000", "bgv", 1000, "(no slots, coefficients alone)"),
    ],
)
def test_keygen(tmp_path: Path, ringside: CommandLine, words: str, scheme: str, t: int, shown: str) -> None:
    out = tmp_path / "keys"
    ringside("keygen", *words.split(), "--out", out).ends(0).shows(shown)
    names = {"params.seal", "secret.key", "public.key"} | ({"relin.key", "galois.key"} if "--relin" in words else set())
    assert {path.name for path in out.iterdir()} == names
    directory = rs.KeyDirectory(out)
    assert (directory.params.scheme, directory.params.plain_modulus) == (scheme, t)
    assert isinstance(directory.context, rs.ExactContext)
    with directory.secret_key() as secret:
        directory.public_key().check(secret)
    again = ringside("keygen", "--params", out / "params.seal", "--out", tmp_path / "more", "--json").json
    assert again["parameters"]["plain_modulus"] == t
    assert (again["parameters"]["scheme"], again["parameters"]["batching"]) == (scheme, t in (65537, BATCHING_20))


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("--params bfv-12 --scheme bgv", 2, "--scheme goes with --bits"),
        ("--params lee-12 --plain-modulus 65537", 3, "CKKS has no plain modulus."),
        ("--bits 4096:36,36,37 --plain-modulus 65537", 3, "CKKS has no plain modulus."),
        ("--bits 4096:36,36,37 --scheme bfv", 3, "BFV needs a plain modulus."),
        ("--bits 4096:36,36,37 --scheme other", 2, "other"),
        ("--params bfv-12 --plain-modulus 1", 3, "plain modulus is not from 2"),
        ("--params bfv-12 --plain-modulus -3", 3, "plain modulus is not from 2"),
        ("--params bfv-12 --plain-modulus 68719403009", 3, "common factor"),
        ("--params bfv-12 --plain-modulus many", 2, "batching:20"),
        ("--params bfv-12 --plain-modulus batching:x", 2, "batching:20"),
        ("--params bfv-12 --plain-modulus batching:14", 3, "not enough NTT primes"),
        ("--params bfv-12 --scale 2^30", 2, "--scale is for CKKS"),
        ("--params bfv-12 --coarse --galois 1", 2, "--coarse is for CKKS"),
        ("--params bgv-12 --format tenseal", 3, "TenSEAL has no BGV."),
        ("--params bfv-12 --plain-modulus 65536 --format tenseal", 3, "TenSEAL's vectors are in slots"),
        ("--params bgv-12 --plain-modulus 12289 --format lattigo", 3, "12289 is no prime that is 1 mod 2N"),
        ("--bits 4096:36,36,37 --scheme bfv --plain-modulus batching:40 --format lattigo", 3, "first prime of Q"),
        ("--params bfv-12 --galois 2048", 3, "rotation by 2048"),
        ("--params bfv-1", 3, "bfv-12"),
    ],
)
def test_keygen_refuses(
    tmp_path: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, words: str, code: int, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ringside("keygen", *words.split(), "--out", "keys").refused(code, told)
    assert list(tmp_path.iterdir()) == []


def test_keygen_of_a_file_takes_its_plain_modulus(
    tmp_path: Path, ringside: CommandLine, homes: dict[str, Path]
) -> None:
    given = homes["bfv-12"] / "params.seal"
    done = ringside("keygen", "--params", given, "--plain-modulus", 786433, "--out", tmp_path / "keys")
    done.refused(2, "--plain-modulus goes with a named set or --bits")


def test_rotations_without_slots_are_warned_of(tmp_path: Path, ringside: CommandLine) -> None:
    words = ("keygen", "--params", "bfv-12", "--galois", 1, "--out")
    assert "no slots to rotate" not in ringside(*words, tmp_path / "a").ends(0).err
    ringside(*words, tmp_path / "b", "--plain-modulus", 1000).ends(0, "no slots to rotate")


# ---- there and back -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", SLOTS)
@pytest.mark.parametrize(
    "options", ["", "--public-key", "--public-key --no-special-prime --level 0", "--seal-version 4.4"]
)
def test_integers_come_back(
    tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], name: str, options: str
) -> None:
    source, sealed, out = written(tmp_path / "in.csv", TABLE), tmp_path / "x.seal", tmp_path / "out.csv"
    t, keys = rs.KeyDirectory(homes[name]).params.plain_modulus, homes[name]
    done = ringside("encrypt", "--keys", keys, source, sealed, *options.split()).ends(0)
    done.shows(f"encryption of {name[:3].upper()}", f"integers modulo {t} in slots", "6 values")
    done = ringside("decrypt", "--keys", keys, sealed, out, "--truth", source, "--margin", 8)
    done.ends(0).shows(f"6 integers modulo {t}", "0 of 6 values wrong")
    assert [int(line) for line in out.read_text().split()] == VALUES
    ringside("decrypt", "--keys", keys, sealed, tmp_path / "out.npy").ends(0).shows("4096 integers")
    array = np.load(tmp_path / "out.npy")
    assert (array.dtype, array.size, array[6:].any()) == (np.int64, 4096, False)


def test_wrong_values_are_counted(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path]) -> None:
    keys, sealed = homes["bfv-12"], tmp_path / "x.seal"
    ringside("encrypt", "--keys", keys, written(tmp_path / "in.csv", TABLE), sealed).ends(0)
    truth = written(tmp_path / "truth.csv", TABLE.replace("-5", "5").replace("3,0", "3,1"))
    done = ringside("decrypt", "--keys", keys, sealed, tmp_path / "out.csv", "--truth", truth)
    done.ends(0).shows("2 of 6 values wrong, the first at index 1: -5 instead of 5")
    done = ringside("decrypt", "--keys", keys, sealed, tmp_path / "out.csv", "--truth", truth, "--json")
    assert (done.json["compared"], done.json["wrong"]) == (6, 2)
    assert done.json["first_wrong"] == {"index": 1, "value": -5, "expected": 5}


@pytest.mark.parametrize(
    ("name", "values", "encrypt", "decrypt", "back"),
    [
        ("bfv-12", [65536, 0], "--unsigned", "--unsigned", [65536, 0]),
        ("bfv-12", [65536, 0], "--unsigned", "", [-1, 0]),
        ("bgv-12", [70000, -70000], "--wrap", "", [4463, -4463]),
        ("bgv-12", [70000, -70000], "--wrap --unsigned", "--unsigned", [4463, 61074]),
        ("bfv-12", [3, -4], "--form ntt", "", [3, -4]),
        ("bgv-12", [3, -4], "--form ntt", "", [3, -4]),
        ("bfv-12", [3, -4], "--packing coefficients", "--packing coefficients", [3, -4]),
        ("bfv-even", [32767, -32768], "--packing coefficients", "--packing coefficients", [32767, -32768]),
        ("bgv-own", [1 << 70, 2], "--wrap", "", [(1 << 70) % BATCHING_20, 2]),
    ],
)
def test_options_of_integers(
    tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], name: str, values: list[int], encrypt: str,
    decrypt: str, back: list[int],
) -> None:  # fmt: skip
    source, out = written(tmp_path / "in.csv", "\n".join(map(str, values))), tmp_path / "out.csv"
    ringside("encrypt", "--keys", homes[name], source, tmp_path / "x.seal", *encrypt.split()).ends(0)
    if "--form" in encrypt:
        assert rs.inspect(tmp_path / "x.seal", rs.KeyDirectory(homes[name]).params).ntt
    ringside("decrypt", "--keys", homes[name], tmp_path / "x.seal", out, "--count", 2, *decrypt.split()).ends(0)
    half = (rs.KeyDirectory(homes[name]).params.plain_modulus or 0) // 2
    expected = [one - 2 * half - 1 if one > half and "--unsigned" not in decrypt else one for one in back]
    assert [int(line) for line in out.read_text().split()] == expected


def test_arrays_and_batches(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path]) -> None:
    """More values than a ciphertext has, several files, an array of rows; JSON tells of all."""
    keys, many = homes["bgv-12"], np.arange(9000) % 1000 - 500
    np.save(tmp_path / "many.npy", many.astype(np.int16))
    np.save(tmp_path / "rows.npy", many[:8].reshape(2, 4))
    ringside("encrypt", "--keys", keys, tmp_path / "many.npy", tmp_path / "m.seal").refused(
        3, "3 ciphertexts", "--split"
    )
    ringside("encrypt", "--keys", keys, tmp_path / "many.npy", tmp_path / "m.seal", "--split").ends(0).shows("3 files")
    parts, truth = [tmp_path / f"m-{index}.seal" for index in range(3)], ("--truth", tmp_path / "many.npy")
    done = ringside("decrypt", "--keys", keys, *parts, tmp_path / "out.npy", *truth, "--json").ends(0).json
    assert (done["values"], done["compared"], done["wrong"], done["ciphertexts"]) == (9000, 9000, 0, 3)
    assert (done["scheme"], done["plain_modulus"], done["packing"]) == ("bgv", 65537, "slots")
    sources = (written(tmp_path / "in.csv", TABLE), tmp_path / "rows.npy")
    done = ringside("encrypt", "--keys", keys, *sources, tmp_path / "out", "--json").ends(0).json
    assert [Path(item["path"]).name for item in done["files"]] == ["in.seal", "rows.seal"]
    assert (done["scheme"], done["form"], done["seeded"], done["n"]) == ("bgv", "ntt", True, 4096)
    assert done["csv"][0]["separator"] == "comma"
    ringside("decrypt", "--keys", keys, tmp_path / "out" / "rows.seal", tmp_path / "o.csv", "--shape", "2x4").ends(0)
    assert (tmp_path / "o.csv").read_text() == "-500,-499,-498,-497\n-496,-495,-494,-493\n"
    ringside("decrypt", "--keys", keys, *parts, tmp_path / "o.csv", "--count", 12289).refused(3, "1 to 12288 values")


def test_through_pipes(tmp_path: Path, homes: dict[str, Path]) -> None:
    def run(*arguments: Any, given: bytes) -> bytes:
        return output(piped(*arguments, given=given, cwd=tmp_path))

    keys = homes["bgv-own"]
    sealed = run("encrypt", "--keys", keys, "--format", "csv", "--columns", "count", "-", "-", given=TABLE.encode())
    other = run("convert", "-", "-", "--compression", "none", "--seal-version", "4.3", given=sealed)
    assert b'"checked": true' in run("inspect", "-", "--keys", keys, "--full", "--json", given=other)
    assert run("decrypt", "--keys", keys, "--count", 3, "--format", "csv", "-", "-", given=other) == b"-5\n32768\n0\n"
    assert list(tmp_path.iterdir()) == []


# ---- values that do not fit -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("a,b\n1,2\n3,70000\n", "", "in.csv, line 3, column 2 (b): 70000 is not from -32768 to 32768."),
        ("a,b\n1,2\n3,70000\n", "", "--unsigned takes values from 0 to 65536, --wrap takes values modulo 65537"),
        ("1\n32769\n", "", "line 2, column 1: 32769 is not from -32768 to 32768."),
        ("a,b\n1,-2\n", "--unsigned", "line 2, column 2 (b): -2 is not from 0 to 65536."),
        ("1\n65537\n", "--unsigned", "line 2, column 1: 65537 is not from 0 to 65536."),
        ("a,b\n1,2\n3,4.0\n", "", "in.csv, line 3, column 2 (b): '4.0' is not an integer."),
        ("1\n2.5\n", "--wrap", "line 2, column 1: '2.5' is not an integer."),
        ("1\n1e3\n", "", "'1e3' is not an integer."),
        ("1+2j\n", "", "'1+2j' is not an integer."),
        ("1\nnan\n", "", "'nan' is not an integer."),
        ("1,\n2,3\n", "", "line 1, column 2: the cell is empty"),
        ("1\nx\n", "", "line 2, column 1: 'x' is not a number."),
        ("a,b\n", "", "holds no values"),
        ("1\n2\n", "--columns 2", "no column '2'"),
        ("1\n2\n", "--level 2", "levels 0 to 1"),
    ],
)
def test_bad_values(
    tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], text: str, options: str, told: str
) -> None:
    source = written(tmp_path / "in.csv", text)
    ringside("encrypt", "--keys", homes["bfv-12"], source, tmp_path / "x.seal", *options.split()).ends(3, told)
    assert not (tmp_path / "x.seal").exists()


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (np.ones((2, 2)), "in.npy must hold integers, not float64."),
        (np.ones(2, dtype=np.complex128), "in.npy must hold integers, not complex128."),
        (np.array([[1, 2], [3, -32769]]), "in.npy, index [1, 1]: -32769 is not from -32768 to 32768."),
        (np.array([1, 2**63], dtype=np.uint64), "index [1]: 9223372036854775808 is not from -32768 to 32768."),
    ],
)
def test_bad_arrays(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], array: Any, told: str) -> None:
    np.save(tmp_path / "in.npy", array)
    ringside("encrypt", "--keys", homes["bgv-12"], tmp_path / "in.npy", tmp_path / "x.seal").refused(3, told)


def test_pictures_and_no_slots_are_refused(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path]) -> None:
    picture, source = written(tmp_path / "in.png", b""), written(tmp_path / "in.csv", "1\n")
    sealed = tmp_path / "x.seal"
    ringside("encrypt", "--keys", homes["bfv-12"], picture, sealed).refused(2, "no integers", ".npy")
    ringside("encrypt", "--keys", homes["bfv-even"], source, sealed).refused(3, "Slots need", "--packing coefficients")
    ringside("encrypt", "--keys", homes["bgv-12"], source, sealed, "--form", "coef").refused(3, "BGV are in NTT form")


# ---- devices ----------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_simulated_core(tmp_path: Path, ringside: CommandLine) -> None:
    """It makes the processor's files, and says what it did."""
    keys, source, device = tmp_path / "keys", written(tmp_path / "in.csv", "1\n-2\n3\n"), ("--device", "sim:rise-4")
    ringside("keygen", "--bits", "2048:26,27", "--scheme", "bfv", "--plain-modulus", 12289, "--out", keys).ends(0)
    sealed, out = tmp_path / "x.seal", tmp_path / "out.csv"
    done = ringside("encrypt", "--keys", keys, source, sealed, *device, "--json").ends(0).json
    assert (done["device"]["device"], done["device"]["operations"]) == ("sim:rise-4", 1)
    ringside("decrypt", "--keys", keys, sealed, out, "--count", 3, *device).ends(0).shows("sim:rise-4:", "cycles")
    assert out.read_text() == source.read_text()
    ringside("decrypt", "--keys", keys, sealed, out, "--count", 3, "--force").ends(0)
    assert out.read_text() == source.read_text()
    ringside("encrypt", "--keys", keys, source, sealed, "--force", "--device", "sim:pqc-4").ends(3, "pqc-4 has")


# ---- options of the other scheme ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("encrypt", "--scale 2^20"),
        ("decrypt", "--real"),
        ("decrypt", "--complex"),
        ("decrypt", "--max-abs 2"),
        ("decrypt", "--publish-bits 0"),
        ("decrypt", "--flood-bits 8"),
    ],
)
def test_options_of_ckks_are_refused(
    tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], command: str, options: str
) -> None:
    source, sealed, out = written(tmp_path / "in.csv", "1\n"), tmp_path / "x.seal", tmp_path / "out.csv"
    ringside("encrypt", "--keys", homes["bgv-12"], source, sealed).ends(0)
    files = (source, tmp_path / "y.seal") if command == "encrypt" else (sealed, out)
    done = ringside(command, "--keys", homes["bgv-12"], *files, *options.split())
    done.refused(2, f"{options.split()[0]} is for CKKS, and {homes['bgv-12']} has keys of BGV.", "Leave it out")
    assert not files[1].exists()


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("encrypt", "--packing slots"),
        ("encrypt", "--unsigned"),
        ("encrypt", "--wrap"),
        ("encrypt", "--form coef"),
        ("decrypt", "--packing slots"),
        ("decrypt", "--unsigned"),
        ("decrypt", "--margin 8"),
        ("inspect", "--budget"),
    ],
)
def test_options_of_integers_are_refused_in_ckks(
    tmp_path: Path, ringside: CommandLine, keys: Path, command: str, options: str
) -> None:
    source, sealed = written(tmp_path / "in.csv", "1\n"), tmp_path / "x.seal"
    ringside("encrypt", "--keys", keys, source, sealed).ends(0)
    files = {"encrypt": (source, tmp_path / "y.seal"), "decrypt": (sealed, tmp_path / "o.csv"), "inspect": (sealed,)}
    done = ringside(command, "--keys", keys, *files[command], *options.split())
    done.refused(2, f"{options.split()[0]} is for BFV and BGV, and {keys} has keys of CKKS.")


@pytest.mark.parametrize("options", ["--packing rows", "--margin 1", "--margin 49", "--count 0", "--count 4097"])
def test_bad_options_of_decrypt(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], options: str) -> None:
    sealed = tmp_path / "x.seal"
    ringside("encrypt", "--keys", homes["bfv-12"], written(tmp_path / "in.csv", "1\n"), sealed).ends(0)
    done = ringside("decrypt", "--keys", homes["bfv-12"], sealed, tmp_path / "o.csv", *options.split())
    done.refused(3 if "--count" in options else 2, options.split()[0])


# ---- what does not belong together ----------------------------------------------------------------------------------
def test_two_directories_mixed_up(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path]) -> None:
    """bfv-12 and bgv-12 have the same moduli: a key of the other scheme is called so, not damaged."""
    mixed, source, sealed = tmp_path / "mixed", written(tmp_path / "in.csv", "1\n"), tmp_path / "x.seal"
    shutil.copytree(homes["bfv-12"], mixed)
    for name in ("secret.key", "public.key"):
        shutil.copy(homes["bgv-12"] / name, mixed / name)
    words = f"{mixed / 'secret.key'} is of BGV, and the parameters are of BFV, with the same moduli."
    ringside("encrypt", "--keys", mixed, source, sealed).refused(5, words, "one directory")
    words = f"{mixed / 'public.key'} is of BGV, and the parameters are of BFV"
    ringside("encrypt", "--keys", mixed, source, sealed, "--public-key").refused(5, words)
    ringside("encrypt", "--keys", homes["bfv-12"], source, sealed).ends(0)
    out = ("decrypt", sealed, tmp_path / "o.csv", "--keys")
    ringside(*out, mixed).refused(5, "secret.key is of BGV")
    ringside(*out, homes["bgv-12"]).refused(5, f"{sealed} is of BFV, and the parameters are of BGV")
    ringside(*out, homes["bgv-own"]).refused(5, "other parameters or another level")
    shutil.copy(homes["bgv-own"] / "secret.key", mixed / "secret.key")  # other moduli: it is not called a plaintext
    ringside(*out, mixed).refused(5, f"other parameters or another level: {mixed / 'secret.key'}")
    assert not (tmp_path / "o.csv").exists()


def test_a_key_of_ckks_with_the_moduli_of_bfv(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path]) -> None:
    moduli = rs.KeyDirectory(homes["bfv-12"]).params.moduli
    rs.make_keys(rs.Parameters.from_moduli(4096, moduli), tmp_path / "ckks")
    source, sealed = written(tmp_path / "in.csv", "1\n"), tmp_path / "x.seal"
    ringside("encrypt", "--keys", homes["bfv-12"], source, sealed).ends(0)
    done = ringside("decrypt", "--keys", tmp_path / "ckks", sealed, tmp_path / "o.csv")
    done.refused(5, f"{sealed} is of BFV, and the parameters are of CKKS")
    shutil.copy(tmp_path / "ckks" / "secret.key", tmp_path / "secret.key")
    shutil.copy(homes["bfv-12"] / "params.seal", tmp_path / "params.seal")
    ringside("decrypt", "--keys", tmp_path, sealed, tmp_path / "o.csv").refused(5, "secret.key is of CKKS")


@pytest.mark.parametrize("name", ["bfv-12", "bgv-12"])
def test_a_margin_refuses_a_wrong_key(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], name: str) -> None:
    sealed, out = tmp_path / "x.seal", tmp_path / "o.csv"
    ringside("encrypt", "--keys", homes[name], written(tmp_path / "in.csv", "1\n"), sealed).ends(0)
    rs.make_keys(rs.Parameters.named(name), tmp_path / "other")
    done = ringside("decrypt", "--keys", tmp_path / "other", sealed, out, "--margin", 8)
    done.refused(3, str(sealed), "noise is too near", "Change the key")
    assert not out.exists()


def test_a_context_of_tenseal_in_bgv(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path]) -> None:
    data = (homes["bgv-12"] / "params.seal").read_bytes()
    given = written(tmp_path / "context.tenseal", b"".join(map(bytes, protobuf.bytes_field(1, [data]))))
    for words in (("inspect", given), ("convert", given, tmp_path / "out", "--format", "seal")):
        ringside(*words).refused(3, "TenSEAL has no BGV")
    ringside("keygen", "--params", given, "--out", tmp_path / "out").refused(3, "TenSEAL has no BGV")
    assert not (tmp_path / "out").exists()


# ---- inspect and convert --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["bfv-12", "bgv-12", "bgv-own"])
@pytest.mark.parametrize("known", [False, True])
def test_every_kind_of_file_is_described(
    tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], name: str, known: bool
) -> None:
    keys, sealed, scheme = homes[name], tmp_path / "x.seal", name[:3].upper()
    t = rs.KeyDirectory(keys).params.plain_modulus
    ringside("encrypt", "--keys", keys, written(tmp_path / "in.csv", "1\n"), sealed, "--seal-version", "4.4").ends(0)
    options = ("--keys", keys, "--full") if known else ()
    kinds = {"params.seal": "parameters", "secret.key": "secret key", "public.key": "public key"}
    kinds |= {"relin.key": "relinearisation keys", "galois.key": "Galois keys"}
    for file, kind in [*((keys / file, kind) for file, kind in kinds.items()), (sealed, "ciphertext")]:
        found = ringside("inspect", file, *options, "--json").ends(0).json
        if not known and name == "bgv-own" and kind != "parameters":  # nobody knows its parms_id
            assert {*found}.isdisjoint({"scheme", "plain_modulus"})
            continue
        assert (found["kind"], found["scheme"], found["plain_modulus"]) == (kind, scheme, t), file
        assert found["batching"] is True
        assert found.get("correction_factor") == (1 if (scheme, kind) == ("BGV", "ciphertext") else None)
        if kind in ("public key", "relinearisation keys", "Galois keys", "ciphertext") and known:
            assert (found["seeded"], found["seed_type"]) == (True, "shake256")
        lines = ringside("inspect", file, *options).ends(0).shows("scheme", "plain modulus").out
        assert "\nscale " not in lines
        if kind == "ciphertext":
            form = "coefficients" if scheme == "BFV" else "NTT"
            assert ["form", form] in [line.split() for line in lines.splitlines()]
            assert ["level", "1"] in [line.split() for line in lines.splitlines()]


def test_a_plaintext_of_seal(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], keys: Path) -> None:
    """Its parms_id is zero, so its file tells neither scheme nor t; its words are below t (docs/wire-format.md)."""

    def plaintext(*words: int) -> Path:
        inner = struct.pack("<HBBBBHQQ", 0xA15E, 16, 3, 6, 0, 0, 24 + 8 * len(words), len(words))
        members = bytes(32) + struct.pack("<Qd", len(words), 1.0) + inner + struct.pack(f"<{len(words)}Q", *words)
        header = struct.pack("<HBBBBHQ", 0xA15E, 16, 3, 6, 0, 0, 16 + len(members))
        return written(tmp_path / "plain.seal", header + members)

    told = ringside("inspect", plaintext(5, 0, 65536), "--json").ends(0).json
    assert (told["kind"], told["scheme"], told["ntt"]) == ("plaintext", "BFV or BGV", False)
    for name in ("bfv-12", "bgv-12"):
        ringside("inspect", tmp_path / "plain.seal", "--keys", homes[name], "--full").ends(0).shows("complete")
    large = plaintext(5, 65537)
    ringside("inspect", large, "--keys", homes["bfv-12"], "--full").refused(4, "plain.seal")
    ringside("inspect", large, "--keys", homes["bgv-own"], "--full").ends(0)
    ringside("inspect", large, "--keys", keys).ends(0).shows("BFV or BGV")


def test_the_noise_budget(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path]) -> None:
    sealed, source = tmp_path / "x.seal", written(tmp_path / "in.csv", "1\n")
    for name in ("bfv-12", "bgv-12"):
        ringside("encrypt", "--keys", homes[name], source, sealed).ends(0)
        budget = ("inspect", sealed, "--keys", homes[name], "--budget")
        done = ringside(*budget).ends(0, "warning: the noise budget is for the owner of the key")
        fresh = ringside(*budget, "--json").ends(0).json["noise_budget_bits"]
        assert ["noise", "budget", str(fresh), "bits"] in [line.split() for line in done.out.splitlines()]
        assert 40 < fresh < 56  # the modulus has 72 bits, t has 17
        assert "noise budget" not in ringside("inspect", sealed, "--keys", homes[name]).ends(0).out
    ringside("inspect", sealed, "--budget").refused(2, "--budget needs the secret key.", "--keys DIR")
    ringside("inspect", homes["bgv-12"] / "relin.key", "--keys", homes["bgv-12"], "--budget").refused(4, "relin.key")
    ringside("inspect", sealed, "--keys", homes["bfv-12"], "--budget").refused(5, "is of BGV")


@pytest.fixture
def switched(tmp_path: Path, homes: dict[str, Path]) -> Path:
    """A ciphertext of BGV as a server's level switch leaves it: with a correction factor."""
    directory = rs.KeyDirectory(homes["bgv-12"])
    context = directory.context
    assert isinstance(context, rs.ExactContext)
    with directory.secret_key() as secret:
        sent = context.encrypt([6, -9], secret, seeded=False)
    path = tmp_path / "switched.seal"
    rs.Ciphertext.from_data(context, sent.data, correction_factor=3).save(path, version="4.4")
    return path


def test_a_correction_factor(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], switched: Path) -> None:
    """What the file says the message was multiplied by is divided out; a file before 4.0 cannot say it."""
    out = tmp_path / "out.csv"
    ringside("decrypt", "--keys", homes["bgv-12"], switched, out, "--count", 2).ends(0)
    assert out.read_text() == "2\n-3\n"
    assert ["correction", "factor", "3"] in [line.split() for line in ringside("inspect", switched).out.splitlines()]
    told = ("has the correction factor 3, which files before SEAL 4.0 do not have.", "--seal-version 4.0")
    ringside("convert", switched, tmp_path / "old.seal").refused(4, *told)
    ringside("convert", switched, tmp_path / "old.seal", "--seal-version", "3.7").refused(4, *told)
    assert not (tmp_path / "old.seal").exists()
    ringside("convert", switched, tmp_path / "new.seal", "--seal-version", "4.1", "--compression", "none").ends(0)
    assert rs.inspect(tmp_path / "new.seal").correction_factor == 3
    ringside("decrypt", "--keys", homes["bgv-12"], tmp_path / "new.seal", out, "--count", 2, "--json").ends(0)
    assert out.read_text() == "2\n-3\n"


@pytest.mark.parametrize("name", ["bfv-12", "bgv-12"])
def test_files_under_other_versions(tmp_path: Path, ringside: CommandLine, homes: dict[str, Path], name: str) -> None:
    sealed, out = tmp_path / "x.seal", tmp_path / "out.csv"
    ringside("encrypt", "--keys", homes[name], written(tmp_path / "in.csv", TABLE), sealed).ends(0)
    for file in (sealed, *(homes[name] / file for file in ("params.seal", "public.key", "relin.key", "galois.key"))):
        there, back = tmp_path / "there", tmp_path / "back"
        how = ("--seal-version", "4.3", "--compression", "none")
        ringside("convert", file, there, *how).ends(0)
        ringside("convert", there, back, "--compression", "zlib").ends(0)
        assert rs.inspect(back).kind == rs.inspect(file).kind
        if file == sealed:
            ringside("decrypt", "--keys", homes[name], back, out, "--truth", tmp_path / "in.csv").shows("0 of 6")


# ---- advice ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("words", ["--max 1000 --rotations 1", "--max 20 --packing coefficients --plain-products 1"])
@pytest.mark.parametrize("scheme", ["bfv", "bgv"])
def test_advice_ends_with_commands_that_work(
    tmp_path: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, scheme: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = f"advise --scheme {scheme} --depth 2 --sums 9 --slots 5000 {words}"
    done, rows = ringside(*words.split()).ends(0), ringside(*words.split(), "--json").json
    table, _, below = done.out.partition("Too noisy: ")
    for row in rows:  # what does not fit is named as such
        name = f"{row['n']}:" if row["name"] == "custom" else row["name"]
        assert name in (table if row["fits"] else below.partition("\n")[0])
        assert row["fits"] == (row["budget_bits"] >= 0) == (row["failure_log2"] <= -128)
        assert row["fits"] <= (row["security"] >= 128) == (row["seal_sec_level_type"] == "tc128")
    assert (sizes := [row["ciphertexts"] * row["seeded_bytes"] for row in rows if row["fits"]]) == sorted(sizes)
    assert [line.strip() for line in done.out.splitlines()[-2:]] == rows[0]["commands"]
    np.savetxt("values.csv", np.arange(-5, 5), "%d")
    for line in rows[0]["commands"]:
        ringside(*line.split()[1:], *(["--compression", "none"] if " encrypt " in line else [])).ends(0)
    assert os.path.getsize("upload.seal") == rows[0]["seeded_bytes"]
    assert rs.KeyDirectory("keys").params.plain_modulus == rows[0]["plain_modulus"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("--max 100", 0, "note: t has 16 bits: no prime of 8 bits has slots at N = 4096."),
        ("--max 2^59", 3, "No set that SEAL loads has noise budget for 1 product"),
        ("--max 2^50 --depth 20", 3, "results modulo several t"),
        ("", 2, "--max is missing: BFV needs it."),
        ("--max 9 --precision 4", 2, "--precision is not for BFV."),
        ("--max 9 --server tenseal", 2, "--server is not for BFV."),
        ("--max 9 --rotations 1 --packing coefficients", 3, "Rotations are those of slots."),
        ("--max 9 --sums 0", 3, "sums 1 or more"),
        ("--max 9 --scheme ckks --precision 4", 2, "--max is not for CKKS."),
        ("--scheme ckks", 2, "--precision is missing: CKKS needs it."),
    ],
)
def test_what_advice_refuses(ringside: CommandLine, words: str, code: int, told: str) -> None:
    ringside("advise", "--scheme", "bfv", "--depth", 1, "--slots", 9, *words.split()).ends(code, told)


# ---- sets -----------------------------------------------------------------------------------------------------------
def test_a_set_is_shown(ringside: CommandLine) -> None:
    ringside("params", "bfv-13").ends(0).shows("scheme", "BFV", "65537, or another by --plain-modulus", "8192 slots")
    found = ringside("params", "bgv-14", "--json").json
    assert (found["scheme"], found["plain_modulus"], found["batching"]) == ("bgv", 65537, True)
    assert {"default_scale_log2", "evaluation"}.isdisjoint(found)
    assert found["parms_ids"][3] == rs.Parameters.named("bgv-14").parms_id(3)


def test_the_context_of_a_directory_is_its_schemes(homes: dict[str, Path], keys: Path) -> None:
    directory = rs.KeyDirectory(homes["bfv-12"])
    raises(rs.ParameterError, "has keys of BFV", directory.ckks_context)
    raises(rs.ParameterError, "TenSEAL has no BGV", rs.to_tenseal, rs.KeyDirectory(homes["bgv-12"]))
    assert isinstance(rs.KeyDirectory(keys).context, rs.Context)
