# SPDX-License-Identifier: Apache-2.0
"""A bill of materials of a release, CycloneDX 1.6 as JSON: the package, what it needs, what is linked into its library, and the release's files."""

import re
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from releasing.pieces import file_hash

SPEC = "1.6"
# linked into the wheel's library: name, header, macro of its version, licence
LINKED = (("zlib", "zlib.h", "ZLIB_VERSION", "Zlib"), ("zstd", "zstd.h", "ZSTD_VERSION_STRING", "BSD-3-Clause"))


def linked_version(header: str, macro: str) -> str:
    """As the compiler's headers say it; empty if they are not here."""
    text = f"#include <{header}>\nversion_is {macro}\n"
    done = subprocess.run(["cc", "-E", "-P", "-"], input=text, capture_output=True, text=True)
    found = re.search(r"^version_is (.*)$", done.stdout, re.MULTILINE)
    return "".join(re.findall(r'"([^"]*)"|(?<![\w"])(\d+)', found[1])[0]) if found and '"' in found[1] else ""


def _python(line: str, *, extra: str = "") -> dict[str, Any]:
    """A requirement: its bounds are a version only where they are pinned."""
    wanted = Requirement(line)
    (exact,) = [one.version for one in wanted.specifier if one.operator == "=="] or [""]
    purl = f"pkg:pypi/{wanted.name.lower()}" + f"@{exact}" * bool(exact)
    properties = [{"name": "ringside:requirement", "value": str(wanted)}]
    if extra:
        properties.append({"name": "ringside:extra", "value": extra})
    found = {"type": "library", "bom-ref": f"{purl}#{extra}" if extra else purl, "name": wanted.name, "purl": purl}
    return (
        found
        | ({"version": exact} if exact else {})
        | {"scope": "optional" if extra else "required", "properties": properties}
    )


def bill(project: Mapping[str, Any], files: Sequence[Path]) -> dict[str, Any]:
    """project: the table of pyproject.toml. files: those of the release."""
    main: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"pkg:pypi/{project['name']}@{project['version']}",
        "name": project["name"],
        "version": project["version"],
        "purl": f"pkg:pypi/{project['name']}@{project['version']}",
        "licenses": [{"license": {"id": project["license"]}}],
    }
    needed = [_python(line) for line in project["dependencies"]]
    extras = [_python(line, extra=name) for name, lines in project["optional-dependencies"].items() for line in lines]
    linked: list[dict[str, Any]] = [
        {"type": "library", "bom-ref": f"pkg:generic/{name}", "name": name, "version": version, "scope": "required", "purl": f"pkg:generic/{name}@{version}", "licenses": [{"license": {"id": licence}}]}
        for name, header, macro, licence in LINKED
        if (version := linked_version(header, macro))
    ]  # fmt: skip
    made: list[dict[str, Any]] = [
        {"type": "file", "bom-ref": f"file:{path.name}", "name": path.name, "hashes": [{"alg": "SHA-256", "content": file_hash(path)}]}
        for path in sorted(files)
    ]  # fmt: skip
    # the same bill for the same release
    number = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([main["purl"], *(one["hashes"][0]["content"] for one in made)]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"component": main},
        "components": [*needed, *linked, *extras, *made],
        "dependencies": [{"ref": main["bom-ref"], "dependsOn": [one["bom-ref"] for one in (*needed, *linked)]}],
    }
