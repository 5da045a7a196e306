// SPDX-License-Identifier: Apache-2.0
// SEAL compresses the files of a server by default; the module itself reads plain ones. The engine's own inflate turns one into the other.
import { FileError, InputError } from './errors.js'
import { known } from './options.js'

const HEADER = { bytes: 16, mode: 5, size: 8 }
const MODES = ['none', 'deflate', 'zstd'] // as DecompressionStream names SEAL's numbers
const LIMIT = 2 ** 30

function checkedHeader(file) {
  if (!(file instanceof Uint8Array)) throw new InputError('RS_JS_TYPE', 'A file is a Uint8Array: its bytes, not its name.')
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < HEADER.bytes) throw new FileError('RS_ERR_TRUNCATED', 'The data end before the object does.')
  if (view.getUint16(0, true) !== 0xa15e || view.getUint8(2) !== HEADER.bytes) throw new FileError('RS_ERR_MAGIC', 'This is no SEAL object.')
  const size = view.getBigUint64(HEADER.size, true)
  if (size !== BigInt(file.length)) throw new FileError(size > file.length ? 'RS_ERR_TRUNCATED' : 'RS_ERR_TRAILING', `The header says ${size} bytes, there are ${file.length}.`)
  return view.getUint8(HEADER.mode)
}

async function nodeZstd(data, limit) {
  const { zstdDecompressSync } = (await import('node:zlib')).default
  if (!zstdDecompressSync) throw new TypeError('no zstd')
  return new Uint8Array(zstdDecompressSync(data, { maxOutputLength: limit }))
}

async function readAll(stream, limit) {
  const parts = []
  let total = 0
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    total += value.length
    if (total > limit) {
      await reader.cancel()
      throw new FileError('RS_ERR_LENGTH', `The decompressed file is longer than ${limit} bytes.`)
    }
    parts.push(value)
  }
  const whole = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    part.fill(0)
    at += part.length
  }
  return whole
}

function streamFor(mode) {
  try {
    return new DecompressionStream(MODES[mode])
  } catch {
    return null
  }
}

async function inflated(data, mode, limit) {
  const inflate = streamFor(mode)
  if (inflate) return readAll(new Blob([data]).stream().pipeThrough(inflate), limit)
  if (mode === 2 && globalThis.process?.versions?.node) return nodeZstd(data, limit)
  throw new FileError('RS_ERR_COMPRESSION', `This engine does not know ${MODES[mode] ?? 'this compression'}: let the server save with zlib or without compression.`)
}

/** The same file without compression. limit: bytes that it may grow to. */
export async function decompress(file, options) {
  const { limit = LIMIT } = known(options, 'limit')
  const mode = checkedHeader(file)
  if (mode === 0) return file
  let members
  try {
    members = await inflated(file.subarray(HEADER.bytes), mode, limit)
  } catch (error) {
    if (error instanceof FileError) throw error
    throw new FileError('RS_ERR_CODEC', 'The compressed data are damaged, or larger than the limit.', { cause: error })
  }
  const plain = new Uint8Array(HEADER.bytes + members.length)
  plain.set(file.subarray(0, HEADER.bytes))
  plain.set(members, HEADER.bytes)
  members.fill(0)
  const view = new DataView(plain.buffer)
  view.setUint8(HEADER.mode, 0)
  view.setBigUint64(HEADER.size, BigInt(plain.length), true)
  return plain
}
