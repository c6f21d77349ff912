/** Keeps the whole output of an order in a file, with its hash, and its head and tail in memory. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { RUNNER_OUTPUT_CHARS_MAX } from '../../lib/features/runner/result.ts';

/** A byte becomes three at most: as U+FFFD in UTF-8, or as an escape of JSON. */
const SHOWN_BYTES_MAX = Math.floor(RUNNER_OUTPUT_CHARS_MAX / 3) - 256;
const HEAD_BYTES = Math.floor((SHOWN_BYTES_MAX * 2) / 3);
const TAIL_BYTES = SHOWN_BYTES_MAX - HEAD_BYTES;

export interface CollectedOutput {
  readonly output: { readonly sha256: string; readonly bytes: number };
  readonly shown: { readonly text: string; readonly isWhole: boolean };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals obey them, people cannot see them
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals begin with it
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;

const textOf = (bytes: Buffer): string =>
  bytes.toString('utf8').replaceAll('\r\n', '\n').replace(COLOURS, '').replace(CONTROL, '\ufffd');

/** The first and the last bytes of a stream. */
const buildWindow = () => {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  const add = (part: Buffer): void => {
    const begin = part.subarray(0, HEAD_BYTES - headBytes);
    const rest = part.subarray(begin.length);
    headBytes += begin.length;
    // Copies: a part is a slice of a larger buffer that would stay in memory.
    if (begin.length > 0) head.push(Buffer.from(begin));
    if (rest.length === 0) return;
    const end = rest.subarray(-TAIL_BYTES);
    tail.push(Buffer.from(end));
    tailBytes += end.length;
    while (tailBytes - (tail[0]?.length ?? 0) >= TAIL_BYTES) tailBytes -= tail.shift()?.length ?? 0;
  };
  const show = (bytes: number): CollectedOutput['shown'] => {
    const first = Buffer.concat(head);
    const last = Buffer.concat(tail).subarray(-TAIL_BYTES);
    const omitted = bytes - first.length - last.length;
    if (omitted <= 0) return { text: textOf(Buffer.concat([first, last])), isWhole: true };
    return { text: `${textOf(first)}\n[… ${omitted} bytes stayed on the machine …]\n${textOf(last)}`, isWhole: false };
  };
  return { add, show };
};

/** @param path of a new file @param onTooMuch called once, when more than `bytesMax` came */
export const collectOutput = async (
  stream: AsyncIterable<Buffer> | Iterable<Buffer>,
  path: string,
  bytesMax: number,
  onTooMuch: () => void = () => {},
): Promise<CollectedOutput> => {
  // Nothing may wait before the loop: when a process ends, Node empties pipes that nobody reads.
  const file = openSync(path, 'wx', 0o600);
  const sha256 = createHash('sha256');
  const window = buildWindow();
  let bytes = 0;
  try {
    for await (const part of stream) {
      const taken = part.subarray(0, bytesMax - bytes);
      if (taken.length > 0) {
        sha256.update(taken);
        window.add(taken);
        writeFileSync(file, taken);
        bytes += taken.length;
      }
      if (taken.length < part.length) onTooMuch();
    }
  } finally {
    closeSync(file);
  }
  return { output: { sha256: sha256.digest('hex'), bytes }, shown: window.show(bytes) };
};
