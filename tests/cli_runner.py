# SPDX-License-Identifier: Apache-2.0
"""What a command line did, for tests."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout, which must be JSON and nothing else."""
        return json.loads(self.out)


CommandLine = Callable[..., Outcome]
