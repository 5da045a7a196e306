# SPDX-License-Identifier: Apache-2.0
"""The demo from the outside: its numbers, its report, and a cloud that will not know Ringside."""

from __future__ import annotations

import json
import math
import re
import resource
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from asserting import some
from ringside.demo import run as demo
from ringside.demo.client import Camera, Clock, choose_parameters
from ringside.objects.ckks.context import Context

README = Path(__file__).resolve().parents[2] / "README.md"
SECONDS = 20  # seconds of processor time: how long it takes depends on what else the machine does


def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ringside", "demo", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == code, done.stderr
    return done


def processor_seconds() -> float:
    """Seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(*arguments: str) -> dict[str, Any]:
    outcome: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    return outcome


@pytest.mark.parametrize(
    ("options", "bits"),
    [([], 16), (["--public-key"], 15), (["--public-key", "--no-special-prime"], 12)],
    ids=["secret-key", "public-key", "direct"],
)
def test_demo(tmp_path: Path, options: list[str], bits: int) -> None:
    before = processor_seconds()
    outcome = measure("--out", str(tmp_path), *options)
    assert processor_seconds() - before < SECONDS
    assert outcome["passed"]
    assert outcome["error"]["max_bits"] > bits
    assert outcome["total_seconds"] > 0
    assert outcome["parameters"]["security"] == 128
    sent = [size for size in outcome["upload"] if size["sent"]]
    frames = sorted((tmp_path / "to-cloud").glob("frame-*.seal"))
    assert len(sent) == 1
    assert sent[0]["bytes"] == sum(path.stat().st_size for path in frames)
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "http" not in report  # needs no other file
    assert (tmp_path / "sheet.png").read_bytes().startswith(b"\x89PNG")


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    """Its numbers aside, which differ from run to run."""
    printed = re.sub(r" +\n", "\n", run("--out", str(tmp_path)).stdout)
    shown = re.search(r"^```text\n( picture .*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert shown
    lines = [re.sub(r"\d+", "0", line) for line in printed.splitlines()]
    assert [line for line in shown[1].splitlines() if re.sub(r"\d+", "0", line) not in lines] == []


def test_other_frames(tmp_path: Path) -> None:
    """More tiles in both directions, and a size that no tile divides."""
    for size in ("qvga", "333x77"):
        outcome = measure("--out", str(tmp_path), "--size", size)
        assert outcome["passed"]
        assert outcome["frame"]["tiles"] > 6


def camera(monkeypatch: pytest.MonkeyPatch, params: str | None, *, encodes: bool) -> Camera:
    """On the processor; encodes: with what a device of 32 bits does, bit for bit."""
    if encodes:
        monkeypatch.setattr(Context, "fixed_bits", 32)
    return Camera(choose_parameters(params, 32 if encodes else 64), Clock())


@pytest.mark.parametrize("kind", ["secret-key", "public-key", "public-key-direct"])
@pytest.mark.parametrize("encodes", [False, True], ids=["demo-8192", "demo-8192-narrow"])
def test_noise_is_no_reason_to_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, *, encodes: bool
) -> None:
    """The limit comes from a spread that holds for the pixels measured here: a run fails by chance once in 2^40."""
    one = camera(monkeypatch, None, encodes=encodes)
    pixels = 320 * 240
    limit = 2.0 ** -one.error_bits(kind, pixels)
    spreads = limit / one.spread(kind)
    direct = kind == "public-key-direct"
    chance = (1 + spreads) * math.exp(-2 * spreads) if direct else math.exp(-math.sqrt(2) * spreads)
    assert pixels * chance < 2**-40
    assert pixels * math.erfc(limit / one.worst_spread() / math.sqrt(2)) < 2**-40
    assert limit == (2**-8 if encodes and direct else 2**-10)
    monkeypatch.setattr(demo, "word_bits", lambda device: 32 if encodes else 64)
    public = kind != "secret-key"
    outcome = demo.run(demo.Options(with_public_key=public, special_prime=not direct, out=tmp_path / "out"))
    assert outcome.passed
    assert outcome.error.bound_bits == -math.log2(limit)
    assert one.spread(kind) / 2.5 < 2**-outcome.error.rms_bits < one.spread(kind)


def test_too_little_precision(tmp_path: Path) -> None:
    """Twenty bits of scale are not enough, and the demo says so."""
    done = run("--out", str(tmp_path), "--params", "lee-13", "--json", code=1)
    assert not json.loads(done.stdout)["passed"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--size", "huge"], 2),
        (["--no-special-prime"], 2),
        (["--params", "lee-12"], 2),
        (["--params", "none-such"], 3),
        (["--image", "missing.png"], 4),
    ],
)
def test_mistakes(tmp_path: Path, arguments: list[str], code: int) -> None:
    done = run("--out", str(tmp_path), *arguments, code=code)
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("ringside: ")


def server() -> Path:
    spec = some(find_spec("ringside.demo"))
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "server.py"


def test_cloud_does_not_import_ringside() -> None:
    code = f"""
import runpy, sys
module = runpy.run_path({str(server())!r})
module["refuse_ringside"]()
assert not [name for name in sys.modules if name.startswith("ringside")]
"""
    subprocess.run([sys.executable, "-I", "-c", code], check=True)


def test_cloud_refuses_ringside(tmp_path: Path) -> None:
    code = f"""
import ringside, runpy, sys
sys.argv = ["server.py", {str(tmp_path)!r}, {str(tmp_path)!r}]
runpy.run_path({str(server())!r}, run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
    assert done.returncode != 0
    assert "refusing to run" in done.stderr
