# SPDX-License-Identifier: Apache-2.0
"""`ringside ltv`: the commands that this package adds to ringside's."""

import secrets
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ringside.cli.common.commands import App
from ringside.cli.common.options import JsonFlag
from ringside.cli.common.output import note, print_facts, print_json, print_table, progress_bar, size_text, warn
from ringside.errors import InputError, UsageError
from ringside.native.files import write_bytes
from ringside.processors import processor_name

from . import LABEL

app = App(
    help=f"LTV's homomorphic encryption, and AES-128 on its ciphertexts (a paper's server). {LABEL}",
    no_args_is_help=True,
)

Ring = Literal["255", "4369", "21845", "65535"]
Sbox = Literal["3", "paper"]
Switching = Literal["hybrid", "windows"]
RingOption = Annotated[
    Ring, typer.Option("--ring", help="m of Z[X]/Phi_m: 16, 256, 1024 or 2048 blocks side by side.", show_default=True)
]
SboxOption = Annotated[
    Sbox, typer.Option("--sbox", help="Depth of the S-box: 3, or 4 with fewer relinearisations, as in the paper.")
]
SwitchingOption = Annotated[
    Switching, typer.Option("--key-switching", help="Hybrid, or the paper's windows of 16 bits: slower, larger keys.")
]
ThreadsOption = Annotated[int, typer.Option("--threads", min=0, max=256, help="0: all processors.")]
BackendOption = Annotated[
    str, typer.Option("--backend", help="portable, avx2 or avx512; the results are the same. Default: the fastest.")
]
KeysOption = Annotated[Path, typer.Option("--keys", metavar="DIR", help="Folder of `ringside ltv keygen`.")]
SeedOption = Annotated[
    str, typer.Option("--seed", help="64 hexadecimal digits instead of random ones: for tests, the result is known.")
]


def _research() -> None:
    warn(LABEL)


def _seed(text: str) -> bytes:
    from .scheme import SEED_BYTES

    if not text:
        return secrets.token_bytes(SEED_BYTES)
    return _hexadecimal(text, SEED_BYTES, "--seed")


def _hexadecimal(text: str, size: int, option: str) -> bytes:
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if len(found) != size:
        raise UsageError("USAGE", f"{option} takes {2 * size} hexadecimal digits, not {text!r}.")
    return found


