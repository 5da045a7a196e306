# SPDX-License-Identifier: Apache-2.0
"""Exploration: every design of a space in a model of cycles, area, clock and energy, the best ones in RTL (docs/explore.md)."""
