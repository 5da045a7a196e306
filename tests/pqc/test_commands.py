# SPDX-License-Identifier: Apache-2.0
"""`ringside kem` and `ringside sign`: what they write, who may read it, what they refuse, and their exit codes."""

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from asserting import created, flipped, mode
from cli_runner import CommandLine
from ringside import pqc

SETS = (*pqc.KEM_SETS, *pqc.SIGNATURE_SETS)


def group(name: str) -> str:
    return "kem" if name in pqc.KEM_SETS else "sign"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, and a umask that hides nothing."""
    monkeypatch.chdir(tmp_path)
    old = os.umask(0)
    yield tmp_path
    os.umask(old)


@pytest.fixture
def kem_pair(ringside: CommandLine) -> None:
    assert ringside("kem", "keygen", "alice.key", "alice.pub").code == 0


@pytest.fixture
def sign_pair(ringside: CommandLine) -> None:
    assert ringside("sign", "keygen", "signer.key", "signer.pub").code == 0
    Path("message").write_bytes(b"a message")


# ---- the way it is meant ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ML-KEM-512", []),
        ("ML-KEM-768", ["--der"]),
        ("ML-KEM-1024", ["--raw"]),
        ("ML-KEM-1024", ["--form", "both"]),
        ("ML-KEM-512", ["--raw", "--form", "expanded"]),
    ],
)
def test_a_secret_is_agreed_on(ringside: CommandLine, here: Path, name: str, options: list[str]) -> None:
    made = ringside("kem", "keygen", "k", "p", "--set", name, *options, "--json")
    assert made.json["set"] == name
    assert made.json["key"] == {"path": "k", "bytes": Path("k").stat().st_size}
    raw = ["--raw", "--set", name] if "--raw" in options else []
    sent = ringside("kem", "encaps", "p", "c", "s", *raw, "--json")
    assert (sent.code, sent.json["ciphertext"]["bytes"]) == (0, pqc.MLKEM(name).ct_bytes)
    got = ringside("kem", "decaps", "k", "c", "t", *raw)
    assert (got.code, got.out.splitlines()) == (0, [name, "t  shared secret, 32 B"])
    assert Path("s").read_bytes() == Path("t").read_bytes()
    assert [mode(here / file) for file in "kpcst"] == [0o600, 0o666, 0o666, 0o600, 0o600]
    Path("c").write_bytes(flipped(Path("c").read_bytes(), 0))
    assert ringside("kem", "decaps", "k", "c", "u", *raw).code == 0  # implicit rejection
    assert Path("u").read_bytes() != Path("s").read_bytes()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ML-DSA-44", []),
        ("ML-DSA-65", ["--context", "für"]),
        ("ML-DSA-44", ["--context-hex", "00ff"]),
        ("ML-DSA-87", ["--prehash", "SHA2-512"]),
        ("ML-DSA-65", ["--deterministic"]),
    ],
)
def test_a_file_is_signed(ringside: CommandLine, here: Path, name: str, options: list[str]) -> None:
    Path("m").write_bytes(b"message")
    assert ringside("sign", "keygen", "k", "p", "--set", name).code == 0
    assert mode(here / "k") == 0o600
    for file in ("one", "two"):
        made = ringside("sign", "sign", "k", "m", file, *options, "--json")
        assert made.json["signature"]["bytes"] == pqc.MLDSA(name).signature_bytes
        assert made.json["deterministic"] == (options == ["--deterministic"])
    assert (Path("one").read_bytes() == Path("two").read_bytes()) == (options == ["--deterministic"])
    about = [option for option in options if option != "--deterministic"]
    done = ringside("sign", "verify", "p", "m", "one", *about)
    assert (done.code, done.out, done.err) == (0, f"one: a valid signature of m, {name}\n", "")
    assert ringside("sign", "verify", "p", "m", "one", *about, "--json").json["valid"] is True
    for wrong in (["--context", "other"], ["--prehash", "SHA3-512"]):
        done = ringside("sign", "verify", "p", "m", "one", *wrong)
        assert (done.code, done.out, done.err) == (1, f"one: NOT a valid signature of m, {name}\n", "")
    Path("m").write_bytes(b"massage")
    done = ringside("sign", "verify", "p", "m", "one", *about, "--json")
    assert (done.code, done.json["valid"]) == (1, False)
    Path("one").write_bytes(b"short")
    assert ringside("sign", "verify", "p", "m", "one", *about).code == 1


def test_the_package_reads_what_the_commands_write(ringside: CommandLine) -> None:
    """And OpenSSL: the seed is in the file."""
    for name in SETS:
        assert ringside(group(name), "keygen", "k", "p", "--set", name, "--force").code == 0
        key = pqc.decode_private_key(Path("k").read_bytes())
        assert (key.scheme.name, key.public) == (name, pqc.decode_public_key(Path("p").read_bytes()).public)
        assert key.seed is not None
        if name != "ML-KEM-512":
            serialization.load_pem_private_key(Path("k").read_bytes(), None)
            serialization.load_pem_public_key(Path("p").read_bytes())


# ---- standard input and output ---------------------------------------------------------------------------------------
class Bytes(io.TextIOWrapper):
    """Standard input with these bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))


