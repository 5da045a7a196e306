# SPDX-License-Identifier: Apache-2.0
"""`ringside ltv` from keys to decryption on the smallest ring: results, resumption after a kill, refusals, the page, the research label."""

import hashlib
import json
import re
import shutil
import signal
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from asserting import flipped, raiser, raises, written
from cli_runner import CommandLine, Outcome, python
from ringside.errors import FileError, WireError
from ringside_ltv import LABEL, files
from ringside_ltv.scheme import LtvParameters

MESSAGE = b"transciphering: AES-CTR goes up, LTV comes back. " * 5
FIPS_KEY, FIPS_PLAIN = "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff"
FIPS_CIPHER = bytes.fromhex("69c4e0d86a7b0430d8cdb78070b4c55a")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keys, other keys, a job with a message, and its result."""
    from ringside.cli import main

    folder = tmp_path_factory.mktemp("ltv")
    (folder / "message").write_bytes(MESSAGE)
    for name, seed in (("keys", "01"), ("other", "02")):
        assert main(["ltv", "keygen", "--ring", "255", "--out", str(folder / name), "--seed", seed * 32]) == 0
    keys = ["--keys", str(folder / "keys")]
    assert main(["ltv", "encrypt", *keys, "--data", str(folder / "message"), "--out", str(folder / "job")]) == 0
    places = ["--out", str(folder / "result.ltv"), "--checkpoint", str(folder / "run")]
    assert main(["ltv", "aes", str(folder / "job"), *keys, *places]) == 0
    return folder


@pytest.fixture
def ltv(place: Path, ringside: CommandLine, tmp_path: Path) -> CommandLine:
    """A command with these keys, or others, and the file `out` of this test."""

    def run(*words: object, keys: str = "keys") -> Outcome:
        return ringside("ltv", *words, "--keys", place / keys, "--out", tmp_path / "out")

    return run


def test_the_message_comes_back(place: Path, ltv: CommandLine, tmp_path: Path) -> None:
    done = ltv("decrypt", place / "result.ltv", "--json")
    assert (tmp_path / "out").read_bytes() == MESSAGE
    assert done.json["log2_noise"] < done.json["log2_bound"] - 10
    assert MESSAGE[:16] not in (place / "job" / "data.ltv").read_bytes()


@pytest.mark.parametrize("sbox", ["3", "paper"])
@pytest.mark.parametrize("switching", ["hybrid", "windows"])
def test_the_standards_block(ringside: CommandLine, tmp_path: Path, sbox: str, switching: str) -> None:
    keys, job, result = tmp_path / "keys", tmp_path / "job", tmp_path / "result.ltv"
    ringside("ltv", "keygen", "--ring", 255, "--sbox", sbox, "--key-switching", switching, "--out", keys).ends(0)
    ringside("ltv", "encrypt", "--keys", keys, "--aes-key", FIPS_KEY, "--block", FIPS_PLAIN, "--out", job)
    rounds = ringside("ltv", "aes", job, "--keys", keys, "--out", result, "--noise", "--json").json["rounds"]
    assert sum(one["relinearisations"] for one in rounds) == (3840 if sbox == "3" else 2880)
    for step in (step for one in rounds for step in one["steps"]):
        assert step["max"] < step["bound"] - 4, step
        assert -2.5 < step["rms"] - step["predicted"] < 8, step
    assert ringside("ltv", "decrypt", result, "--keys", keys, "--out", tmp_path / "out").code == 0
    assert (tmp_path / "out").read_bytes() == FIPS_CIPHER * 16


DYING = """
import os, signal, sys
from pathlib import Path
from ringside.cli import main
from ringside_ltv import server
watched = server.watched
def dying(scheme, work, tell):
    def told():
        if Path(sys.argv[1]).exists():
            os.kill(os.getpid(), signal.SIGKILL)
        tell()
    return watched(scheme, work, told)
