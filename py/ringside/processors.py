# SPDX-License-Identifier: Apache-2.0
"""How many processors this process may use."""

import os


def usable_processors() -> int:
    """Processors that this process may run on: fewer than the machine has in a container, or under taskset."""
    if not hasattr(os, "sched_getaffinity"):  # macOS binds no process
        return os.cpu_count() or 1
    return len(os.sched_getaffinity(0))
