# SPDX-License-Identifier: Apache-2.0
"""Mutants that only the night build proves are of today's text, too."""

from pathlib import Path

HW = Path(__file__).resolve().parents[2]


def test_mutants_change_todays_text(request):
    rtl = [path.read_text(encoding="utf-8") for path in HW.rglob("*.sv")]
    calls = [
        item.callspec for item in request.session.items if item.path.is_relative_to(HW) and hasattr(item, "callspec")
    ]
    mutants = [call.params["mutation"] for call in calls if call.params.get("mutation")]
    assert [old for old, _ in mutants if not any(old in text for text in rtl)] == []
    if len({item.path.name for item in request.session.items}) > 100:  # all were collected
        assert len(mutants) > 400
