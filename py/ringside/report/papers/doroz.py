# SPDX-License-Identifier: Apache-2.0
"""Doröz 2015: the polynomial multiplier of LTV on a design of ours, and its scheme and AES on a processor."""

from ...synth.chips import DEVICES
from ..layout import Bars, Grid, Headline, Ours, Section, Terms, ratio
from ..measurement import REPORT, Kind, Measurement, derive
from ..published import Paper, TableCell

LIKE = "doroz2015"  # a design with 64 products per cycle, as the paper's 256 multipliers make, and transforms of 65536 points
POINTS, LEVELS = 65536, 15  # the first level's twiddle factors are all 1
MULTIPLIERS, INTERVAL = 256, 4  # a multiplier starts a product every four cycles
BITS = 31


def headlines(paper: Paper, ours: Ours) -> list[Headline]:
    levels = derive("cycles", f"{LEVELS} levels", lambda level: LEVELS * level, paper.fact("level_cycles"))
    transform, block = ours.transform(LIKE, POINTS, BITS), ours.evaluator("3", "hybrid", "aes_block", aes=True)
    return [
        Headline(
            f"transform of {POINTS} points, {MULTIPLIERS} multipliers",
            levels,
            transform,
            ratio(transform, levels),
            Terms.equal,
            "Cycles of both, the same number of multipliers of the same width.",
        ),
        Headline(
            "AES-128 on ciphertexts, a block",
            paper.fact("aes"),
            block,
            ratio(block, paper.fact("aes")),
            Terms.other,
            "The paper estimates for its FPGA; ours ran on one core of a processor, with another circuit. Insecure, both.",
        ),
    ]


def sections(paper: Paper, ours: Ours) -> list[Section]:
    transform = ours.transform(LIKE, POINTS, BITS)
    bound = Measurement(
        LEVELS * POINTS / 2 * INTERVAL / MULTIPLIERS,
        "cycles",
        Kind.modelled,
        REPORT,
        f"{LEVELS} levels of N/2 products, {MULTIPLIERS} multipliers, one product in {INTERVAL} cycles each",
    )
    inner = paper.fact("inner_cycles")
    product_bound = derive(
        "cycles", "3 transforms + 2 coefficientwise products", lambda one, two: 3 * one + 2 * two, bound, inner
    )
    product = derive(
        "cycles", "3 transforms + 2 coefficientwise products", lambda one, two: 3 * one + 2 * two, transform, inner
    )
    clock = paper.fact("clock")
    in_paper = derive("cycles", "time × clock", lambda time, mhz: time * mhz, paper.fact("product_time"), clock)
    rows: list[list[TableCell]] = [
        [
            "products of one transform",
            derive("cycles", f"{LEVELS} levels", lambda level: LEVELS * level, paper.fact("level_cycles")),
            transform,
            bound,
        ],
        ["product, as printed in cycles", paper.fact("product_cycles"), product, product_bound],
        ["product, from the printed time", in_paper, product, product_bound],
    ]
    per_prime = derive("ms", "cycles / clock × 41 primes", lambda cycles, mhz: 41 * cycles / mhz / 1e3, product, clock)
    at_bound = derive(
        "ms", "cycles / clock × 41 primes", lambda cycles, mhz: 41 * cycles / mhz / 1e3, product_bound, clock
    )
    rows.append(["all 41 primes, computing [ms]", paper.fact("multiply_compute"), per_prime, at_bound])
    in_ms = derive("ms", "µs / 1000", lambda time: time / 1e3, paper.fact("product_time"))
    once = derive("ms", "cycles / clock", lambda cycles, mhz: cycles / mhz / 1e3, product, clock)
    steps = {"one product": (in_ms, once), "all primes, computing": (paper.fact("multiply_compute"), per_prime)}
    steps |= {
        "all primes, with transfers": (
            paper.fact("multiply"),
            ours.evaluator_core(LIKE, "product", 1, False, "milliseconds"),
        ),
        "reduction, by a processor": (paper.fact("reduction"), ours.evaluator("paper", "windows", "reduction")),
        "CRT, by a processor": (paper.fact("crt"), ours.evaluator("paper", "windows", "windows")),
        "relinearisation by windows": (
            paper.fact("relin"),
            ours.evaluator_core(LIKE, "relinearise", 2, False, "milliseconds"),
        ),
    }
    series = [("paper", [theirs for theirs, _ in steps.values()]), ("ours", [mine for _, mine in steps.values()])]
    return [
        _on_core(paper, ours),
        _parts(paper, ours),
        _area(paper, ours),
        _operations(paper, ours),
        _aes(paper, ours),
        _elsewhere(paper, ours),
        Section(
            "Polynomial product",
            [
                Grid("product", "Cycles at 256 multipliers of 32 bits", ["what", "paper", LIKE, "bound"], rows),
                Bars("steps", "Time of an operation", "ms", list(steps), series, log=True),
            ],
            "A product modulo one 32-bit prime is two transforms of 65536 points, a coefficientwise product, an inverse transform and a scaling. "
            f"In the chart {LIKE} computes and relinearises, and one core of a processor reduces and makes windows.",
        ),
    ]


