# SPDX-License-Identifier: Apache-2.0
"""Notes of a release, by the changelog, and a draft of the page that the repository's host shows of it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from common import ROOT, StopError
from releasing.package_page import absolute
from releasing.pieces import file_hash


def notes(about: Mapping[str, Any]) -> str:
    """The changelog's section of this version. about: the table of pyproject.toml."""
    version = about["version"]
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)} - (\S+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise StopError(f"CHANGELOG.md has no section of {version} with a date.")
    return f"# Ringside {version}, {found[1]}\n\n{absolute(found[2].strip(), '', about)}\n"


def page(about: Mapping[str, Any], files: Mapping[Path, str]) -> str:
    """files: those of the release, with what each is."""
    version = about["version"]
    rows = [f"| `{path.name}` | {text} | `{file_hash(path)}` |" for path, text in sorted(files.items())]
    wheel = next(
        (path.name for path in files if re.match(r"ringside_he-.*x86_64\.whl$", path.name)), "ringside_he-*.whl"
    )
    start = absolute(
        "[Install](docs/install.md), [check what you downloaded](docs/supply-chain.md#check-a-release).", "", about
    )
    return f"""{notes(about)}
## Files
```
pip install ./{wheel}
npm install ./ringside-{version}-npm.tgz
```
{start} `sha256sum --ignore-missing -c SHA256SUMS` compares the files.

| file | what it is | SHA-256 |
|---|---|---|
{chr(10).join(rows)}
"""
