# SPDX-License-Identifier: Apache-2.0
"""Modules that are in no package, such as those of scripts/."""

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from asserting import some

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


def script(name: str) -> ModuleType:
    """A module by its name, such as checks.rooms."""
    sys.path.insert(0, str(SCRIPTS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(SCRIPTS))  # not the first one: the module may have put others in front


@contextmanager
def anew(*names: str) -> Iterator[ModuleType]:
    """The first of these modules of scripts/, with all of them run anew; those of before stand again afterwards."""
    before = {name: sys.modules.pop(name, None) for name in names}
    try:
        yield script(names[0])
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update({name: old for name, old in before.items() if old is not None})


def module_at(path: Path, name: str = "") -> ModuleType:
    """A file as a module of this name, or its own, that is run now. While it runs it can be imported."""
    spec = some(importlib.util.spec_from_file_location(name or path.stem, path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    some(spec.loader).exec_module(module)
    return module
