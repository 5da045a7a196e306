// SPDX-License-Identifier: Apache-2.0
// The WebAssembly module: which of the two this engine can run, its memory, and its blocks.
import { EngineError, InputError, errorOf } from './errors.js'
import { known } from './options.js'

// (func (param v128 v128 v128) (result v128) local.get 0 local.get 1 local.get 2 f64x2.relaxed_madd)
const RELAXED = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 123, 123, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 1, 32, 2, 253, 135, 2, 11,
])
const RANDOM_MAX = 65536 // bytes that crypto.getRandomValues gives at once
const BLOCK_MAX = 2 ** 31
const VALUE_BYTES = 8

function hasRelaxedSimd() {
  return WebAssembly.validate(RELAXED)
}

async function bytesOf(name) {
  const url = new URL(name, import.meta.url)
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises')
    return readFile(url)
  }
  const answer = await fetch(url)
  if (!answer.ok) throw new EngineError('RS_JS_LOAD', `${url} cannot be fetched: ${answer.status} ${answer.statusText}`)
  return answer.arrayBuffer()
}

async function instantiate(source) {
  const state = {}
  const random = (pointer, bytes) => {
    try {
      for (let at = 0; at < bytes; at += RANDOM_MAX) {
        crypto.getRandomValues(new Uint8Array(state.memory.buffer, pointer + at, Math.min(RANDOM_MAX, bytes - at)))
      }
      return 0
    } catch {
      return 1
    }
  }
  const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source)
  const { exports } = await WebAssembly.instantiate(compiled, { env: { random } })
  state.memory = exports.memory
  return exports
}

async function exportsFor({ simd = 'auto', wasm }) {
  if (wasm) return [await instantiate(wasm), 'given']
  if (simd === true || (simd === 'auto' && hasRelaxedSimd())) {
    const exports = await instantiate(await bytesOf('./ringside-simd.wasm'))
    if (exports.js_usable()) return [exports, 'simd']
    if (simd === true) throw new EngineError('RS_JS_SIMD', 'This engine does not fuse the products of relaxed SIMD: load without simd: true.')
  }
  return [await instantiate(await bytesOf('./ringside.wasm')), 'portable']
}

/** An instance of the WebAssembly module: memory of its own, which all objects made with it share. */
export class Module {
  #exports
  #broken
  // blocks of objects that were dropped without free()
  #registry = new FinalizationRegistry(({ name, pointer }) => this.#broken || this.#exports[name](pointer))

  constructor(exports, backend) {
    this.#exports = exports
    this.backend = backend
    this.version = this.text(exports.js_version())
  }

  static async load(options) {
    if (typeof WebAssembly !== 'object') throw new EngineError('RS_JS_WASM', 'This engine has no WebAssembly.')
    const [exports, backend] = await exportsFor(known(options, 'simd', 'wasm'))
    const module = new Module(exports, backend)
    if (!exports.js_usable()) throw new EngineError('RS_JS_SIMD', 'This module does not compute rightly on this engine.')
    return module
  }

