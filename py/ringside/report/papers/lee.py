# SPDX-License-Identifier: Apache-2.0
"""Lee 2023: tables 2 to 5."""

from __future__ import annotations

from ..layout import Bars, Grid, Ours, Section, ratio
from ..measurement import Measurement, Status
from ..published import Cell, Paper, number, whole

LIKE = "lee2023"  # a design with the paper's pipeline of 31 multipliers of 64 bits
NEAR = "ringside-32"  # 32 multipliers, but of 32 bits
CLOCK = 250.0  # MHz, the paper's
PARAMS = {4096: "lee-12", 8192: "lee-13", 16384: "lee-14", 32768: "lee-15", 65536: "lee-16"}
ENCRYPT, DECRYPT = "encode_encrypt_pk", "decrypt_decode_full"
NARROW = 8192  # up to this N the paper's moduli have 20 and 30 bits, later 48 and 60


def sections(paper: Paper, ours: Ours) -> list[Section]:
    return [_transform(paper, ours), _operations(paper, ours), _resources(paper, ours)]


def _transform(paper: Paper, ours: Ours) -> Section:
    rows: list[list[Cell]] = []
    groups, printed, alike, near = [], [], [], []
    for row in paper.tables["ntt"].select(design="Lee 2023"):
        n, theirs = whole(row, "n"), number(row, "latency")
        same = ours.time(ours.transform(LIKE, n, 60), "µs", CLOCK)
        other = ours.time(ours.transform(NEAR, n), "µs", CLOCK)
        rows.append([row["n"], theirs, same, ratio(same, theirs), other, ours.bound(n, 32)])
        groups.append(f"N = {n}")
        printed.append(theirs)
        alike.append(same)
        near.append(other)
    columns = ["N", "paper, 64 bits [µs]", f"{LIKE}, 64 bits [µs]", "paper / ours", f"{NEAR}, 32 bits [µs]"]
    series = [("paper, 64 bits", printed), (f"{LIKE}, 64 bits", alike), (f"{NEAR}, 32 bits", near)]
    return Section(
        "Transform: tables 2 and 3",
        [
            Grid("ntt", f"Latency at {CLOCK:g} MHz", [*columns, "bound of 32 lanes [cycles]"], rows),
            Bars("ntt-chart", f"Latency at {CLOCK:g} MHz", "µs", groups, series),
        ],
        f"The paper's pipeline has 31 multipliers of 64 bits. {NEAR} has 32, of 32 bits: its times are for a 30-bit prime, and no comparison "
        "at equal width.",
    )


def _operations(paper: Paper, ours: Ours) -> Section:
    items: list[Grid | Bars] = []
    for key, operation, op in (("encrypt", ENCRYPT, "encrypt-pk"), ("decrypt", DECRYPT, "decrypt")):
        rows: list[list[Cell]] = []
        groups: list[str] = []
        columns: list[list[Measurement]] = [[], [], [], [], [], []]
        for row in paper.tables["operations"].rows:
            n, limbs = whole(row, "n"), whole(row, "level") + 1
            cpu, fpga = number(row, f"{key}_cpu"), number(row, key)
            near = ours.unknown("1/s", NEAR, f"its words do not hold the moduli of N = {n}", Status.not_built)
            if n <= NARROW:
                near = ours.rate(ours.cycles(NEAR, op, n, limbs), CLOCK)
            found = [
                cpu,
                ours.processor(PARAMS[n], operation, "seal-hexl"),
                ours.processor(PARAMS[n], operation, "ringside"),
                fpga,
                ours.rate(ours.cycles(LIKE, op, n, limbs, 60), CLOCK),
                near,
            ]
            rows.append([row["n"], row["level"], *found])
            groups.append(f"N = {n}, level {limbs - 1}")
            for column, value in zip(columns, found, strict=True):
                column.append(value)
        names = ["SEAL, paper's i7", "SEAL+HEXL, here", "Ringside, here", "paper's XCU250", LIKE, f"{NEAR}, 32 bits"]
        title = f"{key.capitalize()}ions per second"
        items += [
            Grid(key, title, ["N", "level", *names], rows, paper.tables["operations"].caveat),
            Bars(f"{key}-chart", title, "1/s", groups, list(zip(names, columns, strict=True)), log=True),
        ]
    return Section(
        "Against SEAL: table 4",
        items,
        "Public key, rounded by the special prime. Here, on one core, times contain encoding and decoding; the paper's are encryption and "
        f"decryption only. {NEAR} at {CLOCK:g} MHz, from doorbell to interrupt: with sampling and transfers, and the inverse transform of "
        "decryption, which the paper leaves out.",
    )


def _resources(paper: Paper, ours: Ours) -> Section:
    modules = paper.tables["modules"]
    rows: list[list[Cell]] = [
        [f"paper: {row['module']}", row["lut"], row["ff"], row["dsp"], row["bram"]] for row in modules.rows
    ]
    for row in paper.tables["accelerators"].rows:
        rows.append([f"paper: {row['design']}", row["lut"], row["ff"], row["dsp"], row["bram"]])
    for design in (LIKE, NEAR):
        rows.append([design, *(ours.resource(design, figure) for figure in ("lut", "ff", "dsp")), ours.bram(design)])
    return Section(
        "Resources: tables 2 and 5",
        [Grid("resources", "FPGA resources", ["module", "LUT", "FF", "DSP", "BRAM36"], rows)],
        f"{NEAR} does encryption and decryption, samples and transfers included, N up to 16384, 32-bit words.",
    )
