# SPDX-License-Identifier: Apache-2.0
"""Models of cycles, area, clock and energy of many designs at once."""
