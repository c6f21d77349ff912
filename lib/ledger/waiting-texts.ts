/** Says that Telegram takes no messages, and since when, from the effects that wait for it. */
import { TOKEN_REFUSED } from '../signal/actuator.ts';
import { indexPartitions } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** Texts that are counted; of more than these it says "or more". */
const WAITING_TEXTS_COUNTED = 25;

/** @returns a sentence; none if no text waits */
export const describeWaitingTexts = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
): Promise<readonly string[]> => {
  const partition = indexPartitions.waitingEffects(space);
  const { items, cursor } = await table.queryIndex({ index: 'unfinished', partition, limit: WAITING_TEXTS_COUNTED });
  const [oldest] = items;
  if (oldest === undefined) return [];
  const since = new Date(Number(oldest.unfinishedAt)).toISOString().slice(11, 16);
  const [effect] = await table.load([{ pk: String(oldest.pk), sk: String(oldest.sk) }]);
  const many = `${items.length}${cursor === undefined ? '' : ' or more'} ${items.length === 1 ? 'text waits' : 'texts wait'}`;
  return effect?.reason === TOKEN_REFUSED
    ? [`${TOKEN_REFUSED} since ${since} UTC: ${many} for a valid one`]
    : [`Telegram takes no messages since ${since} UTC: ${many} and will be sent`];
};
