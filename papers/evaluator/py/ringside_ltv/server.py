# SPDX-License-Identifier: Apache-2.0
"""The server's work: ten rounds of AES on ciphertexts, with progress, checkpoints and interruption."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ringside.progress import Progress

from .scheme import ROUNDS, Bytes, RoundRecord, Scheme, Words

POLL_SECONDS = 0.1
T = TypeVar("T")


@dataclass(frozen=True)
class Evaluated:
    """The state after the last round; records of the rounds that this run computed; first: the round it began after."""

    state: Words
    records: Sequence[RoundRecord]
    first: int

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.records)


def watched(scheme: Scheme, work: Callable[[], T], tell: Callable[[], None]) -> T:
    """Runs C's work in a thread of its own, and `tell` every now and then. Ctrl-C, or an error of `tell`, stops the work within a task: nobody
    may close the scheme before it has ended."""
    outcome: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # raised again where the caller waits
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(POLL_SECONDS)
            tell()
    except BaseException:
        scheme.stop()
        thread.join()
        raise
    if failure:
        raise failure[0]
    return outcome[0]


def evaluate(
    scheme: Scheme,
    start: Callable[[], tuple[int, Words]],
    round_key: Callable[[int], Words],
    *,
    progress: Progress,
    done: Callable[[RoundRecord, Words], None] = lambda record, state: None,
    beforehand: Callable[[int, Words, Words], None] | None = None,
    noise: bool = False,
    rounds: int = ROUNDS,
) -> Evaluated:
    """Rounds after what `start` gives, the number of the round that is done and its state, which nobody else holds: it is large.
    `done` is called after each round, and `beforehand` sees its state and round key, which it leaves as they are.

    Progress counts relinearisations, weighted by their transforms: time left is in proportion to it, although the first rounds take longest.
    """
    first, state = start()
    costs = [scheme.cost(number) for number in range(rounds + 1)]
    before, total = sum(costs[: first + 1]) - scheme.progress()[1], sum(costs)
    count = scheme.info.relinearisations * rounds // ROUNDS
    records = []

    def tell() -> None:
        progress(count * min(before + scheme.progress()[1], total) // max(total, 1), count)

    for number in range(first + 1, rounds + 1):
        key = round_key(number)
        if beforehand is not None:
            beforehand(number, state, key)
        record = watched(scheme, lambda n=number, s=state, k=key: scheme.round(n, s, k, noise=noise), tell)  # type: ignore[misc]
        state = key
        records.append(record)
        done(record, state)
    return Evaluated(state, records, first)


def begin(scheme: Scheme, round_key: Callable[[int], Words], blocks: Bytes) -> tuple[int, Words]:
    """The state before round 1: the first round key, and the blocks, which are public."""
    key = round_key(0)
    scheme.add_blocks(key, blocks)
    return 0, key
