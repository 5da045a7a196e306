// SPDX-License-Identifier: Apache-2.0
// Options of a call: a name that is not known is a slip of the pen, and would be ignored without a word.
import { InputError } from './errors.js'

/** The options themselves, if they are known ones. */
export function known(options, ...names) {
  if (options === undefined) return {}
  if (typeof options !== 'object' || options === null) throw new InputError('RS_JS_OPTION', `Options are an object, such as { ${names[0]}: … }.`)
  const other = Object.keys(options).find((name) => !names.includes(name))
  if (other !== undefined) throw new InputError('RS_JS_OPTION', `There is no option "${other}" here; there is ${names.join(', ')}.`)
  return options
}
