# SPDX-License-Identifier: Apache-2.0
"""All tests: their simulations are short, so models of hardware are compiled with less optimisation than for users."""

import os

os.environ.setdefault("RINGSIDE_SIM_LEVEL", "1")
