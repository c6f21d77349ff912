/**
 * Embeddings packed for storage: one byte for each number, many vectors in one item. A vector is
 * scaled so that its largest number is 127, which does not change its cosine. A segment has vectors
 * of one model only.
 * Layout, little-endian: `PPV1` · dimensions u16 · count u16 · model 16 bytes · then for each
 * vector: id 16 bytes · version u32 · scale f32 · dimensions × i8. Other bytes are a ProtocolError.
 */
import { createHash } from 'node:crypto';
import { ProtocolError } from '../../base/errors.ts';
import { KIB, VECTOR_DIMENSIONS_MAX } from '../../base/limits.ts';

/** Bytes of one segment: it fits a 400 KB item, and few reads load all. */
export const VECTOR_SEGMENT_BYTES_MAX = 300 * KIB;

export interface VectorEntry {
  /** The object's id. */
  readonly id: string;
  /** Version of the object it was made from. */
  readonly version: number;
  readonly vector: ArrayLike<number>;
}

export interface VectorSegment {
  readonly dimensions: number;
  /** 128 bits of hex. */
  readonly model: string;
  readonly ids: readonly string[];
  readonly versions: readonly number[];
  /** Worth of one step, by vector. */
  readonly scales: Float32Array;
  /** All vectors, one after the other. */
  readonly values: Int8Array;
  /** Length of each vector in steps. */
  readonly norms: Float64Array;
}

const MAGIC = 0x31565050;
const HEADER_BYTES = 4 + 2 + 2 + 16;
const ENTRY_BYTES = 16 + 4 + 4;
const STEPS = 127;
const HEX_128 = /^[0-9a-f]{32}$/;

export const modelIdOf = (name: string): string =>
  createHash('sha256').update(`passepartout/vector-model\n${name}`).digest('hex').slice(0, 32);

/** @throws ProtocolError if it is empty, too long, or holds a number that is not finite */
export const quantise = (vector: ArrayLike<number>): { readonly values: Int8Array; readonly scale: number } => {
  if (vector.length === 0 || vector.length > VECTOR_DIMENSIONS_MAX)
    throw new ProtocolError(`a vector of ${vector.length} numbers`);
  let largest = 0;
  for (let n = 0; n < vector.length; n += 1) {
    const value = Math.abs(vector[n] ?? 0);
    if (!Number.isFinite(value)) throw new ProtocolError('a vector with a number that is not finite');
    if (value > largest) largest = value;
  }
  const values = new Int8Array(vector.length);
  if (largest === 0) return { values, scale: 0 };
  for (let n = 0; n < vector.length; n += 1) values[n] = Math.round(((vector[n] ?? 0) / largest) * STEPS);
  return { values, scale: largest / STEPS };
};

/** Vectors that fit one segment. */
export const vectorsPerSegment = (dimensions: number): number =>
  Math.floor((VECTOR_SEGMENT_BYTES_MAX - HEADER_BYTES) / (ENTRY_BYTES + dimensions));

const writeHex = (bytes: Uint8Array, at: number, hex: string): void => {
  if (!HEX_128.test(hex)) throw new ProtocolError('an id that is not 128 bits of hex');
  bytes.set(Buffer.from(hex, 'hex'), at);
};

const buildSegment = (entries: readonly VectorEntry[], dimensions: number, model: string): Uint8Array => {
  const bytes = new Uint8Array(HEADER_BYTES + entries.length * (ENTRY_BYTES + dimensions));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, dimensions, true);
  view.setUint16(6, entries.length, true);
  writeHex(bytes, 8, model);
  for (const [n, { id, version, vector }] of entries.entries()) {
    const at = HEADER_BYTES + n * (ENTRY_BYTES + dimensions);
    const { values, scale } = quantise(vector);
    writeHex(bytes, at, id);
    view.setUint32(at + 16, version, true);
    view.setFloat32(at + 20, scale, true);
    bytes.set(new Uint8Array(values.buffer), at + ENTRY_BYTES);
  }
  return bytes;
};

