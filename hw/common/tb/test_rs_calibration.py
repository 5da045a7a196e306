# SPDX-License-Identifier: Apache-2.0
"""Our FPGA flow agrees with a vendor's figures for a public design."""

import os
from pathlib import Path

import pytest
import rs_calibration


def test_published_figures_are_read(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(
        "| Core Variant       | Slice LUTs | LUTs as Memory | Slice Registers |\n"
        "|:------------------ | ----------:| --------------:| ---------------:|\n"
        "| PicoRV32 (small)   |        700 |             40 |             400 |\n"
        "| PicoRV32 (other)   |       1900 |             80 |            1000 |\n"
    )
    assert rs_calibration.published(tmp_path) == {"small": (700, 400), "other": (1900, 1000)}
    assert set(rs_calibration.published(rs_calibration.sources())) == {"small", "regular", "large"}


@pytest.mark.soak
def test_picorv32_is_within_a_fifth_of_vivado() -> None:
    """The smallest variant; RINGSIDE_SOAK=1 takes all three, a minute of processor time."""
    rows = rs_calibration.compared() if "RINGSIDE_SOAK" in os.environ else rs_calibration.compared("small")
    assert rows
    for row in rows:
        # never fewer: then something was optimised away that should be there
        assert 0 < row.lut_percent < 20
        assert abs(row.ff_percent) < 5
