# SPDX-License-Identifier: Apache-2.0
"""Lee 2023: tables 2 to 5."""

from ...synth.chips import DEVICES
from ..layout import Bars, Grid, Headline, Ours, Section, Terms, ratio, share
from ..measurement import REPORT, Kind, Measurement, derive
from ..published import Paper, TableCell, number, whole

LIKE = "lee2023"  # streams two words of 64 bits per cycle, as the paper's pipelines do, with 74 modular multipliers
FAST = "ringside-stream"  # four words, over two ports to memory
NEAR = "ringside-32"  # 32 multipliers, but of 32 bits
CLOCK = 250.0  # MHz, the paper's
PARAMS = {4096: "lee-12", 8192: "lee-13", 16384: "lee-14", 32768: "lee-15", 65536: "lee-16"}
ENCRYPT, DECRYPT = "encode_encrypt_pk", "decrypt_decode_full"
BUTTERFLY = 22  # cycles, hw/stream, words of 64 bits, word-level Montgomery
STREAM_COMMAND = "RINGSIDE_SOAK=1 build/venv/bin/python -m pytest hw/stream/tb -k longest -s"
MULTIPLIERS_LIKE = 74  # multipliers of `lee2023`: docs/engines.md
MULTIPLIERS = 192  # modular, of the encryption: 12,288 DSP of 64 each
DEVICE = "xcu250"  # the paper's
TRANSFORMS = "rs_stream_ntt"  # three in lock step
NONE = "–"
NARROW = 8192  # up to this N the paper's moduli have 20 and 30 bits, later 48 and 60


def headlines(paper: Paper, ours: Ours) -> list[Headline]:
    batches = {n: ours.batch(LIKE, name) for n, name in PARAMS.items()}
    n = max((n for n, found in batches.items() if found.value is not None), default=max(PARAMS))
    [row] = paper.tables["operations"].select(n=n)
    printed, rate = number(row, "encrypt"), ours.rate(batches[n], CLOCK)

    def each(found: Measurement, multipliers: int) -> Measurement:
        return derive("1/s", f"rate / {multipliers} multipliers", lambda value: value / multipliers, found)

    theirs, mine = each(printed, MULTIPLIERS), each(rate, MULTIPLIERS_LIKE)
    why = "Computed from the line above. The paper's rate counts level passes where its schedule has level + 2."
    return [
        Headline(
            f"encryptions per second, N = {n}",
            printed,
            rate,
            share(rate, printed),
            Terms.near,
            f"At the paper's clock, words of 64 bits. Ours has {MULTIPLIERS_LIKE} multipliers, the paper {MULTIPLIERS}; ours samples and transfers, too.",
        ),
        Headline(f"the same for each multiplier, N = {n}", theirs, mine, share(mine, theirs), Terms.near, why),
    ]


def sections(paper: Paper, ours: Ours) -> list[Section]:
    return [_transform(paper, ours), _operations(paper, ours), _stream(paper, ours), _resources(paper, ours)]


def _transform(paper: Paper, ours: Ours) -> Section:
    rows: list[list[TableCell]] = []
    groups, printed, alike, near = [], [], [], []
    for row in paper.tables["ntt"].select(design="Lee 2023"):
        n, theirs = whole(row, "n"), number(row, "latency")
        same = ours.time(_latency(n), "µs", CLOCK)
        interval = Measurement(n / 2, "cycles", Kind.modelled, REPORT, "N/2: limbs follow each other without a pause")
        other = ours.time(ours.transform(NEAR, n), "µs", CLOCK)
        rows.append(
            [row["n"], theirs, same, ratio(same, theirs), _their_interval(n), interval, other, ours.bound(n, 32)]
        )
        groups.append(f"N = {n}")
        printed.append(theirs)
        alike.append(same)
        near.append(other)
    columns = ["N", "paper, 64 bits [µs]", f"{LIKE}, 64 bits [µs]", "paper / ours"]
    columns += ["paper, transform after transform [cycles]", f"{LIKE} likewise [cycles]", f"{NEAR}, 32 bits [µs]"]
    series = [("paper, 64 bits", printed), (f"{LIKE}, 64 bits", alike), (f"{NEAR}, 32 bits", near)]
    return Section(
        "Transform: tables 2 and 3",
        [
            Grid("ntt", f"Latency at {CLOCK:g} MHz", [*columns, "bound of 32 lanes [cycles]"], rows),
            Bars("ntt-chart", f"Latency at {CLOCK:g} MHz", "µs", groups, series),
        ],
        "The paper's pipeline has 31 multipliers of 64 bits; a streaming transform of ours has 16, two words per cycle too. Its latency is that of the RTL in "
        "simulation (hw/stream/README.md), of which tests compare the formula. The paper's latency leaves out the loading of twiddle factors, which its pipeline "
        f"cannot overlap; ours are made on the way. {NEAR} has 32, of 32 bits: its times are for a 30-bit prime, and no comparison "
        "at equal width.",
    )


