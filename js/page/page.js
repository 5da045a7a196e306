// SPDX-License-Identifier: Apache-2.0
// The page: keys, data, ciphertexts, and back. All arithmetic is in the worker of the package's Client.
import { Client } from '../src/client.js'
import { pictures } from './camera.js'
import { drawBytes, drawExample, drawGrey, greyOf } from './picture.js'
import { framesOf, numbersOf } from './table.js'

const SHOWN = 6 // numbers of a result that the page shows
const SIZE = { at: 8, bytes: 16 } // size of a file in SEAL's header
const element = (id) => document.getElementById(id)
let client
let stopping
let last = { files: [], count: 0, columns: 1 } // what was encrypted

function tell(text, error = false, id = 'told') {
  element(id).textContent = text
  element(id).className = error ? 'error' : ''
}

const counted = (number, what) => `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
const sizeOf = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toPrecision(3)} kB` : `${(bytes / 1e6).toPrecision(3)} MB`)

function link(parent, name, parts, kind = 'application/octet-stream') {
  const made = document.createElement('a')
  made.href = URL.createObjectURL(new Blob(parts, { type: kind }))
  made.download = name
  made.textContent = name
  element(parent).append(made)
}

function dropLinks(parent) {
  for (const old of element(parent).querySelectorAll('a')) URL.revokeObjectURL(old.href)
  element(parent).replaceChildren()
}

// Nothing of an earlier run stays beside what comes now, or beside an error.
function forget() {
  dropLinks('links')
  dropLinks('value-links')
  tell('')
  tell('', false, 'decrypted')
  for (const id of ['progress', 'pictures', 'sizes']) element(id).hidden = true
  element('back-figure').hidden = true
  element('decrypt').disabled = true
  last = { files: [], count: 0, columns: 1 }
  delete document.body.dataset.done
  delete document.body.dataset.decrypted
  delete document.body.dataset.failed
}

function enable(on) {
  for (const id of ['csv', 'frames', 'camera', 'example']) element(id).disabled = !on
  element('results').disabled = !(on && client.hasSecretKey)
  document.body.dataset.ready = on ? 'keys' : 'page'
}

function about(more) {
  const kind = client.backend === 'simd' ? 'with relaxed SIMD' : 'without relaxed SIMD'
  element('about').textContent = `N = ${client.n}: ${client.slots} numbers in a ciphertext, ${client.security} bits of security, module ${kind}. ${more}`
}

async function opened(parameters) {
  enable(false)
  forget()
  dropLinks('key-links')
  await client?.close()
  client = undefined
  element('about').textContent = ''
  client = await Client.open(parameters)
}

async function makeKeys() {
  await opened(element('set').value)
  await client.keygen()
  about('Keep secret.key: who has it reads everything. The server gets the other two files.')
  link('key-links', 'parameters.seal', [await client.parametersFile()])
  link('key-links', 'public.key', [await client.publicKeyFile()])
  link('key-links', 'secret.key', [await client.secretKeyFile()])
  enable(true)
}

const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer())

async function openKeys() {
  const [parameters] = element('parameters-file').files
  const keys = [...element('key-file').files]
  if (!parameters) throw new Error('Choose the file of the parameters, too: the key belongs to them.')
  await opened(await bytesOf(parameters))
  if (!keys.length) return about('Now choose a key.')
  for (const key of keys) await client.loadKey(await bytesOf(key))
  about(client.hasSecretKey ? 'With the secret key.' : 'Without a secret key: this page cannot decrypt.')
  enable(true)
}

function progress({ done, total, secondsLeft }) {
  element('progress').value = done / total
  tell(`${done} of ${total}, ${Math.ceil(secondsLeft)} s left`)
}

function showSizes(rows) {
  const lines = rows.map(([what, bytes, note]) => {
    const row = document.createElement('tr')
    for (const text of [what, sizeOf(bytes), note]) row.insertCell().textContent = text
    return row
  })
  element('sizes').tBodies[0]?.remove()
  element('sizes').createTBody().append(...lines)
  element('sizes').hidden = false
}

