# SPDX-License-Identifier: Apache-2.0
"""The papers of a release agree with the tree: versions, headers, changelog, forms, hooks."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_has_its_notes() -> None:
    """CITATION.cff, codemeta.json and the recipe follow by scripts/generate.py."""
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    assert re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", text("CHANGELOG.md"), re.MULTILINE)


def test_changelog_has_sections() -> None:
    """Keep a Changelog's: the newest first, and below "Unreleased" nothing but its six kinds."""
    versions = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+( - \d{4}-\d\d-\d\d)?", version) for version in versions[1:])
    (unreleased,) = re.findall(r"^## Unreleased\n(.*?)^## ", text("CHANGELOG.md"), re.MULTILINE | re.DOTALL)
    kinds = re.findall(r"^### (.*)$", unreleased, re.MULTILINE)
    assert set(kinds) <= SECTIONS
    assert len(kinds) == len(set(kinds))
    before = unreleased.partition("\n### ")[0]
    assert "\n* " not in before, "a line stands above the first section"


def test_each_header_has_a_stability() -> None:
    rows = [line for line in text("RELEASE.md").splitlines() if re.match(r"\| `\w+\.h`", line)]
    named = [name for row in rows for name in re.findall(r"`(\w+\.h)`", row.split("|")[1])]
    assert sorted(named) == sorted(path.name for path in (ROOT / "lib" / "include" / "ringside").glob("*.h"))
    assert all(re.search(r"\*(stable|settling|internal)\*", row) for row in rows)


@pytest.mark.parametrize("path", [path for path in FORMS if path.stem != "config"], ids=lambda path: path.stem)
def test_forms_are_what_github_takes(path: Path) -> None:
    form: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(form)
    ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(ids) == len(set(ids))
    for part in form["body"]:
        assert part["type"] in {"markdown", "textarea", "input", "dropdown", "checkboxes"}
        assert part["attributes"]["value" if part["type"] == "markdown" else "label"]
        assert part["type"] != "dropdown" or len(part["attributes"]["options"]) > 1
    assert any(part.get("validations", {}).get("required") for part in form["body"])


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_workflows_run_make(path: Path) -> None:
    """What they run is a target of the Makefile, once a bare Debian has what make needs, and `gh` drafts the release. `make lint` has zizmor, which
    wants pins."""
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    lines = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    work = [shlex.split(line) for line in lines if not line.startswith(("apt-get ", "git config ", "gh release "))]
    assert work
    assert [words[0] for words in work] == ["make"] * len(work)
    assert {words[1] for words in work} <= targets
    assert all(
        re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]) for job in jobs for step in job["steps"] if "uses" in step
    )


def test_hooks_are_checks_of_ours() -> None:
    """Nothing is downloaded, and each check that a hook names is one of scripts/lint.py."""
    config = yaml.safe_load(text(".pre-commit-config.yaml"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    told = subprocess.run(
        [sys.executable, "scripts/lint.py", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    checks = " ".join(told.stdout.split()).partition("Checks: ")[2].split(", ")
    for hook in config["repos"][0]["hooks"]:
        program, script, *named = shlex.split(hook["entry"])
        assert (program, script, hook["language"]) == ("python3", "scripts/lint.py", "system")
        assert named
        assert set(named) <= set(checks)
