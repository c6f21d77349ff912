/**
 * Reads what ended on a dead-letter queue: body and reason are stored, the signal is marked and its person told. A body
 * that names no signal is stored all the same: nothing disappears (I6).
 */
import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { BODY_BYTES_MAX } from '../../base/limits.ts';
import { parseRecord } from '../../ledger/ledger.ts';
import { deadLetterKey, signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { putOnce } from '../../store/put-once.ts';
import { type BuryDeps, buryDead } from './bury-dead.ts';

export interface DeadLetterDeps extends BuryDeps {
  readonly space: string;
}

/** A message as it was found: its queue, its body, and the reason the stage gave, if it gave one. */
export interface DeadMessage {
  readonly queue: string;
  readonly messageId: string;
  readonly body: string;
  readonly reason: string | undefined;
}

const NamesSignal = z.object({ space: z.string(), signalId: z.string(), stage: z.optional(z.string()) });

const namedSignal = (body: string): z.infer<typeof NamesSignal> | undefined => {
  try {
    const parsed = NamesSignal.safeParse(JSON.parse(body));
    // A draft that could not be shown is no failure of its signal.
    return parsed.success && parsed.data.stage !== 'draft' ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};

export const recordDeadLetter = async (deps: DeadLetterDeps, message: DeadMessage): Promise<void> => {
  const named = namedSignal(message.body);
  const why = message.reason ?? 'delivered as often as allowed without success';
  await putOnce(deps.table, deadLetterKey(deps.space, named?.signalId ?? 'none', message.messageId), {
    schemaVersion: 1,
    queue: message.queue,
    body: message.body.slice(0, BODY_BYTES_MAX),
    reason: why,
    at: deps.now,
    ...defined({ signalId: named?.signalId }),
  });
  if (named === undefined || named.space !== deps.space) return;
  const item = await loadItem(deps.table, signalKeys.record(deps.space, named.signalId));
  if (item !== undefined) await buryDead(deps, parseRecord(named.signalId, item).signal, why);
};