def _latency(n: int) -> Measurement:
    """Cycles from the first word in to the first word out, of rs_stream_ntt with two words of 64 bits per cycle: rs_stream_pkg::latency."""
    log_n = n.bit_length() - 1
    cycles = n // 2 - 1 + BUTTERFLY * log_n + log_n - 1
    source = f"N/2 - 1 + {BUTTERFLY} log2 N + log2 N - 1: rs_stream_pkg::latency, word-level Montgomery"
    return Measurement(cycles, "cycles", Kind.modelled, STREAM_COMMAND, source)


def _their_interval(n: int) -> Measurement:
    return Measurement(
        2 * n + 45 * (n.bit_length() - 1) + 2, "cycles", Kind.modelled, REPORT, "2 N + 45 log2 N + 2 (section 4.2.2)"
    )


def _of_batch(ours: Ours, design: str, op: str, n: int) -> Measurement:
    """One of sixteen in a call."""
    return ours.batch(design, PARAMS[n], op=op)


def _operations(paper: Paper, ours: Ours) -> Section:
    items: list[Grid | Bars] = []
    for key, operation, op in (("encrypt", ENCRYPT, "encrypt-pk"), ("decrypt", DECRYPT, "decrypt")):
        rows: list[list[TableCell]] = []
        groups: list[str] = []
        columns: list[list[Measurement]] = [[] for _ in range(7)]
        for row in paper.tables["operations"].rows:
            n, limbs = whole(row, "n"), whole(row, "level") + 1
            cpu, fpga = number(row, f"{key}_cpu"), number(row, key)
            near = ours.lacking("1/s", NEAR, f"its words do not hold the moduli of N = {n}", "words of 32 bits")
            if n <= NARROW:
                near = ours.rate(ours.cycles(NEAR, op, n, limbs), CLOCK)
            found = [
                cpu, ours.processor(PARAMS[n], operation, "seal-hexl"),
                ours.processor(PARAMS[n], operation, "ringside"), fpga,
                ours.rate(_of_batch(ours, LIKE, op, n), CLOCK), ours.rate(_of_batch(ours, FAST, op, n), CLOCK), near,
            ]  # fmt: skip
            rows.append([row["n"], row["level"], *found])
            groups.append(f"N = {n}, level {limbs - 1}")
            for column, value in zip(columns, found, strict=True):
                column.append(value)
        names = [
            "SEAL, paper's i7", "SEAL+HEXL, here", "Ringside, here", "paper's XCU250", LIKE, FAST, f"{NEAR}, 32 bits",
        ]  # fmt: skip
        title = f"{key.capitalize()}ions per second"
        items += [
            Grid(key, title, ["N", "level", *names], rows, paper.tables["operations"].caveat),
            Bars(f"{key}-chart", title, "1/s", groups, list(zip(names, columns, strict=True)), log=True),
        ]
    return Section(
        "Against SEAL: table 4",
        items,
        "Public key, rounded by the special prime. What the paper's rates leave out: the sampling of u and the errors, encoding, transfers; and two of "
        "level + 2 passes over a modulus, of which its rates count level. SEAL's own rates contain the sampling and the encoding. Rates of "
        f"{LIKE} and {FAST} contain sampling, rounding and all transfers: of a frame among sixteen, from messages in memory to ciphertexts in memory, bit-identical with the library's. "
        "Their decryptions are frames among sixteen in a call, on the lanes, from ciphertexts in memory to residues in memory; the paper's count level of level + 1 moduli. "
        "Here, on one core, times contain encoding and decoding; the paper's are encryption and "
        f"decryption only. {NEAR} at {CLOCK:g} MHz, from doorbell to interrupt: with sampling and transfers, and the inverse transform of "
        "decryption, which the paper leaves out.",
    )


