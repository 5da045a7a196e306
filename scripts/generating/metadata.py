# SPDX-License-Identifier: Apache-2.0
"""What catalogues read: codemeta.json, lines of CITATION.cff and the conda recipe, from pyproject.toml and changelog."""

import json
import re
from pathlib import Path
from typing import Any

from common import ROOT, StopError
from releasing.package_page import project

CHANGELOG = ROOT / "CHANGELOG.md"


def released(version: str) -> str:
    """The date of a version, by the changelog."""
    found = re.search(
        rf"^## {re.escape(version)} - (\d{{4}}-\d\d-\d\d)$", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE
    )
    if not found:
        raise StopError(f"CHANGELOG.md has no line `## {version} - YYYY-MM-DD`: give the version its date.")
    return found[1]


def codemeta(about: dict[str, Any]) -> dict[str, Any]:
    """CodeMeta 3.0."""
    return {
        "@context": "https://w3id.org/codemeta/3.0",
        "type": "SoftwareSourceCode",
        "name": "Ringside",
        "identifier": about["name"],
        "description": about["description"],
        "version": about["version"],
        "datePublished": released(about["version"]),
        "license": f"https://spdx.org/licenses/{about['license']}",
        "codeRepository": about["urls"]["Repository"],
        "issueTracker": about["urls"]["Issues"],
        "softwareHelp": about["urls"]["Documentation"],
        "releaseNotes": about["urls"]["Changelog"],
        "author": [{"type": "Organization", "name": author["name"]} for author in about["authors"]],
        "keywords": about["keywords"],
        "programmingLanguage": ["C", "Python", "SystemVerilog", "JavaScript"],
        "operatingSystem": "Linux",
        "softwareRequirements": [f"Python {about['requires-python']}", *about["dependencies"]],
        "developmentStatus": "active",
    }


def with_values(path: Path, **values: str) -> str:
    """The text of a YAML file, with other values on the lines of these keys."""
    text = path.read_text(encoding="utf-8")
    for key, value in values.items():
        text, count = re.subn(
            rf"^( *){key.replace('_', '-')}: .*$", rf"\1{key.replace('_', '-')}: {value}", text, flags=re.MULTILINE
        )
        if count != 1:
            raise StopError(f"{path.relative_to(ROOT)} has {count} lines `{key.replace('_', '-')}:`: one is needed.")
    return text


def from_project() -> dict[Path, str]:
    about = project()
    address, version, license_ = about["urls"]["Repository"], about["version"], about["license"]
    citation = ROOT / "CITATION.cff"
    recipe = ROOT / "packaging" / "conda" / "recipe.yaml"
    cited = {"version": version, "date_released": released(version), "license": license_}
    return {
        ROOT / "codemeta.json": json.dumps(codemeta(about), indent=2) + "\n",
        citation: with_values(citation, **cited, repository_code=address, url=address),
        recipe: with_values(recipe, license=license_, homepage=address, repository=address),
    }
