// SPDX-License-Identifier: Apache-2.0
// node-seal (Microsoft SEAL compiled to WebAssembly) behind a line protocol: one JSON request per line on stdin, one JSON
// answer per line on stdout. Objects live here under names that the caller chooses.
//
//   {"do": "new",  "name", "type", "args"}              name = new seal[type](...args)
//   {"do": "call", "name"?, "on", "method", "args"}     on.method(...args); an object result is kept under name
//   {"do": "load", "on", "path", "context"?}            on.loadFromArray([context,] file)
//   {"do": "save", "on", "path", "compression"}         file = on.saveToArray(compression): none, zlib or zstd
//   {"do": "free", "names"}                             deletes objects
//
// "on" and {"ref": name} name an object, or with a dot in front a static ("CoeffModulus"); other arguments: numbers, booleans,
// strings, {"int": "decimal"} (BigInt), {"enum": [type, key]}, {"doubles": [...]}, {"ints": [...]}, {"longs": [...]}.
// The answer: {"ok": result} or {"error": text}. BigInts come back as decimal strings, arrays as lists, objects as null.
import { readFileSync, writeFileSync } from 'node:fs'
import SEAL from 'node-seal'

import { serve } from '../../line_process.mjs'

const seal = await SEAL()
const objects = new Map()

function find(name) {
  if (name.startsWith('.')) return seal[name.slice(1)]
  if (!objects.has(name)) throw new Error(`no object ${name}`)
  return objects.get(name)
}

function argument(value) {
  if (value === null || typeof value !== 'object') return value
  if ('ref' in value) return find(value.ref)
  if ('int' in value) return BigInt(value.int)
  if ('enum' in value) return seal[value.enum[0]][value.enum[1]]
  if ('doubles' in value) return Float64Array.from(value.doubles)
  if ('ints' in value) return Int32Array.from(value.ints)
  if ('longs' in value) return BigInt64Array.from(value.longs, BigInt)
  throw new Error(`argument not understood: ${JSON.stringify(value)}`)
}

function answer(value) {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, answer)
  return value !== null && typeof value === 'object' ? null : (value ?? null)
}

function keep(name, value) {
  if (name === undefined || value === null || typeof value !== 'object') return
  if (objects.has(name)) objects.get(name).delete()
  objects.set(name, value)
}

const verbs = {
  new({ name, type, args }) {
    keep(name, new seal[type](...args.map(argument)))
  },
  call({ name, on, method, args }) {
    const value = find(on)[method](...args.map(argument))
    keep(name, value)
    return answer(value)
  },
  load({ on, path, context }) {
    const where = context === undefined ? [] : [find(context)]
    find(on).loadFromArray(...where, new Uint8Array(readFileSync(path)))
  },
  save({ on, path, compression }) {
    writeFileSync(path, find(on).saveToArray(seal.ComprModeType[compression]))
  },
  free({ names }) {
    for (const name of names) {
      objects.get(name)?.delete()
      objects.delete(name)
    }
  },
}

await serve((line) => {
  const request = JSON.parse(line)
  return { ok: verbs[request.do](request) ?? null }
})
