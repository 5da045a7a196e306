// SPDX-License-Identifier: Apache-2.0
// Context: keys, encryption, decryption, files. One context is used by one thread; a worker has its own.
import { decompress } from './compression.js'
import { FileError, InputError, KeyError } from './errors.js'
import { Native, sharedModule } from './module.js'
import { known } from './options.js'
import { Parameters } from './parameters.js'

const NOT_PUBLISHED = -(2 ** 31) // INT32_MIN (native/client.c)
const KINDS = ['unknown', 'parameters', 'plaintext', 'secret key', 'ciphertext', 'public key', 'relinearisation keys', 'galois keys']

// The version of options as the module's number: 0 is its default, 3.6.
function versionNumber(options) {
  const { version } = known(options, 'version')
  if (version === undefined) return 0
  const [, major, minor] = /^(\d)\.(\d)$/.exec(version) ?? []
  if (major === undefined) throw new InputError('RS_ERR_VERSION', `A version of SEAL's format is written like "3.6", not ${version}.`)
  return 256 * Number(major) + Number(minor)
}

function checkedValues(values, most, what) {
  const list = Array.isArray(values) || values instanceof Float64Array || values instanceof Float32Array
  if (!list) throw new InputError('RS_JS_TYPE', `${what} are an array of numbers, a Float64Array or a Float32Array.`)
  if (values.length > most) throw new InputError('RS_ERR_VALUE_COUNT', `${values.length} numbers, but one ciphertext holds ${most}: encrypt them in parts.`)
  if (Array.isArray(values) && !values.every((value) => typeof value === 'number')) throw new InputError('RS_JS_TYPE', `${what} are numbers.`)
  return values
}

// Integers of BFV and BGV, as words of 64 bits.
function checkedIntegers(values, most) {
  const list = Array.isArray(values) || (ArrayBuffer.isView(values) && !(values instanceof DataView))
  if (!list) throw new InputError('RS_JS_TYPE', 'Values are an array of integers, a BigInt64Array or an Int32Array.')
  if (values.length > most) throw new InputError('RS_ERR_VALUE_COUNT', `${values.length} integers, but one ciphertext holds ${most}: encrypt them in parts.`)
  const wrong = values.findIndex((value) => (typeof value === 'bigint' ? value !== BigInt.asIntN(64, value) : !Number.isSafeInteger(value)))
  if (wrong >= 0) throw new InputError('RS_JS_TYPE', `Value ${wrong} is ${values[wrong]}: BFV and BGV encrypt integers.`)
  return values instanceof BigInt64Array ? values : BigInt64Array.from(values, BigInt)
}

function packingNumber(packing) {
  if (packing === 'slots' || packing === 'coefficients') return Number(packing === 'coefficients')
  throw new InputError('RS_JS_OPTION', `packing is "slots" or "coefficients", not ${packing}.`)
}

class Made extends Native {
  #context
  #write

  constructor(context, pointer, write) {
    super(context.module, pointer)
    this.#context = context
    this.#write = write
  }

  get context() {
    return this.#context
  }

  /** SEAL's file. version: "3.6" (what every SEAL from 3.6 on reads), "3.7", "4.0" to "4.4". */
  toBytes(options) {
    return this.module.file(this.#write, [this.#context.pointer, this.pointer, versionNumber(options)])
  }
}

export class SecretKey extends Made {
  constructor(context, pointer) {
    super(context, pointer, 'js_secret_write')
  }
}

export class PublicKey extends Made {
  constructor(context, pointer) {
    super(context, pointer, 'js_ciphertext_write')
  }
}

export class Ciphertext extends Made {
  constructor(context, pointer) {
    super(context, pointer, 'js_ciphertext_write')
  }

  get level() {
    return this.module.ask('js_ciphertext_limb_count', this.pointer) - 1
  }

  get scale() {
    return this.module.ask('js_ciphertext_scale', this.pointer)
  }

  /** Whether one half is a seed, as secret-key encryption leaves it. */
  get seeded() {
    return this.module.ask('js_ciphertext_seeded', this.pointer) === 1
  }

  get polynomials() {
    return this.module.ask('js_ciphertext_poly_count', this.pointer)
  }
}

export class Context extends Native {
  #parameters

  /** parameters: the name of a set, {n, bits}, {n, moduli}, or the bytes of SEAL's file. BFV and BGV: {n, bits, scheme: 'bfv', plainModulus: 65537}. */
  static async create(parameters, options) {
    const { security = 128, module } = known(options, 'security', 'module')
    const home = module ?? (await sharedModule())
    const wanted = parameters instanceof Uint8Array ? await decompress(parameters) : parameters
    const made = new Parameters(home, wanted, security)
    try {
      return new Context(home, made)
    } catch (error) {
      made.free()
      throw error
    }
  }

  constructor(module, parameters) {
    super(module, module.make('js_context_new', [parameters.pointer]), 'js_context_free')
    this.#parameters = parameters
    this.n = parameters.n
    this.scheme = parameters.scheme
    this.plainModulus = parameters.plainModulus // BFV and BGV
    this.slots = this.plainModulus ? parameters.n : parameters.n / 2
    this.moduli = parameters.moduli
    this.limbs = Math.max(1, parameters.limbCount - 1) // limbs of a fresh ciphertext
    this.scale = parameters.scale
    this.security = parameters.security
  }

