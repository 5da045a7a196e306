# SPDX-License-Identifier: Apache-2.0
"""What commands measure is kept in this user's ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...figures.questions import Query


def keep(question: Query, figures: Mapping[str, Any]) -> None:
    """Puts figures into it."""
    from ...figures import ledger

    ledger.own().put(ledger.make_row(question, figures))
