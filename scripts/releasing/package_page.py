# SPDX-License-Identifier: Apache-2.0
"""README files as package indexes show them, away from the tree: links and pictures with the repository's address,
without comments.

scikit-build-core calls it for the wheel and the source archive (pyproject.toml), js/package.py for the npm package.
"""

import posixpath
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from checks.links import LINK, VERBATIM

ROOT = Path(__file__).resolve().parents[2]
PICTURES = (".png", ".svg")


def project() -> dict[str, Any]:
    """The table of pyproject.toml."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def absolute(text: str, folder: str, about: Mapping[str, Any]) -> str:
    """folder: the page's, in the tree. about: the table of pyproject.toml, whose version's tag the links lead to."""

    def lead(match: re.Match[str]) -> str:
        path, mark, anchor = match[1].partition("#")
        if re.match(r"[a-z]+:", path) or not path:
            return match[0]
        kind = "raw" if path.endswith(PICTURES) else "blob"
        place = posixpath.normpath(posixpath.join(folder, path))
        return f"]({about['urls']['Repository']}/{kind}/v{about['version']}/{place}{mark}{anchor})"

    parts = re.split(f"({VERBATIM.pattern})", text, flags=VERBATIM.flags)
    plain = "".join(part if number % 2 else LINK.sub(lead, part) for number, part in enumerate(parts))
    return re.sub(r"<!--.*?-->", "", plain, flags=re.DOTALL)


def dynamic_metadata(settings: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    """scikit-build-core's hook: what a package's table leaves to it. page: of the package, in the tree."""
    whole = project()
    page = Path(settings["page"])
    text = absolute((ROOT / page).read_text(encoding="utf-8"), str(page.parent), whole)
    found = {"readme": {"content-type": "text/markdown", "text": text}, "urls": whole["urls"]}
    return {field: value for field, value in found.items() if field in about["dynamic"]}
