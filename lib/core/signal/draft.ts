/**
 * A draft: pieces of a reply, released and stored while the model still writes. Each names the hash
 * of the action its text so far would be, with the gates' trace: only judged text is shown (I1).
 * Drafts settle nothing and expire soon; the decision's text is the evidence.
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
  /** Text after the pieces before it. */
  text: z.string(),
  /** UTF-16 units up to its end. */
  chars: z.int(),
  /** Hash of the reply with exactly the text so far. */
  hash: z.string(),
  /** Trace of the gates over that reply. */
  trace: asText(Trace),
  gateSet: z.string(),
  at: z.int(),
});
export type DraftChunk = z.infer<typeof DraftChunk>;

/** A piece with all text up to its end. */
export interface ShownChunk extends DraftChunk {
  readonly prefix: string;
}

const isPassed = ({ trace }: DraftChunk): boolean =>
  trace.length > 0 && trace.every(({ verdict }) => verdict === 'pass');

/** The pieces of the last attempt that may be shown, up to the first gap. Never throws. */
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
