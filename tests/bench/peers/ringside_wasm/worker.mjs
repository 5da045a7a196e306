// SPDX-License-Identifier: Apache-2.0
// Ringside's npm package in Node.js. Argument: the package's folder. Protocol: tests/bench/peers/__init__.py.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { serve, WorkerClient } from '../../workers/node_worker.mjs'

const { Context, Module } = await import(pathToFileURL(join(process.argv[2], 'src', 'index.js')))
const module = await Module.load()

const SCHEMES = { 1: 'bfv', 3: 'bgv' } // those of integers

class Client extends WorkerClient {
  constructor(set) {
    super(set)
    this.scheme = SCHEMES[set.scheme]
  }

  makeContext() {
    const exact = this.scheme ? { scheme: this.scheme, plainModulus: this.set.plain_modulus } : {}
    return Context.create({ n: this.set.n, moduli: this.set.moduli, ...exact }, { security: 0, module })
  }

  async open() {
    this.context = await this.makeContext()
    Object.assign(this, this.context.keygen())
    this.scale = this.set.scale
  }

  encrypt(level, key = this.publicKey) {
    return this.context.encrypt(this.values, key, this.scheme ? { level } : { scale: this.scale, level })
  }

  async prepare() {
    if (this.low) return
    await this.open()
    this.fresh = this.encrypt()
    this.low = this.scheme ? this.fresh : this.encrypt(0)
  }

  decrypt(ciphertext, options) {
    return this.context.decrypt(ciphertext, this.secretKey, options)
  }

  async session() {
    await this.open()
    const fresh = this.encrypt()
    this.decrypt(fresh)
    fresh.free()
  }

  operations = {
    context: async () => (await this.makeContext()).free(),
    keygen: () => Object.values(this.context.keygen()).forEach((key) => key.free()),
    encode_encrypt_pk: () => this.encrypt().free(),
    encode_encrypt_sk_seeded: () => this.encrypt(undefined, this.secretKey).free(),
    decrypt_decode: () => this.decrypt(this.fresh),
    decrypt_decode_1limb: () => this.decrypt(this.low),
    decrypt_decode_full: () => this.decrypt(this.fresh),
    decrypt_decode_max_abs: () => this.decrypt(this.fresh, { level: 0 }),
  }
}

const backend = module.backend === 'simd' ? 'wasm-simd' : 'wasm'
await serve(Client, { version: `Ringside ${module.version}`, backend }, 'the npm package')
