/** The part of Node's `Buffer` that the verifier uses, for a browser. Tests compare the two. */

type Encoding = 'utf8' | 'hex' | 'base64' | 'base64url' | 'latin1';

const ENCODER = new TextEncoder();
// As Node: a byte order mark stays.
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

const decodeLatin1 = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
};

const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  try {
    return decodeLatin1(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    // Node reads what it can of it. The verifier encodes again and compares, which fails for both.
    return new Uint8Array(0);
  }
};

const DECODE: Readonly<Record<Encoding, (text: string) => Uint8Array<ArrayBuffer>>> = {
  utf8: (text) => ENCODER.encode(text),
  hex: (text) => Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16)),
  base64: decodeBase64,
  base64url: decodeBase64,
  latin1: decodeLatin1,
};

/** Characters that one call makes a text of. */
const PIECE = 8192;

const latin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + PIECE));
  return text;
};

const DIGITS = decodeLatin1('0123456789abcdef');

const hex = (bytes: Uint8Array): string => {
  const codes = new Uint8Array(2 * bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    codes[2 * at] = DIGITS[byte >> 4] ?? 0;
    codes[2 * at + 1] = DIGITS[byte & 0x0f] ?? 0;
  }
  return latin1(codes);
};

const base64 = (bytes: Uint8Array): string => btoa(latin1(bytes));

export const ENCODE: Readonly<Record<Encoding, (bytes: Uint8Array) => string>> = {
  utf8: (bytes) => DECODER.decode(bytes),
  hex,
  base64,
  base64url: (bytes) => base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  latin1,
};

class Bytes extends Uint8Array {
  override toString(encoding: Encoding = 'utf8'): string {
    return ENCODE[encoding](this);
  }
  #view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.length);
  }
  readUInt16BE(at = 0): number {
    return this.#view().getUint16(at);
  }
  readBigUInt64BE(at = 0): bigint {
    return this.#view().getBigUint64(at);
  }
}

const wrap = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Bytes => new Bytes(buffer, byteOffset, length);

const from = (source: string | Iterable<number> | ArrayBuffer, how?: Encoding | number, length?: number): Bytes => {
  if (typeof source === 'string') return wrap(DECODE[typeof how === 'string' ? how : 'utf8'](source));
  if (source instanceof Uint8Array) return new Bytes(source);
  if (Symbol.iterator in source) return wrap(Uint8Array.from(source));
  return new Bytes(source, typeof how === 'number' ? how : 0, length);
};

const concat = (parts: readonly Uint8Array[]): Bytes => {
  const whole = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** Below 0, 0 or above 0, as the first byte that differs says. */
const compare = (left: Uint8Array, right: Uint8Array): number => {
  const at = left.findIndex((byte, n) => byte !== right[n]);
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
};

const alloc = (length: number): Bytes => new Bytes(length);

export const Buffer = {
  ...{ from, concat, compare, alloc, allocUnsafe: alloc },
  of: (...bytes: readonly number[]): Bytes => from(bytes),
  byteLength: (text: string): number => DECODE.utf8(text).length,
};
