# SPDX-License-Identifier: Apache-2.0
"""How long an operation takes on a design: measured in simulation, bounded, drawn."""
