# SPDX-License-Identifier: Apache-2.0
"""The demo: a photograph is encrypted, sharpened by a stock Microsoft SEAL, and decrypted.

frame.py     the photograph, its tiles, the filter in NumPy
server.py    the cloud: a process of its own that knows SEAL and nothing of Ringside
client.py    the camera: keys, encryption, decryption with Ringside
run.py       both in order; it measures every number meanwhile
pictures.py  pictures as PNG, the contact sheet
page.py      the HTML page; demo.html, demo.css: its template and style
"""
