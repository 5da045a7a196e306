# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A private basket
# You want to know what a basket costs, in euros and in kroner. The shop must not learn what is in it, and does not show its price list. All sums are exact: the scheme is BFV.
# This notebook needs the packages `ringside-he` and `tenseal`, which brings SEAL.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import tenseal.sealapi as seal

import ringside as rs

# %% [markdown]
# ## Parameters and keys
# Integers are exact modulo t, so t has to be above twice the largest total. `batching:20` is a prime of 20 bits that has slots: N of them, in two rows of N/2.
# The server adds up a row by rotations, which need a key for each step.

# %%
context = rs.ExactContext(rs.Parameters.named("bfv-13", plain_modulus="batching:20"))
secret = context.keygen()
row = context.params.n // 2
steps = [2**k for k in range(row.bit_length() - 1)]
folder = TemporaryDirectory()
place = Path(folder.name)
context.params.save(place / "params.seal")
context.write_galois_keys(secret, place / "galois.key", rotations=steps)
context

# %% [markdown]
# ## The customer
# One slot for each article of the list, with how many of it are wanted. Both rows hold the same, for the two currencies.

# %%
basket = {17: 3, 1234: 1, 4000: 12}
quantities = np.zeros((2, row), dtype=np.int64)
for article, count in basket.items():
    quantities[:, article] = count
upload = context.encrypt(quantities.ravel(), secret)
upload.save(place / "basket.seal")
print(f"{upload.nbytes:,} bytes say nothing of {len(basket)} articles out of {row:,}")

# %% [markdown]
# ## The shop
# Stock SEAL multiplies by its prices. After rotations by 1, 2, 4 and so on, each slot holds the sum of its row: no single price is left.

# %%
rng = np.random.default_rng(1)
prices = np.stack([rng.integers(50, 5_000, row), rng.integers(500, 20_000, row)])

parameters = seal.EncryptionParameters(seal.SCHEME_TYPE.BFV)
parameters.load(str(place / "params.seal"))
server = seal.SEALContext(parameters, True, seal.SEC_LEVEL_TYPE.TC128)
galois_keys, total = seal.GaloisKeys(), seal.Ciphertext()
galois_keys.load(server, str(place / "galois.key"))
total.load(server, str(place / "basket.seal"))
listed = seal.Plaintext()
seal.BatchEncoder(server).encode([int(price) for price in prices.ravel()], listed)
evaluator = seal.Evaluator(server)
evaluator.multiply_plain_inplace(total, listed)
for step in steps:
    turned = seal.Ciphertext()
    evaluator.rotate_rows(total, step, galois_keys, turned)
    evaluator.add_inplace(total, turned)
total.save(str(place / "total.seal"))

# %% [markdown]
# ## The answer
# Noise has grown, and integers are right as long as bits of the budget are left. The budget tells of the noise, so only the owner of the key may see it.

# %%
answer = rs.Ciphertext.load(context, place / "total.seal")
before, after = (context.noise_budget(one, secret, consent="owner") for one in (upload, answer))
print(f"noise budget: {before} bits in the upload, {after} in the answer")
assert before > after > 0

# %%
slots = context.decrypt_values(answer, secret).reshape(2, row)
euros, kroner = slots[:, 0] / 100
print(f"{euros:.2f} EUR, {kroner:.2f} NOK")
assert (slots == (quantities * prices).sum(axis=1, keepdims=True)).all()

# %% [markdown]
# A total above t/2 comes back modulo t, and nothing shows it. So choose t for the largest total:

# %%
limit = context.plain_modulus // 2
print(f"totals to {limit / 100:,.2f} are exact")
many = context.decrypt_values(context.encrypt([limit + 1], secret, wrap=True), secret, 1)
assert many[0] == limit + 1 - context.plain_modulus
secret.close()
folder.cleanup()
