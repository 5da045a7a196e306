# SPDX-License-Identifier: Apache-2.0
"""No command writes over a key unless told by --force; once a secret key was overwritten silently."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ringside as rs
from asserting import contents, mode, raiser, raises
from cli_runner import CommandLine, Outcome
from ringside.native import secret_files
from ringside.tenseal import TensealContext


@pytest.fixture
def place(tmp_path: Path, keys: Path) -> Path:
    """A directory with a key directory of its own, values, a ciphertext, and a lone secret key under another name."""
    shutil.copytree(keys, tmp_path / "keys")
    np.save(tmp_path / "n.npy", np.arange(5.0))
    shutil.copy(keys / "secret.key", tmp_path / "backup.bin")
    return tmp_path


@pytest.fixture
def sealed(place: Path, ringside: CommandLine) -> Path:
    assert ringside("encrypt", "--keys", place / "keys", place / "n.npy", place / "x.seal").code == 0
    return place / "x.seal"


def kept(outcome: Outcome, place: Path, before: dict[str, bytes]) -> None:
    """The command refused, named --force, and nothing at all has changed."""
    assert outcome.code == 4, outcome.err
    assert "--force" in outcome.err
    assert outcome.out == ""
    assert contents(place) == before


def link_to(target: Path, name: str, how: Callable[[Path, Path], None]) -> Path:
    path = target.parent.parent / name
    how(target, path)
    return path


LINKS: dict[str, Callable[[Path, Path], None]] = {
    "symbolic link": lambda target, path: path.symlink_to(target),
    "hard link": lambda target, path: os.link(target, path),
    "copy": lambda target, path: (shutil.copy(target, path), None)[1],
}


@pytest.mark.parametrize("name", ["secret.key", "public.key", "params.seal", "relin.key", "galois.key"])
def test_encrypt_and_convert_keep_key_files(place: Path, sealed: Path, ringside: CommandLine, name: str) -> None:
    """The two commands that did it, and every other file of the directory."""
    before, target = contents(place), place / "keys" / name
    kept(ringside("encrypt", "--keys", place / "keys", place / "n.npy", target), place, before)
    kept(ringside("convert", sealed, target), place, before)
    kept(ringside("convert", place / "keys" / "public.key", target), place, before)


@pytest.mark.parametrize("how", LINKS.values(), ids=LINKS)
def test_links_and_copies_of_a_secret_key(
    place: Path, sealed: Path, ringside: CommandLine, how: Callable[[Path, Path], None]
) -> None:
    target = link_to(place / "keys" / "secret.key", "harmless.seal", how)
    before = contents(place)
    kept(ringside("encrypt", "--keys", place / "keys", place / "n.npy", target), place, before)
    kept(ringside("convert", sealed, target), place, before)


@pytest.mark.parametrize("compression", ["none", "zlib", "zstd"])
def test_lone_secret_key_is_known_by_its_content(
    place: Path, sealed: Path, ringside: CommandLine, compression: str
) -> None:
    lone = place / "old.npy"
    assert ringside("convert", place / "backup.bin", lone, "--compression", compression).code == 0
    before = contents(place)
    kept(ringside("encrypt", "--keys", place / "keys", place / "n.npy", lone), place, before)
    kept(ringside("convert", sealed, lone), place, before)
    kept(ringside("decrypt", "--keys", place / "keys", sealed, lone), place, before)
    assert ringside("decrypt", "--keys", place / "keys", sealed, lone, "--force", "--count", 5).code == 0
    assert np.allclose(np.load(lone), np.arange(5.0), atol=0.05)


def test_decrypt_keeps_key_files(place: Path, sealed: Path, ringside: CommandLine) -> None:
    for name in ("out.npy", "out.csv", "out.png"):
        (place / name).symlink_to(place / "keys" / "public.key")
        before = contents(place)
        options = ["--shape", "2x2"] if name == "out.png" else []
        kept(ringside("decrypt", "--keys", place / "keys", sealed, place / name, *options), place, before)


def test_many_inputs_and_parts_keep_key_files(place: Path, ringside: CommandLine) -> None:
    """Inputs called params.npy become params.seal in the output directory, parts get numbers."""
    np.save(place / "params.npy", np.ones(3))
    before = contents(place)
    kept(
        ringside("encrypt", "--keys", place / "keys", place / "n.npy", place / "params.npy", place / "keys"),
        place,
        before,
    )
    (place / "x-0.seal").symlink_to(place / "backup.bin")
    before = contents(place)
    kept(ringside("encrypt", "--keys", place / "keys", "--split", place / "n.npy", place / "x.seal"), place, before)


def test_force_does_replace(place: Path, sealed: Path, ringside: CommandLine) -> None:
    for name in ("secret.key", "public.key"):
        assert ringside("convert", sealed, place / "keys" / name, "--force").code == 0
        assert rs.inspect(place / "keys" / name).kind == "ciphertext"
    assert ringside("convert", sealed, place / "backup.bin", "--force").code == 0


@pytest.mark.parametrize("kind", ["lattigo", "tenseal"])
def test_keys_of_two_directories_are_not_mixed(place: Path, ringside: CommandLine, kind: str) -> None:
    """A directory of converted keys is replaced by --force alone, and whole then: no key of the older one stays."""
    ringside("keygen", "--params", "lee-12", "--out", place / "other")
    to, one, other, out = "lattigo", place / "keys", place / "other", place / "out"
    secret: list[str] = ["--secret-key"]
    if kind == "tenseal":  # a context with the secret key has no relinearisation keys
        to, one, other, secret = "seal", place / "one.tenseal", place / "other.tenseal", []
        assert ringside("convert", place / "keys", one, "--format", "tenseal").code == 0
        assert ringside("convert", place / "other", other, "--format", "tenseal", "--secret-key").code == 0
    assert ringside("convert", one, out, "--format", to, *secret).code == 0
    whole, before = {path.name for path in out.iterdir()}, contents(place)
    assert mode(out) == 0o700
    for options in ([], ["--secret-key"]):
        kept(ringside("convert", other, out, "--format", to, *options), place, before)
    assert ringside("convert", other, out, "--format", to, "--secret-key", "--force").code == 0
    left = {path.name for path in out.iterdir()}
    assert left == whole - {"evaluation.bin", "relin.key", "galois.key"} | ({"secret.key"} if to == "seal" else set())
    secrets = [path for path in out.iterdir() if path.name in ("secret.key", "secret.bin")]
    assert [mode(path) for path in secrets] == [0o600]
    if kind == "lattigo":  # neither is a directory of another kind
        done = ringside("convert", place / "keys", place / "keys", "--format", "lattigo")
        assert (done.code, "keys holds keys of another kind" in done.err) == (2, True)
        ringside("keygen", "--params", "lee-12", "--out", out).ends(2, "out holds keys of another kind: params.json")


def test_new_files_in_a_key_directory_are_fine(place: Path, ringside: CommandLine) -> None:
    for _ in range(2):  # a file that is not a key may be replaced
        assert ringside("encrypt", "--keys", place / "keys", place / "n.npy", place / "keys" / "n.seal").code == 0


def test_a_key_that_cannot_be_read_is_not_replaced(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows what it holds."""
    (place / "mystery").write_bytes(b"?")
    monkeypatch.setattr(secret_files, "_is_private_context", raiser(PermissionError(13, "Permission denied")))
    raises(rs.FileError, "--force", rs.Parameters.named("lee-12").save, place / "mystery")


