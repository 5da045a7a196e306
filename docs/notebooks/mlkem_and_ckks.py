# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # ML-KEM and CKKS on simulated cores
# This notebook is for hardware developers. Two cores of one code base, simulated from their RTL, agree on a key for the channel (ML-KEM) and encrypt the readings that go
# through it (CKKS). Both give the bits of the C library. It needs a source tree, Verilator and a C++ compiler: `make hardware`.

# %%
import numpy as np

import ringside as rs
from ringside import designs, pqc

# %% [markdown]
# ## A shared secret
# `pqc-4` has a unit for hashes and one for packed fields beside its four lanes. Alice makes a key pair, Bob sends a secret to her.

# %%
designs.load("pqc-4")

# %%
core = pqc.MLKEM("ML-KEM-512", device="sim:pqc-4")
ek, dk = core.keygen()
shared_bob, ct = core.encaps(ek)
shared_alice = core.decaps(dk, ct)
assert shared_alice == shared_bob
print(len(ct), "bytes went over the channel;", len(shared_alice), "bytes are shared")

# %% [markdown]
# The library alone opens the same ciphertext with the same key.

# %%
assert pqc.MLKEM("ML-KEM-512").decaps(dk, ct) == shared_alice

# %% [markdown]
# ## Readings, encrypted by a core
# `rise-1` is the smallest core for CKKS: one butterfly per cycle. A context with `device=` has the same methods as one without.

# %%
params = rs.Parameters.from_bits(1024, [27])
hardware = rs.Context(params, device="sim:rise-1")
readings = np.sin(np.linspace(0, 6, 512))
seed = bytes(64)  # for tests only: the same noise twice
with hardware.keygen() as key:
    by_core = hardware.encrypt(readings, key, scale=2**20, insecure_deterministic_seed=seed)
    by_library = rs.Context(params).encrypt(readings, key, scale=2**20, insecure_deterministic_seed=seed)
    values = hardware.decrypt_values(by_core, key, count=512)
assert np.array_equal(by_core.data, by_library.data)
assert np.abs(values - readings).max() < 1e-3

# %% [markdown]
# The core has counted its cycles, and in which of them each unit was busy.

# %%
hardware.accelerator.runs[-2]

# %%
for run in hardware.accelerator.runs:
    print(f"{run.op:20} {run.cycles:8,} cycles, lanes busy in {run.busy['COMPUTE'] / run.cycles:.0%}")
