# SPDX-License-Identifier: Apache-2.0
"""How far a long task is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]  # parts done, parts in all
Say = Callable[[str], None]  # called with what is done now
