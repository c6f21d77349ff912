/** Finds stored events of webhooks among the newest signals. Reads only. */
import { NotFoundError } from '../../core/base/errors.ts';
import { findIds } from '../../core/ledger/find-ids.ts';
import { parseRecord } from '../../core/ledger/ledger.ts';
import type { SignalRecord } from '../../core/ledger/record.ts';
import type { PayloadOf } from '../../core/operations/code-context.ts';
import type { LookContext } from '../../core/operations/operation.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { readOrSkip } from '../../core/store/parse-stored.ts';
import type { EventAnswers } from './texts.ts';

export interface StoredEvent {
  readonly id: string;
  readonly record: SignalRecord;
  readonly payload: PayloadOf<'webhook'>;
}

type EventTable = Pick<LookContext, 'table' | 'space'>;

/** Events that services sent: not what they caused. */
const isEventId = (id: string, prefix: string): boolean => id.startsWith(prefix) && !id.includes('/');

const load = async ({ table, space }: EventTable, ids: readonly string[]): Promise<readonly StoredEvent[]> => {
  const items = await table.load(ids.map((id) => signalKeys.record(space, id)));
  return ids.flatMap((id, n) => {
    const record = readOrSkip(items[n], (item) => parseRecord(id, item));
    const payload = record?.signal.payload;
    return record === undefined || payload?.sensor !== 'webhook' ? [] : [{ id, record, payload }];
  });
};

/** The newest events. @param source all if absent. @returns the newest first */
export const loadEvents = async (input: EventTable, source?: string): Promise<readonly StoredEvent[]> =>
  load(input, await findIds(input, (id) => isEventId(id, source === undefined ? 'wh-' : `wh-${source}:`)));

/** @param typed its id, or the start of one of the newest. @throws NotFoundError */
export const loadEvent = async (say: EventAnswers, input: EventTable, typed: string): Promise<StoredEvent> => {
  const [exact] = isEventId(typed, 'wh-') ? await load(input, [typed]) : [];
  if (exact !== undefined) return exact;
  const [found, ...others] = typed === '' ? [] : await load(input, await findIds(input, (id) => isEventId(id, typed)));
  if (found !== undefined && others.length === 0) return found;
  throw new NotFoundError(found === undefined ? say.noEvent : say.several);
};
