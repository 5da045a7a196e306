# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Reading an exploration
# This notebook is for those who compare designs. `ringside explore` computes every design of a space in models of cycles and area; the folder that it writes is easy to read
# in Python. It needs a source tree, and Matplotlib.

# %%
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

# %% [markdown]
# ## A space and a task
# Every axis is a key of a design file. The workload is one encryption by a public key.

# %%
folder = TemporaryDirectory()
place = Path(folder.name)
(place / "space.toml").write_text("""
[explore]
name = "notebook"
base = "rise-4"

[space]
"core.lanes" = [1, 2, 4, 8]
"core.twiddles" = ["stored", "on_the_fly"]
"core.bank_groups" = [2, 3, 4]
"dma.bus_bits" = [64, 128, 256]

[link]
"sampler.lanes" = "min(core.lanes, dma.bus_bits // 32)"
"dma.reducers" = "min(2, dma.bus_bits // 64)"

[[workload]]
op = "encrypt-pk-direct"
n = 4096
limbs = 3
bits = 30

[objectives]
minimise = ["cycles", "lut"]
""")
command = [sys.executable, "-m", "ringside", "explore", str(place / "space.toml"), "--output", str(place / "found")]
print(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0])

# %% [markdown]
# ## All designs, and the front
# `model.npz` has what the models computed, a column for each figure. `summary.json` has the front: designs that no other one beats in both objectives.

# %%
summary = json.loads((place / "found" / "summary.json").read_text())
with np.load(place / "found" / "model.npz") as model:
    cycles, luts = model["cost cycles"], model["cost lut"]
front_cycles = [row["costs"]["cycles"] for row in summary["front"]]
front_luts = [row["costs"]["lut"] for row in summary["front"]]
print(f"{cycles.size} designs, {len(summary['front'])} on the front")

figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
axes.plot(cycles, luts, ".", color="#999999", label="all designs")
axes.plot(front_cycles, front_luts, "o-", color="#b5402c", label="front")
axes.set(xlabel="cycles for each encryption", ylabel="LUTs (7 series)", xscale="log", yscale="log")
axes.legend()
figure

# %% [markdown]
# ## How sure
# The models say how wrong they were on designs that they had not seen.

# %%
for name, errors in summary["models"]["held_out"].items():
    print(name, errors)

# %%
best = min(summary["front"], key=lambda row: row["costs"]["cycles"] * row["costs"]["lut"])
print("least LUT x cycles:", best)
folder.cleanup()
