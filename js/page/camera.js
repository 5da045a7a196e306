// SPDX-License-Identifier: Apache-2.0
// Pictures of the camera, small and in grey, as values from 0 to 1.
import { greyOf } from './picture.js'

async function shown(stream) {
  const video = document.createElement('video')
  video.srcObject = stream
  video.muted = true
  await video.play()
  return video
}

function nextPicture(video) {
  return new Promise((resolve) => {
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(() => resolve())
    else setTimeout(resolve, 40)
  })
}

/** `count` pictures as they come; canvas shows each as it is encrypted. */
export async function* pictures(canvas, count, signal) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: true })
  try {
    const video = await shown(stream)
    const pen = canvas.getContext('2d', { willReadFrequently: true })
    for (let i = 0; i < count && !signal.aborted; i++) {
      await nextPicture(video)
      pen.drawImage(video, 0, 0, canvas.width, canvas.height)
      yield greyOf(canvas)
    }
  } finally {
    stream.getTracks().forEach((track) => track.stop())
  }
}
