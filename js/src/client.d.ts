// SPDX-License-Identifier: Apache-2.0
import type { DecryptOptions, EncryptOptions, FileOptions, ParametersLike, Security, Simd, Values } from './index.js'

export interface Progress {
  done: number
  total?: number
  secondsLeft?: number
}

/** A context in a worker of its own. The secret key stays there unless secretKeyFile() is called. */
export class Client {
  private constructor()
  static open(parameters: ParametersLike, options?: { security?: Security; simd?: Simd }): Promise<Client>
  readonly n: number
  readonly slots: number
  readonly moduli: readonly bigint[]
  readonly limbs: number
  readonly scale: number
  readonly security: Security
  readonly backend: 'simd' | 'portable'
  readonly hasSecretKey: boolean
  readonly hasPublicKey: boolean
  keygen(): Promise<void>
  loadKey(file: Uint8Array): Promise<void>
  parametersFile(options?: FileOptions): Promise<Uint8Array>
  publicKeyFile(options?: FileOptions): Promise<Uint8Array>
  secretKeyFile(options?: FileOptions): Promise<Uint8Array>
  relinKeysFile(options?: FileOptions): Promise<Uint8Array>
  galoisKeysFile(steps: number[], options?: FileOptions): Promise<Uint8Array>
  encrypt(values: Values, options?: EncryptOptions & FileOptions & { key?: 'public' | 'secret' }): Promise<Uint8Array>
  decrypt(file: Uint8Array, options?: DecryptOptions): Promise<Float64Array | BigInt64Array>
  encryptAll(
    frames: Iterable<Values> | AsyncIterable<Values>,
    options?: EncryptOptions &
      FileOptions & { key?: 'public' | 'secret'; total?: number; signal?: AbortSignal; onProgress?: (progress: Progress) => void },
  ): AsyncGenerator<Uint8Array, void, undefined>
  close(): Promise<void>
}
