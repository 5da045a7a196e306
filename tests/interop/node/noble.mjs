// SPDX-License-Identifier: Apache-2.0
// noble-post-quantum behind a line protocol: one JSON request per line on stdin, one JSON answer per line on stdout. Bytes are hexadecimal.
//
//   {"set", "do": "keygen", "seed"}                                   [public, secret]
//   {"set", "do": "encaps", "public", "random"?}                      [shared secret, ciphertext]
//   {"set", "do": "decaps", "secret", "ciphertext"}                   shared secret
//   {"set", "do": "sign", "secret", "message", "context", "hash"?}    signature, without randomness
//   {"set", "do": "verify", "public", "message", "signature", "context", "hash"?}   true or false
//
// The answer: {"ok": result} or {"error": text}.
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { sha3_512, shake256_64 } from '@noble/hashes/sha3.js'
import { falcon1024, falcon512 } from '@noble/post-quantum/falcon.js'
import { ml_dsa44, ml_dsa65, ml_dsa87 } from '@noble/post-quantum/ml-dsa.js'
import { ml_kem1024, ml_kem512, ml_kem768 } from '@noble/post-quantum/ml-kem.js'

import { serve } from '../../line_process.mjs'

const sets = {
  'ML-KEM-512': ml_kem512,
  'ML-KEM-768': ml_kem768,
  'ML-KEM-1024': ml_kem1024,
  'ML-DSA-44': ml_dsa44,
  'ML-DSA-65': ml_dsa65,
  'ML-DSA-87': ml_dsa87,
  'FN-DSA-512': falcon512,
  'FN-DSA-1024': falcon1024,
}
const hashes = { 'SHA2-256': sha256, 'SHA2-512': sha512, 'SHA3-512': sha3_512, SHAKE256: shake256_64 }

const bytes = (text) => Uint8Array.from(Buffer.from(text, 'hex'))
const hex = (data) => Buffer.from(data).toString('hex')
const signer = (request) => (request.hash ? sets[request.set].prehash(hashes[request.hash]) : sets[request.set])

const verbs = {
  keygen(request) {
    const pair = sets[request.set].keygen(bytes(request.seed))
    return [hex(pair.publicKey), hex(pair.secretKey)]
  },
  encaps(request) {
    const random = request.random === undefined ? undefined : bytes(request.random)
    const made = sets[request.set].encapsulate(bytes(request.public), random)
    return [hex(made.sharedSecret), hex(made.cipherText)]
  },
  decaps(request) {
    return hex(sets[request.set].decapsulate(bytes(request.ciphertext), bytes(request.secret)))
  },
  sign(request) {
    const options = request.context === undefined ? {} : { context: bytes(request.context), extraEntropy: false }
    return hex(signer(request).sign(bytes(request.message), bytes(request.secret), options))
  },
  verify(request) {
    const options = request.context === undefined ? {} : { context: bytes(request.context) }
    return signer(request).verify(bytes(request.signature), bytes(request.message), bytes(request.public), options)
  },
}

await serve((line) => {
  const request = JSON.parse(line)
  return { ok: verbs[request.do](request) }
})