def test_pipes(ringside: CommandLine, sign_pair: None, kem_pair: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(b"a message"))
    assert ringside("sign", "sign", "signer.key", "-", "sig").code == 0
    assert ringside("sign", "verify", "signer.pub", "message", "sig").code == 0
    monkeypatch.setattr(sys, "stdin", Bytes(Path("alice.pub").read_bytes()))
    assert ringside("kem", "encaps", "-", "c", "s").code == 0
    made = ringside("kem", "keygen", "second.key", "-")
    second = pqc.decode_private_key(Path("second.key").read_bytes())
    assert pqc.decode_public_key(made.out.encode()).public == second.public
    assert "second.key" in made.err


def test_one_place_for_one_thing(ringside: CommandLine, sign_pair: None, kem_pair: None) -> None:
    for words, message in (
        (["kem", "decaps", "-", "-", "s"], "- is given twice: standard input"),
        (["kem", "encaps", "alice.pub", "-", "-"], "- is given for both outputs"),
        (["kem", "encaps", "alice.pub", "-", "s", "--json"], "would both write to standard output"),
        (["kem", "decaps", "alice.key", "alice.pub", "alice.key"], "are the same file"),
        (["kem", "encaps", "alice.pub", "x", "x"], "Two outputs would both become"),
        (["kem", "keygen", "x", "y", "--raw", "--der"], "either --raw or --der"),
        (["kem", "encaps", "alice.pub", "x", "y", "--raw"], "--raw needs --set"),
        (
            ["sign", "sign", "signer.key", "message", "x", "--context", "a", "--context-hex", "00"],
            "either --context or --context-hex",
        ),
        (["kem", "keygen", "x", "y", "--set", "ML-KEM-786"], "ML-KEM-768"),
    ):
        ringside(*words).ends(2, message)
    assert not Path("x").exists()


# ---- what is refused -------------------------------------------------------------------------------------------------
def test_keys_are_not_replaced(ringside: CommandLine, kem_pair: None, sign_pair: None) -> None:
    """By nothing without --force: neither by commands of schemes nor by others."""
    kept = {name: Path(name).read_bytes() for name in ("alice.key", "alice.pub", "signer.key", "message")}
    for words in (
        ["kem", "keygen", "alice.key", "new.pub"],
        ["kem", "keygen", "new.key", "alice.pub"],
        ["sign", "keygen", "alice.key", "new.pub"],
        ["kem", "encaps", "alice.pub", "new", "alice.key"],
        ["kem", "encaps", "alice.pub", "alice.key", "new"],
        ["sign", "sign", "signer.key", "message", "alice.key"],
        ["params", "lee-12", "--out", "alice.key"],
    ):
        done = ringside(*words)
        assert done.code in (2, 4), (words, done)
    for form in ("der", "pem"):
        Path("der.key").write_bytes(pqc.encode_private_key(pqc.decode_private_key(kept["alice.key"]), form))
        ringside("sign", "sign", "signer.key", "message", "der.key").ends(4, "der.key holds a secret key")
    Path("keys").mkdir()
    for name in ("secret.key", "public.key"):  # names make a key directory
        Path("keys", name).write_bytes(b"key")
    done = ringside("sign", "sign", "signer.key", "message", "keys/public.key")
    assert (done.code, Path("keys/public.key").read_bytes()) == (4, b"key")
    assert {name: Path(name).read_bytes() for name in kept} == kept
    assert not [path for path in Path().iterdir() if path.name.startswith((".", "new"))]
    assert ringside("kem", "keygen", "alice.key", "alice.pub", "--force").code == 0
    assert Path("alice.key").read_bytes() != kept["alice.key"]
    assert ringside("sign", "sign", "signer.key", "message", "sig").code == 0
    assert ringside("sign", "sign", "signer.key", "message", "sig").code == 0  # a signature is nothing to keep


