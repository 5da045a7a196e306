# SPDX-License-Identifier: Apache-2.0
"""`ringside demo`."""

import dataclasses
import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from .common.options import ClockOption, DeviceOption, ThreadsOption
from .common.output import default_folder, print_json


def demo(
    image: Annotated[
        Path | None, typer.Option(help="Picture to encrypt. Default: the photograph 'camera' of scikit-image.")
    ] = None,
    size: Annotated[str, typer.Option(help="Size of the picture: qqvga (160x120), qvga (320x240) or WxH.")] = "qqvga",
    public_key: Annotated[
        bool, typer.Option("--public-key", help="Encrypt with the public key, not the secret one.")
    ] = False,
    no_special_prime: Annotated[
        bool, typer.Option("--no-special-prime", help="Leave out the rounding of --public-key.")
    ] = False,
    device: DeviceOption = "cpu:",
    encode: Annotated[
        Literal["cpu", "device"] | None,
        typer.Option(help="Place where pictures are encoded. Default: the device, if its design can."),
    ] = None,
    clock: ClockOption = 500,
    threads: ThreadsOption = None,
    params: Annotated[str | None, typer.Option(help="Named parameter set with four data limbs or more.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for files and report: new, empty or an earlier demo's. Default: build/demo or ringside-demo."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the measurements as JSON.")] = False,
    open_report: Annotated[bool, typer.Option("--open", help="Show the report in a browser.")] = False,
) -> None:
    """Encrypt a photograph, let stock Microsoft SEAL sharpen it, decrypt and check every pixel.

    The folder gets the pictures, all files that went up and down, and report.html with every number of the run. Stock SEAL comes with
    TenSEAL: the extra `demo`. On a simulated device the first run builds its model, in a minute or a few.

    Examples: ringside demo --public-key --open; ringside demo --device sim:rise-32
    """
    # what every other command would otherwise load, too
    import webbrowser

    from rich.console import Console

    from ..demo import run
    from ..demo.frame import DemoError
    from ..demo.summary import summary
    from ..native.batch import usable_threads
    from .common.device import prepare, watch

    if no_special_prime and not public_key:
        raise DemoError("--no-special-prime is about public-key encryption.", "Add --public-key.")
    prepare(device)
    options = run.Options(
        image=image,
        size=size,
        with_public_key=public_key,
        special_prime=not no_special_prime,
        params=params,
        device=device,
        encode=encode,
        watch=watch,
        clock_mhz=clock,
        threads=threads or usable_threads(),
        out=out or default_folder("demo", "ringside-demo"),
        command=shlex.join(["ringside", *sys.argv[1:]]),
    )
    notes = Console(stderr=True)
    outcome = run.run(options, lambda text: None if as_json else notes.print(f"[dim]{text}[/]"))
    if as_json:
        print_json(dataclasses.asdict(outcome) | {"passed": outcome.passed})
    else:
        # a pipe or file has no width: leave the lines whole
        Console(width=None if sys.stdout.isatty() else 160).print(summary(outcome))
    if open_report:
        webbrowser.open(Path(outcome.report).resolve().as_uri())
    if not outcome.passed:
        raise typer.Exit(1)
