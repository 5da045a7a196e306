# SPDX-License-Identifier: Apache-2.0
"""Folders as archives: the same bytes for the same contents."""

import gzip
import io
import tarfile
from pathlib import Path


def packed(folder: Path, name: str) -> bytes:
    """A folder as NAME.tar.gz, the same bytes for the same contents: no time, no owner, sorted."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in (path for path in sorted(folder.rglob("*")) if path.is_file()):
            entry = tarfile.TarInfo(f"{name}/{path.relative_to(folder)}")
            entry.size = path.stat().st_size
            entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            with path.open("rb") as file:
                tar.addfile(entry, file)
    return gzip.compress(plain.getvalue(), 9, mtime=0)