  /** "simd" or "portable". */
  get backend() {
    return this.module.backend
  }

  free() {
    super.free()
    this.#parameters.free()
  }

  parametersFile(options) {
    return this.module.file('js_params_write', [this.#parameters.pointer, versionNumber(options)])
  }

  // ---- keys -----------------------------------------------------------------------------------------------------------
  secretKey() {
    return new SecretKey(this, this.module.make('js_secret_new', [this.pointer]))
  }

  publicKey(secret) {
    return new PublicKey(this, this.module.make('js_public_new', [this.pointer, this.#own(secret, SecretKey)]))
  }

  keygen() {
    const secretKey = this.secretKey()
    return { secretKey, publicKey: this.publicKey(secretKey) }
  }

  /** Throws a KeyError unless the public key is that of the secret key. */
  checkPair(secret, key) {
    this.module.call('js_pair_check', [this.pointer, this.#own(secret, SecretKey), this.#own(key, PublicKey)])
  }

  /** SEAL's file of relinearisation keys, for a server that multiplies. */
  relinKeysFile(secret, options) {
    return this.#switchFile(secret, [], options)
  }

  /** SEAL's file of Galois keys, for a server that rotates by these steps (0: conjugates). */
  galoisKeysFile(secret, steps, options) {
    const elements = new Set(steps.map((step) => this.#galoisElement(step)))
    if (!elements.size) throw new InputError('RS_ERR_GALOIS', 'Name at least one step.')
    return this.#switchFile(secret, [...elements].sort((a, b) => a - b), options)
  }

  #galoisElement(step) {
    if (!Number.isInteger(step) || Math.abs(step) >= this.slots) throw new KeyError('RS_ERR_GALOIS', `A step is a whole number below ${this.slots} in magnitude, not ${step}.`)
    return this.module.make('js_galois_element', [this.pointer, step])
  }

  #switchFile(secret, elements, options) {
    const key = this.#own(secret, SecretKey)
    return this.module.borrow(4 * Math.max(1, elements.length), (pointer) => {
      this.module.words(pointer, elements.length).set(elements)
      return this.module.file('js_switch_write', [this.pointer, key, pointer, elements.length, versionNumber(options)])
    })
  }

  // ---- encrypt and decrypt ----------------------------------------------------------------------------------------------
  /**
   * key: a PublicKey, or a SecretKey for half the size. complex: values are real and imaginary parts in turn.
   * level: 0 to limbs - 1; the highest if it is not given.
   */
  encrypt(values, key, options) {
    if (this.plainModulus) return this.#encryptIntegers(values, key, options)
    const { scale = this.scale, level = this.limbs - 1, complex = false } = known(options, 'scale', 'level', 'complex')
    const list = checkedValues(values, complex ? this.n : this.slots, 'Values')
    if (complex && list.length % 2) throw new InputError('RS_ERR_VALUE_COUNT', 'Complex values are pairs.')
    if (typeof scale !== 'number') throw new InputError('RS_ERR_SCALE', 'A scale is a number.')
    return this.module.borrowDoubles(list, (pointer, length) => {
      const count = complex ? length / 2 : length
      return this.#encrypted(key, [pointer, count, Number(complex), scale, this.#limbsAt(level), 0], `level ${level}, scale ${scale}`)
    })
  }

  #limbsAt(level) {
    return Number.isInteger(level) && level >= 0 && level < this.limbs ? level + 1 : 0
  }

  #encrypted(key, args, detail) {
    const keys = key instanceof SecretKey ? [this.#own(key, SecretKey), 0] : [0, this.#own(key, PublicKey)]
    return new Ciphertext(this, this.module.make('js_encrypt', [this.pointer, ...keys, ...args], detail))
  }

  // From -floor(t/2) to floor((t-1)/2), in slots or coefficients.
  #encryptIntegers(values, key, options) {
    const { level = this.limbs - 1, packing = 'slots' } = known(options, 'level', 'packing')
    const list = checkedIntegers(values, this.n)
    const where = packingNumber(packing)
    return this.module.borrow(8 * list.length, (pointer) => {
      this.module.integers(pointer, list.length).set(list)
      return this.#encrypted(key, [pointer, list.length, 0, 0, this.#limbsAt(level), where], `level ${level}, plain modulus ${this.plainModulus}`)
    })
  }

  #decryptIntegers(ciphertext, secret, options) {
    const { count = this.n, packing = 'slots' } = known(options, 'count', 'packing')
    const where = packingNumber(packing)
    if (!Number.isInteger(count) || count < 0 || count > this.n) throw new InputError('RS_ERR_VALUE_COUNT', `count is at most ${this.n}.`)
    return this.module.borrow(8 * count, (pointer) => {
      this.module.call('js_decrypt', [this.pointer, secret, ciphertext.pointer, ciphertext.level + 1, pointer, count, 0, NOT_PUBLISHED, 0, where])
      return this.module.integers(pointer, count).slice()
    })
  }

  /**
   * count: slots; all if it is not given. level: fewer limbs are read, where the values are known to fit. publish: {bits, flood} rounds the
   * values to multiples of 2^-bits, after adding noise of 2^flood, so that others may see them (docs/threat-model.md). A KeyError if the
   * values are the noise that another key gives.
   */
  decrypt(ciphertext, secret, options) {
    const key = this.#own(secret, SecretKey)
    const from = this.#own(ciphertext, Ciphertext)
    if (this.plainModulus) return this.#decryptIntegers(ciphertext, key, options)
    const { count = this.slots, complex = false, level = ciphertext.level, publish } = known(options, 'count', 'complex', 'level', 'publish')
    const { bits = NOT_PUBLISHED, flood = 0 } = known(publish, 'bits', 'flood')
    if (!Number.isInteger(count) || count < 0 || count > this.slots) throw new InputError('RS_ERR_VALUE_COUNT', `count is at most ${this.slots}.`)
    if (!Number.isInteger(level) || level < 0 || level > ciphertext.level) throw new InputError('RS_ERR_LEVEL', `level is at most ${ciphertext.level}.`)
    if (publish !== undefined && !Number.isInteger(publish.bits)) throw new InputError('RS_JS_TYPE', 'publish is { bits, flood }: bits is a whole number.')
    return this.module.borrow(8 * this.n, (pointer) => {
      this.module.call('js_decrypt', [this.pointer, key, from, level + 1, pointer, this.slots, 1, bits, flood, 0])
      const all = this.module.doubles(pointer, this.n) // real and imaginary parts in turn
      this.#refuseNoise(all, ciphertext.scale, level)
      if (complex) return all.slice(0, 2 * count)
      const real = new Float64Array(count)
      for (let i = 0; i < count; i++) real[i] = all[2 * i]
      return real
    })
  }

  // Another key gives what is uniform below the modulus Q: the root-mean-square of its coefficients, which is that of the slots over
  // sqrt(N) / scale, is Q / sqrt(12) = 0.289 Q. Encoded values stay below Q / 4. The Python package has the same rule (noise.py).
  #refuseNoise(all, scale, level) {
    let [largest, square] = [0, 0] // in loops: a function for each value takes longer than the decryption
    for (let i = 0; i < all.length; i++) largest = Math.max(largest, Math.abs(all[i]))
    largest ||= 1
    for (let i = 0; i < all.length; i++) square += (all[i] / largest) ** 2 // squares of large ones are no doubles
    square /= this.slots
    const logModulus = this.moduli.slice(0, level + 1).reduce((bits, modulus) => bits + Math.log2(Number(modulus)), 0)
    if (Math.log2(square) / 2 + Math.log2(largest * scale) - Math.log2(this.n) / 2 <= logModulus - 2) return
    throw new KeyError('RS_JS_WRONG_KEY', 'The decrypted values are noise that fills the whole modulus: the secret key is another one, or the ciphertext is damaged.')
  }

  // ---- files ------------------------------------------------------------------------------------------------------------
  readSecretKey(file) {
    return new SecretKey(this, this.#read('js_secret_read', file, []))
  }

  readPublicKey(file) {
    return new PublicKey(this, this.#read('js_ciphertext_read', file, [1]))
  }

  readCiphertext(file) {
    return new Ciphertext(this, this.#read('js_ciphertext_read', file, [0]))
  }

  /** "secret key", "public key", "ciphertext" and so on. */
  kindOf(file) {
    return this.module.borrowBytes(file, (data, length) => KINDS[this.module.make('js_kind', [this.pointer, data, length])])
  }

  /** What the file holds, compressed or not: a SecretKey, a PublicKey or a Ciphertext. */
  async load(file, options) {
    const plain = await decompress(file, options)
    const kind = this.kindOf(plain)
    if (kind === 'secret key') return this.readSecretKey(plain)
    if (kind === 'public key') return this.readPublicKey(plain)
    if (kind === 'ciphertext') return this.readCiphertext(plain)
    throw new FileError('RS_ERR_KIND', `A file of kind "${kind}" is nothing that a client loads.`)
  }

  // What is wrong with a file is a FileError, whatever the library calls it.
  #read(name, file, args) {
    try {
      return this.module.borrowBytes(file, (data, length) => this.module.make(name, [this.pointer, data, length, ...args]))
    } catch (error) {
      if (!(error instanceof InputError) || error.code.startsWith('RS_JS_')) throw error
      throw new FileError(error.code, `${error.message}; the file holds: ${this.kindOf(file)}`, { cause: error })
    }
  }

  // The pointer of an object of this context.
  #own(object, Kind) {
    if (!(object instanceof Kind)) throw new InputError('RS_JS_TYPE', `A ${Kind.name} is wanted here.`)
    if (object.context !== this) throw new KeyError('RS_ERR_MISMATCH', `This ${Kind.name} belongs to another context.`)
    return object.pointer
  }
}
