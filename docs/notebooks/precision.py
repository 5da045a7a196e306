# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Precision and parameters
# This notebook is for those who choose a parameter set and a scale. It shows what each costs and what it gives. It needs Matplotlib.

# %%
import matplotlib.pyplot as plt
import numpy as np

import ringside as rs

# %% [markdown]
# ## The scale sets the precision
# Values are multiplied by the scale and rounded. The noise of encryption is added. So each bit more of scale is a bit more of precision, as long as
# the values fit below the modulus. The library predicts the precision, and the measurement agrees.

# %%
context = rs.Context(rs.Parameters.named("lee-13"))
rng = np.random.default_rng(1)
values = rng.uniform(-1, 1, context.slots)
scales = np.arange(20, 47, 2)
measured = {"secret key": [], "public key": []}
predicted = []
with context.keygen() as secret:
    keys = {"secret key": secret, "public key": context.public_key(secret)}
    for bits in scales:
        predicted.append(context.predicted_precision(scale=2.0**bits))
        for name, key in keys.items():
            ciphertext = context.encrypt(values, key, scale=2.0**bits)
            measured[name].append(rs.measured_precision(context.decrypt_values(ciphertext, secret), values))

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.plot(scales, predicted, "k--", label="predicted, secret key")
for (name, found), mark in zip(measured.items(), "os", strict=True):
    axes.plot(scales, found, mark, label=f"measured, {name}")
axes.set(xlabel="log2 of the scale", ylabel="bits behind the binary point", title="lee-13")
axes.legend()
figure

# %%
difference = np.abs(np.array(predicted) - measured["secret key"]).max()
print(f"prediction and measurement differ by at most {difference:.2f} bits")
assert difference < 0.5

# %% [markdown]
# ## The set sets speed, size and depth
# N decides the number of slots. The number of primes decides how many multiplications in sequence the server can make: each uses up one level. What each of
# them leaves depends on the scale, which should be of the size of the middle primes.

# %%
sets = [rs.Parameters.named(name) for name in ("lee-12", "lee-13", "lee-14", "lee-15")]
sizes = []
for params in sets:
    one = rs.Context(params)
    with one.keygen() as secret:
        sizes.append(len(one.encrypt(np.zeros(one.slots), secret).to_bytes()) / 1e3)
labels = [f"N = {params.n}\n{params.max_level} levels" for params in sets]
figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
axes.bar(labels, sizes, color="#33658a")
axes.set(ylabel="kB for each ciphertext, seeded", yscale="log", title="lee-12 to lee-15")
figure

# %% [markdown]
# ## Let the library choose
# `Parameters.after` tells what products leave: `aloha-8192` has a level for two, but its primes of 51 and 52 bits divide the default scale of 2^40 away.

# %%
aloha = rs.Parameters.named("aloha-8192")
for scale in (2.0**40, 2.0**50):
    print([round(aloha.after(count, scale=scale).precision_bits, 1) for count in range(3)])
assert aloha.after(2).precision_bits < 1
assert aloha.after(2, scale=2.0**50).precision_bits > 30

# %% [markdown]
# `advise` on the command line takes a precision, a depth and a number of slots, and lists the sets that keep the precision through so many products, the
# cheapest first, with the scale:
#
# ```text
# ringside advise --precision 20 --depth 2 --slots 4096
# ```
