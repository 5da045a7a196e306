# SPDX-License-Identifier: Apache-2.0
"""What a demonstration has found, for the terminal and the page."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .scheme import Bytes, LtvParameters, RoundRecord


@dataclass(frozen=True)
class Seen:
    """The three pictures."""

    original: Bytes
    sent: Bytes
    decrypted: Bytes


@dataclass(frozen=True)
class DemoOutcome:
    parameters: LtvParameters
    slots: int
    backend: str
    threads: int
    passed: bool
    right: int  # blocks
    noise: float  # log2, at the end
    bound: float
    key_seconds: float
    client_seconds: float
    records: Sequence[RoundRecord]
    page: Path | None

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.records)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"seconds": self.seconds, "ms_per_block": 1e3 * self.seconds / self.slots}

    def facts(self) -> list[tuple[str, str]]:
        found = [
            ("blocks right", f"{self.right} of {self.slots}"),
            ("noise", f"2^{self.noise:.1f}, allowed 2^{self.bound:.1f}"),
            (
                "server",
                f"{self.seconds:.2f} s, {1e3 * self.seconds / self.slots:.2f} ms per block ({self.backend}, {self.threads} threads)",
            ),
            ("client", f"keys {self.key_seconds:.2f} s, encryption of round keys {self.client_seconds:.2f} s"),
        ]
        return [*found, ("page", str(self.page))] if self.page else found