  /** Calls a function that cannot fail. A trap ends the module: what its memory holds then is not known. */
  ask(name, ...args) {
    if (this.#broken) throw new EngineError('RS_JS_TRAP', 'The module was stopped by an earlier error; load it again.', { cause: this.#broken })
    try {
      return this.#exports[name](...args)
    } catch (error) {
      this.#broken = error
      throw new EngineError('RS_JS_TRAP', `The engine stopped ${name}: ${error.message}`, { cause: error })
    }
  }

  /** Calls a function that returns a status. */
  call(name, args, detail = '') {
    const status = this.ask(name, ...args)
    if (status === 0) return
    throw errorOf(this.text(this.ask('js_status_name', status)), this.text(this.ask('js_status_message', status)), detail)
  }

  /** Known answers of every primitive. Throws an EngineError if one is wrong. */
  selfTest() {
    this.call('js_selftest', [])
  }

  // ---- memory ---------------------------------------------------------------------------------------------------------
  bytes(pointer, length) {
    return new Uint8Array(this.#exports.memory.buffer, pointer, length)
  }

  words(pointer, length) {
    return new Uint32Array(this.#exports.memory.buffer, pointer, length)
  }

  longs(pointer, length) {
    return new BigUint64Array(this.#exports.memory.buffer, pointer, length)
  }

  integers(pointer, length) {
    return new BigInt64Array(this.#exports.memory.buffer, pointer, length)
  }

  doubles(pointer, length) {
    return new Float64Array(this.#exports.memory.buffer, pointer, length)
  }

  text(pointer) {
    if (!pointer) return ''
    const all = new Uint8Array(this.#exports.memory.buffer, pointer)
    return new TextDecoder().decode(all.subarray(0, all.indexOf(0)))
  }

  allocate(bytes) {
    const pointer = bytes < BLOCK_MAX ? this.ask('js_alloc', bytes) >>> 0 : 0
    if (!pointer) throw errorOf('RS_ERR_NO_MEMORY', `The module's memory cannot grow by ${bytes} bytes.`)
    return pointer
  }

  /** `use` gets a pointer to a block that is wiped and freed when it returns. */
  borrow(bytes, use) {
    const pointer = this.allocate(bytes)
    try {
      return use(pointer)
    } finally {
      if (!this.#broken) this.ask('js_free', pointer)
    }
  }

  borrowBytes(data, use) {
    if (!(data instanceof Uint8Array)) throw new InputError('RS_JS_TYPE', 'A file is a Uint8Array.')
    return this.borrow(data.length, (pointer) => {
      this.bytes(pointer, data.length).set(data)
      return use(pointer, data.length)
    })
  }

  borrowText(text, use) {
    return this.borrowBytes(new TextEncoder().encode(`${text}\0`), use)
  }

  borrowDoubles(values, use) {
    return this.borrow(VALUE_BYTES * values.length, (pointer) => {
      this.doubles(pointer, values.length).set(values)
      return use(pointer, values.length)
    })
  }

  /** Calls a function that writes a pointer through its last argument. */
  make(name, args, detail) {
    return this.borrow(8, (out) => {
      this.call(name, [...args, out], detail)
      return this.words(out, 1)[0]
    })
  }

  /** Calls a function that makes a block of bytes; a copy, and the block wiped. */
  file(name, args) {
    return this.borrow(8, (out) => {
      this.call(name, [...args, out, out + 4])
      const [pointer, length] = this.words(out, 2)
      const copy = this.bytes(pointer, length).slice()
      this.ask('js_free', pointer)
      return copy
    })
  }

  adopt(owner, pointer, name = 'js_free') {
    this.#registry.register(owner, { name, pointer }, owner)
  }

  release(owner, pointer, name = 'js_free') {
    this.#registry.unregister(owner)
    if (!this.#broken) this.ask(name, pointer)
  }
}

/** A thing in the module's memory. free(), or `using`, wipes it; what is dropped is wiped when the engine collects it, if ever. */
export class Native {
  #module
  #pointer
  #free

  constructor(module, pointer, free = 'js_free') {
    this.#module = module
    this.#pointer = pointer
    this.#free = free
    module.adopt(this, pointer, free)
  }

  get module() {
    return this.#module
  }

  get pointer() {
    if (!this.#pointer) throw new InputError('RS_JS_FREED', `This ${this.constructor.name} was freed.`)
    return this.#pointer
  }

  free() {
    if (!this.#pointer) return
    const pointer = this.#pointer
    this.#pointer = 0
    this.#module.release(this, pointer, this.#free)
  }

  [Symbol.dispose ?? Symbol.for('dispose')]() {
    this.free()
  }
}

let shared

/** The module that contexts take if they are given none. Loaded once; after a failure it is tried again. */
export function sharedModule() {
  shared ??= Module.load().catch((error) => {
    shared = undefined
    throw error
  })
  return shared
}
