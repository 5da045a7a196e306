// SPDX-License-Identifier: Apache-2.0

/** The name of a set ("lee-13"), sizes of primes in bits, primes, or the bytes of SEAL's file of encryption parameters. */
export type ParametersLike = string | ((Exact | { scheme?: 'ckks' }) & ({ n: number; bits: number[] } | { n: number; moduli: (bigint | number)[] })) | Uint8Array
/** BFV and BGV: integers modulo a plain modulus; "batching:20" is the largest prime of 20 bits that has slots. */
export interface Exact {
  scheme: 'bfv' | 'bgv'
  plainModulus: bigint | number | string
}
export type Security = 0 | 128 | 192 | 256
/** Numbers of CKKS; integers of BFV and BGV. */
export type Values = readonly number[] | Float64Array | Float32Array | Integers
export type Integers = readonly (number | bigint)[] | BigInt64Array | Int32Array | Int16Array | Uint16Array | Int8Array | Uint8Array
export type Simd = 'auto' | boolean

export interface FileOptions {
  /** The version of SEAL's format: "3.6" (what every SEAL from 3.6 on reads), "3.7", "4.0" to "4.4". */
  version?: string
}

export interface EncryptOptions {
  scale?: number
  /** 0 to limbs - 1; the highest if it is not given. */
  level?: number
  /** Values are real and imaginary parts in turn. */
  complex?: boolean
  /** BFV and BGV, in place of scale and complex. */
  packing?: 'slots' | 'coefficients'
}

export interface DecryptOptions {
  count?: number
  complex?: boolean
  level?: number
  /** Rounds to multiples of 2^-bits, after adding noise of 2^flood, so that others may see the values. */
  publish?: { bits: number; flood?: number }
  /** BFV and BGV, beside count. */
  packing?: 'slots' | 'coefficients'
}

export class Module {
  static load(options?: { simd?: Simd; wasm?: BufferSource | WebAssembly.Module }): Promise<Module>
  readonly backend: 'simd' | 'portable' | 'given'
  readonly version: string
  selfTest(): void
}

declare class Native {
  /** Wipes it. */
  free(): void
  [Symbol.dispose](): void
}

export class SecretKey extends Native {
  private readonly secret: never
  readonly context: Context
  toBytes(options?: FileOptions): Uint8Array
}

export class PublicKey extends Native {
  private readonly open: never
  readonly context: Context
  toBytes(options?: FileOptions): Uint8Array
}

export class Ciphertext extends Native {
  readonly context: Context
  readonly level: number
  readonly scale: number
  readonly seeded: boolean
  readonly polynomials: number
  toBytes(options?: FileOptions): Uint8Array
}

export class Context extends Native {
  private constructor()
  static create(parameters: ParametersLike, options?: { security?: Security; module?: Module }): Promise<Context>
  readonly n: number
  readonly slots: number
  readonly moduli: readonly bigint[]
  readonly limbs: number
  readonly scale: number
  readonly scheme: 'ckks' | 'bfv' | 'bgv'
  /** BFV and BGV */
  readonly plainModulus?: bigint
  readonly security: Security
  readonly backend: 'simd' | 'portable' | 'given'
  parametersFile(options?: FileOptions): Uint8Array
  secretKey(): SecretKey
  publicKey(secret: SecretKey): PublicKey
  keygen(): { secretKey: SecretKey; publicKey: PublicKey }
  checkPair(secret: SecretKey, key: PublicKey): void
  relinKeysFile(secret: SecretKey, options?: FileOptions): Uint8Array
  galoisKeysFile(secret: SecretKey, steps: number[], options?: FileOptions): Uint8Array
  encrypt(values: Values, key: PublicKey | SecretKey, options?: EncryptOptions): Ciphertext
  /** A BigInt64Array in BFV and BGV. */
  decrypt(ciphertext: Ciphertext, secret: SecretKey, options?: DecryptOptions): Float64Array | BigInt64Array
  readSecretKey(file: Uint8Array): SecretKey
  readPublicKey(file: Uint8Array): PublicKey
  readCiphertext(file: Uint8Array): Ciphertext
  kindOf(file: Uint8Array): string
  load(file: Uint8Array, options?: { limit?: number }): Promise<SecretKey | PublicKey | Ciphertext>
}

/** The same file without compression. */
export function decompress(file: Uint8Array, options?: { limit?: number }): Promise<Uint8Array>

export class RingsideError extends Error {
  /** A status of the C library, such as "RS_ERR_INSECURE", or one that begins with RS_JS_. */
  readonly code: string
}
export class ParameterError extends RingsideError {}
export class InputError extends RingsideError {}
export class KeyError extends RingsideError {}
export class FileError extends RingsideError {}
export class EngineError extends RingsideError {}
