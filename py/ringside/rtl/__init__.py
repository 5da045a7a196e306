# SPDX-License-Identifier: Apache-2.0
"""A design as a directory that an integrator takes away: sources, wrappers, registers, constraints, self-test."""
