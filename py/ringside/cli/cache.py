# SPDX-License-Identifier: Apache-2.0
"""`ringside cache`."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Annotated

import typer

from ..sim import cache as store
from .common.options import JsonFlag
from .common.output import print_json, print_table, size_text


def cache(
    limit: Annotated[
        str | None,
        typer.Option(
            "--limit",
            metavar="SIZE",
            help="Size to shrink to, such as 2G: the least recently used goes, but nothing of the last day.",
        ),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove everything that is kept.")] = False,
    json: JsonFlag = False,
) -> None:
    """Show or shrink the cache: models of hardware, firmware, mapped blocks, proofs. All of it is made again when needed.

    It keeps to RINGSIDE_CACHE_LIMIT (8 GB) by itself. RINGSIDE_CACHE says where it is.

    Example: ringside cache --limit 2G
    """
    most = None if limit is None else store.parse_size(limit)
    freed = store.clear() if clear else 0 if most is None else store.shrink(most)
    sizes: defaultdict[str, list[store.Entry]] = defaultdict(list)
    for entry in store.entries():
        sizes[entry.kind].append(entry)
    total = sum(entry.size for kind in sizes.values() for entry in kind)
    if json:
        kinds = {name: {"entries": len(kind), "bytes": sum(one.size for one in kind)} for name, kind in sizes.items()}
        print_json({"place": str(store.root()), "bytes": total, "limit_bytes": store.limit(), "freed_bytes": freed, "kinds": kinds})  # fmt: skip
        return
    rows = [
        [
            name,
            str(len(kind)),
            size_text(sum(one.size for one in kind)),
            time.strftime("%Y-%m-%d", time.localtime(min(one.used for one in kind))),
            store.KINDS[name],
        ]
        for name, kind in sizes.items()
    ]
    print_table(["folder", "entries", "size", "last use of the oldest", "what"], rows)
    print(f"{store.root()}: {size_text(total)} of {size_text(store.limit())}" + (f", {size_text(freed)} freed" if freed else ""))  # fmt: skip
