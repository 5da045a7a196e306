// SPDX-License-Identifier: Apache-2.0
// The package under Node.js: one JSON request on stdin, one JSON answer on stdout. Arguments: the package's folder, what to do.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, what] = process.argv.slice(2)
const request = JSON.parse(readFileSync(0, 'utf8'))

// The bytes of a file in place of randomness, one after the other.
function useStream(hex) {
  const stream = Buffer.from(hex, 'hex')
  let at = 0
  const getRandomValues = (out) => {
    if (at + out.length > stream.length) throw new Error('the stream is used up')
    out.set(stream.subarray(at, at + out.length))
    at += out.length
    return out
  }
  Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues } })
}

const { Context, Module, FileError, InputError, RingsideError } = await import(pathToFileURL(join(folder, 'src', 'index.js')))
const hash = (bytes) => createHash('sha256').update(bytes).digest('hex')
const bytesOf = (path) => new Uint8Array(readFileSync(path))
const failure = (error) => ({ kind: error.constructor.name, code: error.code, message: error.message, known: error instanceof RingsideError })

function errorOf(action) {
  try {
    action()
    return null
  } catch (error) {
    return failure(error)
  }
}

async function moduleFor(simd) {
  const module = await Module.load({ simd })
  module.selfTest()
  return module
}

