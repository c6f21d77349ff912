/**
 * Entry bundles of C2SP tlog-tiles: up to 256 entries of the log, each after its length in two
 * bytes, big-endian. A bundle is what `tile/entries/…` holds, so that anybody can hash the leaves
 * themselves. Pure.
 */
import { ProtocolError } from '../base/errors.ts';
import { LEAF_BYTES_MAX } from './limits.ts';
import { TILE_WIDTH } from './tiles.ts';

const LENGTH_BYTES = 2;

/**
 * @throws ProtocolError when an entry is too long for a leaf, or there are more than a tile holds.
 */
export const buildEntryBundle = (entries: readonly Uint8Array[]): Uint8Array => {
  if (entries.length > TILE_WIDTH) throw new ProtocolError('an entry bundle holds at most 256 entries');
  const parts = entries.flatMap((entry): readonly Uint8Array[] => {
    if (entry.length > LEAF_BYTES_MAX) throw new ProtocolError('an entry is too long');
    const length = Buffer.allocUnsafe(LENGTH_BYTES);
    length.writeUInt16BE(entry.length);
    return [length, entry];
  });
  return Buffer.concat(parts);
};

/** @throws ProtocolError when the bytes are not exactly `width` entries. */
export const parseEntryBundle = (bytes: Uint8Array, width: number): readonly Uint8Array[] => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < view.length) {
    const start = at + LENGTH_BYTES;
    const end = start > view.length ? start : start + view.readUInt16BE(at);
    if (end > view.length) throw new ProtocolError('an entry bundle ends within an entry');
    entries.push(view.subarray(start, end));
    at = end;
  }
  if (entries.length !== width) throw new ProtocolError(`an entry bundle of ${width} holds ${entries.length} entries`);
  return entries;
};