/** Segments in the given order. @throws ProtocolError if the vectors differ in length */
export const buildSegments = (entries: readonly VectorEntry[], model: string): readonly Uint8Array[] => {
  const dimensions = entries[0]?.vector.length ?? 0;
  if (entries.some(({ vector }) => vector.length !== dimensions)) throw new ProtocolError('vectors of several lengths');
  if (dimensions > VECTOR_DIMENSIONS_MAX) throw new ProtocolError(`a vector of ${dimensions} numbers`);
  const perSegment = vectorsPerSegment(dimensions);
  const segments: Uint8Array[] = [];
  for (let at = 0; at < entries.length; at += perSegment)
    segments.push(buildSegment(entries.slice(at, at + perSegment), dimensions, model));
  return segments;
};

const normOf = (values: Int8Array, from: number, to: number): number => {
  let sum = 0;
  for (let n = from; n < to; n += 1) sum += (values[n] ?? 0) ** 2;
  return Math.sqrt(sum);
};

/** @throws ProtocolError if the bytes do not have this layout */
export const parseSegment = (bytes: Uint8Array): VectorSegment => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new ProtocolError('not a segment of vectors this release knows');
  const dimensions = view.getUint16(4, true);
  const count = view.getUint16(6, true);
  const size = ENTRY_BYTES + dimensions;
  if (dimensions === 0 || dimensions > VECTOR_DIMENSIONS_MAX || bytes.length !== HEADER_BYTES + count * size)
    throw new ProtocolError('a segment of vectors whose length does not fit its header');
  const values = new Int8Array(count * dimensions);
  const starts = Array.from({ length: count }, (_, n) => HEADER_BYTES + n * size);
  const scales = Float32Array.from(starts, (at) => view.getFloat32(at + 20, true));
  for (const [n, at] of starts.entries())
    values.set(new Int8Array(bytes.buffer, bytes.byteOffset + at + ENTRY_BYTES, dimensions), n * dimensions);
  const hexAt = (at: number): string => Buffer.from(bytes.subarray(at, at + 16)).toString('hex');
  return {
    dimensions,
    model: hexAt(8),
    ids: starts.map(hexAt),
    versions: starts.map((at) => view.getUint32(at + 16, true)),
    scales,
    values,
    norms: Float64Array.from(starts, (_, n) => normOf(values, n * dimensions, (n + 1) * dimensions)),
  };
};

export interface VectorHit {
  readonly id: string;
  /** Version of the object it was made from. */
  readonly version: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** Skips segments of other models or lengths. */
export const scoreByVector = (
  segments: readonly VectorSegment[],
  vector: ArrayLike<number>,
  model: string,
): readonly VectorHit[] => {
  const { values: query } = quantise(vector);
  const queryNorm = normOf(query, 0, query.length);
  if (queryNorm === 0) return [];
  return segments
    .filter((segment) => segment.model === model && segment.dimensions === query.length)
    .flatMap((segment) =>
      segment.ids.map((id, n): VectorHit => {
        const norm = segment.norms[n] ?? 0;
        const product = dot(query, segment.values, n * segment.dimensions);
        return { id, version: segment.versions[n] ?? 0, similarity: norm === 0 ? 0 : product / (norm * queryNorm) };
      }),
    );
};

/** Four sums in whole numbers, which the engine keeps in registers: each stays far below 2³¹. */
const dot = (query: Int8Array, values: Int8Array, from: number): number => {
  const { length } = query;
  const even = length - (length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let n = 0; n < even; n += 4) {
    a = (a + Math.imul(query[n] ?? 0, values[from + n] ?? 0)) | 0;
    b = (b + Math.imul(query[n + 1] ?? 0, values[from + n + 1] ?? 0)) | 0;
    c = (c + Math.imul(query[n + 2] ?? 0, values[from + n + 2] ?? 0)) | 0;
    d = (d + Math.imul(query[n + 3] ?? 0, values[from + n + 3] ?? 0)) | 0;
  }
  for (let n = even; n < length; n += 1) a = (a + Math.imul(query[n] ?? 0, values[from + n] ?? 0)) | 0;
  return a + b + c + d;
};
