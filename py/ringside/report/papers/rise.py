# SPDX-License-Identifier: Apache-2.0
"""RISE: table I, the comparison of baseline, RACE and RISE, figures 8 to 10."""

from dataclasses import dataclass

from ...figures.tables import RISE as SYSTEMS_OF_RISE
from ...sim.options import ALONE
from ..layout import Bars, Grid, Headline, Ours, Section, Terms, ratio
from ..measurement import REPORT, Kind, Measurement, derive
from ..published import Paper, TableCell, number, whole

UNITS = (1, 2, 4, 8, 16, 32)
SYSTEMS = ("race", "rise-1", "rise-32", "ringside-32")
WHOLE = ("race", *SYSTEMS_OF_RISE, "rise-4e")  # with the processor, as in docs/soc.md; the last one encodes, too
NOT_WHOLE = [name for name in (f"rise-{lanes}" for lanes in UNITS) if name not in WHOLE]
WIDE = "rise-32-w64"  # words for 60-bit primes
BASELINE = "the RISC-V core alone"
ALONE_NAME = "processor alone"
PIXELS = {"QQVGA": 160 * 120, "QVGA": 320 * 240}
ENCODES = "rise-32e"  # slots in, ciphertext out
NETWORKS = (100, 1000)  # Mbit/s: the paper's two are not in the text
WORD_BITS = 32
CONVERSIONS = {"encrypt-pk-direct": "message to ciphertext", "decrypt": "ciphertext to message"}


