# SPDX-License-Identifier: Apache-2.0
"""What toggles of a simulated core's flip-flops say about secrets: Welch's t of whole operations, fixed against random (docs/leakage.md)."""
