# SPDX-License-Identifier: Apache-2.0
"""What the install page promises to a newcomer: from a clone, by its lines alone, to a ciphertext that stock SEAL decrypts, in less than three minutes."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from recipes import BLOCK

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "install.md"
HEADING, MOST_SECONDS = "## From a clone to a ciphertext that SEAL decrypts", 180
LAST = "tenseal.ckks_vector_from("  # the block where stock SEAL decrypts


def blocks(text: str) -> list[tuple[str, str]]:
    """Language and content of the blocks from the heading to the one where SEAL decrypts."""
    found = [(match[1], match[2]) for match in BLOCK.finditer(text, text.index(f"\n{HEADING}\n"))]
    (last,) = [number for number, (_, content) in enumerate(found) if LAST in content]
    return found[: last + 1]


def as_shell(found: list[tuple[str, str]]) -> str:
    """What the newcomer types: Python's blocks are one session, whose last one begins with the names of the first."""
    lines, session = ["set -e"], ""
    for language, content in found:
        if language == "python":
            session += content
            lines.append(f"python - <<'END'\n{session}END")
        elif language == "console":
            lines += [line.removeprefix("$ ") for line in content.splitlines() if line.startswith("$ ")]
        else:
            lines.append(content)
    return "\n".join(lines) + "\n"


def test_the_page_has_all_steps() -> None:
    script = as_shell(blocks(PAGE.read_text(encoding="utf-8")))
    steps = ["-m venv", "pip install", "context.encrypt(", "ringside keygen", "ringside encrypt", LAST, "assert "]
    assert [step for step in steps if step not in script] == []


@pytest.mark.soak
def test_from_a_clone_to_what_seal_decrypts(tmp_path: Path) -> None:
    """Processor time of all processes, which hardly depends on what else the machine does; it fetches from the package index."""
    script = as_shell(blocks(PAGE.read_text(encoding="utf-8")))
    clone = tmp_path / "clone"
    plain = {
        name: value for name, value in os.environ.items() if not name.startswith(("RINGSIDE_", "PYTHON", "VIRTUAL"))
    }
    plain["PATH"] = os.pathsep.join(
        place for place in plain["PATH"].split(os.pathsep) if Path(place) != Path(sys.executable).parent
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    done = subprocess.run(
        ["bash", "-c", script], cwd=clone, env=plain, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    print(f"from a clone to a decryption by stock SEAL: {spent:.0f} s of processor time")
    assert spent < MOST_SECONDS
