"""Writes `pictures.jsonl`: small pictures, and the pixels that Pillow reads from them. Wants Pillow and NumPy.

    python3 tests/pictures/generate.py > tests/pictures/pictures.jsonl
"""

import io
import json
import struct
import zlib

import numpy as np
from PIL import Image

rng = np.random.default_rng(3)


def row(name, data, mode=None, most=0):
    image = Image.open(io.BytesIO(data))
    pixels = np.asarray(image.convert(mode) if mode else image)
    if pixels.dtype == np.int32:
        pixels = pixels.astype(np.uint16)
    print(json.dumps({"name": name, "hex": data.hex(), "dtype": str(pixels.dtype), "pixels": pixels.tolist(), "most": most}))


def saved(image, kind, **how):
    stream = io.BytesIO()
    image.save(stream, kind, **how)
    return stream.getvalue()


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def written(width, height, depth, color, lines, *more, interlaced=0):
    """A PNG of packed lines, each behind a filter's number."""
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    chunks = [chunk(b"IHDR", head), *more, chunk(b"IDAT", zlib.compress(lines)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def smooth(height, width):
    """Colours that change slowly, as photographs' do."""
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([x * 5 % 256, y * 7 % 256, (x + y) * 3 % 256], axis=2).astype(np.uint8)


row("rgb.png", saved(Image.fromarray(rng.integers(0, 256, (3, 4, 3), dtype=np.uint8)), "PNG"))
row("rgba.png", saved(Image.fromarray(rng.integers(0, 256, (3, 4, 4), dtype=np.uint8)), "PNG"))
row("grey.png", saved(Image.fromarray(rng.integers(0, 256, (3, 4), dtype=np.uint8)), "PNG"))
row("grey_alpha.png", saved(Image.fromarray(rng.integers(0, 256, (3, 4, 2), dtype=np.uint8)), "PNG"))
palette = Image.fromarray(rng.integers(0, 4, (5, 9), dtype=np.uint8)).convert("P")
palette.putpalette(rng.integers(0, 256, 12, dtype=np.uint8).tolist())
row("palette.png", saved(palette, "PNG"), "RGB")
row("palette_alpha.png", saved(palette, "PNG", transparency=bytes([0, 90, 255])), "RGBA")
row("bits.png", saved(Image.fromarray(rng.random((5, 11)) > 0.5), "PNG"), "L")
row("four_bits.png", written(3, 2, 4, 0, bytes([0, 0x12, 0xf0, 0, 0x80, 0x50])), "L")
row("wide.png", saved(Image.fromarray(rng.integers(0, 65536, (3, 4), dtype=np.uint16)), "PNG"))
row("key.png", written(2, 1, 8, 2, bytes([0, 1, 2, 3, 4, 5, 6]), chunk(b"tRNS", bytes([0, 1, 0, 2, 0, 3]))), "RGBA")
row("laced.png", written(2, 2, 8, 0, bytes([0, 9, 0, 8, 0, 7, 6]), interlaced=1))
row("rgb.jpg", saved(Image.fromarray(smooth(16, 24)), "JPEG", quality=90, subsampling=0), most=4)
row("odd.jpg", saved(Image.fromarray(smooth(13, 19)), "JPEG", quality=95, subsampling=0), most=4)
row("grey.jpg", saved(Image.fromarray(smooth(20, 20)[:, :, 0]), "JPEG", quality=90), most=3)
row("steps.jpg", saved(Image.fromarray(smooth(16, 24)), "JPEG", quality=90, progressive=True, subsampling=0), most=4)
half = Image.fromarray(np.repeat(np.repeat(smooth(4, 6), 8, axis=0), 8, axis=1))
row("halved.jpg", saved(half, "JPEG", quality=95, subsampling=2), most=12)
