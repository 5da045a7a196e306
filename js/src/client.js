// SPDX-License-Identifier: Apache-2.0
// Encryption beside the page: a worker does the work, this sends it requests and reports progress.
import * as errors from './errors.js'
import { known } from './options.js'

const AHEAD = 4 // frames that are on their way to the worker while it works

async function startWorker() {
  const url = new URL('./worker.js', import.meta.url)
  if (typeof Worker === 'function') return new Worker(url, { type: 'module' })
  const { Worker: Thread } = await import('node:worker_threads')
  return new Thread(url)
}

function listen(worker, on) {
  if (worker.on) {
    worker.on('message', on.message).on('error', on.error)
  } else {
    worker.addEventListener('message', (event) => on.message(event.data))
    worker.addEventListener('error', (event) => on.error(new Error(event.message ?? 'the worker cannot be loaded')))
  }
}

function errorFrom({ name, code, message }) {
  const Kind = Object.hasOwn(errors, name) ? errors[name] : errors.EngineError
  return new Kind(code ?? 'RS_JS_WORKER', message)
}

export class Client {
  #worker
  #waiting = new Map()
  #next = 0
  #failed

  constructor(worker) {
    this.#worker = worker
  }

  /** Starts a worker and opens a context in it. parameters, security: as for Context.create. */
  static async open(parameters, options) {
    const { security, simd } = known(options, 'security', 'simd')
    const client = new Client(await startWorker())
    try {
      await client.#started()
      Object.assign(client, await client.#ask('open', { parameters, security, simd }))
    } catch (error) {
      client.#worker.terminate()
      throw error
    }
    return client
  }

  #started() {
    return new Promise((resolve, reject) => {
      const message = ({ ready, id, result, error }) => {
        if (ready) return resolve()
        const asked = this.#waiting.get(id)
        this.#waiting.delete(id)
        return error ? asked.reject(errorFrom(error)) : asked.resolve(result)
      }
      const error = (cause) => {
        this.#failed = new errors.EngineError('RS_JS_WORKER', `The worker stopped: ${cause.message}`, { cause })
        for (const asked of this.#waiting.values()) asked.reject(this.#failed)
        this.#waiting.clear()
        reject(this.#failed)
      }
      listen(this.#worker, { message, error })
    })
  }

  #ask(op, request, transfer = []) {
    if (this.#failed) return Promise.reject(this.#failed)
    return new Promise((resolve, reject) => {
      const id = this.#next++
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, op, request }, transfer)
    })
  }

  async keygen() {
    Object.assign(this, await this.#ask('keygen'))
  }

  /** A secret or a public key from its file. */
  async loadKey(file) {
    Object.assign(this, await this.#ask('loadKey', { file }))
  }

  parametersFile(options) {
    return this.#ask('file', { what: 'parameters', options })
  }

  publicKeyFile(options) {
    return this.#ask('file', { what: 'public key', options })
  }

  /** The only way in which the secret key leaves the worker. */
  secretKeyFile(options) {
    return this.#ask('file', { what: 'secret key', options })
  }

  relinKeysFile(options) {
    return this.#ask('file', { what: 'relinearisation keys', options })
  }

  galoisKeysFile(steps, options) {
    return this.#ask('file', { what: 'galois keys', steps, options })
  }

  /** One ciphertext's file. key: "public" or "secret". The values are copied first. */
  encrypt(values, { key = 'public', ...options } = {}) {
    const copy = Float64Array.from(values)
    return this.#ask('encrypt', { values: copy, key, options }, [copy.buffer])
  }

  decrypt(file, options) {
    return this.#ask('decrypt', { file, options })
  }

  /**
   * Files of many frames, in order, while a camera or a table still delivers them. onProgress gets {done, total, secondsLeft}; total is that
   * of the arguments, or undefined. signal: an AbortSignal.
   */
  async *encryptAll(frames, { total = frames.length, onProgress, signal, ...options } = {}) {
    const begun = performance.now()
    const waiting = []
    let done = 0
    const next = async () => {
      const file = await waiting.shift()
      done += 1
      const secondsLeft = total === undefined ? undefined : ((performance.now() - begun) / 1000 / done) * (total - done)
      onProgress?.({ done, total, secondsLeft })
      return file
    }
    try {
      for await (const frame of frames) {
        signal?.throwIfAborted()
        waiting.push(this.encrypt(frame, options))
        if (waiting.length > AHEAD) yield await next()
      }
      while (waiting.length) {
        signal?.throwIfAborted()
        yield await next()
      }
    } finally {
      await Promise.allSettled(waiting)
    }
  }

  /** Wipes the worker's keys and ends it. */
  async close() {
    try {
      await this.#ask('close')
    } finally {
      this.#failed ??= new errors.EngineError('RS_JS_CLOSED', 'This client was closed.')
      this.#worker.terminate()
    }
  }
}