def test_python_save_keeps_secret_keys(place: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    """Context, Ciphertext and the others refuse as well; overwrite=True replaces, overwrite=False replaces nothing."""
    ciphertext, public = context.encrypt([1.0], secret), context.public_key(secret)
    lone = place / "backup.bin"
    before = lone.read_bytes()
    for save in (
        ciphertext.save,
        public.save,
        context.params.save,
        context.encode([1.0]).save,
        lambda path: context.write_relin_keys(secret, path),
        lambda path: context.write_galois_keys(secret, path, [1]),
        lambda path: rs.convert(place / "keys" / "params.seal", path),
    ):
        error = raises(rs.FileError, None, save, lone)
        assert error.code == "FILE_EXISTS"
        assert "overwrite=True" in error.hint
        assert lone.read_bytes() == before
    other = place / "other.seal"
    ciphertext.save(other)
    ciphertext.save(other)  # not a secret: replaced as ever
    raises(rs.FileError, None, ciphertext.save, other, overwrite=False)
    ciphertext.save(lone, overwrite=True)
    assert lone.read_bytes() != before


def test_tenseal_contexts_with_a_secret_key_are_kept(place: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    made = TensealContext(context, symmetric=True)
    path = place / "context.tenseal"
    made.save(path)
    made.save(path)  # nothing secret in it
    made.save(path, secret_key=secret, overwrite=True)
    before = path.read_bytes()
    for save in (made.save, context.encrypt([1.0], secret).save):
        raises(rs.FileError, "secret key", save, path)
        assert path.read_bytes() == before


def test_timeline_keeps_key_files(place: Path, ringside: CommandLine) -> None:
    """Its picture is written like all other files, not through links into what they lead to."""
    command = ("timeline", "rise-4", "--model", "--op", "ntt", "--n", 1024, "-o")
    for how in (os.symlink, os.link):
        out = place / f"{how.__name__}.svg"
        how(place / "keys" / "secret.key", out)
        kept(ringside(*command, out), place, contents(place))
    assert ringside(*command, place / "new.svg").code == 0
    assert b"<svg" in (place / "new.svg").read_bytes()


def test_report_and_demo_keep_foreign_files(place: Path, ringside: CommandLine) -> None:
    """Both replace whole folders: only their own."""
    report = place / "report"
    report.mkdir()
    (report / "report.json").write_text('{"format": "ringside report 1"}')
    shutil.copytree(place / "keys", report / "keys")
    for name in ("to-cloud", "from-cloud"):
        (place / "demo" / name).mkdir(parents=True)
    (place / "demo" / "to-cloud" / "job.json").write_text("{}")
    shutil.copy(place / "backup.bin", place / "demo" / "to-cloud" / "mine.seal")
    before = contents(place)
    for command in (("report", "--output", report), ("demo", "--out", place / "demo")):
        done = ringside(*command)
        assert (done.code, done.out) == (4, ""), done.err
        assert "another" in done.err
        assert contents(place) == before
    (place / "demo" / "to-cloud" / "job.json").unlink()
    (place / "demo" / "to-cloud" / "mine.seal").write_bytes(b"not of a demo")
    assert ringside("demo", "--out", place / "demo").code == 4


def test_truth_is_not_the_output(place: Path, sealed: Path, ringside: CommandLine) -> None:
    done = ringside("decrypt", "--keys", place / "keys", sealed, place / "n.npy", "--truth", place / "n.npy")
    done.ends(2, "same file")


def test_the_output_is_not_an_input(place: Path, sealed: Path, ringside: CommandLine) -> None:
    before = contents(place)
    for command in (
        ("decrypt", "--keys", place / "keys", "--format", "npy", sealed, sealed),
        ("encrypt", "--keys", place / "keys", place / "n.npy", place / "n.npy"),
    ):
        ringside(*command).ends(2, "same file")
    assert contents(place) == before
