# SPDX-License-Identifier: Apache-2.0
"""LTV's homomorphic encryption and AES-128 on its ciphertexts: the server of a paper (Doröz and others, CHES 2015), made to run.

A research reproduction, insecure by design. The command line is `ringside ltv`; objects are in `scheme`, files in `files`.
"""

LABEL = (
    "RESEARCH REPRODUCTION, INSECURE BY DESIGN: the modulus is far beyond the fatigue point of NTRU at this degree "
    "(Ducas, van Woerden 2021), and subfield attacks name LTV (Albrecht, Bai, Ducas 2016). Never use it for data that matter."
)
