# SPDX-License-Identifier: Apache-2.0
"""How large the noise is, which limbs hold a value above it, and noise that is all there is."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, SecretKeyError
from ...native.encoding import power_text
from ...native.library import CData, fail, lib
from ..common.ciphertext import Ciphertext
from ..common.evaluation import PUBLIC_KEY_DIRECT
from ..common.params import Parameters
from ..common.tables import Tables

# A decryption under the wrong key is uniform below the modulus Q: its coefficients have a
# root-mean-square of Q/sqrt(12) = 0.289 Q. Encoded values never come near it: encode refuses
# coefficients above Q/4.
_UNIFORM_RMS = 0.25
# What the imaginary parts of real data may be: this many standard deviations of the noise of a fresh ciphertext, or this part of the
# largest real value, where a server has added noise of its own. In a slot the noise of a public key is a sum of two products of complex
# Gaussians, e u + e1 s: beyond k deviations with probability (1 + k) exp(-2 k), for one of 2^16 slots 3 * 10^-10.
_FRESH_NOISE = 18.0
_SERVER_NOISE = 2.0**-10
_A_FEW = 64


def refuse_noise(params: Parameters, values: NDArray[np.complex128], scale: float, level: int) -> None:
    """SecretKeyError if the coefficients behind `values` are uniform below the modulus."""
    largest = float(np.abs(values.view(np.float64)).max())
    if largest == 0:
        return
    log_modulus = math.log2(params.modulus(level))
    # Parseval: rms of the slots = sqrt(N) rms of the coefficients / scale
    log_unit = math.log2(largest) + math.log2(scale) - params.log_n / 2
    if log_unit < log_modulus - 3.5:  # |z| <= sqrt(2) * largest: cannot reach the limit
        return
    mean_square = float(np.mean(np.square(np.abs(values / largest))))
    if log_unit + math.log2(mean_square) / 2 > log_modulus + math.log2(_UNIFORM_RMS):
        hint = "The secret key is another one, the ciphertext is damaged, or values exceed max_abs."
        raise SecretKeyError("WRONG_KEY", "The decrypted values are noise that fills the whole modulus.", hint)


def refuse_imaginary(
    tables: Tables, values: NDArray[np.complex128], scale: float, publish: CData | None = None
) -> None:
    """InputError if the imaginary parts are more than the noise of real data can be, with what publishing adds."""
    fresh = _FRESH_NOISE * math.sqrt(noise_variance(tables, PUBLIC_KEY_DIRECT, None) * tables.slots) / scale
    if publish is not None:
        fresh += _FRESH_NOISE * 2.0 ** -published_precision(tables, publish, scale)
    # most data are done here: the norm bounds every imaginary part, a few values bound the largest real one from below
    norm = math.sqrt(float(np.dot(values.imag, values.imag)))
    if norm <= max(fresh, _SERVER_NOISE * float(np.abs(values.real[:_A_FEW]).max(initial=0.0))):
        return
    largest = float(np.abs(values.imag).max(initial=0.0))
    if largest <= max(fresh, _SERVER_NOISE * float(np.abs(values.real).max(initial=0.0))):
        return
    message = f"The values have imaginary parts up to {largest:.3g}, which real data do not leave."
    raise InputError("COMPLEX", message, "Pass real=False (--complex) to keep them, real=True (--real) to drop them.")


def limbs_for(
    tables: Tables, ciphertext: Ciphertext, limbs: int | None, max_abs: float | None, flood_bits: int | None = None
) -> int:
    """Limbs to decrypt from: those asked for, or as few as hold values up to max_abs and the noise. See Context.decrypt."""
    have = ciphertext.level + 1
    if max_abs is None:
        limbs = have if limbs is None else limbs
        if not 1 <= limbs <= have:
            hint = f"Pass 1 to {have}, or leave it out for all."
            raise InputError("RS_ERR_LEVEL", f"{limbs} limbs were asked for; the ciphertext has 1 to {have}.", hint)
        return limbs
    if limbs is not None:
        raise InputError("RS_ERR_LEVEL", "limbs and max_abs are both given.", "Leave out one of them.")
    if not (math.isfinite(max_abs) and max_abs > 0):
        message = f"max_abs must be positive, got {max_abs}."
        raise InputError("RS_ERR_NOT_FINITE", message, "Pass the largest magnitude.")
    noise_bits = max(0, math.ceil(math.log2(ciphertext.scale)))
    if flood_bits is not None:
        noise_bits = max(noise_bits, flood_bits + 8)  # as much as rs_decode asks for
    needed = int(lib.rs_limbs_needed(tables._pointer, have, ciphertext.scale, max_abs, noise_bits))
    if needed == 0:
        detail = f"values up to {max_abs:.4g} at scale {power_text(ciphertext.scale)}"
        hint = "Leave out max_abs (--max-abs), or give a smaller one."
        fail(lib.RS_ERR_OVERFLOW, f"{detail} need more than {have} limbs", hint)
    return needed


def noise_variance(tables: Tables, kind: str, level: int | None) -> float:
    """See Context.noise_variance."""
    found = tables._variances.get((kind, level))
    if found is None:
        found = tables._variances[kind, level] = tables.params.noise_variance(kind, level)
    return found


def predicted_precision(tables: Tables, kind: str, level: int | None, scale: float) -> float:
    """See Context.predicted_precision."""
    return float(lib.rs_precision_predicted(tables._pointer, noise_variance(tables, kind, level), scale))


def published_precision(tables: Tables, options: CData, scale: float) -> float:
    """See Context.published_precision."""
    return float(lib.rs_precision_published(tables._pointer, options, scale))
