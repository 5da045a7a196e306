# SPDX-License-Identifier: Apache-2.0
"""What a core beside a processor is better by, in time and in energy-delay product.

Of the same operation the processor alone takes `before` cycles, and with a core `after` cycles; of these the core computes for `core`, in the
processor's cycles, while the processor waits at full power. The core draws `power` times what the processor draws while it computes. So the energies are
P before and P (after + power core), and the processor's own power P cancels out.
"""


def slowed(cycles: float, core: float, ratio: float) -> float:
    """Cycles, each of the core's counted `ratio` times."""
    return cycles + (ratio - 1) * core


def latency(before: float, after: float) -> float:
    """In percent."""
    return 100 * (1 - after / before)


def energy_delay(before: float, after: float, core: float, power: float) -> float:
    """In percent: 1 - (after + power core) after / before^2."""
    return 100 * (1 - (after + power * core) * after / before**2)


def most_power(before: float, after: float, core: float, gain: float) -> float:
    """The `power` with which the energy-delay product is better by `gain` percent; negative: it never is."""
    return ((1 - gain / 100) * before**2 / after - after) / core
