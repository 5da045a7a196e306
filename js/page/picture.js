// SPDX-License-Identifier: Apache-2.0
// Small pictures in grey as numbers from 0 to 1, and numbers or bytes as pictures.

// Weights of red, green and blue in brightness (ITU-R BT.601).
const WEIGHTS = [0.299, 0.587, 0.114]
const pen = (canvas) => canvas.getContext('2d', { willReadFrequently: true })

/** What a canvas shows. */
export function greyOf(canvas) {
  const { data } = pen(canvas).getImageData(0, 0, canvas.width, canvas.height)
  return Float64Array.from({ length: canvas.width * canvas.height }, (_, pixel) =>
    WEIGHTS.reduce((sum, weight, colour) => sum + (weight * data[4 * pixel + colour]) / 255, 0),
  )
}

export function drawGrey(canvas, values) {
  const picture = new ImageData(canvas.width, canvas.height)
  for (let pixel = 0; pixel < canvas.width * canvas.height; pixel++) {
    picture.data.fill(Math.round(255 * values[pixel]), 4 * pixel, 4 * pixel + 3)
    picture.data[4 * pixel + 3] = 255
  }
  pen(canvas).putImageData(picture, 0, 0)
}

/** One byte of each word of a ciphertext's file, from its middle: that which differs most, as the highest ones of a residue are 0. */
export function drawBytes(canvas, file) {
  const begin = file.length >> 1
  const bytes = (first) => Uint8Array.from({ length: canvas.width * canvas.height }, (_, i) => file[(first + 8 * i) % file.length])
  const most = Array.from({ length: 8 }, (_, i) => bytes(begin + i)).sort((a, b) => new Set(b).size - new Set(a).size)[0]
  drawGrey(canvas, Float64Array.from(most, (byte) => byte / 255))
}

/** Hills, a sun, and its light on water. */
export function drawExample(canvas) {
  const { width, height } = canvas
  const sun = { x: width * 0.68, y: height * 0.36, r: height * 0.2 }
  drawGrey(
    canvas,
    Float64Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)]
      const far = Math.hypot(x - sun.x, y - sun.y)
      const hills = height * (0.62 - 0.13 * Math.sin(x / 9) - 0.06 * Math.sin(x / 3.7 + 1))
      if (y > height * 0.78) return 0.3 + 0.5 * Math.exp(-Math.abs(x - sun.x) / (2 + (y - height * 0.7))) * (0.7 + 0.3 * Math.sin(2.2 * y))
      if (y > hills) return 0.14 + (0.1 * (y - hills)) / height
      return far < sun.r ? 1 : Math.min(0.95, 0.35 + 0.45 * Math.exp(-(far - sun.r) / 10) + (0.2 * y) / height)
    }),
  )
}
