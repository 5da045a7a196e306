# SPDX-License-Identifier: Apache-2.0
"""The table of operations: each takes what it says and refuses everything else, in every command that has it."""

import pytest

from ringside.cycles import profile, scheme_system, system
from ringside.errors import ParameterError, UsageError
from ringside.operations import CKKS, SIZES, SLICES, TABLE, OperationRow, find, names, refuse

OPTIONS = ("n", "limbs", "bits", "params", "frames", "log_size", "slices", "overlap", "waves", "core_divider")
ROWS = list(TABLE.values())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_is_not_taken_is_refused(row: OperationRow) -> None:
    for takes in (row.takes, (row.on_chip,) if row.on_chip is not None else ()):
        for one in takes:
            refuse(row.name, takes, {name: 1 if name in one else None for name in OPTIONS})
        known = frozenset().union(*takes)
        for name in set(OPTIONS) - known:
            with pytest.raises(UsageError, match=rf"--{name.replace('_', '-')} is not for {row.name}"):
                refuse(row.name, takes, {name: 1})


def test_options_of_two_kinds_of_sizes_do_not_go_together() -> None:
    with pytest.raises(UsageError, match="--params does not go with --n"):
        refuse("encrypt-pk", TABLE["encrypt-pk"].takes, {"n": 1024, "params": "lee-13"})
    with pytest.raises(UsageError, match="--n does not go with --log-size, --slices"):
        refuse("ntt", TABLE["ntt"].takes, {"n": 1024, "log_size": 8, "slices": 2})
    assert SIZES.isdisjoint(SLICES)


def test_who_can_what_is_in_the_table() -> None:
    """Firmware and profile know all operations of their columns, and no others."""
    assert set(system.OPS) | set(scheme_system.OPERATIONS) == {row.name for row in ROWS if row.on_chip is not None}
    assert {name: one.cycles for name, one in profile.OPERATIONS.items()} == {
        row.name: row.alone for row in ROWS if row.alone
    }
    numbers = [(one.scheme, one.set, one.operation) for one in profile.OPERATIONS.values()]
    assert len(set(numbers)) == len(numbers)
    assert [row.name for row in ROWS if row.scheme == CKKS] == list(names(CKKS))


def test_names_that_nothing_has() -> None:
    for name, known in (("encrypt", TABLE), ("keccak", names(CKKS))):
        with pytest.raises(ParameterError) as caught:
            find(name, known)
        assert caught.value.code == "OP"
