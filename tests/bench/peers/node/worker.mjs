// SPDX-License-Identifier: Apache-2.0
// node-seal: Microsoft SEAL as WebAssembly in Node.js. Argument: the path of the package's module. Protocol: tests/bench/peers/__init__.py.
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const { default: SEAL } = await import(pathToFileURL(process.argv[2]))
const seal = await SEAL()

function inputValues(count) {
  return Float64Array.from({ length: count }, (_, i) => (Math.imul(i, 2654435761) >>> 0) / 2 ** 31 - 1)
}

function integerValues(count, modulus) {
  const t = BigInt(modulus)
  return BigInt64Array.from({ length: count }, (_, i) => (BigInt.asUintN(64, BigInt(i + 1) * 0x9e3779b97f4a7c15n) % t) - t / 2n)
}

class Client {
  constructor(set) {
    this.set = set
    this.exact = set.plain_modulus > 0
    this.values = this.exact ? integerValues(set.n, set.plain_modulus) : inputValues(set.n / 2)
    this.bytes = 0
  }

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

  check() {
    if (this.exact) return Number(this.decrypt(this.fresh).some((value, i) => value !== this.values[i]))
    const errorOf = (ciphertext) =>
      this.decrypt(ciphertext).reduce((largest, value, i) => Math.max(largest, Math.abs(value - this.values[i])), 0)
    return Math.max(errorOf(this.fresh), errorOf(this.low))
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

function measure(call, { runs = 1, batch = 1 }) {
  const cpu = []
  const wall = []
  for (let run = 0; run < runs; run++) {
    const wallStart = process.hrtime.bigint()
    const cpuStart = process.cpuUsage()
    for (let i = 0; i < batch; i++) call()
    const { user, system } = process.cpuUsage(cpuStart)
    cpu.push((1000 * (user + system)) / batch)
    wall.push(Number(process.hrtime.bigint() - wallStart) / batch)
  }
  return { cpu, wall }
}

// Moduli need more bits than a number has.
function exact(key, value, { source }) {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(source) ? BigInt(source) : value
}

let client

function answer(request) {
  const { op } = request
  if (op === 'start') {
    client = new Client(request)
    return { version: 'SEAL 4.1.2 of node-seal 7.0.0', engine: `Node.js ${process.version}, WebAssembly` }
  }
  if (op === 'session') return { bytes: 0, ...measure(() => client.session(), request) }
  if (op !== 'check' && !(op in client.operations)) return { absent: 'not measured with node-seal' }
  client.prepare()
  if (op === 'check') return { value: client.check() }
  const times = measure(client.operations[op], request)
  return { bytes: op === 'save_load_seeded' ? client.bytes : 0, ...times }
}

for await (const line of createInterface({ input: process.stdin })) {
  let reply
  try {
    reply = answer(JSON.parse(line, exact))
  } catch (error) {
    reply = { error: String(error?.message ?? error) }
  }
  process.stdout.write(JSON.stringify(reply) + '\n')
}