def _available() -> int | None:
    """Bytes that the system could give, where it says so."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")), None)


def _say_memory(parameters: Any, threads: int) -> None:
    """Before it is taken."""
    needed, there = parameters.describe(threads).memory_bytes, _available()
    note(f"at most {size_text(needed)} of memory{f', {size_text(there)} are available' if there else ''}")
    if there is not None and needed > there:
        message = f"This needs {size_text(needed)} of memory, and {size_text(there)} are available."
        raise InputError("LTV_MEMORY", message, "Choose a smaller --ring, or --key-switching hybrid.")


@app.command("params")
def params(json: JsonFlag = False) -> None:
    """Show rings, slots, primes, sizes, and why this is for research only."""
    from .scheme import RINGS, LtvParameters

    rows = []
    for m in RINGS:
        for depth, hybrid in ((3, True), (3, False), (4, True), (4, False)):
            chosen = LtvParameters.default(m, depth, hybrid)
            rows.append((chosen, chosen.describe()))
    if json:
        print_json({"label": LABEL, "parameters": [asdict(one) | asdict(info) for one, info in rows]})
        return
    columns = ["ring", "n", "blocks", "S-box", "switching", "primes", "log2 q", "relinearisations", "keys", "memory"]
    table = [
        [
            str(one.m),
            str(info.n),
            str(info.slots),
            "3" if one.sbox_depth == 3 else "paper",
            one.switching,
            f"{one.primes} + {one.special}",
            f"{info.log2_q:.0f}",
            str(info.relinearisations),
            size_text(info.evaluation_bytes),
            size_text(info.memory_bytes),
        ]
        for one, info in rows
    ]
    print_table(columns, table, "Parameters of ten rounds of AES-128")
    print(LABEL)


@app.command("keygen")
def keygen(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the keys.")],
    ring: RingOption = "4369",
    sbox: SboxOption = "3",
    key_switching: SwitchingOption = "hybrid",
    seed: SeedOption = "",
    threads: ThreadsOption = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a secret key, too.")] = False,
    json: JsonFlag = False,
) -> None:
    """Make a secret key, its public key and evaluation keys. INSECURE BY DESIGN: for research only.

    Example: ringside ltv keygen --ring 4369 --out keys
    """
    from . import store
    from .scheme import LtvParameters, Scheme

    _research()
    if not force:
        store.check_place(out)
    chosen = LtvParameters.default(int(ring), 3 if sbox == "3" else 4, key_switching == "hybrid")
    _say_memory(chosen, threads)
    with Scheme(chosen, threads=threads) as scheme, progress_bar("Evaluation keys") as progress:
        store.make_keys(scheme, out, _seed(seed), progress)
        facts: dict[str, Any] = {
            "ring": chosen.m,
            "digest": scheme.digest,
            "evaluation_bytes": scheme.info.evaluation_bytes,
        }
    if json:
        print_json({"label": LABEL, "keys": str(out)} | facts)
    else:
        print_facts([("keys", str(out)), ("evaluation keys", size_text(facts["evaluation_bytes"]))])


@app.command("encrypt")
def encrypt(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder of what the server gets.")],
    keys: KeysOption,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="File to send as AES-CTR bytes; as many bytes as slots times 16 at most."),
    ] = None,
    block: Annotated[
        str, typer.Option("--block", help="Instead of counters: one block of 32 hexadecimal digits for all slots.")
    ] = "",
    aes_key: Annotated[str, typer.Option("--aes-key", help="AES key, 32 hexadecimal digits. Default: random.")] = "",
    seed: SeedOption = "",
    threads: ThreadsOption = 0,
    json: JsonFlag = False,
) -> None:
    """Encrypt an AES key's round keys for the server, and a file with AES itself. INSECURE BY DESIGN: for research only.

    Example: ringside ltv encrypt --keys keys --data message.txt --out job
    """
    from . import client, store
    from .scheme import BLOCK, Scheme

    _research()
    if data and block:
        raise UsageError("USAGE", "--data goes with counter blocks, --block sets others.", "Give one of them.")
    chosen = store.parameters_of(keys)
    key = _hexadecimal(aes_key, BLOCK, "--aes-key") if aes_key else secrets.token_bytes(BLOCK)
    given = _hexadecimal(block, BLOCK, "--block") if block else None
    with Scheme(chosen, threads=threads) as scheme, progress_bar("Round keys") as progress:
        owner = store.load_public(scheme, keys)
        sent = client.prepare(scheme.info.slots, key, data, given)
        store.write_job(scheme, out, owner, key, _seed(seed), sent.blocks, sent.data, sent.length, progress)
    size = sum(path.stat().st_size for path in out.iterdir())
    if json:
        print_json({"label": LABEL, "job": str(out), "bytes": size, "data_bytes": sent.length})
    else:
        print_facts([("job", str(out)), ("files", size_text(size)), ("data", size_text(sent.length))])


_Checkpoint = Annotated[
    Path | None, typer.Option("--checkpoint", metavar="DIR", help="Keep the state after each round there.")
]
_Resume = Annotated[
    bool, typer.Option("--resume", help="Go on after the round that --checkpoint has; the result is the same.")
]
_Noise = Annotated[
    bool, typer.Option("--noise", help="Show the noise of each level beside its bound: uses the secret key, a check.")
]
_Device = Annotated[
    str,
    typer.Option(
        "--device",
        metavar="sim:DESIGN",
        help="Compute one round once more on this design in RTL simulation, and compare all bits. sim:doroz-2 has two lanes, for ring 255.",
    ),
]
_CoreRound = Annotated[
    int,
    typer.Option("--core-round", min=1, max=10, help="Which one, with --device: the last ones have the fewest primes."),
]


@app.command("aes")
def aes(
    job: Annotated[Path, typer.Argument(metavar="JOB", help="Folder of `ringside ltv encrypt`.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Ciphertexts of the result.")],
    keys: KeysOption,
    checkpoint: _Checkpoint = None,
    resume: _Resume = False,
    noise: _Noise = False,
    device: _Device = "",
    core_round: _CoreRound = 10,
    backend: BackendOption = "",
    threads: ThreadsOption = 0,
    json: JsonFlag = False,
) -> None:
    """Compute AES-128 on ciphertexts, as the server. INSECURE BY DESIGN: for research only.

    With --device a simulated core computes the transforms and products of one round: S-boxes and relinearisation, windows or hybrid. Residues are
    lifted, reduced modulo Phi_m and added by the host. A round of ring 255 has some 8 million cycles, and takes half a minute.

    Example: ringside ltv aes job --keys keys --out result.ltv --checkpoint run

    Example: ringside ltv aes job --keys keys --out result.ltv --checkpoint run --resume

    Example: ringside ltv aes job --keys keys --out result.ltv --device sim:doroz-2
    """
    from . import files, server, store
    from .core.check import CoreCheck, parse_core
    from .scheme import RoundRecord, Scheme, Words

    _research()
    if resume and not checkpoint:
        raise UsageError("USAGE", "--resume needs --checkpoint.", "Name the folder of the run to go on with.")
    store.check_result(out)
    chosen = store.parameters_of(keys)
    _say_memory(chosen, threads)
    with Scheme(chosen, backend=backend, threads=threads) as scheme:
        core = CoreCheck(parse_core(device), scheme, core_round) if device else None
        owner = store.load_public(scheme, keys)
        if noise:
            store.load_secret(scheme, keys, owner)
        with progress_bar("Evaluation keys") as progress:
            store.load_evaluation(scheme, keys, owner, progress)
        found = store.read_job(scheme, job, owner)

        def round_key(number: int) -> Words:
            return store.round_key(scheme, found, number)

        def start() -> tuple[int, Words]:
            if resume and checkpoint:
                if (checkpoint / store.CHECKPOINT).exists():
                    return store.load_checkpoint(scheme, checkpoint, found)
                note(f"{checkpoint} has no round that is done: it begins with the first one")
            return server.begin(scheme, round_key, found.blocks)

        def done(record: RoundRecord, state: Words) -> None:
            if core:
                core.after(record.round, state)
            if checkpoint:
                store.save_checkpoint(scheme, checkpoint, found, record.round, state)
            _tell(record, scheme.info.relinearisations)

        before = core.before if core else None
        with progress_bar("Relinearisations") as progress:
            ended = server.evaluate(
                scheme, start, round_key, progress=progress, done=done, beforehand=before, noise=noise
            )
        if found.data is not None:
            scheme.add_blocks(ended.state, found.data)
        facts: dict[str, Any] = {"keys": owner, "bytes": found.length, "has_data": found.data is not None}
        total = files.write(out, "result", scheme, ended.state, **facts)
        told = {"backend": scheme.backend, "threads": scheme.info.threads, "blocks": scheme.info.slots}
        on_core = _on_core(core, keys, owner) if core else None
    if json:
        told["core"] = asdict(on_core) if on_core else None
        rounds = [asdict(record) for record in ended.records]
        found_out = {"label": LABEL, "result": str(out), "sum": total, "resumed_after": ended.first, "rounds": rounds}
        print_json(found_out | told)
    else:
        time = f"{ended.seconds:.2f} s, {1e3 * ended.seconds / scheme.info.slots:.2f} ms per block"
        lines = {"result": str(out), "SHA3-256": total, "rounds computed": str(len(ended.records)), "time": time}
        print_facts([*lines.items(), *([(f"on {on_core.design}", on_core.text)] if on_core else [])])


def _on_core(core: Any, keys: Path, owner: str) -> Any:
    """The round that a simulated core computes, with progress of its own; None: this run did not compute it."""
    from . import store

    if not core.is_ready:
        note(f"round {core.number} is not compared: this run began behind it")
        return None
    digits = list(store.evaluation_keys(core.scheme, keys, owner))
    with progress_bar("Building the model") as progress:
        opened = core.opened(digits, progress)
    with opened, progress_bar("Relinearisations on the core") as progress:
        return core.compute(opened, progress)


def _tell(record: Any, total: int) -> None:
    """One line per round, and the noise of its steps."""
    note(
        f"round {record.round} of 10: level {record.level}, {record.seconds:.2f} s, {total * record.round // 10} of {total} relinearisations"
    )
    for step in record.steps:
        note(
            f"  {step.name}: level {step.level}, noise 2^{step.rms:.1f}, largest 2^{step.max:.1f}, by formula 2^{step.predicted:.1f}, bound 2^{step.bound:.1f}"
        )


@app.command("decrypt")
def decrypt(
    result: Annotated[Path, typer.Argument(metavar="FILE", help="Result of `ringside ltv aes`.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The data, or AES's blocks if there were none.")],
    keys: KeysOption,
    threads: ThreadsOption = 0,
    json: JsonFlag = False,
) -> None:
    """Decrypt a result, as the client. INSECURE BY DESIGN: for research only.

    Example: ringside ltv decrypt result.ltv --keys keys --out message.txt
    """
    from . import client, store
    from .scheme import Scheme

    _research()
    store.check_result(out)
    chosen = store.parameters_of(keys)
    with Scheme(chosen, threads=threads) as scheme:
        owner = store.load_public(scheme, keys)
        store.load_secret(scheme, keys, owner)
        content, noise, bound = client.open_result(scheme, result, owner)
    write_bytes(out, content)
    if json:
        print_json({"label": LABEL, "out": str(out), "bytes": len(content), "log2_noise": noise, "log2_bound": bound})
    else:
        print_facts([("written", str(out)), ("noise", f"2^{noise:.1f}, allowed 2^{bound:.1f}")])


@app.command("time")
def time(
    ring: RingOption = "65535",
    sbox: SboxOption = "3",
    key_switching: SwitchingOption = "hybrid",
    skip_aes: Annotated[
        bool, typer.Option("--skip-aes", help="Single operations alone: seconds instead of minutes.")
    ] = False,
    backend: BackendOption = "",
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=256, help="For AES: times are sums of the threads', a wait is none.")
    ] = 1,
    json: JsonFlag = False,
) -> None:
    """Time single operations and ten rounds of AES in seconds of the processor, those of all threads; every slot is checked.

    `ringside figures refresh` records the figures, and `ringside report` shows them beside the paper's.

    Example: ringside ltv time --ring 65535 --sbox paper --key-switching windows
    """
    from . import timing
    from .scheme import LtvParameters

    _research()
    chosen = LtvParameters.default(int(ring), 3 if sbox == "3" else 4, key_switching == "hybrid")
    _say_memory(chosen, threads)
    with progress_bar("Relinearisations") as progress:
        found = timing.measure(chosen, backend, threads, progress, with_aes=not skip_aes)
    told = found | {"processor": processor_name()}
    if json:
        print_json({"label": LABEL} | told)
    else:
        facts = [(name, f"{value:.4g} {timing.UNITS[name]}") for name, value in found.items()]
        print_facts([*facts, ("processor", processor_name())])


@app.command("demo")
def demo(
    picture: Annotated[
        bool, typer.Option("--picture", help="Send a picture, and make a page of what client and server saw.")
    ] = False,
    image: Annotated[Path | None, typer.Option("--image", help="Picture to send. Default: one that is drawn.")] = None,
    ring: RingOption = "4369",
    sbox: SboxOption = "3",
    key_switching: SwitchingOption = "hybrid",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Default: build/ltv-demo or ltv-demo.")
    ] = None,
    backend: BackendOption = "",
    threads: ThreadsOption = 0,
    json: JsonFlag = False,
) -> None:
    """Client and server in one run: AES-CTR bytes go up, AES is computed on ciphertexts, and decrypted. INSECURE BY DESIGN.

    Without --picture the block of FIPS-197, appendix C.1, is in all slots, and the result is compared with the standard's.

    Example: ringside ltv demo --picture --ring 4369
    """
    import shlex
    import sys

    from . import demonstration
    from .scheme import LtvParameters

    _research()
    if image and not picture:
        raise UsageError("USAGE", "--image goes with --picture.", "Add --picture.")
    chosen = LtvParameters.default(int(ring), 3 if sbox == "3" else 4, key_switching == "hybrid")
    _say_memory(chosen, threads)
    options = demonstration.Options(
        chosen, picture, image, out, backend, threads, shlex.join(["ringside", *sys.argv[1:]])
    )
    with progress_bar("Relinearisations") as progress:
        outcome = demonstration.run(options, progress, lambda record, total: _tell_short(record, total))
    if json:
        print_json({"label": LABEL} | outcome.as_dict())
    else:
        print_facts(outcome.facts())
    if not outcome.passed:
        raise typer.Exit(1)


def _tell_short(record: Any, total: int) -> None:
    last = record.steps[-1]
    note(
        f"round {record.round} of 10: level {record.level}, {record.seconds:.2f} s, noise 2^{last.rms:.1f} of 2^{last.bound:.1f}, "
        f"{total * record.round // 10} of {total} relinearisations"
    )


@app.command("cycles")
def cycles(
    design: Annotated[
        str,
        typer.Argument(
            metavar="DESIGN",
            help="Named design or TOML file; options of the memory follow after commas. Default: the bus of PCI Express, "
            "latency=250,bandwidth=28.",
        ),
    ],
    op: Annotated[
        Literal["product", "relinearise"],
        typer.Option("--op", help="A product of two ciphertexts, or its relinearisation."),
    ] = "product",
    batch: Annotated[
        int,
        typer.Option("--batch", min=1, max=12, help="Ciphertexts that are relinearised side by side: they share keys."),
    ] = 1,
    hybrid: Annotated[
        bool, typer.Option("--hybrid", help="Hybrid key switching instead of the paper's windows of 16 bits.")
    ] = False,
    n: Annotated[int, typer.Option("--n", help="Points of a transform.")] = 65536,
    primes: Annotated[int, typer.Option("--primes", min=1, max=41, help="Of a ciphertext: 41 in the paper, 31.")] = 41,
    special: Annotated[int, typer.Option("--special", min=1, max=8, help="Special primes, with --hybrid.")] = 7,
    model_only: Annotated[
        bool, typer.Option("--model-only", help="Do not simulate: counted cycles alone, in a second.")
    ] = False,
    lift: Annotated[
        bool, typer.Option("--lift", help="With --hybrid: estimate besides what lifting by the lanes would take.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Count the cycles of an operation on an accelerator, and measure a part of it in RTL simulation.

    The part is a product modulo 3 primes, 8 windows, or hybrid switching modulo 2 primes. Its result is compared with the library's, and its cycles
    with those that the model counts. The whole is counted by the same model: scoreboard, bus and latency. Reduction modulo Phi_m, windows and
    modulus switching are the host's.

    Example: ringside ltv cycles doroz2015 --op relinearise --batch 2

    Example: ringside ltv cycles doroz2015,latency=250,bandwidth=31.5,overhead=24 --op product

    Example: ringside ltv cycles doroz2015 --op relinearise --batch 2 --hybrid --lift --model-only
    """
    from dataclasses import replace

    from ringside.sim.options import parse_simulated

    from .core.lifting import lifting
    from .hardware.cycles import BANDWIDTH, LATENCY, loading_rate, measure

    if lift and not hybrid:
        raise UsageError("USAGE", "--lift goes with --hybrid.", "Windows are not lifted.")
    wanted = parse_simulated(design)
    wanted = replace(wanted, numbers={"latency": LATENCY, "bandwidth": BANDWIDTH} | wanted.numbers)
    options: dict[str, Any] = {"points": n, "primes": primes, "batch": batch, "hybrid": hybrid, "special": special}
    with progress_bar("Building the model") as progress:
        found = measure(wanted, op, **options, simulate=not model_only, progress=progress)
    lifted = lifting(wanted.design, n, primes, special, loading_rate(wanted, n)) if lift else None
    if json:
        print_json(asdict(found) | ({"lifting": asdict(lifted)} if lifted else {}))
    else:
        print_facts([*found.facts(), *(lifted.facts() if lifted else [])])