@dataclass(frozen=True)
class Set:
    """limbs: 30-bit primes that 128-bit security, and the library of the baseline, allow at this N."""

    n: int
    limbs: int

    @property
    def name(self) -> str:
        return f"N = {self.n}, {self.limbs} × 30 bits"

    def ciphertexts(self, pixels: int) -> int:
        """One pixel in each of the N/2 slots."""
        return -(-pixels // (self.n // 2))

    @property
    def ciphertext_bits(self) -> int:
        return 2 * self.n * self.limbs * WORD_BITS


SETS = (Set(1024, 1), Set(2048, 1), Set(4096, 3), Set(8192, 6), Set(16384, 13))
# runs of whole systems: longer ones take an hour each; what a server sends back has one limb
WHOLE_SETS = {"encrypt-pk-direct": (Set(1024, 1), Set(4096, 3)), "decrypt": (Set(1024, 1), Set(4096, 1))}


def headlines(paper: Paper, ours: Ours) -> list[Headline]:
    printed, mine = paper.tables["ntt"].value("cycles", design="RISE", n=4096), ours.transform("rise-32", 4096)
    alone, beside = (ours.system(name, "encrypt-pk-direct", 4096, 3) for name in (ALONE, "rise-32"))
    gain = derive("×", "processor alone / with the core", lambda a, b: a / b, alone, beside)
    lost = next(value for what, value in paper.lost if what.startswith("latency"))
    times = "" if gain.value is None else f", {gain.value:.1f} times as fast as its processor alone"
    why = "Cycles of both. RISE does not print its number of butterfly units: its rows fit 32, which rise-32 has."
    return [
        Headline("transform, N = 4096, 30 bits", printed, mine, ratio(mine, printed), Terms.near, why),
        Headline(
            "processor and core encrypt, N = 4096, 3 primes",
            lost,
            beside,
            ratio(beside, lost),
            Terms.other,
            f"The paper's bars have no numbers in the text. Ours is from values to ciphertext{times}.",
        ),
    ]


def sections(paper: Paper, ours: Ours) -> list[Section]:
    return [_transform(paper, ours), _conversions(ours), _power_and_area(ours), _products(ours), _video(ours)]


# ---- table I --------------------------------------------------------------------------------------------------------
def _transform(paper: Paper, ours: Ours) -> Section:
    table = paper.tables["ntt"]
    rows: list[list[TableCell]] = []
    groups, printed, measured, bounds = [], [], [], []
    for row in table.rows:
        size, width, cycles = whole(row, "n"), whole(row, "bits"), number(row, "cycles")
        cells = [row[key] for key in ("design", "n", "bits", "cycles", "sram", "ports", "platform")]
        if row["design"] != "RISE":
            rows.append([*cells, "", "", "", ""])
            continue
        mine = ours.transform("rise-32" if width <= WORD_BITS else WIDE, size, width)
        bound = ours.bound(size, 32)
        rows.append([*cells, mine, ratio(mine, cycles), bound, _polynomial(size, WORD_BITS if width <= 32 else 64)])
        groups.append(f"N = {size}, {width} bits")
        printed.append(cycles)
        measured.append(mine)
        bounds.append(bound)
    columns = [column.head for column in table.columns]
    own = ["rise-32", "paper / ours", "bound of 32 units", "one polynomial, ours [KB]"]
    note = f"{table.caveat} Ours: the transform alone, from its start to its last write, 32 butterfly units, a prime of the same width."
    scaling: list[list[TableCell]] = []
    for lanes in UNITS:
        found = ours.transform(f"rise-{lanes}", 4096)
        bound = ours.bound(4096, lanes)
        over = derive("×", "cycles / bound", lambda mine, least: mine / least, found, bound)
        scaling.append([f"rise-{lanes}", str(lanes), found, bound, over])
    names = ["RISE, 32 units", "rise-32", "bound"]
    heads = ["design", "units", "cycles", "bound", "cycles / bound"]
    series = list(zip(names, [printed, measured, bounds], strict=True))
    return Section(
        "NTT of one limb: table I",
        [
            Grid("ntt", "Clock cycles and memory", [*columns, *own], rows, note),
            Bars("ntt-chart", "Clock cycles", "cycles", groups, series, log=True),
            Grid("scaling", "Butterfly units, N = 4096", heads, scaling),
        ],
    )


def _polynomial(n: int, word_bits: int) -> Measurement:
    return Measurement(n * word_bits / 8 / 1024, "KB", Kind.modelled, REPORT, f"N words of {word_bits} bits")


# ---- figure 7 -------------------------------------------------------------------------------------------------------
def _conversions(ours: Ours) -> Section:
    items: list[Grid | Bars] = []
    for op, name in CONVERSIONS.items():
        cycles = {system: [ours.cycles(system, op, one.n, one.limbs) for one in SETS] for system in SYSTEMS}
        rows: list[list[TableCell]] = [
            [one.name, *(cycles[system][index] for system in SYSTEMS)] for index, one in enumerate(SETS)
        ]
        title = name.capitalize()
        items += _whole(ours, op, title)
        items.append(Grid(op, f"{title} by cores alone, cycles", ["parameters", *SYSTEMS], rows, _note(op)))
        series = [(system, [ours.time(one) for one in cycles[system]]) for system in SYSTEMS]
        chart = f"{title} by cores alone at {ours.clock:g} MHz"
        items.append(Bars(f"{op}-chart", chart, "ms", [one.name for one in SETS], series, log=True))
    return Section(
        "Baseline, RACE, RISE: figure 7",
        items,
        "The paper's bars have no numbers in the text; the slides of Aloha-HE give 20 ms for RISE and 110 ms for RACE, without parameters. "
        "The paper's baseline is SEAL-Embedded on BlackParrot, ours this library on Rocket. Whole systems stand beside whole systems, and cores beside cores.",
    )


def _whole(ours: Ours, op: str, title: str) -> list[Grid | Bars]:
    """Cycles with the processor's part, as the paper's systems have it."""
    rows: list[list[TableCell]] = []
    series: dict[str, list[Measurement]] = {name: [] for name in (BASELINE, *WHOLE)}
    for one in WHOLE_SETS[op]:
        alone = ours.system(ALONE, op, one.n, one.limbs)
        rows.append([one.name, ALONE, alone, alone, "", ""])
        series[BASELINE].append(ours.time(alone))
        for system in WHOLE:
            both = ours.system(system, op, one.n, one.limbs)
            core = ours.system_core(system, op, one.n, one.limbs)
            processor = derive("cycles", "both - core", lambda a, b: a - b, both, core)
            times = derive("×", "processor alone / with the core", lambda a, b: a / b, alone, both)
            rows.append([one.name, system, both, processor, core, times])
            series[system].append(ours.time(both))
    return [
        Grid(
            f"{op}-systems",
            f"{title} by whole systems, cycles",
            ["parameters", "design", "both", "the processor", "the core", "faster than the processor alone by"],
            rows,
            "Rocket and core, from the values to the ciphertext or back: encoding or decoding, driver, core, one after the other. "
            f"rise-4e encodes and decodes in the core. Not simulated as systems: {', '.join(NOT_WHOLE)}; `ringside soc run NAME` does it.",
        ),
        Bars(
            f"{op}-systems-chart",
            f"{title} by whole systems at {ours.clock:g} MHz",
            "ms",
            [one.name for one in WHOLE_SETS[op]],
            list(series.items()),
            log=True,
        ),
    ]


def _note(op: str) -> str:
    if op == "decrypt":
        return "c0 + c1 s and the inverse transform; decoding is the processor's. All limbs."
    return (
        "Public key, no special prime, as in the paper's equations (1) and (2); encoding is the processor's. From doorbell to interrupt: "
        "sampling (not for race), transforms, transfers."
    )


# ---- figures 8 and 9 ------------------------------------------------------------------------------------------------
def _power_and_area(ours: Ours) -> Section:
    tile = ours.processor_area()
    systems = [ALONE_NAME, *(f"with {system}" for system in SYSTEMS)]
    together = [tile, *(_with_processor(tile, ours.area(system)) for system in SYSTEMS)]
    power = [ours.energy(system, "power_mw") for system in SYSTEMS]
    alone: list[list[TableCell]] = [
        [name, *(ours.processor_power(op, figure) for figure in ("power_mw", "clock_mhz"))]
        for op, name in CONVERSIONS.items()
    ]
    lut = [ours.resource(system, "lut") for system in SYSTEMS]
    fpga: list[list[TableCell]] = []
    for design in ("race", *(f"rise-{lanes}" for lanes in UNITS), "ringside-32"):
        found = [ours.resource(design, figure) for figure in ("lut", "ff", "dsp")]
        fpga.append([design, *found, ours.bram(design), ours.resource(design, "memory_bits")])
    return Section(
        "Power and area: figure 8",
        [
            Bars("area", "Area of whole systems in standard cells", "mm²", systems, [("area", together)]),
            Bars("power", "Power of cores alone in standard cells, encrypting", "mW", [*SYSTEMS], [("power", power)]),
            Grid("power-processor", "Power of the processor alone", ["operation", "power", "at a clock of"], alone),
            Bars("fpga-lut", "LUTs of cores on a 7-series FPGA", "LUT", [*SYSTEMS], [("LUT", lut)]),
            Grid("fpga", "On a 7-series FPGA", ["design", "LUT", "FF", "DSP", "BRAM36", "memory [bits]"], fpga),
        ],
        "The processor is Rocket's tile with its caches, as RISE's systems contain one; cores are for N up to 16384. Power is that of an encryption, each at its own clock.",
    )


def _products(ours: Ours) -> Section:
    items: list[Grid | Bars] = []
    groups = [one.name for one in SETS]
    for op, name in CONVERSIONS.items():
        cycles = {system: [ours.cycles(system, op, one.n, one.limbs) for one in SETS] for system in SYSTEMS}
        time = {system: [ours.time(found) for found in counts] for system, counts in cycles.items()}
        adp, edp, on_fpga = [], [], []
        for system in SYSTEMS:
            area, lut = ours.area(system), ours.resource(system, "lut")
            power = ours.energy(system, "power_mw"), ours.asic(system, "fmax_mhz")
            adp.append((system, [derive("mm² ms", "area × latency", _product, area, one) for one in time[system]]))
            edp.append((system, _energy_delays(ours, *power, cycles[system])))
            on_fpga.append((system, [derive("LUT ms", "LUT × latency", _product, lut, one) for one in time[system]]))
        title = name.capitalize()
        items += [
            _whole_products(ours, op, title),
            Bars(f"{op}-adp", f"{title} by cores alone, area-delay product", "mm² ms", groups, adp, log=True),
            Bars(f"{op}-edp", f"{title} by cores alone, energy-delay product", "µJ ms", groups, edp, log=True),
            Bars(f"{op}-lut", f"{title} by cores alone, LUT-delay product", "LUT ms", groups, on_fpga, log=True),
        ]
    return Section("Area-delay and energy-delay products: figure 9", items, f"Latency at {ours.clock:g} MHz.")


def _whole_products(ours: Ours, op: str, title: str) -> Grid:
    """Products of processor and core together."""
    processor = ours.processor_area()
    areas = {system: _with_processor(processor, ours.area(system)) for system in WHOLE}
    rows: list[list[TableCell]] = []
    for one in WHOLE_SETS[op]:
        alone = ours.time(ours.system(ALONE, op, one.n, one.limbs))
        base = derive("mm² ms", "area × latency", _product, processor, alone)
        rows.append([one.name, ALONE, processor, base, ""])
        for system in WHOLE:
            time = ours.time(ours.system(system, op, one.n, one.limbs))
            found = derive("mm² ms", "area × latency", _product, areas[system], time)
            smaller = derive("×", "processor alone / with the core", lambda a, b: a / b, base, found)
            rows.append([one.name, system, areas[system], found, smaller])
    return Grid(
        f"{op}-whole-adp",
        f"{title} by whole systems, area-delay product",
        ["parameters", "design", "area", "area × latency", "smaller than the processor's alone by"],
        rows,
        "Rocket's tile and the core; encoding or decoding, driver, core.",
    )


def _with_processor(tile: Measurement, core: Measurement) -> Measurement:
    return derive("mm²", "processor + core", lambda a, b: a + b, tile, core)


def _product(area: float, time: float) -> float:
    return area * time


def _energy_delays(ours: Ours, power: Measurement, clock: Measurement, cycles: list[Measurement]) -> list[Measurement]:
    """power: at this clock. What a cycle takes hardly depends on it."""

    def product(milliwatts: float, megahertz: float, count: float, milliseconds: float) -> float:
        return milliwatts / megahertz * count / 1e3 * milliseconds

    return [
        derive("µJ ms", "power / its clock × cycles × latency", product, power, clock, one, ours.time(one))
        for one in cycles
    ]


# ---- figure 10 ------------------------------------------------------------------------------------------------------
def _video(ours: Ours) -> Section:
    items: list[Grid | Bars] = []
    for frame, pixels in PIXELS.items():
        series = []
        for system in SYSTEMS:
            values = [
                _frames(ours.cycles(system, "encrypt-pk-direct", one.n, one.limbs), one, pixels, ours.clock)
                for one in SETS
            ]
            series.append((system, values))
        networks = [(f"network, {rate} Mbit/s", [_carried(one, pixels, rate) for one in SETS]) for rate in NETWORKS]
        series += networks
        groups = [f"{one.name}: {one.ciphertexts(pixels)} ct" for one in SETS]
        title = f"{frame}, {pixels:,} pixels"
        chart = Bars(f"fps-{frame.lower()}", f"{title}, by cores alone", "frames/s", groups, series, log=True)
        whole: list[list[TableCell]] = []
        for index, one in enumerate(SETS):
            if one not in WHOLE_SETS["encrypt-pk-direct"]:
                continue
            cycles = [ours.system(name, "encrypt-pk-direct", one.n, one.limbs) for name in (ALONE, *WHOLE)]
            rates = [_frames(found, one, pixels, ours.clock) for found in cycles]
            whole.append([groups[index], *rates, *(carried[index] for _, carried in networks)])
        heads = ["parameters", "processor alone", *(f"with {name}" for name in WHOLE), *(name for name, _ in networks)]
        note = "Encoding, driver and core, one after the other."
        items += [Grid(f"fps-{frame.lower()}-systems", f"{title}, by whole systems", heads, whole, note), chart]
    items.append(_encoded(ours))
    return Section(
        "Frames per second against the network: figure 10",
        items,
        f"One grey pixel per slot, N/2 slots in a ciphertext (ct); charts: encryption alone at {ours.clock:g} MHz, one ciphertext after the other. "
        "Encoding is in whole systems only.",
    )


def _encoded(ours: Ours) -> Grid:
    """Bytes of a picture in memory to ciphertexts in memory, by the core alone."""
    one = Set(4096, 1)
    rows: list[list[TableCell]] = []
    for kind, what in (("pk-direct", "public key"), ("sk", "secret key, seeded")):
        first = ours.frame(ENCODES, f"encode-encrypt-{kind}", one.n, first=True)
        further = ours.frame(ENCODES, f"encode-encrypt-{kind}", one.n)
        rates = [_frames(further, one, pixels, ours.clock) for pixels in PIXELS.values()]
        alone = ours.cycles(ENCODES, f"encrypt-{kind}", one.n)
        rows.append([what, first, further, alone, *rates])
    heads = ["encryption", "the first ciphertext", "a further one", "without encoding", *PIXELS]
    counts = ", ".join(f"{name} {one.ciphertexts(pixels)}" for name, pixels in PIXELS.items())
    return Grid(
        "fps-encoded",
        f"Pixels to ciphertexts by {ENCODES}, encoding included, {one.name}",
        heads,
        rows,
        f"Cycles, and frames per second at {ours.clock:g} MHz of a stream of pictures, one after the other; ciphertexts of a picture: {counts}. "
        "The processor only writes registers.",
    )


def _carried(one: Set, pixels: int, rate: int) -> Measurement:
    """Frames per second that a network carries."""
    return Measurement(
        rate * 1e6 / (one.ciphertexts(pixels) * one.ciphertext_bits),
        "frames/s",
        Kind.modelled,
        REPORT,
        f"{rate} Mbit/s / ({one.ciphertexts(pixels)} ciphertexts of {one.ciphertext_bits // 8:,} bytes)",
        caveat="An assumed bandwidth: the paper's are not in the text.",
    )


def _frames(cycles: Measurement, one: Set, pixels: int, clock: float) -> Measurement:
    count = one.ciphertexts(pixels)
    formula = f"{clock:g} MHz / ({count} ciphertexts × cycles)"
    return derive("frames/s", formula, lambda found: clock * 1e6 / (count * found), cycles)