# ---- products and relinearisation on doroz2015: a part measured in RTL, the whole counted ------------------------------------------
ON_CORE = (
    ("product, all 41 primes", "multiply", "product", 1, False),
    ("relinearisation by windows, batch of 2", "relin", "relinearise", 2, False),
    ("relinearisation by hybrid switching, batch of 2", "", "relinearise", 2, True),
)


def _on_core(paper: Paper, ours: Ours) -> Section:
    rows: list[list[TableCell]] = []
    for name, fact, op, batch, hybrid in ON_CORE:
        figures = [
            ours.evaluator_core(LIKE, op, batch, hybrid, path)
            for path in ("milliseconds", "part.measured", "part.modelled")
        ]
        figures.append(ours.evaluator_busy(LIKE, op, batch, hybrid))
        rows.append([name, paper.fact(fact) if fact else "-", *figures])
    return Section(
        f"Products and relinearisation on {LIKE}",
        [
            Grid(
                "ltv-core",
                "65536 points, 31-bit primes, 250 MHz, a bus of 28 bytes per cycle with a latency of 250 cycles",
                ["what", "paper", "whole, counted", "part, in RTL", "part, by the model", "lanes busy"],
                rows,
            )
        ],
        "The part is a product modulo three primes, eight windows of two ciphertexts, or hybrid switching of two modulo two primes: its words are "
        "compared with the library's, its cycles with the model's. The whole is counted by that model, for one ciphertext, and was not simulated. Reduction modulo "
        "Φ, integers from residues and modulus switching are the host's, whose times are in the next table.",
    )


def _parts(paper: Paper, ours: Ours) -> Section:
    """Computing and waiting for the bus: the paper adds them, a core that loads ahead does not."""
    rows: list[list[TableCell]] = []
    facts = {"product": ("multiply_compute", "multiply_pcie"), "relinearise": ("relin_ntt", "relin_pcie")}
    for name, _, op, batch, hybrid in ON_CORE:
        whole = ours.evaluator_core(LIKE, op, batch, hybrid, "milliseconds")
        busy = ours.evaluator_busy(LIKE, op, batch, hybrid)
        computing = derive("ms", "whole × busy", lambda ms, part: ms * part / 100, whole, busy)
        waiting = derive("ms", "whole × idle", lambda ms, part: ms * (1 - part / 100), whole, busy)
        theirs = ["-", "-"] if hybrid else [paper.fact(key) for key in facts[op]]
        rows.append([name, theirs[0], computing, theirs[1], waiting])
    columns = ["what", "paper: computing", f"{LIKE}: computing", "paper: transfers", f"{LIKE}: waiting for the bus"]
    return Section(
        "Computing and transfers",
        [Grid("ltv-parts", "Parts of these times [ms]", columns, rows)],
        "The paper adds transfers and computing. Ours come while the lanes compute the step before, so what counts of them is the time in which the lanes wait. "
        f"Keys in NTT form have {POINTS} words for each prime, and are loaded once for two ciphertexts.",
    )