def test_private_keys_are_never_a_moment_readable(ringside: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = created(monkeypatch)
    Path("key").write_bytes(b"old")
    Path("key").chmod(0o666)
    assert ringside("kem", "keygen", "key", "public", "--force").code == 0
    assert ringside("kem", "encaps", "public", "ciphertext", "secret").code == 0
    found = {name.split(".")[1]: mode for name, mode in seen}
    assert found == {"key": 0o600, "public": 0o666, "ciphertext": 0o666, "secret": 0o600}
    assert mode(Path("key")) == 0o600


WRONG_FILES = [
    ("kem encaps alice.key c s", 4, "alice.key: The PEM block is labelled PRIVATE KEY, and PUBLIC KEY was expected"),
    ("kem decaps alice.pub message s", 4, "alice.pub: The PEM block is labelled PUBLIC KEY"),
    ("kem encaps signer.pub c s", 4, "signer.pub: This is a key of ML-DSA-65, and one of ML-KEM was expected"),
    ("sign sign alice.key message x", 4, "alice.key: This is a key of ML-KEM-768, and one of ML-DSA was expected"),
    ("kem decaps alice.key message s", 4, "message has 9 bytes; a ciphertext of ML-KEM-768 has 1088"),
    ("kem encaps message c s", 4, "message: This is no public key in PEM or DER"),
    (
        "kem encaps message c s --raw --set ML-KEM-512",
        4,
        "message: The key has 9 bytes; a public key of ML-KEM-512 has 800",
    ),
    ("kem encaps alice.pub c s --set ML-KEM-512", 5, "alice.pub: This is a key of ML-KEM-768, and not of ML-KEM-512"),
    ("kem encaps nowhere c s", 4, "Cannot read nowhere: No such file or directory"),
    ("kem encaps alice.pub no/where s", 4, "Cannot write no/where"),
    (f"sign sign signer.key message x --context {'x' * 256}", 3, "`context` has 256 bytes; a context has 255 at most"),
    ("sign sign signer.key message x --context-hex 0", 3, "is not pairs of hexadecimal digits"),
]


@pytest.mark.parametrize(("words", "code", "message"), WRONG_FILES)
def test_wrong_files(
    ringside: CommandLine, kem_pair: None, sign_pair: None, words: str, code: int, message: str
) -> None:
    plain, as_json = ringside(*words.split()), ringside(*words.split(), "--json")
    assert (plain.code, as_json.code) == (code, code), plain
    assert message in plain.err
    assert plain.err.count("ringside: ") == 1
    assert message in as_json.json["error"]["message"]
    assert not {"c", "s", "x"} & {path.name for path in Path().iterdir()}


def test_the_page_has_the_sizes_that_the_commands_print(ringside: CommandLine) -> None:
    """docs/pqc.md has both tables in one."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "pqc.md").read_text(encoding="utf-8")
    lines = page.partition("<!-- sizes -->\n")[2].partition("\n\n")[0].splitlines()
    columns, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    names = [f"{name.replace(' ', '_')}_bytes" if name not in ("set", "category") else name for name in columns]
    shown = [{name: cell for name, cell in zip(names, row, strict=True) if cell} for row in rows]
    printed = ringside("kem", "sets", "--json").json + ringside("sign", "sets", "--json").json
    assert shown == [{name: str(value) for name, value in row.items()} for row in printed]
    for words in (("kem", "sets"), ("sign", "sets")):
        text = ringside(*words).out
        assert all(row[0] in text for row in rows if (row[0] in pqc.KEM_SETS) == (words[0] == "kem"))


def test_help_teaches(ringside: CommandLine) -> None:
    """Each command has an example whose command line it takes."""
    for name, commands in (("kem", ("keygen", "encaps", "decaps")), ("sign", ("keygen", "sign", "verify"))):
        for command in commands:
            text = " ".join(ringside(name, command, "--help").out.split())
            assert f"ringside {name} {command} " in text.partition("Example")[2]
    decaps, verify = (
        " ".join(ringside(*words, "--help").out.split()) for words in (("kem", "decaps"), ("sign", "verify"))
    )
    assert "A ciphertext for another key, or a damaged one, gives 32 other bytes" in decaps
    assert "Exit code 0 if it is, 1 if it is not" in verify
