# SPDX-License-Identifier: Apache-2.0
"""The hardware, simulated: Verilated models behind Python calls. Needs a source tree, Verilator and a C++ compiler."""

from .verilate import SimulationError, Simulator, build

__all__ = ["SimulationError", "Simulator", "build"]
