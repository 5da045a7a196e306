# SPDX-License-Identifier: Apache-2.0
"""What is in a file of a release, as CycloneDX 1.6 and SPDX 2.3 say it, and how the files were made, as SLSA's
provenance says it."""

import json
import os
import re
import subprocess
import tomllib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from releasing.pieces import file_hash

# linked into the wheel's library: name, header, macro of its version, licence
LINKED = (("zlib", "zlib.h", "ZLIB_VERSION", "Zlib"), ("zstd", "zstd.h", "ZSTD_VERSION_STRING", "BSD-3-Clause"))
# linked into the npm package's modules: its allocator and memory functions
WASI = ("wasi-libc", "Apache-2.0 WITH LLVM-exception AND MIT AND CC0-1.0")
# SPDX's words for what a part is to the whole
RELATIONS = {
    "required": ("DEPENDS_ON", False),
    "linked": ("STATIC_LINK", False),
    "build": ("BUILD_DEPENDENCY_OF", True),
    "optional": ("OPTIONAL_DEPENDENCY_OF", True),
}


@dataclass(frozen=True)
class Part:
    """use: one of RELATIONS. asked: the requirement as it is written. extra: whose it is."""

    name: str
    version: str
    purl: str
    licence: str = ""
    use: str = "required"
    asked: str = ""
    extra: str = ""

    @property
    def reference(self) -> str:
        return "#".join(filter(None, (self.purl, self.extra)))


def linked_version(header: str, macro: str) -> str:
    """As the compiler's headers say it; empty if they are not here."""
    text = f"#include <{header}>\nversion_is {macro}\n"
    done = subprocess.run(["cc", "-E", "-P", "-"], input=text, capture_output=True, text=True)
    found = re.search(r"^version_is (.*)$", done.stdout, re.MULTILINE)
    return "".join(re.findall(r'"([^"]*)"|(?<![\w"])(\d+)', found[1])[0]) if found and '"' in found[1] else ""


def debian(packages: Iterable[str]) -> dict[str, str]:
    """Versions of those that are installed."""
    try:
        asked = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *packages], capture_output=True, text=True
        )
    except FileNotFoundError:  # another system
        return {}
    return dict(line.split() for line in asked.stdout.splitlines() if line.count(" ") == 1 and line[-1] != " ")


def _python(line: str, use: str = "required", extra: str = "") -> Part:
    """A requirement: its bounds are a version only where they are pinned."""
    wanted = Requirement(line)
    (exact,) = [one.version for one in wanted.specifier if one.operator == "=="] or [""]
    purl = f"pkg:pypi/{wanted.name.lower()}" + f"@{exact}" * bool(exact)
    return Part(wanted.name, exact, purl, use=use, asked=str(wanted), extra=extra)


def _c_libraries(use: str) -> list[Part]:
    versions = ((name, linked_version(header, macro), licence) for name, header, macro, licence in LINKED)
    return [
        Part(name, version, f"pkg:generic/{name}@{version}", licence, use)
        for name, version, licence in versions
        if version
    ]


def contents(file: Path, tree: Path) -> tuple[Part, list[Part]] | None:
    """The package that a file of a release is, and what it needs or holds; None for pages and pictures."""

    def told(folder: str) -> dict[str, Any]:
        return tomllib.loads((tree / folder / "pyproject.toml").read_text(encoding="utf-8"))

    whole = told("")
    if file.name.startswith("ringside_ltv-"):
        whole = told("papers/evaluator")
    about = whole["project"]
    name, version = about["name"], about["version"]
    needed = [_python(line) for line in about["dependencies"]]
    extras = about.get("optional-dependencies", {}).items()
    needed += [_python(line, "optional", extra) for extra, lines in extras for line in lines]
    purl = f"pkg:pypi/{name}@{version}"
    if file.suffix == ".whl":
        libraries = (
            _c_libraries("linked") if whole["tool"]["scikit-build"]["wheel"]["packages"] == ["py/ringside"] else []
        )
        return Part(name, version, purl, about["license"]), [*needed, *libraries]
    if file.name == f"ringside_he-{version}.tar.gz":
        build = [_python(line, "build", "build") for line in whole["build-system"]["requires"]]
        return Part(name, version, purl, about["license"]), [*needed, *build, *_c_libraries("build")]
    if file.name.endswith("-npm.tgz"):
        wasi, licence = WASI
        found = debian([wasi]).items()
        linked = [Part(wasi, one, f"pkg:deb/debian/{wasi}@{one}", licence, "linked") for _, one in found]
        return Part("ringside", version, f"pkg:npm/ringside@{version}", about["license"]), linked
    if named := re.search(r"-(kit-.*|lean|rust|go|recipes)(-[\d.]+)?\.tar\.gz$", file.name):
        name = f"ringside-{named[1]}"
        return Part(name, version, f"pkg:generic/{name}@{version}", about["license"]), []
    return None


