# SPDX-License-Identifier: Apache-2.0
"""The paper's own exploration beside ours."""

from asserting import raises
from one_design import cycles_of
from ringside.errors import ParameterError
from ringside.explore import papers
from ringside.explore.model import constants
from ringside.explore.space.points import enumerate_all


def test_printed_points_are_those_of_the_paper() -> None:
    assert papers.printed_cycles() == {"fastest": 2854, "smallest": 11053, "balanced": 5707}


def test_tables() -> None:
    found = papers.tables("nejatollahi", constants.load())
    fft = next(table for table in found if table["title"].startswith("FFT512"))
    cycles = {row[0]: int(row[2].replace(",", "")) for row in fft["rows"]}
    assert cycles["fastest"] < cycles["balanced"] < cycles["smallest"]
    points = enumerate_all(papers.kernel_space(papers.KERNELS["FFT512"]))
    everything = [cycles_of(points.design(i), 40, papers.KERNELS["FFT512"]) for i in range(len(points))]
    assert cycles["fastest"] == min(everything)
    lanes = next(table for table in found if "lanes" in table["title"] and table["title"].startswith("FFT512,"))
    assert [row[0] for row in lanes["rows"]][:2] in (["1", "2"], ["fastest", "balanced"])


def test_no_such_paper() -> None:
    raises(ParameterError, "nejatolahi", papers.tables, "nejatolahi", constants.load())
