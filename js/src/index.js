// SPDX-License-Identifier: Apache-2.0
export { decompress } from './compression.js'
export { Ciphertext, Context, PublicKey, SecretKey } from './context.js'
export { EngineError, FileError, InputError, KeyError, ParameterError, RingsideError } from './errors.js'
export { Module } from './module.js'
