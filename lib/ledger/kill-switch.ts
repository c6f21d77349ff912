/**
 * The kill switch: one setting that Act reads consistently before every effect. STOP is set by an ingress before its
 * signal is published, so that no queue stands between a person and the stop; resuming goes through the pipeline.
 * A stop always wins: it is written unconditionally, while a resume is only written over an older stop, so that a
 * resume delivered twice can never undo a stop that came after it. The time of the last stop stays known after a resume:
 * what was decided or approved before it is refused for good, however late its turn comes.
 */
import * as z from 'zod/mini';
import { ConditionError } from '../base/errors.ts';
import { absent, anyOf, below, type Condition } from '../store/condition.ts';
import { settingKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import { parseStored } from './record.ts';

export const KillSwitch = z.object({
  schemaVersion: z.literal(1),
  isStopped: z.boolean(),
  /** Sender id of whoever set it. */
  by: z.string(),
  /** When the signal that set it was received, epoch milliseconds. */
  at: z.int(),
  /** When the last stop was set, epoch milliseconds; kept when it is resumed. */
  stoppedAt: z.optional(z.int()),
});
export type KillSwitch = z.infer<typeof KillSwitch>;

/** Pure. @param consentedAt when what is to be done was decided or approved, epoch milliseconds. */
export const isStoppedFor = (killSwitch: KillSwitch | undefined, consentedAt: number): boolean =>
  killSwitch !== undefined && (killSwitch.isStopped || (killSwitch.stoppedAt ?? 0) >= consentedAt);

export type KillSwitchChange = Pick<KillSwitch, 'isStopped' | 'by' | 'at'>;

export const killSwitchKey = (space: string) => settingKey(space, 'kill-switch');

/** `applied`, or `outdated` for a resume that is older than the stop now in force. */
export type KillSwitchOutcome = 'applied' | 'outdated';

const olderThan = (at: number): Condition => ({
  name: 'the stop in force is older',
  holds: anyOf(absent('pk'), below('at', at)),
});

/** @throws UnavailableError when the store does not answer: the caller must not report a stop that was not stored. */
export const setKillSwitch = async (
  table: Pick<Table, 'put' | 'update'>,
  space: string,
  { isStopped, by, at }: KillSwitchChange,
): Promise<KillSwitchOutcome> => {
  const item: Item = { schemaVersion: 1, isStopped, by, at };
  try {
    if (isStopped) await table.put(killSwitchKey(space), { ...item, stoppedAt: at });
    else await table.update(killSwitchKey(space), { set: item }, olderThan(at));
    return 'applied';
  } catch (error) {
    if (error instanceof ConditionError) return 'outdated';
    throw error;
  }
};

/** Reads the switch consistently; `undefined` means it was never set, which is "running". */
export const loadKillSwitch = async (table: Pick<Table, 'load'>, space: string): Promise<KillSwitch | undefined> => {
  const item = await loadItem(table, killSwitchKey(space));
  return item === undefined ? undefined : parseStored('setting kill-switch', item, KillSwitch);
};