def cyclonedx(file: Path, main: Part, parts: Sequence[Part]) -> dict[str, Any]:
    def component(part: Part) -> dict[str, Any]:
        properties = [
            {"name": f"ringside:{name}", "value": value}
            for name, value in (("requirement", part.asked), ("extra", part.extra))
            if value
        ]
        scope = {"optional": "optional", "build": "excluded"}.get(part.use, "required")
        found: dict[str, Any] = {"type": "library", "bom-ref": part.reference, "name": part.name, "scope": scope}
        found |= {"version": part.version} if part.version else {}
        found |= {"licenses": [{"expression": part.licence}]} if part.licence else {}
        return found | {"purl": part.purl} | ({"properties": properties} if properties else {})

    sha256 = file_hash(file)
    number = uuid.uuid5(uuid.NAMESPACE_URL, f"{main.purl} {file.name} {sha256}")  # the same bill for the same file
    whole = component(main) | {"hashes": [{"alg": "SHA-256", "content": sha256}]}
    whole["properties"] = [{"name": "ringside:file", "value": file.name}]
    needed = [part.reference for part in parts if part.use in ("required", "linked")]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"component": whole},
        "components": [component(part) for part in parts],
        "dependencies": [{"ref": main.reference, "dependsOn": needed}],
    }


def spdx(file: Path, main: Part, parts: Sequence[Part], about: Mapping[str, Any], date: str) -> dict[str, Any]:
    """about: the table of pyproject.toml. date: of the release."""
    author = about["authors"][0]["name"]
    known = {part: f"SPDXRef-{number}" for number, part in enumerate([main, *parts])}

    def package(part: Part) -> dict[str, Any]:
        return {
            "SPDXID": known[part],
            "name": part.name,
            "versionInfo": part.version or part.asked.removeprefix(part.name),
            "supplier": f"Organization: {author}" if part is main else "NOASSERTION",
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False,
            "licenseConcluded": part.licence or "NOASSERTION",
            "licenseDeclared": part.licence or "NOASSERTION",
            "copyrightText": "NOASSERTION",
            "externalRefs": [
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.purl}
            ],
        }

    sha256 = file_hash(file)
    whole = package(main) | {"packageFileName": file.name}
    whole["checksums"] = [{"algorithm": "SHA256", "checksumValue": sha256}]
    rows = [("SPDXRef-DOCUMENT", "DESCRIBES", known[main])]
    for part in parts:
        word, is_turned = RELATIONS[part.use]
        pair = (known[part], known[main]) if is_turned else (known[main], known[part])
        rows.append((pair[0], word, pair[1]))
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": file.name,
        "documentNamespace": f"{about['urls']['Repository']}/spdx/{file.name}-{sha256}",
        "creationInfo": {"created": f"{date}T00:00:00Z", "creators": [f"Organization: {author}", "Tool: make-release"]},
        "packages": [whole, *(package(part) for part in parts)],
        "relationships": [
            {"spdxElementId": one, "relationshipType": word, "relatedSpdxElement": other} for one, word, other in rows
        ],
    }


def validate(bill: str, kind: str) -> None:
    """By the formats' own tools. ValueError: what is wrong."""
    if kind == "cdx":
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator

        if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill):
            raise ValueError(str(error))
        return
    from spdx_tools.spdx.parser.error import SPDXParsingError
    from spdx_tools.spdx.parser.jsonlikedict.json_like_dict_parser import JsonLikeDictParser
    from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

    try:
        document = JsonLikeDictParser().parse(json.loads(bill))
    except SPDXParsingError as error:
        raise ValueError("\n".join(error.get_messages())) from error
    if found := validate_full_spdx_document(document):
        raise ValueError("\n".join(one.validation_message for one in found))


def provenance(files: Sequence[Path], tree: Path, about: Mapping[str, Any], packages: Iterable[str]) -> dict[str, Any]:
    """An in-toto statement with SLSA's predicate, unsigned (build level 1). packages: Debian's, that the files were
    made with. The builder says who it is by RINGSIDE_BUILDER, an address."""
    address, tag = about["urls"]["Repository"], f"v{about['version']}"

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=tree, capture_output=True, text=True).stdout.strip()

    pins = [
        {"name": str(path.relative_to(tree)), "digest": {"sha256": file_hash(path)}}
        for path in sorted((tree / "requirements").glob("*.txt"))
    ]
    installed = [{"uri": f"pkg:deb/debian/{name}@{version}"} for name, version in sorted(debian(packages).items())]
    how = f"{address}/blob/{tag}/RELEASE.md#how-a-release-is-made"
    commit = git("rev-parse", "HEAD")
    source: dict[str, Any] = {"uri": f"git+{address}@refs/tags/{tag}"} | (
        {"digest": {"gitCommit": commit}} if commit else {}
    )
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": path.name, "digest": {"sha256": file_hash(path)}} for path in sorted(files)],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": how,
                "externalParameters": {"command": "make release", "source": source["uri"]},
                "internalParameters": {"changedSince": git("status", "--porcelain").splitlines()},
                "resolvedDependencies": [source, *pins, *installed],
            },
            "runDetails": {"builder": {"id": os.environ.get("RINGSIDE_BUILDER") or how}},
        },
    }


def validate_statement(text: str) -> None:
    """By in-toto's own package. ValueError, or its parser's error: what is wrong."""
    from google.protobuf import json_format
    from in_toto_attestation.v1 import statement_pb2
    from in_toto_attestation.v1.statement import Statement

    Statement.copy_from_pb(json_format.Parse(text, statement_pb2.Statement())).validate()
