/**
 * The parts of a zip file by name, whatever its case and slashes. Its numbers may lie: bytes are
 * counted while they unpack. Of Zip64, which some writers use for every file, the places are read.
 * @throws ProtocolError
 */
import { inflateRawSync } from 'node:zlib';
import { decodeText } from '../../core/base/decode-text.ts';
import { ProtocolError } from '../../core/base/errors.ts';

/** All parts of a file that are read, together. A spreadsheet with a million cells has as many. */
export const UNPACKED_BYTES_MAX = 64_000_000;

export const DAMAGED = 'it is damaged, or only a part of a file';
const TOO_LARGE = `it unpacks to more than ${UNPACKED_BYTES_MAX / 1_000_000} MB`;
export const LOCKED = 'it has a password; send it without one';

const [STORED, DEFLATED] = [0, 8];
/** Signatures and lengths of the three records, as APPNOTE.TXT of PKWARE has them. */
const END = { signature: 0x06054b50, bytes: 22, commentMax: 0xffff };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
/** Stands for a number that is in the field of Zip64, in 8 bytes. */
const IN_ZIP64 = 0xffffffff;
const ZIP64_FIELD = 1;

interface ZipPart {
  readonly isLocked: boolean;
  readonly method: number;
  readonly bytes: number;
  /** The offset of its local record. */
  readonly at: number;
}

export interface Zip {
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
  /** Parts of a form that nobody has read yet. */
  readonly unread: (form: RegExp) => readonly string[];
  /** @returns undefined if there is no such part */
  readonly read: (name: string) => string | undefined;
}

const findEnd = (file: Buffer): number => {
  const first = Math.max(0, file.length - END.bytes - END.commentMax);
  for (let at = file.length - END.bytes; at >= first; at -= 1) if (file.readUInt32LE(at) === END.signature) return at;
  throw new ProtocolError(DAMAGED);
};

/** The numbers of a record, each from the field of Zip64 if it is not in its place. */
const readNumbers = (file: Buffer, places: readonly number[], fields: Buffer): readonly number[] => {
  let zip64: Buffer = Buffer.alloc(0);
  for (let at = 0; at + 4 <= fields.length; at += 4 + fields.readUInt16LE(at + 2))
    if (fields.readUInt16LE(at) === ZIP64_FIELD) zip64 = fields.subarray(at + 4, at + 4 + fields.readUInt16LE(at + 2));
  let next = 0;
  return places.map((place) => {
    const number = file.readUInt32LE(place);
    if (number !== IN_ZIP64 || next + 8 > zip64.length) return number;
    next += 8;
    return Number(zip64.readBigUInt64LE(next - 8));
  });
};

/** Some writers have a backslash or a slash before the name. Names of Office ignore case. */
const plainName = (name: string): string => name.replaceAll('\\', '/').replace(/^\.?\//, '');

/** By a mark of byte order, or by its first line. */
const DECLARED = /^[^>]{0,100}encoding=["']([\w.:-]{1,40})|charset=["']?([\w.:-]{1,40})/i;

const readXml = (bytes: Buffer): string => {
  const [, declared, charset] = DECLARED.exec(bytes.subarray(0, 1024).toString('latin1')) ?? [];
  const said = declared ?? charset;
  // This line was read as single bytes, so the part is no UTF-16, whatever it says.
  return decodeText(bytes, said !== undefined && /^utf-?16/i.test(said) ? undefined : said).text;
};

const listParts = (file: Buffer): ReadonlyMap<string, ZipPart> => {
  const end = findEnd(file);
  const parts = new Map<string, ZipPart>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (file.readUInt32LE(at) !== CENTRAL.signature) throw new ProtocolError(DAMAGED);
    const nameEnd = at + CENTRAL.bytes + file.readUInt16LE(at + 28);
    const fieldsEnd = nameEnd + file.readUInt16LE(at + 30);
    const [, bytes = 0, place = 0] = readNumbers(file, [at + 24, at + 20, at + 42], file.subarray(nameEnd, fieldsEnd));
    parts.set(plainName(file.toString('utf8', at + CENTRAL.bytes, nameEnd)), {
      isLocked: (file.readUInt16LE(at + 8) & 1) === 1,
      method: file.readUInt16LE(at + 10),
      bytes,
      at: place,
    });
    at = fieldsEnd + file.readUInt16LE(at + 32);
  }
  return parts;
};

const unpack = (file: Buffer, part: ZipPart, bytesMax: number): Buffer => {
  if (part.isLocked) throw new ProtocolError(LOCKED);
  if (file.readUInt32LE(part.at) !== LOCAL.signature) throw new ProtocolError(DAMAGED);
  const begin = part.at + LOCAL.bytes + file.readUInt16LE(part.at + 26) + file.readUInt16LE(part.at + 28);
  const packed = file.subarray(begin, begin + part.bytes);
  if (packed.length > 0 && part.method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: bytesMax });
  if (part.method !== STORED) throw new ProtocolError(DAMAGED);
  return packed;
};

const inWords = (error: unknown): ProtocolError => {
  if (error instanceof ProtocolError) return error;
  const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
  return new ProtocolError(isTooLarge ? TOO_LARGE : DAMAGED);
};

export const openZip = (bytes: Uint8Array): Zip => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = UNPACKED_BYTES_MAX;
  try {
    const parts = listParts(file);
    const byCase = new Map([...parts].map(([name, part]) => [name.toLowerCase(), part]));
    const isRead = new Set<ZipPart>();
    return {
      names: [...parts.keys()],
      unread: (form) => [...parts].flatMap(([name, part]) => (form.test(name) && !isRead.has(part) ? [name] : [])),
      has: (name) => byCase.has(name.toLowerCase()),
      read: (name) => {
        const part = parts.get(name) ?? byCase.get(name.toLowerCase());
        if (part === undefined) return undefined;
        isRead.add(part);
        try {
          const text = unpack(file, part, left + 1);
          left -= text.length;
          if (left < 0) throw new ProtocolError(TOO_LARGE);
          return readXml(text);
        } catch (error) {
          throw inWords(error);
        }
      },
    };
  } catch (error) {
    throw inWords(error);
  }
};
