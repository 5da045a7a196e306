# SPDX-License-Identifier: Apache-2.0
"""What tests of wheels look at: the library inside, and keys, files and values by an installed package."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

LIBRARY = "ringside/native/libringside.so"

ROUND_TRIP = """
import json, sys
import numpy as np
import ringside as rs

context = rs.Context(rs.Parameters.named("lee-12"))
values = np.linspace(-1, 1, 100)
with context.keygen() as key:
    sizes = {}
    for compression in ("none", "zlib", "zstd"):
        data = context.encrypt(values, key).to_bytes(compression=compression)
        got = context.decrypt_values(rs.Ciphertext.from_bytes(context, data), key, 100)
        assert np.abs(got - values).max() < 1e-2
        sizes[compression] = len(data)
print(json.dumps({"file": rs.__file__, "sizes": sizes}))
"""


def needed(data: bytes) -> Iterator[str]:
    for section in ELFFile(BytesIO(data)).iter_sections():
        if isinstance(section, DynamicSection):
            tags: Any = section.iter_tags("DT_NEEDED")
            yield from (tag.needed for tag in tags)


def exported(data: bytes) -> set[str]:
    table: Any = ELFFile(BytesIO(data)).get_section_by_name(".dynsym")
    assert table is not None
    return {item.name for item in table.iter_symbols() if item["st_shndx"] != "SHN_UNDEF" and item.name}
