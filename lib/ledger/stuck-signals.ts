/** Signals that no stage has finished, and signals that were given up. Reads only. */
import { MINUTE_MS } from '../base/limits.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { countWords } from '../text/quoted.ts';
import { SignalRecord } from './record.ts';

/** Signals under way that are looked at: one batch read. */
const UNFINISHED_MAX = 50;
/** The sweep published it twice, within six minutes, and no stage has finished it. */
const STUCK_SWEEPS_MIN = 2;

const UNDER_WAY: readonly SignalRecord['state'][] = ['received', 'perceived', 'reasoned'];

const isWaiting = ({ state, modelWait }: SignalRecord): boolean => state === 'perceived' && modelWait !== undefined;

export interface UnderWay {
  /** Conversations that wait for a model. */
  readonly waiting: number;
  readonly stuck: readonly string[];
}

export const loadUnderWay = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
): Promise<UnderWay> => {
  const partition = indexPartitions.unfinishedSignals(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: UNFINISHED_MAX });
  const records = items.flatMap((item) => SignalRecord.safeParse(item).data ?? []);
  const stuck = records
    .filter((one) => one.sweeps >= STUCK_SWEEPS_MIN && UNDER_WAY.includes(one.state) && !isWaiting(one))
    .map(({ signal }) => signal)
    .sort((a, b) => a.receivedAt - b.receivedAt);
  const [oldest] = stuck;
  const minutes = Math.floor((now - (oldest?.receivedAt ?? now)) / MINUTE_MS);
  const many = `${countWords(stuck.length, 'signal')} still under way, the oldest for ${countWords(minutes, 'minute')}`;
  return {
    waiting: new Set(records.filter(isWaiting).map(({ signal }) => signal.session)).size,
    stuck: oldest === undefined ? [] : [`${many}: /why ${oldest.id}`],
  };
};
