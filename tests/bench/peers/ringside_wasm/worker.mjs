// SPDX-License-Identifier: Apache-2.0
// Ringside's npm package in Node.js. Argument: the package's folder. Protocol: tests/bench/peers/__init__.py.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const { Context, Module } = await import(pathToFileURL(join(process.argv[2], 'src', 'index.js')))
const module = await Module.load()

function inputValues(count) {
  return Float64Array.from({ length: count }, (_, i) => (Math.imul(i, 2654435761) >>> 0) / 2 ** 31 - 1)
}

function integerValues(count, modulus) {
  const t = BigInt(modulus)
  return BigInt64Array.from({ length: count }, (_, i) => (BigInt.asUintN(64, BigInt(i + 1) * 0x9e3779b97f4a7c15n) % t) - t / 2n)
}

const SCHEMES = { 1: 'bfv', 3: 'bgv' } // those of integers

class Client {
  constructor(set) {
    this.set = set
    this.scheme = SCHEMES[set.scheme]
    this.values = this.scheme ? integerValues(set.n, set.plain_modulus) : inputValues(set.n / 2)
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

  check() {
    if (this.scheme) return Number(this.decrypt(this.fresh).some((value, i) => value !== this.values[i]))
    const errorOf = (ciphertext) =>
      this.decrypt(ciphertext).reduce((largest, value, i) => Math.max(largest, Math.abs(value - this.values[i])), 0)
    return Math.max(errorOf(this.fresh), errorOf(this.low))
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

async function measure(call, { runs = 1, batch = 1 }) {
  const cpu = []
  const wall = []
  for (let run = 0; run < runs; run++) {
    const wallStart = process.hrtime.bigint()
    const cpuStart = process.cpuUsage()
    for (let i = 0; i < batch; i++) await call()
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

async function answer(request) {
  const { op } = request
  if (op === 'start') {
    client = new Client(request)
    const backend = module.backend === 'simd' ? 'wasm-simd' : 'wasm'
    return { version: `Ringside ${module.version}`, backend, engine: `Node.js ${process.version}, WebAssembly` }
  }
  if (op === 'session') return { bytes: 0, ...(await measure(() => client.session(), request)) }
  if (op !== 'check' && !(op in client.operations)) return { absent: 'not measured with the npm package' }
  await client.prepare()
  if (op === 'check') return { value: client.check() }
  const times = await measure(client.operations[op], request)
  return { bytes: 0, ...times }
}

for await (const line of createInterface({ input: process.stdin })) {
  let reply
  try {
    reply = await answer(JSON.parse(line, exact))
  } catch (error) {
    reply = { error: String(error?.message ?? error) }
  }
  process.stdout.write(JSON.stringify(reply) + '\n')
}
