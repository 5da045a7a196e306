# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # First encryption
# This notebook is for newcomers. You encrypt numbers, Microsoft SEAL computes on them without the key, and you decrypt the result.
# It needs the packages `ringside-he` and `tenseal`, which brings SEAL.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import tenseal.sealapi as seal

import ringside as rs

# %% [markdown]
# ## Parameters and keys
# A context holds everything that is computed once from a parameter set. `eval-13` has N = 8192 and thus 4096 slots: places for numbers.

# %%
context = rs.Context(rs.Parameters.named("eval-13"))
context

# %%
secret = context.keygen()
public = context.public_key(secret)
secret

# %% [markdown]
# ## Encrypt
# The secret key gives the smaller ciphertext: its second half is a seed of 64 bytes. Anyone who has the public key can encrypt too.

# %%
readings = np.sin(np.linspace(0, 6, 1000))
by_secret_key = context.encrypt(readings, secret)
by_public_key = context.encrypt(readings, public)
print(len(by_secret_key.to_bytes()), "bytes by the secret key,", len(by_public_key.to_bytes()), "by the public key")
by_secret_key

# %% [markdown]
# ## The server
# The server gets three files, and none of them is secret. SEAL squares all numbers at once.

# %%
folder = TemporaryDirectory()
place = Path(folder.name)
context.params.save(place / "params.seal")
context.write_relin_keys(secret, place / "relin.key")
by_secret_key.save(place / "upload.seal")

parameters = seal.EncryptionParameters(seal.SCHEME_TYPE.CKKS)
parameters.load(str(place / "params.seal"))
server = seal.SEALContext(parameters, True, seal.SEC_LEVEL_TYPE.TC128)
relin_keys = seal.RelinKeys()
relin_keys.load(server, str(place / "relin.key"))
ciphertext = seal.Ciphertext()
ciphertext.load(server, str(place / "upload.seal"))
evaluator = seal.Evaluator(server)
evaluator.square_inplace(ciphertext)
evaluator.relinearize_inplace(ciphertext, relin_keys)
evaluator.rescale_to_next_inplace(ciphertext)
ciphertext.save(str(place / "answer.seal"))

# %% [markdown]
# ## Decrypt
# The answer has one level less, because SEAL has rescaled it. The file says so.

# %%
rs.inspect(place / "answer.seal", context.params)

# %%
answer = rs.Ciphertext.load(context, place / "answer.seal")
squares = context.decrypt_values(answer, secret, count=1000)
bits = rs.measured_precision(squares, readings**2)
print(f"{bits:.1f} bits behind the binary point are right")
assert bits > 15

# %% [markdown]
# ## Many frames
# `encrypt_batch` uses all processors and gives the same bits. `progress=` is a function of how many frames are done, and of how many in all.

# %%
frames = [readings * k for k in range(8)]
steps: list[int] = []
batch = context.encrypt_batch(frames, secret, progress=lambda done, total: steps.append(done))
assert steps[-1] == len(batch) == 8

# %% [markdown]
# A wrong key is noticed, and a closed key is wiped.

# %%
with context.keygen() as other:
    try:
        context.decrypt_values(answer, other)
    except rs.SecretKeyError as error:
        print(error.code, "-", error)
secret.close()
folder.cleanup()
