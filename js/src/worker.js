// SPDX-License-Identifier: Apache-2.0
// The worker of client.js: one context, its keys, and one request at a time, in order. The secret key stays here unless it is asked for.
import { Context } from './context.js'
import { InputError } from './errors.js'
import { Module } from './module.js'

const state = { context: null, secretKey: null, publicKey: null }

function forget() {
  for (const name of ['secretKey', 'publicKey', 'context']) {
    state[name]?.free()
    state[name] = null
  }
}

function told() {
  const { n, slots, limbs, scale, security, backend, moduli } = state.context
  return { n, slots, limbs, scale, security, backend, moduli, hasSecretKey: Boolean(state.secretKey), hasPublicKey: Boolean(state.publicKey) }
}

function wanted(name, what) {
  if (state[name]) return state[name]
  throw new InputError('RS_JS_NO_KEY', `There is no ${what}: make or open one first.`)
}

const operations = {
  async open({ parameters, security, simd }) {
    forget()
    state.context = await Context.create(parameters, { security, module: await Module.load({ simd }) })
    return told()
  },
  keygen() {
    const context = wanted('context', 'context')
    const made = context.keygen()
    state.secretKey?.free()
    state.publicKey?.free()
    Object.assign(state, made)
    return told()
  },
  async loadKey({ file }) {
    const key = await wanted('context', 'context').load(file)
    const name = { SecretKey: 'secretKey', PublicKey: 'publicKey' }[key.constructor.name]
    if (!name) throw new InputError('RS_ERR_KIND', 'This file holds a ciphertext, not a key.')
    state[name]?.free()
    state[name] = key
    return told()
  },
  encrypt({ values, key, options }) {
    let ciphertext
    try {
      const used = key === 'secret' ? wanted('secretKey', 'secret key') : wanted('publicKey', 'public key')
      const { version, ...how } = options
      ciphertext = state.context.encrypt(values, used, how)
      return ciphertext.toBytes({ version })
    } finally {
      values.fill?.(0)
      ciphertext?.free()
    }
  },
  async decrypt({ file, options }) {
    const ciphertext = await wanted('context', 'context').load(file)
    try {
      return state.context.decrypt(ciphertext, wanted('secretKey', 'secret key'), options)
    } finally {
      ciphertext.free()
    }
  },
  file({ what, steps, options }) {
    const context = wanted('context', 'context')
    if (what === 'parameters') return context.parametersFile(options)
    if (what === 'public key') return wanted('publicKey', 'public key').toBytes(options)
    const secret = wanted('secretKey', 'secret key')
    if (what === 'secret key') return secret.toBytes(options)
    if (what === 'relinearisation keys') return context.relinKeysFile(secret, options)
    if (what === 'galois keys') return context.galoisKeysFile(secret, steps, options)
    throw new InputError('RS_JS_TYPE', `There is no file of ${what}.`)
  },
  close() {
    forget()
    return null
  },
}

// In a browser the worker itself; under Node.js the port to the parent.
const port = globalThis.process?.versions?.node ? (await import('node:worker_threads')).parentPort : globalThis

async function answer({ id, op, request }) {
  try {
    if (!Object.hasOwn(operations, op)) throw new InputError('RS_JS_TYPE', `There is no operation ${op}.`)
    const result = await operations[op](request ?? {})
    port.postMessage({ id, result }, ArrayBuffer.isView(result) ? [result.buffer] : [])
  } catch (error) {
    port.postMessage({ id, error: { name: error.name, code: error.code, message: error.message } })
  }
}

let last = Promise.resolve()
const receive = (message) => {
  last = last.then(() => answer(message))
}
if (port.on) port.on('message', receive)
else port.addEventListener('message', (event) => receive(event.data))
port.postMessage({ ready: true })
