// SPDX-License-Identifier: Apache-2.0
// Parameters: a named set, sizes or values of primes, or SEAL's file.
import { InputError, ParameterError } from './errors.js'
import { Native } from './module.js'

const PLACES = { logN: 0, limbCount: 1, moduli: 8 } // fields of rs_params_t: words of 32 bits, bytes (native/client.c)
const LIMBS_MAX = 64
const UNCHECKED = 1 // RS_SECURITY_UNCHECKED
const DEFAULT_SCALE_BITS = 25
const SCHEMES = [, 'bfv', 'ckks', 'bgv'] // by SEAL's numbers

function isCount(value) {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 32
}

function checkedSecurity(security) {
  if ([0, 128, 192, 256].includes(security)) return security || UNCHECKED
  throw new ParameterError('RS_ERR_SECURITY_LEVEL', `security is 128, 192, 256, or 0 for no check, not ${security}.`)
}

function checkedList(list, what) {
  if (Array.isArray(list) && list.length > 0 && list.length <= LIMBS_MAX) return list
  throw new ParameterError('RS_ERR_LIMB_COUNT', `${what} is an array of 1 to ${LIMBS_MAX} numbers.`)
}

// Scheme, plain modulus and its bits, as the module has them.
function plainOf({ scheme = 'ckks', plainModulus }) {
  if (!SCHEMES.includes(scheme)) throw new ParameterError('RS_ERR_SCHEME', `A scheme is "ckks", "bfv" or "bgv", not ${scheme}.`)
  const bits = /^batching:(\d{1,2})$/.exec(plainModulus)?.[1]
  if (bits) return [SCHEMES.indexOf(scheme), 0n, Number(bits)]
  if (plainModulus === undefined) return [SCHEMES.indexOf(scheme), 0n, 0]
  const isNumber = typeof plainModulus === 'bigint' || Number.isSafeInteger(plainModulus)
  if (isNumber && plainModulus > 0 && plainModulus < 2 ** 63) return [SCHEMES.indexOf(scheme), BigInt(plainModulus), 0]
  throw new ParameterError('RS_ERR_PLAIN_MODULUS', 'A plain modulus is a whole number, or "batching:20" for a prime of 20 bits that has slots.')
}

function fromBits(module, made, { n, bits, ...more }, security) {
  if (!isCount(n) || !checkedList(bits, 'bits').every(isCount)) throw new ParameterError('RS_ERR_PRIMES', 'n and bits are whole numbers.')
  module.borrow(4 * bits.length, (pointer) => {
    module.words(pointer, bits.length).set(bits)
    module.call('js_params_init', [made, 0, n, 0, pointer, bits.length, security, ...plainOf(more)])
  })
}

function fromModuli(module, made, { n, moduli, ...more }, security) {
  const values = checkedList(moduli, 'moduli').map(BigInt)
  if (!isCount(n) || values.some((value) => value < 0n || value >> 64n)) throw new ParameterError('RS_ERR_MODULUS_RANGE', 'Moduli are below 2^60.')
  module.borrow(8 * values.length, (pointer) => {
    module.longs(pointer, values.length).set(values)
    module.call('js_params_init', [made, 0, n, pointer, 0, values.length, security, ...plainOf(more)])
  })
}

function fill(module, made, wanted, security) {
  if (typeof wanted === 'string') {
    module.borrowText(wanted, (name) => module.call('js_params_init', [made, name, 0, 0, 0, 0, security, 0, 0n, 0], wanted))
  } else if (wanted instanceof Uint8Array) {
    module.borrowBytes(wanted, (data, length) => module.call('js_params_read', [made, data, length, security]))
  } else if (wanted?.bits) {
    fromBits(module, made, wanted, security)
  } else if (wanted?.moduli) {
    fromModuli(module, made, wanted, security)
  } else {
    throw new InputError('RS_JS_TYPE', 'Parameters are the name of a set, {n, bits}, {n, moduli}, or the bytes of a SEAL file: Context.create("lee-14").')
  }
}

/** The named sets, with the scale that suits each. */
export function namedSets(module) {
  const sets = new Map()
  for (let index = 0; ; index++) {
    const name = module.text(module.ask('js_set_name', index))
    if (!name) return sets
    sets.set(name, 2 ** module.ask('js_set_scale_bits', index))
  }
}

/** rs_params_t in the module's memory. */
export class Parameters extends Native {
  constructor(module, wanted, security) {
    const made = module.ask('js_params_new') >>> 0
    if (!made) throw new InputError('RS_ERR_NO_MEMORY', 'The module has no memory for parameters.')
    super(module, made)
    try {
      fill(module, made, wanted, checkedSecurity(security))
    } catch (error) {
      this.free()
      throw error
    }
    const [logN, limbCount] = [module.words(made, 2)[PLACES.logN], module.words(made, 2)[PLACES.limbCount]]
    this.n = 2 ** logN
    this.limbCount = limbCount
    this.moduli = Object.freeze([...module.longs(made + PLACES.moduli, limbCount)])
    this.security = module.ask('js_params_security', made)
    this.scheme = SCHEMES[module.ask('js_params_scheme', made)]
    this.plainModulus = module.ask('js_params_plain_modulus', made) || undefined // a BigInt
    this.scale = (typeof wanted === 'string' && namedSets(module).get(wanted)) || 2 ** DEFAULT_SCALE_BITS
  }
}