server.watched = dying
main(sys.argv[2:])
"""


def test_a_killed_run_goes_on_to_the_same_bits(place: Path, ringside: CommandLine, tmp_path: Path) -> None:
    """It is killed in the round after its first checkpoint, while C computes."""
    run, out = tmp_path / "run", tmp_path / "result.ltv"
    more = ["--out", str(out), "--checkpoint", str(run), "--threads", "1"]
    words = ["ltv", "aes", str(place / "job"), "--keys", str(place / "keys"), *more]
    assert python(DYING, run / "checkpoint.ltv", *words).returncode == -signal.SIGKILL
    assert (run / "checkpoint.ltv").exists()
    assert not out.exists()
    done = ringside("ltv", "aes", place / "job", "--keys", place / "keys", *more, "--resume", "--json").ends(0)
    assert done.json["resumed_after"] == 1
    assert len(done.json["rounds"]) == 10 - done.json["resumed_after"]
    assert out.read_bytes() == (place / "result.ltv").read_bytes()
    again = ringside("ltv", "aes", place / "job", "--keys", place / "keys", *more, "--resume", "--json")
    assert again.json["resumed_after"] == 10
    assert out.read_bytes() == (place / "result.ltv").read_bytes()


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "flipped": lambda data: flipped(data, -3, 4),
    "its header": lambda data: flipped(data, 40, 4),
    "cut": lambda data: data[:-1],
    "longer": lambda data: data + b"x",
    "empty": lambda data: b"",
}


@pytest.mark.parametrize("spoil", SPOILT)
@pytest.mark.parametrize(
    "name",
    ["keys/public.ltv", "keys/evaluation-02.ltv", "job/round-key-07.ltv", "job/blocks.ltv", "run/checkpoint.ltv"],
)
def test_damaged_files_are_refused(place: Path, ringside: CommandLine, tmp_path: Path, name: str, spoil: str) -> None:
    for folder in ("keys", "job", "run"):
        shutil.copytree(place / folder, tmp_path / folder)
    written(tmp_path / name, SPOILT[spoil]((tmp_path / name).read_bytes()))
    more = ["--checkpoint", tmp_path / "run", "--resume"] if name.startswith("run") else []
    out = tmp_path / "result.ltv"
    done = ringside("ltv", "aes", tmp_path / "job", "--keys", tmp_path / "keys", "--out", out, *more).ends(4)
    assert re.search(r"ringside: .*(is damaged|is no file of)", done.err)
    assert Path(name).name in done.err
    assert not out.exists()


def test_other_keys_are_refused(place: Path, ltv: CommandLine, tmp_path: Path) -> None:
    for words in (("aes", place / "job"), ("decrypt", place / "result.ltv")):
        ltv(*words, keys="other").ends(5, "belongs to other keys")
    assert not (tmp_path / "out").exists()


def test_a_file_of_another_kind_or_round_is_refused(place: Path, ltv: CommandLine, tmp_path: Path) -> None:
    job = tmp_path / "job"
    shutil.copytree(place / "job", job)
    shutil.copy(job / "round-key-03.ltv", job / "round-key-02.ltv")
    ltv("aes", job).ends(5, "is of round 3, not 2")
    ltv("decrypt", place / "job" / "blocks.ltv").ends(4, "holds a blocks, not a result")


def test_a_residue_that_is_none_is_refused(place: Path, ltv: CommandLine, tmp_path: Path) -> None:
    """A file whose sums are right, made to have a word that is not below its prime."""
    from ringside_ltv import store
    from ringside_ltv.scheme import Scheme

    job = tmp_path / "job"
    shutil.copytree(place / "job", job)
    path = job / "round-key-00.ltv"
    with Scheme(LtvParameters.default(255), threads=1) as scheme:
        stored = files.read(path, "round key", scheme)
        stored.data[3, 5, 7] = 0xFFFFFFFF
        files.write(path, "round key", scheme, stored.data, **stored.facts)
    names = [*(f"round-key-{number:02d}.ltv" for number in range(11)), "data.ltv"]
    facts = files.peek(job / "blocks.ltv").facts
    _forge(job / "blocks.ltv", facts=dict(facts) | {"parts": store._name(files.peek(job / name).sum for name in names)})
    ltv("aes", job).ends(4, "not below its prime")


def _forge(path: Path, **changes: Any) -> None:
    """Another header, with its right hash, before the same data."""
    content = path.read_bytes()
    _, line, _ = content.split(b"\n", 2)
    data = content[_aligned(len(files.MAGIC) + len(line) + 1 + 65) :]
    header = json.loads(line) | changes
    line = json.dumps({name: value for name, value in header.items() if value is not None}).encode() + b"\n"
    head = files.MAGIC + line + hashlib.sha3_256(line).hexdigest().encode() + b"\n"
    path.write_bytes(head.ljust(_aligned(len(head)), b"\0") + data)


def _aligned(size: int) -> int:
    return size + -size % files.ALIGNMENT


PARAMETERS = asdict(LtvParameters.default(255))


HEADERS: list[dict[str, Any]] = [
    {"kind": None}, {"kind": ["public key"]}, {"parameters": None}, {"parameters": PARAMETERS | {"primes": -1}},
    {"parameters": PARAMETERS | {"primes": (1 << 32) - 4}}, {"parameters": PARAMETERS | {"primes": 1 << 32}},
    {"parameters": PARAMETERS | {"primes": True}}, {"parameters": PARAMETERS | {"more": 1}}, {"shape": None},
    {"shape": 5}, {"shape": [1 << 31, 1 << 31]}, {"shape": [-1, 128]}, {"shape": ["a"]}, {"type": "float64"},
    {"type": ["uint32"]}, {"sum": 7}, {"facts": None}, {"facts": []},
]  # fmt: skip


def test_headers_of_others_are_refused(place: Path, tmp_path: Path) -> None:
    """Their hash is right, and what they say is not: they come from the other side."""
    path, good = tmp_path / "public.ltv", place / "keys" / "public.ltv"
    shutil.copy(good, path)
    _forge(path)
    assert files.peek(path) == files.peek(good)
    for changes in HEADERS:
        shutil.copy(good, path)
        _forge(path, **changes)
        raises(WireError, r"public\.ltv is damaged", files.read, path, "public key")


def test_facts_of_others_are_refused(place: Path, ringside: CommandLine, ltv: CommandLine, tmp_path: Path) -> None:
    shutil.copytree(place / "job", tmp_path / "job")
    _forge(tmp_path / "job" / "blocks.ltv", facts={"keys": files.peek(place / "job" / "blocks.ltv").facts["keys"]})
    ltv("aes", tmp_path / "job").ends(4, "blocks.ltv is damaged: its header has no has_data")
    shutil.copytree(place / "keys", tmp_path / "keys")
    _forge(tmp_path / "keys" / "public.ltv", facts={})
    done = ringside("ltv", "encrypt", "--keys", tmp_path / "keys", "--out", tmp_path / "other")
    done.ends(4, "public.ltv is damaged: its header has no keys")


@pytest.mark.parametrize("name", ["round-key-04.ltv", "blocks.ltv", "data.ltv"])
def test_parts_of_two_jobs_are_refused(
    place: Path, ringside: CommandLine, ltv: CommandLine, tmp_path: Path, name: str
) -> None:
    """The jobs have the same keys: the result would be nonsense."""
    job = tmp_path / "job"
    shutil.copytree(place / "job", job)
    words = ["--keys", place / "keys", "--data", place / "message", "--out", tmp_path / "other"]
    assert ringside("ltv", "encrypt", *words).code == 0
    shutil.copy(tmp_path / "other" / name, job / name)
    ltv("aes", job).ends(5, "belongs to other round keys or other data")


@pytest.mark.parametrize("name", ["keys/secret.ltv", "keys/evaluation-00.ltv", "job/round-key-03.ltv"])
def test_a_result_takes_no_place_of_a_key(place: Path, ringside: CommandLine, tmp_path: Path, name: str) -> None:
    for folder in ("keys", "job"):
        shutil.copytree(place / folder, tmp_path / folder)
    out, keys = tmp_path / name, tmp_path / "keys"
    before = out.read_bytes()
    for words in (["aes", tmp_path / "job"], ["decrypt", place / "result.ltv"]):
        ringside("ltv", *words, "--keys", keys, "--out", out).ends(4, "it would be lost")
    assert out.read_bytes() == before


def test_resuming_before_the_first_round_begins_anew(
    place: Path, ringside: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ringside_ltv import server

    begun: list[int] = []

    def evaluated(scheme: Any, start: Callable[[], tuple[int, Any]], *_: Any, **__: Any) -> Any:
        first, state = start()
        begun.append(first)
        return SimpleNamespace(state=state, records=[], first=first, seconds=0.0)

    monkeypatch.setattr(server, "evaluate", evaluated)
    words = ["--keys", place / "keys", "--out", tmp_path / "out", "--resume", "--checkpoint"]
    ringside("ltv", "aes", place / "job", *words, tmp_path / "run").ends(0, "begins with the first one")
    assert ringside("ltv", "aes", place / "job", *words, place / "run").code == 0
    assert begun == [0, 10]


def test_a_header_of_other_parameters_beside_its_digest_is_refused(
    place: Path, ltv: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "result.ltv"
    shutil.copy(place / "result.ltv", path)
    parameters = asdict(files.peek(path).parameters)
    _forge(path, parameters=parameters | {"primes": parameters["primes"] - 1})
    ltv("decrypt", path).ends(4, "other parameters than the digest")


def test_a_job_that_is_half_written_over_is_none(place: Path, tmp_path: Path) -> None:
    """Else old blocks would be computed with some of the new round keys."""
    from ringside_ltv import store
    from ringside_ltv.scheme import Scheme

    shutil.copytree(place / "job", tmp_path / "job")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with Scheme(LtvParameters.default(255), threads=1) as scheme:
        owner = store.load_public(scheme, place / "keys")
        blocks = store.read_job(scheme, tmp_path / "job", owner).blocks
        with pytest.raises(KeyboardInterrupt):
            store.write_job(scheme, tmp_path / "job", owner, bytes(16), bytes(32), blocks, None, 0, stop)
        raises(FileError, "blocks", store.read_job, scheme, tmp_path / "job", owner)


def test_a_checkpoint_is_of_one_key(place: Path, ringside: CommandLine, tmp_path: Path) -> None:
    """The same blocks under another AES key are another job."""
    from ringside_ltv import store
    from ringside_ltv.scheme import Scheme

    names = []
    for key in ("00" * 16, "01" * 16):
        words = ["--keys", place / "keys", "--block", FIPS_PLAIN, "--aes-key", key, "--out", tmp_path / "job"]
        assert ringside("ltv", "encrypt", *words).code == 0
        with Scheme(LtvParameters.default(255), threads=1) as scheme:
            names.append(store.read_job(scheme, tmp_path / "job", store.load_public(scheme, place / "keys")).name)
    assert names[0] != names[1]


def test_work_has_ended_when_telling_fails() -> None:
    """A scheme that is closed while C computes would be memory that is given back while it is in use."""
    from ringside_ltv.server import watched

    stopped, ended = threading.Event(), threading.Event()

    def work() -> None:
        stopped.wait(60)
        ended.set()

    scheme: Any = SimpleNamespace(stop=stopped.set)
    raises(OSError, "terminal", watched, scheme, work, raiser(OSError("the terminal is gone")))
    assert ended.is_set()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["aes", "job", "--keys", "keys", "--out", "x", "--resume"], "--resume needs --checkpoint"),
        (["aes", "job", "--keys", "nowhere", "--out", "x"], "public.ltv: No such file"),
        (["aes", "job", "--keys", "keys", "--out", "x", "--backend", "mmx"], "No back end of that name"),
        (["encrypt", "--keys", "keys", "--out", "x", "--aes-key", "00"], "--aes-key takes 32 hexadecimal digits"),
        (["encrypt", "--keys", "keys", "--out", "x", "--data", "large"], "300 bytes are more than the 256"),
        (["keygen", "--ring", "256", "--out", "x"], "--ring cannot be '256'. Pass 255"),
        (["keygen", "--ring", "255", "--out", "keys"], "keys/secret.ltv holds a secret key"),
        (["demo", "--image", "x.png"], "--image goes with --picture"),
    ],
)
def test_wrong_words_get_a_sentence(
    place: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(place)
    Path("large").write_bytes(bytes(300))
    done = ringside("ltv", *words)
    assert done.code in (2, 3, 4)
    assert said in done.err
    assert not Path("x").exists()


def test_too_little_memory_is_said_before_it_is_taken(
    place: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("ringside_ltv.cli._available", lambda: 1000)
    ringside("ltv", "keygen", "--ring", 65535, "--out", tmp_path / "keys").ends(3, "of memory, and 1 kB are available")


def test_the_label_is_everywhere(place: Path, ringside: CommandLine) -> None:
    assert "INSECURE BY DESIGN" in " ".join(ringside("ltv", "--help").out.replace("│", " ").split())
    for command in ("keygen", "encrypt", "aes", "decrypt", "demo"):
        assert "INSECURE" in ringside("ltv", command, "--help").out, command
    assert LABEL in ringside("ltv", "params").out
    for path in sorted((place / "job").iterdir()):
        assert LABEL.encode() in path.read_bytes()[:1000], path
    assert LABEL in ringside("ltv", "encrypt", "--keys", place / "keys", "--out", place / "job2").err


def test_the_demonstrations_page(ringside: CommandLine, tmp_path: Path) -> None:
    done = ringside("ltv", "demo", "--picture", "--ring", 255, "--out", tmp_path, "--json")
    assert done.json["passed"]
    assert done.json["right"] == 16
    page = (tmp_path / "index.html").read_text()
    assert page.count("data:image/png;base64,") == 3
    assert LABEL in page
    assert re.search(r"<b>2<sup>[\d.]+</sup></b>", page)
    assert len(re.findall(r"<td>norm in GF\(16\)</td>", page)) == 10
    plain = ringside("ltv", "demo", "--ring", 255)
    assert (plain.code, "16 of 16" in plain.out) == (0, True)


def test_secret_keys_are_private(place: Path) -> None:
    assert (place / "keys" / "secret.ltv").stat().st_mode & 0o777 == 0o600
    folder = place / "keys"
    assert sorted(path.name for path in folder.iterdir())[:3] == [f"evaluation-{digit:02d}.ltv" for digit in range(3)]