def _stream(paper: Paper, ours: Ours) -> Section:
    """The same work, by what it takes."""
    grids = [
        _streamed(paper, ours, LIKE, "stream", f"Sixteen frames in a program, {CLOCK:g} MHz"),
        _streamed(paper, ours, FAST, "stream-four", f"Four words per cycle, two ports to memory, {CLOCK:g} MHz"),
    ]
    return Section(
        "Encryption as a stream",
        grids,
        f"The paper's encryption has {MULTIPLIERS} modular multipliers (12,288 DSP), {LIKE} 74: three transforms of 16 stages, their twiddles, the products around them, and 16 lanes "
        f"for the part of the special prime; {FAST} has 148, of them 32 lanes. They need 3 L + 3 transforms of a frame, because errors are rounded before they are added, and read three words and write two "
        "of each coefficient and modulus. The paper states no bandwidth of its memory.",
    )


def _streamed(paper: Paper, ours: Ours, design: str, key: str, title: str) -> Grid:
    rows: list[list[TableCell]] = []
    for row in paper.tables["operations"].rows:
        n, level = whole(row, "n"), whole(row, "level")
        theirs, cycles = number(row, "encrypt"), ours.batch(design, PARAMS[n])
        interval = _their_interval(n)
        schedule = derive(
            "1/s",
            "250 MHz / ((level + 2) passes)",
            lambda one, rounds=level + 2: CLOCK * 1e6 / (rounds * one),
            interval,
        )
        rate = ours.rate(cycles, CLOCK)
        gain = derive("×", "ours / paper", lambda mine, printed: mine / printed, rate, theirs)
        figures = [
            ours.batch(design, PARAMS[n], f"stream.{figure}")
            for figure in ("utilisation", "read_bytes", "written_bytes")
        ]
        rows.append([row["n"], row["level"], theirs, schedule, cycles, rate, gain, *figures])
    columns = [
        "N", "level", "paper [1/s]", "paper, by its own schedule [1/s]", f"{design} [cycles per frame]",
        f"{design} [1/s]", "ours / paper", "products / (multipliers × cycles)", "read [bytes per cycle]",
        "written [bytes per cycle]",
    ]  # fmt: skip
    return Grid(key, title, columns, rows)


def _resources(paper: Paper, ours: Ours) -> Section:
    modules = paper.tables["modules"]
    rows: list[list[TableCell]] = [
        [f"paper: {row['module']}", row["lut"], row["ff"], row["dsp"], row["bram"]] for row in modules.rows
    ]
    for row in paper.tables["accelerators"].rows:
        rows.append([f"paper: {row['design']}", row["lut"], row["ff"], row["dsp"], row["bram"]])
    rows = [[*row, NONE] for row in rows]
    for design in (LIKE, FAST):
        transforms = _cells_of(ours, design, TRANSFORMS)
        third = [derive(one.unit, "a third of three", lambda value: value / 3, one) for one in transforms]
        rows.append([f"{design}: one of three transforms", *third])
    for design in (LIKE, FAST, NEAR):
        rows.append([design, *_cells_of(ours, design)])
    columns = ["module", "LUT", "FF", "DSP", "BRAM36", "URAM"]
    theirs = [
        number(paper.tables["accelerators"].select(design="encryption")[0], key) for key in ("lut", "ff", "dsp", "bram")
    ]
    shares: list[list[TableCell]] = [["paper: encryption", *map(_share, theirs, _there()), NONE]]
    for design in (LIKE, FAST):
        shares.append([design, *map(_share, _cells_of(ours, design), _there())])
    return Section(
        "Resources: tables 2 and 5",
        [
            Grid("resources", "FPGA resources", columns, rows),
            Grid("shares", "Of an XCU250, in per cent", columns, shares),
        ],
        f"Ours are mapped for the paper's device and not placed, long memories as URAM. What the paper's encryption leaves out, {LIKE} and {FAST} have in them: samplers with Keccak, "
        "bus and transposition, the sequencer, the part of the special prime and decryption on the lanes, and memory for polynomials of two frames. "
        f"{NEAR} does encryption and decryption, samples and transfers included, N up to 16384, 32-bit words.",
    )


def _cells_of(ours: Ours, design: str, part: str = "") -> list[Measurement]:
    counts = [ours.resource(design, figure, DEVICE, part) for figure in ("lut", "ff", "dsp", "uram")]
    return [*counts[:3], ours.bram(design, DEVICE, part), counts[3]]


def _there() -> list[int]:
    """Cells of the device, in the order of _cells_of."""
    chip = DEVICES[DEVICE]
    return [chip.lut, chip.ff, chip.dsp, chip.bram18 // 2, chip.uram]


def _share(count: Measurement, there: int) -> Measurement:
    return derive("%", f"of {there:,}", lambda value: 100 * value / there, count)
