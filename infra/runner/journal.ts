/**
 * The machine's own record: every order it accepted, every receipt and result it signed, on the
 * disk before the step it stands for. An order in it never runs again. A line that a crash cut off
 * is skipped; each names the hash of the one before. A year takes some 150 MB, and 7 MB of memory.
 */
import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import { ConfigError } from '../../lib/core/base/errors.ts';
import { readJson } from '../../lib/core/base/json.ts';
import { KIB } from '../../lib/core/base/limits.ts';
import { JournalLine, lineHash } from '../../lib/features/runner/journal-line.ts';
import { orderHashOf, type SignedOrder } from '../../lib/features/runner/order.ts';
import type { SignedReceipt } from '../../lib/features/runner/result.ts';

/** It is read whole at each start: more would take minutes. */
const JOURNAL_BYTES_MAX = 1024 * 1024 * KIB;

/** An order that was begun and of whose end the journal knows nothing. */
export interface Begun {
  readonly signed: SignedOrder;
  readonly receipt: SignedReceipt;
}

export interface Journal {
  /** Whether the order was accepted before, by its id or its nonce. */
  readonly knows: (signed: SignedOrder) => boolean;
  readonly hasResult: (jobHash: string) => boolean;
  /** All of them together. @throws the disk's error: nothing may follow then */
  readonly append: (...lines: readonly JournalLine[]) => void;
  readonly close: () => void;
}

interface Memory {
  readonly ids: Set<string>;
  readonly results: Set<string>;
  /** Jobs without a result, by their hash. */
  readonly open: Map<string, { readonly signed: SignedOrder; receipt?: SignedReceipt }>;
}

const keysOf = ({ job }: SignedOrder): readonly string[] => [`id ${job.id}`, `nonce ${job.nonce}`];

const note = (memory: Memory, line: JournalLine): void => {
  switch (line.kind) {
    case 'job':
      for (const key of keysOf(line.signed)) memory.ids.add(key);
      memory.open.set(orderHashOf(line.signed.job), { signed: line.signed });
      return;
    case 'receipt': {
      const open = memory.open.get(line.signed.receipt.jobHash);
      if (open !== undefined) open.receipt = line.signed;
      return;
    }
    case 'result':
      memory.results.add(line.signed.result.jobHash);
      memory.open.delete(line.signed.result.jobHash);
      return;
    default:
      line satisfies never;
  }
};

const parseLine = (text: string): JournalLine | undefined => JournalLine.safeParse(readJson(text)).data;

/** @returns the texts of the lines, each with the hash of the one before */
const chainLines = (last: string, lines: readonly JournalLine[]): readonly string[] => {
  let before = last;
  return lines.map((line) => {
    before = JSON.stringify({ ...line, before: lineHash(before) });
    return before;
  });
};

/** @returns the last whole line; empty if there is none */
const load = async (path: string, memory: Memory): Promise<string> => {
  let last = '';
  if (!existsSync(path)) return last;
  for await (const text of createInterface({ input: createReadStream(path, 'utf8') })) {
    const line = parseLine(text);
    if (line === undefined) continue;
    note(memory, line);
    last = text;
  }
  return last;
};

/**
 * @returns the journal, and the orders that were begun when it was last written
 * @throws ConfigError if it is too large to be read at a start
 */
export const openJournal = async (path: string): Promise<{ journal: Journal; begun: readonly Begun[] }> => {
  if (existsSync(path) && statSync(path).size > JOURNAL_BYTES_MAX)
    throw new ConfigError([
      `${path} has more than ${JOURNAL_BYTES_MAX / (1024 * KIB)} MiB: keep a copy for "verify --runner", remove this runner, and pair the machine again`,
    ]);
  const memory: Memory = { ids: new Set(), results: new Set(), open: new Map() };
  let last = await load(path, memory);
  const fd = openSync(path, 'a', 0o600);
  // A line that a crash or a full disk cut off shall not swallow the next one.
  let begin = '\n';
  const append = (...lines: readonly JournalLine[]): void => {
    const texts = chainLines(last, lines);
    const { size } = fstatSync(fd);
    try {
      // Unlike `writeSync`, it writes all or throws.
      writeFileSync(fd, begin + texts.map((text) => `${text}\n`).join(''));
      fsyncSync(fd);
    } catch (error) {
      // The next line names the last one that counts.
      ftruncateSync(fd, size);
      throw error;
    }
    begin = '';
    last = texts.at(-1) ?? last;
    for (const line of lines) note(memory, line);
  };
  const journal: Journal = {
    knows: (signed) => keysOf(signed).some((key) => memory.ids.has(key)),
    hasResult: (jobHash) => memory.results.has(jobHash),
    append,
    close: () => closeSync(fd),
  };
  const begun = [...memory.open.values()].flatMap(({ signed, receipt }) =>
    receipt === undefined ? [] : [{ signed, receipt }],
  );
  return { journal, begun };
};