CHIP = "xc7vx690t"


def _area(paper: Paper, ours: Ours) -> Section:
    chip = DEVICES[CHIP]
    dsp = derive("DSP", "3 of a multiplier", lambda count: 3 * count, paper.fact("multipliers"))
    lut, ff, mine = (ours.resource(LIKE, figure) for figure in ("lut", "ff", "dsp"))
    pairs: list[tuple[str, TableCell, Measurement, float]] = [
        ("LUT", "-", lut, chip.lut),
        ("FF", "-", ff, chip.ff),
        ("DSP", dsp, mine, chip.dsp),
        ("BRAM36", "-", ours.bram(LIKE), chip.bram18 / 2),
    ]
    rows: list[list[TableCell]] = [
        [name, theirs, count, derive("%", "of the device", lambda used, there=there: 100 * used / there, count)]
        for name, theirs, count, there in pairs
    ]
    return Section(
        f"Cells of an {CHIP.upper()}",
        [Grid("ltv-area", "Mapped, not placed", ["cells", "paper", LIKE, "of the device [%]"], rows)],
        "The paper's DSPs follow from its text: 256 multipliers of three each. Its other numbers are in a table that its text lacks. A product takes "
        f"{LIKE} six DSPs, and 64 lanes make as many products per cycle as the paper's multipliers, each of which takes four cycles for one.",
    )


# ---- the whole system: ringside-ltv on one core of a processor ---------------------------------------------------------------------
# S-box, key switching, and what its column is called
VARIANTS = (
    ("paper", "windows", "paper's circuit, windows"),
    ("paper", "hybrid", "paper's circuit, hybrid"),
    ("3", "hybrid", "depth 3, hybrid"),
)


def _operations(paper: Paper, ours: Ours) -> Section:
    def of(figure: str) -> list[Measurement]:
        return [ours.evaluator(sbox, switching, figure) for sbox, switching, _ in VARIANTS]

    transform = derive(
        "µs", "cycles / clock", lambda cycles, mhz: cycles / mhz, paper.fact("product_cycles"), paper.fact("clock")
    )
    product = derive(
        "ms", "product + reduction", lambda one, two: one + two, paper.fact("multiply"), paper.fact("reduction")
    )
    pairs = {
        "transform of 65536 points [µs]": (transform, "transform"),
        "reduction modulo Φ, all primes [ms]": (paper.fact("reduction"), "reduction"),
        "product and reduction, all primes [ms]": (product, "product"),
        "residues to 16-bit windows [ms]": (paper.fact("crt"), "windows"),
        "modulus switching [ms]": (paper.fact("switch"), "switching"),
        "relinearisation [ms]": (paper.fact("relin"), "relinearisation"),
    }
    rows: list[list[TableCell]] = [[name, theirs, *of(figure)] for name, (theirs, figure) in pairs.items()]
    rows.append(["load of the machine meanwhile", "", *of("load")])
    bars = {name.partition(" [")[0]: pair for name, pair in pairs.items() if "[ms]" in name}
    series = [("paper's FPGA and processor", [theirs for theirs, _ in bars.values()])]
    series += [(VARIANTS[k][2], [of(figure)[k] for _, figure in bars.values()]) for k in range(len(VARIANTS))]
    columns = ["what", "paper", *(name for *_, name in VARIANTS)]
    return Section(
        "Operations on one core of a processor",
        [
            Grid("ltv-operations", "Ring 65535, time of one operation", columns, rows),
            Bars("ltv-steps", "Time of an operation", "ms", list(bars), series, log=True),
        ],
        "Ours are the processor's seconds of one core, the least of several; where others use the machine, two threads share a core and each is "
        "slower. The paper's are of its FPGA at 250 MHz with transfers, or of its processor. Depth 3 has 31 primes, the paper's circuit 41.",
    )


