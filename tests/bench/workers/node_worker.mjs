// SPDX-License-Identifier: Apache-2.0
// What workers in Node.js share: values, the check of results, time and the protocol (tests/bench/peers/__init__.py).
import { serve as answerLines } from '../../line_process.mjs'

function inputValues(count) {
  return Float64Array.from({ length: count }, (_, i) => (Math.imul(i, 2654435761) >>> 0) / 2 ** 31 - 1)
}

function integerValues(count, modulus) {
  const t = BigInt(modulus)
  return BigInt64Array.from({ length: count }, (_, i) => (BigInt.asUintN(64, BigInt(i + 1) * 0x9e3779b97f4a7c15n) % t) - t / 2n)
}

export class WorkerClient {
  bytes = 0 // bytes of a file, where an operation makes one

  constructor(set) {
    this.set = set
    this.exact = set.plain_modulus > 0
    this.values = this.exact ? integerValues(set.n, set.plain_modulus) : inputValues(set.n / 2)
  }

  check() {
    if (this.exact) return Number(this.decrypt(this.fresh).some((value, i) => value !== this.values[i]))
    const errorOf = (ciphertext) =>
      this.decrypt(ciphertext).reduce((largest, value, i) => Math.max(largest, Math.abs(value - this.values[i])), 0)
    return Math.max(errorOf(this.fresh), errorOf(this.low))
  }
}

async function measure(call, { runs = 1, batch = 1 }) {
  const cpu = []
  const wall = []
  for (let run = 0; run < runs; run++) {
    const wallStart = process.hrtime.bigint()
    const cpuStart = process.cpuUsage()
    for (let i = 0; i < batch; i++) {
      const pending = call()
      if (pending instanceof Promise) await pending // an operation without a promise takes no turn of the event loop
    }
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

// Answers on standard output what standard input asks. Client: a WorkerClient with prepare, session and operations. facts: of the start. name: in errors.
export async function serve(Client, facts, name) {
  let client

  async function answer(request) {
    const { op } = request
    if (op === 'start') {
      client = new Client(request)
      return { ...facts, engine: `Node.js ${process.version}, WebAssembly` }
    }
    if (op === 'session') return { bytes: 0, ...(await measure(() => client.session(), request)) }
    if (op !== 'check' && !(op in client.operations)) return { absent: `not measured with ${name}` }
    await client.prepare()
    if (op === 'check') return { value: client.check() }
    const times = await measure(client.operations[op], request)
    return { bytes: op === 'save_load_seeded' ? client.bytes : 0, ...times }
  }

  await answerLines((line) => answer(JSON.parse(line, exact)))
}
