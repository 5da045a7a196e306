# SPDX-License-Identifier: Apache-2.0
"""The terminal's view of a run."""

from rich import box
from rich.table import Table

from .outcome import CAMERA, CLOUD, DemoDevice, Outcome, Size, readable_bytes, readable_time


def summary(outcome: Outcome) -> Table:
    """The run in one table."""
    error, parameters, frame = outcome.error, outcome.parameters, outcome.frame
    table = Table(box=box.SIMPLE_HEAD, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    colour = "green" if error.passed else "red"
    verdict = "within" if error.passed else "NOT within"
    sizes = ", ".join(map(str, parameters.prime_bits))
    primes = f"N = {parameters.n:,}, primes {sizes} + {parameters.special_bits} bits"
    rows = [
        ("picture", f"{frame.source}, {frame.width}×{frame.height}, {frame.tiles} ciphertexts"),
        (
            "parameters",
            f"{parameters.name}: {primes}, scale 2^{parameters.scale_bits}, {parameters.security}-bit security",
        ),
        ("encrypted with", parameters.encryption),
        ("computed by", f"{outcome.server}, a process without Ringside"),
        ("largest error", f"[{colour}]2^-{error.max_bits:.1f}, {verdict} 2^-{error.bound_bits}[/]"),
        ("RMS error", f"2^-{error.rms_bits:.1f}"),
        ("up", travelled(outcome.upload)),
        ("down", travelled(outcome.download)),
        ("keys, once", readable_bytes(outcome.sent(outcome.keys))),
        ("camera", readable_time(outcome.seconds(CAMERA))),
        ("cloud", readable_time(outcome.seconds(CLOUD))),
        ("both processes", readable_time(outcome.total_seconds)),
        *device_rows(outcome.device),
        ("report", outcome.report),
        ("pictures", outcome.sheet),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def device_rows(device: DemoDevice | None) -> list[tuple[str, str]]:
    """Time that simulated hardware would have needed."""
    if device is None:
        return []
    busy = ", ".join(f"{name.replace('_', ' ')} {cycles:,}" for name, cycles in device.stages.items() if cycles)
    rates = ", ".join(f"{name.upper()} {rate:,.0f}" for name, rate in device.frames_per_second.items())
    there, back = ("encode and encrypt", "decrypt and decode") if device.encodes else ("encrypt", "decrypt")
    each = f"{device.encrypt_cycles:,} cycles to {there} a ciphertext, {device.decrypt_cycles:,} to {back} one"
    each += ", all of it in the core" if device.encodes else ""
    return [
        (device.name, f"{each} (RTL simulation)"),
        ("its stages", f"{busy} cycles"),
        ("frames per second", f"{rates}, encrypted at {device.clock_mhz:g} MHz"),
    ]


def travelled(sizes: list[Size]) -> str:
    """Bytes sent, and what the largest form would have been."""
    sent = next(size for size in sizes if size.sent)
    largest = max(sizes, key=lambda size: size.bytes)
    return (
        f"{readable_bytes(sent.bytes)} ({sent.name.lower()}); {readable_bytes(largest.bytes)} as {largest.name.lower()}"
    )
