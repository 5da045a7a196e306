# SPDX-License-Identifier: Apache-2.0
"""A few random jobs on two small designs, the same in every run. `make soak` draws others, on all designs."""

import re
from typing import Any

import pytest

from device.jobs import DESIGNS, Job, JobError, design, draw, run
from device.operations import OPERATIONS, STREAMING

SMALL = ("lanes4-w32", "lanes1-w64")
NUMBERS = range(108, 121)  # with these every operation occurs, and every size
JOBS = [draw(number, name, log_n_max=12, limbs_max=4) for name in SMALL for number in NUMBERS]


@pytest.mark.slow  # builds two simulators
@pytest.mark.parametrize("job", JOBS, ids=[f"{job.design}-{number}" for number, job in enumerate(JOBS)])
@pytest.mark.alike(4)
def test_same_bits_as_the_processor(job: Job) -> None:
    failure = ""
    try:
        assert run(job) > 0
    except JobError as error:
        failure = str(error)
    if failure:
        pytest.fail(failure, pytrace=False)


def test_jobs_are_of_all_kinds() -> None:
    assert {operation for job in JOBS for operation in job.operations} == {*OPERATIONS} - {*STREAMING}
    assert {job.n for job in JOBS} == {1024, 2048, 4096}
    assert {len(job.bits) for job in JOBS} == {1, 2, 3, 4}
    a, b = (design(name) for name in SMALL)
    different = ("lanes", "word_bits", "twiddles", "bank_groups", "slots", "expand", "bus_bits")
    assert all(getattr(a, name) != getattr(b, name) for name in different)


def test_designs_are_of_all_kinds() -> None:
    built = [design(name) for name in DESIGNS]

    def values(name: str) -> set[Any]:
        return {getattr(one, name) for one in built}

    assert values("lanes") == {1, 2, 4, 8, 16, 32}
    assert values("word_bits") == {32, 54, 64}
    assert values("bank_groups") == {2, 3, 4, 5, 6}
    assert values("slots") == {0, 1, 2, 3}
    assert values("contexts") == {1, 2}
    assert values("stream_lanes") == {0, 4}
    assert values("ports") == {1, 2}
    assert values("bus_bits") == {64, 128, 256, 512}
    assert values("expand") == {False, True}
    assert values("expand_words") == {1, 2, 4, 8}
    assert values("keccak_slices") == {16, 32, 64}
    assert {(one.keccak, one.expand_words > 1) for one in built} == {
        (k, w) for k in ("separate", "shared") for w in (False, True)
    }
    assert max(values("log_n_max")) == 14
    kinds = {(one.word_bits > 32, one.twiddles) for one in built}
    assert len(kinds) == 4


@pytest.mark.parametrize("name", DESIGNS)
def test_the_text_of_a_job_is_the_job(name: str) -> None:
    job = draw("text", name)
    assert Job.parse(str(job)) == job
    assert draw("text", name) == job != draw("other", name)
    assert re.fullmatch(r"[\w=+,-]+", str(job))  # needs no quotes


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("seed=", "sede="), "a job has design, n,"),
        (("design=", "design=x"), "there is no xlanes"),
        (("operations=", "operations=ntt+nttt+"), "there is no nttt"),
        ((",n=", ",n=x"), "invalid literal"),
    ],
)
def test_texts_that_are_no_job(wrong: tuple[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Job.parse(str(draw("text", SMALL[0])).replace(*wrong))
