/** The size in pixels that a picture's own header says, if any; no pixel is unpacked. Pure. */

interface Size {
  readonly width: number;
  readonly height: number;
}

const pngSize = (bytes: Buffer): Size | undefined =>
  bytes.toString('latin1', 12, 16) === 'IHDR'
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined;

/** Segments follow each other, each with its length, up to the one that begins a frame. */
const jpegSize = (bytes: Buffer): Size => {
  let at = 2;
  for (;;) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
};

const webpSize = (bytes: Buffer): Size => {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
};

type ReadSize = (bytes: Buffer) => Size | undefined;
const READERS: Readonly<Record<string, ReadSize>> = { png: pngSize, jpeg: jpegSize, webp: webpSize };

/** @param type by the first bytes */
export const picturePixels = (type: string, bytes: Uint8Array): number | undefined => {
  try {
    const size = READERS[type]?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return size && size.width * size.height;
  } catch (error) {
    // The header is cut short: the provider says what it makes of it.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
