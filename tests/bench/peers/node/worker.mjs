// SPDX-License-Identifier: Apache-2.0
// node-seal: Microsoft SEAL as WebAssembly in Node.js. Argument: the path of the package's module. Protocol: tests/bench/peers/__init__.py.
import { pathToFileURL } from 'node:url'

import { serve, WorkerClient } from '../../workers/node_worker.mjs'

const { default: SEAL } = await import(pathToFileURL(process.argv[2]))
const seal = await SEAL()

class Client extends WorkerClient {
  makeContext() {
    const schemes = { 1: seal.SchemeType.bfv, 2: seal.SchemeType.ckks, 3: seal.SchemeType.bgv }
    const parms = new seal.EncryptionParameters(schemes[this.set.scheme])
    const chain = new seal.VectorModulus()
    for (const q of this.set.moduli) chain.push_back(new seal.Modulus(BigInt(q)))
    parms.setPolyModulusDegree(this.set.n)
    parms.setCoeffModulus(chain)
    if (this.exact) parms.setPlainModulus(new seal.Modulus(BigInt(this.set.plain_modulus)))
    const context = new seal.SEALContext(parms, true, seal.SecLevelType.none)
    const encoder = this.exact ? new seal.BatchEncoder(context) : new seal.CKKSEncoder(context)
    parms.delete()
    chain.delete()
    return { context, encoder }
  }

  open() {
    Object.assign(this, this.makeContext())
    this.generator = new seal.KeyGenerator(this.context)
    this.secret = this.generator.secretKey()
    this.publicKey = this.generator.createPublicKey()
    this.encryptor = new seal.Encryptor(this.context, this.publicKey, this.secret)
    this.decryptor = new seal.Decryptor(this.context, this.secret)
    this.plain = new seal.Plaintext()
    this.decrypted = new seal.Plaintext()
    this.fresh = new seal.Ciphertext()
    this.encrypt(this.fresh)
  }

  prepare() {
    if (this.low) return
    this.open()
    this.loaded = new seal.Ciphertext()
    this.low = new seal.Ciphertext()
    this.encrypt(this.low)
    const evaluator = new seal.Evaluator(this.context)
    evaluator.cipherModSwitchToInplace(this.low, this.context.lastParmsId())
    this.seeded = this.encryptor.encryptSymmetricSerializable(this.plain)
  }

  encode() {
    if (this.exact) this.encoder.encode(this.values, this.plain)
    else this.encoder.encode(this.values, this.set.scale, this.plain)
  }

  encrypt(out) {
    this.encode()
    this.encryptor.encrypt(this.plain, out)
  }

  decrypt(ciphertext) {
    this.decryptor.decrypt(ciphertext, this.decrypted)
    return this.exact ? this.encoder.decodeBigInt64(this.decrypted) : this.encoder.decodeFloat64(this.decrypted)
  }

  session() {
    this.open()
    this.decrypt(this.fresh)
  }

  // WebAssembly's memory is not collected: what an operation makes it deletes.
  operations = {
    context: () => Object.values(this.makeContext()).forEach((thing) => thing.delete()),
    keygen: () => {
      const generator = new seal.KeyGenerator(this.context)
      generator.createPublicKey().delete()
      generator.delete()
    },
    encode: () => this.encode(),
    encode_encrypt_pk: () => this.encrypt(this.fresh),
    encode_encrypt_sk_seeded: () => {
      this.encode()
      this.encryptor.encryptSymmetricSerializable(this.plain).delete()
    },
    decrypt_decode: () => this.decrypt(this.fresh),
    decrypt_decode_1limb: () => this.decrypt(this.low),
    decrypt_decode_full: () => this.decrypt(this.fresh),
    save_load_seeded: () => {
      const file = this.seeded.saveToArray(seal.ComprModeType.zstd)
      this.bytes = file.length
      this.loaded.loadFromArray(this.context, file)
    },
  }
}

await serve(Client, { version: 'SEAL 4.1.2 of node-seal 7.0.0' }, 'node-seal')
