// SPDX-License-Identifier: Apache-2.0
// The other side of line_process.py: a line of JSON is answered by a line of JSON.
import { createInterface } from 'node:readline'

/** answer: of a line, or its promise. What it throws is said as {"error": text}. */
export async function serve(answer) {
  for await (const line of createInterface({ input: process.stdin })) {
    let reply
    try {
      reply = await answer(line)
    } catch (error) {
      reply = { error: String(error?.message ?? error) }
    }
    process.stdout.write(JSON.stringify(reply) + '\n')
  }
}