async function encrypted(frames, total, what, numbers) {
  element('progress').hidden = false
  const begun = performance.now()
  const files = []
  const key = client.hasPublicKey ? 'public' : 'secret'
  for await (const file of client.encryptAll(frames, { key, total, onProgress: progress })) files.push(file)
  const seconds = (performance.now() - begun) / 1000
  const bytes = files.reduce((sum, file) => sum + file.length, 0)
  const took = seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`
  tell(`${counted(files.length, 'ciphertext')} of ${what} in ${took}${files.length > 1 ? ', one behind the other' : ''}.`)
  if (files.length) {
    const plain = 8 * numbers(files.length)
    showSizes([
      ['the numbers, eight bytes each', plain, ''],
      ['ciphertexts', bytes, `${(bytes / plain).toPrecision(3)} times`],
      ['numbers that the ciphertexts have room for', 8 * client.slots * files.length, `${Math.round((100 * plain) / (8 * client.slots * files.length))} % used`],
    ])
    link('links', 'ciphertexts.seal', files)
  }
  last = { files, count: numbers(files.length), columns: 1 }
  element('decrypt').disabled = !(files.length && client.hasSecretKey)
  document.body.dataset.done = String(files.length)
}

async function table() {
  const [file] = element('csv').files
  forget()
  if (!file) return
  const { numbers, columns } = numbersOf(await file.text())
  const frames = framesOf(numbers, client.slots)
  await encrypted(frames, frames.length, `${numbers.length} numbers in ${counted(columns, 'column')}`, () => numbers.length)
  last.columns = columns
}

// The picture, its ciphertext as a server sees it, and what decryption gives back.
async function showPictures() {
  const file = last.files.at(-1)
  if (!file) return
  drawBytes(element('seen'), file)
  if (!client.hasSecretKey) return
  drawGrey(element('back'), await client.decrypt(file))
  element('back-figure').hidden = false
}

async function example() {
  forget()
  const canvas = element('preview')
  drawExample(canvas)
  element('pictures').hidden = false
  await encrypted([greyOf(canvas)], 1, `${canvas.width} x ${canvas.height} pixels`, (count) => count * canvas.width * canvas.height)
  await showPictures()
}

async function camera() {
  forget()
  const total = Number(element('frames').value)
  const canvas = element('preview')
  if (!navigator.mediaDevices) throw new Error('This browser gives pages of this kind no camera: serve the page from localhost or over https.')
  element('stop').hidden = element('pictures').hidden = false
  stopping = new AbortController()
  try {
    await encrypted(pictures(canvas, total, stopping.signal), total, `${canvas.width} x ${canvas.height} pixels`, (count) => count * canvas.width * canvas.height)
    await showPictures()
  } finally {
    element('stop').hidden = true
  }
}

// The files that stand one behind the other in one: each says its size.
function* filesOf(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const left = bytes.subarray(at)
    const size = left.length < SIZE.bytes ? 0 : Number(new DataView(left.buffer, left.byteOffset).getBigUint64(SIZE.at, true))
    if (size < SIZE.bytes || size > left.length) throw new Error('This is no file of ciphertexts of SEAL, or a part of one.')
    yield left.slice(0, size)
    at += size
  }
}

async function decrypted(files, count, columns) {
  dropLinks('value-links')
  delete document.body.dataset.decrypted
  const numbers = []
  for (const file of files) numbers.push(...(await client.decrypt(file)))
  const values = numbers.slice(0, count)
  const rows = Array.from({ length: Math.ceil(values.length / columns) }, (_, i) => `${values.slice(i * columns, (i + 1) * columns).join(',')}\n`)
  const some = values.slice(0, SHOWN).map((value) => value.toPrecision(4))
  tell(`${counted(values.length, 'number')}: ${some.join(', ')}${values.length > SHOWN ? ' …' : '.'} Do not publish exact values: with the ciphertext they reveal the secret key.`, false, 'decrypted')
  link('value-links', 'values.csv', rows, 'text/csv')
  document.body.dataset.decrypted = String(values.length)
}

async function results() {
  const [file] = element('results').files
  if (file) await decrypted([...filesOf(await bytesOf(file))], Infinity, 1)
}

const WORDS = {
  NotFoundError: 'There is no camera.',
  NotAllowedError: 'The camera was refused: allow it for this page.',
  NotReadableError: 'The camera is in use by another program.',
}

// One action after the other: each changes what the next one finds.
let busy = Promise.resolve()
function on(id, event, action, told = 'told') {
  element(id).addEventListener(event, () => {
    busy = busy.then(action).catch((error) => {
      if (told === 'told') forget()
      else dropLinks('value-links')
      tell(WORDS[error.name] ?? error.message, true, told)
      document.body.dataset.failed = error.code ?? error.name
    })
  })
}

on('make', 'click', makeKeys)
on('parameters-file', 'change', openKeys)
on('key-file', 'change', openKeys)
on('csv', 'change', table)
on('example', 'click', example)
on('camera', 'click', camera)
element('stop').addEventListener('click', () => stopping?.abort())
on('decrypt', 'click', () => decrypted(last.files, last.count, last.columns), 'decrypted')
on('results', 'change', results, 'decrypted')
element('about').textContent = 'Make keys, or open your own: parameters first, then a key.'
document.body.dataset.ready = 'page'
