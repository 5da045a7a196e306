# SPDX-License-Identifier: Apache-2.0
"""What computes: the processor, a core in simulation, or a simulated SoC with one."""
