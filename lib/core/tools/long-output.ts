/**
 * Stores an output that is too long to show, beside its effect. The model gets the beginning, the
 * length and an id, and reads on with `read-output`. The output keeps its origin (I13).
 */

import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { KIB, OUTPUT_HEAD_CHARS } from '../base/limits.ts';
import { Origin } from '../signal/signal.ts';
import { signalKeys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** Characters stored in one item. */
export const OUTPUT_STORED_CHARS_MAX = 96 * KIB;

export const LongOutput = z.object({
  schemaVersion: z.literal(1),
  at: z.int(),
  text: z.string(),
  origin: Origin,
  /** All characters of the output, also those not stored. */
  chars: z.int(),
});
export type LongOutput = z.infer<typeof LongOutput>;

export interface OutputStore {
  /** The last output stored for an effect is the one its record names. @param id `<signal>#<n>` */
  readonly keep: (id: string, output: Omit<LongOutput, 'schemaVersion' | 'chars'>) => Promise<LongOutput>;
  /** @throws StoredItemError if this release cannot read it. */
  readonly load: (id: string) => Promise<LongOutput | undefined>;
}

const ID = /^([a-z]+-[^#]{1,240})#(\d{1,2})$/;

/** Signal and number of the output's action; undefined if this is no id. */
export const parseOutputId = (id: string): { readonly signalId: string; readonly n: number } | undefined => {
  const [, signalId, n] = ID.exec(id) ?? [];
  return signalId === undefined || n === undefined ? undefined : { signalId, n: Number(n) };
};

export const buildOutputStore = (table: Pick<Table, 'load' | 'put'>, space: string): OutputStore => {
  const keyOf = (id: string) => {
    const parsed = parseOutputId(id);
    return parsed === undefined ? undefined : signalKeys.output(space, parsed.signalId, parsed.n);
  };
  return {
    keep: async (id, { text, ...rest }) => {
      const key = keyOf(id);
      if (key === undefined) throw new StoredItemError(`output ${id}`, 'it is of no effect');
      const kept = {
        schemaVersion: 1,
        ...rest,
        text: text.slice(0, OUTPUT_STORED_CHARS_MAX).toWellFormed(),
        chars: text.length,
      } as const;
      await table.put(key, kept);
      return kept;
    },
    load: async (id) => {
      const key = keyOf(id);
      const [item] = key === undefined ? [] : await table.load([key], { isConsistent: true });
      if (item === undefined) return undefined;
      const parsed = LongOutput.safeParse(item);
      if (!parsed.success) throw new StoredItemError(`output ${id}`, 'it is not of a form this release knows');
      return parsed.data;
    },
  };
};

const HEAD = /^\(\d+ characters[^\n]*Read on with read-output: \{"id":"([^"]{1,256})"/;

/** The id in a shown beginning. Any text may look like one, so the caller checks whose it is. */
export const longOutputId = (shown: string): string | undefined => HEAD.exec(shown)?.[1];

/** The id stands first, so that no shortening removes it. */
export const showLongOutput = (id: string, { text, chars }: Pick<LongOutput, 'text' | 'chars'>): string =>
  [
    `(${chars} characters${chars > text.length ? `, of which ${text.length} are kept` : ''}; these are the first ${OUTPUT_HEAD_CHARS}. Read on with read-output: ${JSON.stringify({ id, from: OUTPUT_HEAD_CHARS })})`,
    text.slice(0, OUTPUT_HEAD_CHARS).toWellFormed(),
  ].join('\n');
