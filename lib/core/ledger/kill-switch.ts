/**
 * The kill switch: one setting that Act reads consistently before every effect. An ingress sets
 * STOP before it publishes the signal, so that no queue delays a stop. A stop is written
 * unconditionally, a resume only over an older stop: a late repeat never lifts a newer stop. An
 * action decided or approved before the last stop is refused for good.
 */
import * as z from 'zod/mini';
import { absent, anyOf, below, type Condition } from '../store/condition.ts';
import { settingKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item, Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';

export const KillSwitch = z.object({
  schemaVersion: z.literal(1),
  isStopped: z.boolean(),
  /** Sender id of the person who set it. */
  by: z.string(),
  /** Epoch milliseconds at which its signal was received. */
  at: z.int(),
  /** Epoch milliseconds of the last stop; kept after a resume. */
  stoppedAt: z.optional(z.int()),
});
export type KillSwitch = z.infer<typeof KillSwitch>;

/** @param consentedAt epoch milliseconds at which the action was decided or approved */
export const isStoppedFor = (killSwitch: KillSwitch | undefined, consentedAt: number): boolean =>
  killSwitch !== undefined && (killSwitch.isStopped || (killSwitch.stoppedAt ?? 0) >= consentedAt);

export type KillSwitchChange = Pick<KillSwitch, 'isStopped' | 'by' | 'at'>;

export const killSwitchKey = (space: string) => settingKey(space, 'kill-switch');

/** `outdated`: the resume is older than the stop in force. */
export type KillSwitchOutcome = 'applied' | 'outdated';

const olderThan = (at: number): Condition => ({
  name: 'the stop in force is older',
  holds: anyOf(absent('pk'), below('at', at)),
});

/** @throws UnavailableError: the caller must not report a stop that was not stored */
export const setKillSwitch = async (
  table: Pick<Table, 'put' | 'update'>,
  space: string,
  { isStopped, by, at }: KillSwitchChange,
): Promise<KillSwitchOutcome> => {
  const item: Item = { schemaVersion: 1, isStopped, by, at };
  const key = killSwitchKey(space);
  if (isStopped) await table.put(key, { ...item, stoppedAt: at });
  else if (!(await updateIf(table, key, { set: item }, olderThan(at)))) return 'outdated';
  return 'applied';
};

/** Undefined if it was never set: then everything runs. */
export const readKillSwitch = (item: Item | undefined): KillSwitch | undefined =>
  item === undefined ? undefined : parseStored(item, KillSwitch, 'setting kill-switch');

export const loadKillSwitch = async (table: Pick<Table, 'load'>, space: string): Promise<KillSwitch | undefined> =>
  readKillSwitch(await loadItem(table, killSwitchKey(space)));
