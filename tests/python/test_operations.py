# SPDX-License-Identifier: Apache-2.0
"""The table of operations: each takes what it says and refuses everything else, in every command that has it."""

import json
import sys

import pytest

from asserting import raises
from builds import output_of, run
from cli_runner import CommandLine
from ringside.cycles import profile, scheme_system, system
from ringside.cycles.known import known
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
            raises(UsageError, rf"--{name.replace('_', '-')} is not for {row.name}", refuse, row.name, takes, {name: 1})


def test_options_of_two_kinds_of_sizes_do_not_go_together() -> None:
    with pytest.raises(UsageError, match="--params does not go with --n"):
        refuse("encrypt-pk", TABLE["encrypt-pk"].takes, {"n": 1024, "params": "lee-13"})
    with pytest.raises(UsageError, match="--n does not go with --log-size, --slices"):
        refuse("ntt", TABLE["ntt"].takes, {"n": 1024, "log_size": 8, "slices": 2})
    assert SIZES.isdisjoint(SLICES)


def test_who_can_what_is_in_the_table() -> None:
    """Firmware and profile know all operations of their columns, and no others."""
    assert set(system.OPS) | set(scheme_system.OPERATIONS) == {row.name for row in ROWS if row.on_chip is not None}
    assert tuple(row.name for row in ROWS if row.alone) == profile.OPERATIONS
    calls = {*scheme_system.OPERATIONS, *profile.OPERATIONS}
    numbers = [(one.op, one.set) for one in (known(TABLE[name]) for name in calls)]
    assert len(set(numbers)) == len(numbers)
    assert [row.name for row in ROWS if row.scheme == CKKS] == list(names(CKKS))


def test_names_that_nothing_has() -> None:
    for name, among in (("encrypt", TABLE), ("keccak", names(CKKS))):
        assert raises(ParameterError, None, find, name, among).code == "OP"


ANEW = """import sys
from ringside import operations
row = operations.OperationRow("encrypt-anew", "CKKS", "encrypt-anew", "RS_JOB_ENCRYPT_SK", (operations.SIZES,))
operations.TABLE[row.name] = row
from ringside.cli import main
sys.exit(main(["cycles", "rise-1", "--op", row.name, *sys.argv[1:]]))
"""


@pytest.mark.slow
def test_an_operation_is_a_row(ringside: CommandLine) -> None:
    """Nothing but its row, where there is a program: it is measured, compared with the library, and takes what the row says."""
    new = json.loads(output_of(sys.executable, "-c", ANEW, "--n", "1024", "--json"))
    assert new == ringside("cycles", "rise-1", "--op", "encrypt-sk", "--n", 1024, "--json").json | {
        "op": "encrypt-anew"
    }
    refused = run(sys.executable, "-c", ANEW, "--params", "lee-13")
    assert refused.returncode
    assert "--params is not for encrypt-anew" in refused.stderr