def _aes(paper: Paper, ours: Ours) -> Section:
    def of(figure: str) -> list[Measurement]:
        return [ours.evaluator(sbox, switching, figure, aes=True) for sbox, switching, _ in VARIANTS]

    whole = derive("s", "60 × minutes", lambda minutes: 60 * minutes, paper.fact("aes_total"))
    pairs: dict[str, tuple[TableCell, str]] = {
        "relinearisations": (paper.fact("relins"), "relinearisations"),
        "products of ciphertexts, by Karatsuba": (paper.fact("products"), "products"),
        "modulus switchings": (paper.fact("switches"), "switches"),
        "blocks": (paper.fact("slots"), "right"),
        "ten rounds [s]": (whole, "aes"),
        "per block [ms]": (paper.fact("aes"), "aes_block"),
        "load of the machine meanwhile": ("", "aes_load"),
    }
    rows: list[list[TableCell]] = [[name, theirs, *of(figure)] for name, (theirs, figure) in pairs.items()]
    columns = ["what", "paper", *(name for *_, name in VARIANTS)]
    return Section(
        "AES-128 on ciphertexts",
        [Grid("ltv-aes", "Ring 65535, every block compared with AES", columns, rows)],
        "The paper's time is an estimate from counts and times of operations; ours was run. Fewer modulus switchings are needed: an operand that "
        "waits for a later level drops residues, as its noise is at the floor already. Insecure by design, theirs and ours: see the next table.",
    )


# AES-128 or another cipher on ciphertexts: who, time of a block, scheme and machine, security. As the works' own texts and abstracts say.
ELSEWHERE = (
    ("Gentry, Halevi, Smart 2012", "5 min", "BGV, processor; 720 blocks in 2.5 days", "as claimed there"),
    (
        "Doröz, Hu, Sunar, processor (table 4 of the paper)",
        "12.6 s",
        "LTV, processor, 2048 blocks",
        "none: overstretched NTRU",
    ),
    (
        "Dai and others, GPU (table 4 of the paper)",
        "7.5 s",
        "LTV, GeForce GTX 680, 2048 blocks",
        "none: overstretched NTRU",
    ),
    ("Roy and others 2015, SIMON-64/128", "84 ms", "YASHE, FPGA, 2048 blocks", "none: overstretched NTRU"),
    ("Fregata 2023", "86 s", "TFHE, one core", "128 bits"),
    ("tfhe-rs, pull request 2778 of 2025, one block", "16.4 s", "TFHE, 192 cores", "128 bits"),
    ("tfhe-rs, pull request 2778 of 2025, one block on GPUs", "4.1 s", "TFHE, 8 x H100", "128 bits"),
    ("tfhe-rs, pull request 2778 of 2025", "1.7 s", "TFHE, 192 cores, 192 blocks together", "128 bits"),
    ("tfhe-rs, pull request 3597 of 2026", "6.7 s", "TFHE, average of a block", "128 bits"),
    ("XBOOT 2025", "16 ms", "CKKS with bootstrapping; more than 1 KB/s", "as claimed there"),
)


def _elsewhere(paper: Paper, ours: Ours) -> Section:
    rows: list[list[TableCell]] = [
        ["Doröz 2015 (estimate) [ms]", paper.fact("aes"), "LTV, FPGA, 2048 blocks", "none: overstretched NTRU"]
    ]
    for sbox, switching, name in VARIANTS:
        cell = ours.evaluator(sbox, switching, "aes_block", aes=True)
        rows.append([f"ringside-ltv, {name} [ms]", cell, "LTV, one core, 2048 blocks", "none: overstretched NTRU"])
    rows += [list(row) for row in ELSEWHERE]
    columns = ["who", "per block", "scheme and machine", "security"]
    return Section(
        "AES on ciphertexts elsewhere",
        [Grid("ltv-elsewhere", "Time of a block, and what protects it", columns, rows)],
        "Rows without security are not comparable with those that have it: q = 2^1271 at n = 32768 is far beyond the fatigue point of NTRU, "
        "0.004 n^2.484 = 2^29.3 (Ducas, van Woerden 2021). Machines and numbers of blocks differ as well.",
    )
