// SPDX-License-Identifier: Apache-2.0
// The page: keys, data, ciphertexts. All arithmetic is in the worker of the package's Client.
import { Client } from '../src/client.js'
import { pictures } from './camera.js'
import { framesOf, numbersOf } from './table.js'

const element = (id) => document.getElementById(id)
let client
let stopping

function tell(text, error = false) {
  element('told').textContent = text
  element('told').className = error ? 'error' : ''
}

function link(parent, name, parts) {
  const made = document.createElement('a')
  made.href = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }))
  made.download = name
  made.textContent = name
  element(parent).append(made)
}

function dropLinks(parent) {
  for (const old of element(parent).querySelectorAll('a')) URL.revokeObjectURL(old.href)
  element(parent).replaceChildren()
}

function enable(on) {
  for (const id of ['csv', 'frames', 'camera']) element(id).disabled = !on
  document.body.dataset.ready = on ? 'keys' : 'page'
}

function about() {
  const kind = client.backend === 'simd' ? 'with relaxed SIMD' : 'without relaxed SIMD'
  element('about').textContent = `N = ${client.n}: ${client.slots} numbers in a ciphertext, ${client.security} bits of security, module ${kind}.`
}

async function opened(parameters) {
  enable(false)
  dropLinks('key-links')
  await client?.close()
  client = undefined
  client = await Client.open(parameters)
  about()
}

async function makeKeys() {
  await opened(element('set').value)
  await client.keygen()
  link('key-links', 'parameters.seal', [await client.parametersFile()])
  link('key-links', 'public.key', [await client.publicKeyFile()])
  link('key-links', 'secret.key', [await client.secretKeyFile()])
  enable(true)
}

const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer())

async function openKeys() {
  const [parameters] = element('parameters-file').files
  const [key] = element('key-file').files
  if (!parameters || !key) return
  await opened(await bytesOf(parameters))
  await client.loadKey(await bytesOf(key))
  enable(true)
}

function progress({ done, total, secondsLeft }) {
  element('progress').value = done / total
  tell(`${done} of ${total}, ${Math.ceil(secondsLeft)} s left`)
}

async function encrypted(frames, total, what) {
  dropLinks('links')
  delete document.body.dataset.done
  element('progress').hidden = false
  const begun = performance.now()
  const files = []
  for await (const file of client.encryptAll(frames, { total, onProgress: progress })) files.push(file)
  const seconds = (performance.now() - begun) / 1000
  tell(`${files.length} ciphertexts of ${what} in ${seconds.toFixed(1)} s, ${files[0]?.length ?? 0} bytes each, one behind the other.`)
  if (files.length) link('links', 'ciphertexts.seal', files)
  document.body.dataset.done = String(files.length)
}

async function table() {
  const [file] = element('csv').files
  if (!file) return
  const { numbers, columns } = numbersOf(await file.text())
  const frames = framesOf(numbers, client.slots)
  await encrypted(frames, frames.length, `${numbers.length} numbers in ${columns} columns`)
}

async function camera() {
  const total = Number(element('frames').value)
  const canvas = element('preview')
  canvas.hidden = element('stop').hidden = false
  stopping = new AbortController()
  try {
    await encrypted(pictures(canvas, total, stopping.signal), total, `${canvas.width} x ${canvas.height} pixels`)
  } finally {
    element('stop').hidden = true
  }
}

function on(id, event, action) {
  element(id).addEventListener(event, () => {
    action().catch((error) => {
      tell(error.message, true)
      document.body.dataset.failed = error.code ?? error.name
    })
  })
}

on('make', 'click', makeKeys)
on('parameters-file', 'change', openKeys)
on('key-file', 'change', openKeys)
on('csv', 'change', table)
on('camera', 'click', camera)
on('stop', 'click', async () => stopping?.abort())
element('about').textContent = 'Make keys, or open the parameters and the public key of a server.'
document.body.dataset.ready = 'page'