const deeds = {
  // Hashes of keys and ciphertexts from given randomness, as the C library makes them in the same order.
  async bits({ simd, n, bits, scale, stream, values }) {
    useStream(stream)
    const context = await Context.create({ n, bits }, { security: 0, module: await moduleFor(simd) })
    const { secretKey, publicKey } = context.keygen()
    const files = [secretKey.toBytes(), publicKey.toBytes()]
    for (const key of [publicKey, secretKey]) {
      for (let level = 0; level < context.limbs; level++) files.push(context.encrypt(values, key, { scale, level }).toBytes())
    }
    const decrypted = context.decrypt(context.readCiphertext(files[1 + context.limbs]), secretKey)
    files.push(new Uint8Array(decrypted.buffer))
    return { backend: context.backend, hashes: files.map(hash) }
  },

  // Keys and ciphertexts for a server.
  async client({ place, set, values, simd }) {
    const context = await Context.create(set, { module: await moduleFor(simd) })
    const { secretKey, publicKey } = context.keygen()
    const files = {
      params: context.parametersFile(),
      secret: secretKey.toBytes(),
      public: publicKey.toBytes(),
      relin: context.relinKeysFile(secretKey),
      galois: context.galoisKeysFile(secretKey, [1, -3]),
      pk: context.encrypt(values, publicKey).toBytes(),
      sk: context.encrypt(values, secretKey).toBytes(),
    }
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(place, `${name}.seal`), bytes)
    return { scale: context.scale, slots: context.slots, limbs: context.limbs }
  },

  // BFV and BGV: files of integers, and what a foreign file of the same keys holds.
  async integers({ place, parameters, values, simd }) {
    const context = await Context.create(parameters, { module: await moduleFor(simd) })
    const secretKey = await context.load(bytesOf(join(place, 'secret.seal')))
    const publicKey = context.publicKey(secretKey)
    const coefficients = { packing: 'coefficients' }
    const made = {
      pk: context.encrypt(values, publicKey),
      sk: context.encrypt(BigInt64Array.from(values, BigInt), secretKey),
      coefficients: context.encrypt(Int32Array.from(values), secretKey, coefficients),
    }
    for (const [name, one] of Object.entries(made)) writeFileSync(join(place, `${name}.seal`), one.toBytes())
    const foreign = await context.load(bytesOf(join(place, 'foreign.seal')))
    const wrong = [[0.5], [40000], [NaN], ['1'], new Array(context.n + 1).fill(0)].map((list) => errorOf(() => context.encrypt(list, publicKey)).code)
    wrong.push(errorOf(() => context.encrypt([1], publicKey, { scale: 4 })).code, errorOf(() => context.encrypt([1], publicKey, { packing: 'rows' })).code)
    return {
      scheme: context.scheme,
      plain: String(context.plainModulus),
      slots: context.slots,
      own: Object.entries(made).map(([name, one]) => [...context.decrypt(one, secretKey, name === 'coefficients' ? coefficients : {})].map(Number)),
      foreign: [...context.decrypt(foreign, secretKey, { count: values.length })].map(Number),
      wrong,
    }
  },

  // A server's answers, with the client's secret key.
  async decrypt({ place, files }) {
    const context = await Context.create(bytesOf(join(place, 'params.seal')))
    const secretKey = await context.load(bytesOf(join(place, 'secret.seal')))
    const answers = {}
    for (const name of files) answers[name] = [...context.decrypt(await context.load(bytesOf(join(place, name))), secretKey)]
    return answers
  },

  // What is said of an answer that is another key's.
  async refused({ place, file }) {
    const context = await Context.create(bytesOf(join(place, 'params.seal')))
    const secretKey = await context.load(bytesOf(join(place, 'secret.seal')))
    const ciphertext = await context.load(bytesOf(join(place, file)))
    return errorOf(() => context.decrypt(ciphertext, secretKey))
  },

  // Which errors are thrown.
  async errors({ place }) {
    const module = await moduleFor('auto')
    const context = await Context.create('lee-12', { module })
    const other = await Context.create('lee-12', { module })
    const { secretKey, publicKey } = context.keygen()
    const file = context.encrypt([1], publicKey).toBytes()
    const compressed = bytesOf(join(place, 'zlib.seal'))
    const gone = context.secretKey()
    gone.free()
    const actions = {
      'not finite': () => context.encrypt([1, NaN], publicKey),
      'too many values': () => context.encrypt(new Float64Array(context.slots + 1), publicKey),
      'too large': () => context.encrypt([1e300], publicKey),
      'no such level': () => context.encrypt([1], publicKey, { level: 99 }),
      'scale of 0': () => context.encrypt([1], publicKey, { scale: 0 }),
      text: () => context.encrypt('12', publicKey),
      'no key': () => context.encrypt([1], null),
      'other context': () => other.encrypt([1], publicKey),
      'pair of others': () => context.checkPair(context.secretKey(), publicKey),
      freed: () => gone.toBytes(),
      'another kind': () => context.readCiphertext(secretKey.toBytes()),
      'a public key': () => context.readCiphertext(publicKey.toBytes()),
      'cut short': () => context.readCiphertext(file.subarray(0, file.length - 1)),
      'no file': () => context.readCiphertext(new TextEncoder().encode('Not SEAL at all, but long enough.')),
      compressed: () => context.readCiphertext(compressed),
      'no such step': () => context.galoisKeysFile(secretKey, [context.slots]),
      'another key': () => context.decrypt(context.readCiphertext(file), context.secretKey(), { count: 2 }),
      'another key, complex and at level 0': () => context.decrypt(context.readCiphertext(file), context.secretKey(), { complex: true, level: 0 }),
      'another key, published': () => context.decrypt(context.readCiphertext(file), context.secretKey(), { publish: { bits: 4 } }),
      'unknown option of encrypt': () => context.encrypt([1], publicKey, { scael: 4 }),
      'unknown option of decrypt': () => context.decrypt(context.readCiphertext(file), secretKey, { cuont: 4 }),
      'unknown option of publish': () => context.decrypt(context.readCiphertext(file), secretKey, { publish: { bit: 4 } }),
      'unknown option of a file': () => publicKey.toBytes({ compression: 'zstd' }),
      'options that are none': () => context.encrypt([1], publicKey, 4),
      'no such version': () => publicKey.toBytes({ version: '9.9' }),
    }
    const told = Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, errorOf(action)]))
    for (const [name, parameters] of Object.entries({ 'no such set': 'lee-99', insecure: { n: 4096, bits: [60, 60, 60] }, 'no prime': { n: 4096, moduli: [1073692671, 1073668097] } })) {
      told[name] = await Context.create(parameters, { module }).then(() => null, failure)
    }
    for (const [name, action] of Object.entries({
      'no set': () => Context.create(),
      'unknown option of create': () => Context.create('lee-12', { securty: 128 }),
      'unknown option of a module': () => Module.load({ smid: true }),
      'a name for a file': () => context.load('x'),
      'unknown option of load': () => context.load(file, { limt: 4 }),
    })) told[name] = await action().then(() => null, failure)
    // and after all of that it still works
    told.after = context.decrypt(context.readCiphertext(file), secretKey, { count: 1 })[0]
    return told
  },

  // Damaged files: each is refused by an error of ours, or is a file all the same. Memory does not grow from file to file.
  async damage({ rounds, seed }) {
    const module = await moduleFor('auto')
    const context = await Context.create({ n: 1024, bits: [27, 27] }, { security: 0, module })
    const { secretKey, publicKey } = context.keygen()
    const kinds = {
      ciphertext: [context.encrypt([1, 2], publicKey).toBytes(), (file) => context.readCiphertext(file)],
      seeded: [context.encrypt([1, 2], secretKey).toBytes(), (file) => context.readCiphertext(file)],
      'secret key': [secretKey.toBytes(), (file) => context.readSecretKey(file)],
      'public key': [publicKey.toBytes(), (file) => context.readPublicKey(file)],
    }
    let state = seed
    const random = (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    const counts = { refused: 0, read: 0, unknown: [] }
    const before = {}
    for (let round = 0; round < rounds; round++) {
      for (const [whole, read] of Object.values(kinds)) {
        let file = whole.slice()
        // half of the flips are in the first bytes, where lengths and counts are
        const flips = 1 + random(3)
        for (let k = 0; k < flips; k++) file[random(random(2) ? 160 : file.length)] ^= 1 << random(8)
        if (random(4) === 0) file = file.subarray(0, random(file.length))
        try {
          read(file).free()
          counts.read += 1
        } catch (error) {
          if (error instanceof FileError || error instanceof InputError || error instanceof RingsideError) counts.refused += 1
          else counts.unknown.push(String(error))
        }
      }
      if (round === Math.floor(rounds / 2)) before.memory = module.bytes(0, 0).buffer.byteLength
    }
    module.selfTest()
    return { ...counts, grown: module.bytes(0, 0).buffer.byteLength - before.memory }
  },

  // Nothing of a secret key or of values is left in memory once they are freed.
  async wiping() {
    const module = await moduleFor('auto')
    const context = await Context.create('lee-12', { module })
    const values = Float64Array.from({ length: context.slots }, (_, i) => 0.1234567 + i)
    const secretKey = context.secretKey()
    const key = secretKey.toBytes()
    const ciphertext = context.encrypt(values, secretKey)
    const decrypted = context.decrypt(ciphertext, secretKey)
    const found = (bytes) => Buffer.from(module.bytes(0, 0).buffer).includes(Buffer.from(bytes))
    const pieces = { key: key.subarray(4096, 4128), values: new Uint8Array(values.buffer, 64, 32), decrypted: new Uint8Array(decrypted.buffer, 64, 32) }
    const there = found(pieces.key)
    secretKey.free()
    const left = Object.keys(pieces).filter((name) => found(pieces[name]))
    return { there, left }
  },

  // Which module is taken.
  async choice({ validate }) {
    if (validate === false) WebAssembly.validate = () => false
    const module = await Module.load()
    const forced = await Module.load({ simd: true }).then((made) => made.backend, failure)
    module.selfTest()
    return { backend: module.backend, forced, version: module.version }
  },

  // The worker of client.js.
  async worker({ frames }) {
    const { Client } = await import(pathToFileURL(join(folder, 'src', 'client.js')))
    const client = await Client.open('lee-12')
    await client.keygen()
    const progress = []
    const errors = []
    const sent = Array.from({ length: frames }, (_, k) => Float64Array.from({ length: client.slots }, (_, i) => k + i / 4096))
    let k = 0
    for await (const file of client.encryptAll(sent, { onProgress: (told) => progress.push(told) })) {
      const got = await client.decrypt(file)
      errors.push(Math.max(...got.map((value, i) => Math.abs(value - sent[k][i]))))
      k += 1
    }
    const stopped = new AbortController()
    const aborted = []
    try {
      for await (const file of client.encryptAll(sent, { signal: stopped.signal })) {
        aborted.push(file.length)
        stopped.abort()
      }
    } catch (error) {
      aborted.push(error.name)
    }
    const refused = await client.decrypt(new Uint8Array(40)).then(() => null, failure)
    const slip = await client.encrypt([1], { scael: 4 }).then(() => null, failure)
    const newer = (await client.encrypt([1], { version: '4.1', level: 0 })).length > 0
    const ours = await client.loadKey(await client.publicKeyFile()).then(() => client.hasPublicKey, failure)
    await client.close()
    return { progress, errors, aborted, refused, slip, newer, ours, left: await client.encrypt([1]).then(() => null, failure) }
  },
}

process.stdout.write(JSON.stringify(await deeds[what](request)))
