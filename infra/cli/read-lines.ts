/**
 * Lines of a file, one by one: an export may be larger than memory. A line that never ends is given
 * in one piece as soon as it is longer than any may be, so that the verifier refuses it instead of
 * collecting it.
 */
import { createReadStream } from 'node:fs';
import { EXPORT_LINE_CHARS_MAX } from '../../lib/evidence/limits.ts';

const CHUNK_BYTES = 1024 * 1024;

/** @throws the file system's own error when the file cannot be read */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > EXPORT_LINE_CHARS_MAX) break;
  }
  if (rest !== '') yield rest;
}
