// SPDX-License-Identifier: Apache-2.0
// Numbers of a CSV file, row by row, in frames of as many as a ciphertext holds.

/** All numbers of the text. The first line may be a heading. Separators: comma, semicolon, tab. */
export function numbersOf(text) {
  const lines = text.split(/\r?\n/)
  const rows = lines.map((line) => line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')))
  const numbers = []
  let columns
  rows.forEach((cells, index) => {
    if (cells.every((cell) => cell === '')) return
    const values = cells.map((cell) => (cell === '' ? NaN : Number(cell)))
    const bad = values.findIndex((value) => !Number.isFinite(value))
    if (bad >= 0 && columns === undefined && numbers.length === 0) {
      columns = cells.length // a heading
      return
    }
    columns ??= cells.length
    if (bad >= 0) throw new Error(`Line ${index + 1}, column ${bad + 1}: "${cells[bad]}" is no number.`)
    if (cells.length !== columns) throw new Error(`Line ${index + 1} has ${cells.length} columns, the lines before have ${columns}.`)
    numbers.push(...values)
  })
  if (!numbers.length) throw new Error('There are no numbers in this file.')
  return { numbers: Float64Array.from(numbers), columns }
}

export function framesOf(numbers, slots) {
  return Array.from({ length: Math.ceil(numbers.length / slots) }, (_, i) => numbers.subarray(i * slots, (i + 1) * slots))
}
