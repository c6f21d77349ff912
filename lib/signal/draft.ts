/**
 * A draft: the beginning of a reply, released while its model was still writing, in chunks stored beside the signal. Each names
 * the hash of the very action its prefix would be, with the trace of the gates over that prefix: what is shown is what was
 * judged (I1), or it is not shown. Drafts settle nothing and expire soon; the decision's text is the evidence. Pure.
 */
import * as z from 'zod/mini';
import { asText } from '../base/json.ts';
import { actionHash, replyAction } from './action.ts';
import { Trace } from './gate.ts';
import type { ReplyRoute } from './signal.ts';

export const DraftChunk = z.object({
  schemaVersion: z.literal(1),
  attempt: z.int(),
  n: z.int(),
  /** What comes after the chunks before it. */
  text: z.string(),
  /** Length of all text up to its end, UTF-16 units. */
  chars: z.int(),
  /** Canonical hash of the reply that holds exactly that text. */
  hash: z.string(),
  /** Of the gates over that reply. */
  trace: asText(Trace),
  gateSet: z.string(),
  at: z.int(),
});
export type DraftChunk = z.infer<typeof DraftChunk>;

/** A chunk with all text up to its end. */
export interface ShownChunk extends DraftChunk {
  readonly prefix: string;
}

const isPassed = ({ trace }: DraftChunk): boolean =>
  trace.length > 0 && trace.every(({ verdict }) => verdict === 'pass');

/**
 * The chunks that may be shown, in order: of the last attempt, without a gap, each with the hash of its own text and a trace
 * that only passed. Ends before the first that does not fit; never throws.
 */
export const readDraft = (items: readonly unknown[], reply: ReplyRoute): readonly ShownChunk[] => {
  const chunks = items.flatMap((item) => {
    const parsed = DraftChunk.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
  const attempt = Math.max(0, ...chunks.map((chunk) => chunk.attempt));
  const own = chunks.filter((chunk) => chunk.attempt === attempt).sort((a, b) => a.n - b.n);
  const shown: ShownChunk[] = [];
  let prefix = '';
  for (const [index, chunk] of own.entries()) {
    prefix += chunk.text;
    const isFitting = chunk.n === index && chunk.chars === prefix.length && isPassed(chunk);
    if (!isFitting || actionHash(replyAction(prefix, reply)) !== chunk.hash) break;
    shown.push({ ...chunk, prefix });
  }
  return shown;
};
