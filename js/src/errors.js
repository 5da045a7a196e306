// SPDX-License-Identifier: Apache-2.0
// What can go wrong, by kind. `code` is the status of the C library (lib/include/ringside/base.h), or begins with RS_JS_.

export class RingsideError extends Error {
  constructor(code, message, options) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** Parameters that do not exist, or are not secure. */
export class ParameterError extends RingsideError {}
/** Values, scales and levels that cannot be encrypted, and arguments of a wrong type. */
export class InputError extends RingsideError {}
/** Keys that are no keys, or do not belong to each other or to the context. */
export class KeyError extends RingsideError {}
/** A file that is damaged, of another kind, or compressed in a way that is not known here. */
export class FileError extends RingsideError {}
/** The engine gives no randomness, no memory, or computes wrongly. */
export class EngineError extends RingsideError {}

const KINDS = [
  [ParameterError, 'DEGREE LIMB_COUNT MODULUS_RANGE MODULUS_PRIME MODULUS_NTT MODULUS_TWICE PRIMES SET SECURITY_LEVEL INSECURE'],
  [KeyError, 'MISMATCH SECRET_KEY KEY_PAIR NO_SPECIAL GALOIS SEEDED'],
  [FileError, 'IO TRUNCATED TRAILING MAGIC VERSION COMPRESSION CODEC LENGTH KIND SCHEME RESIDUE NOT_NTT SEQUENCE SEED_TYPE POLY_COUNT'],
  [EngineError, 'NO_MEMORY TOO_SMALL ALIGNMENT RNG SELFTEST BACKEND NULL'],
]

const CLASS_OF = new Map(KINDS.flatMap(([kind, names]) => names.split(' ').map((name) => [`RS_ERR_${name}`, kind])))

/** The error that a status of the library stands for. */
export function errorOf(code, message, detail = '') {
  const Kind = CLASS_OF.get(code) ?? InputError
  return new Kind(code, detail ? `${message} (${detail})` : message)
}
