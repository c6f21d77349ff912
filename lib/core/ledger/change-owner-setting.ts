/**
 * Changes one setting of the owner, and keeps each change beside the record: its number is the
 * version of all settings since then. The last word counts, and a repeat changes nothing.
 */
import * as z from 'zod/mini';
import { RetryLaterError } from '../base/errors.ts';
import { RETRY_BACKOFF_MS } from '../base/limits.ts';
import type { Signal } from '../signal/signal.ts';
import { absent, equals, IS_NEW } from '../store/condition.ts';
import { type Key, settingKey } from '../store/keys.ts';
import { parseStored } from '../store/parse-stored.ts';
import { queryAll } from '../store/query-all.ts';
import type { Table, Write } from '../store/table.ts';
import { wasWritten } from '../store/update-if.ts';
import { loadOwnerSettings, type OwnerSettings, ownerSettingsKey, SettingField } from './owner-settings.ts';

/** Tries to change a setting while others change it too. */
const SETTING_CHANGE_TRIES_MAX = 5;

const CHANGE_PREFIX = 'owner#';

const changeKey = (space: string, round: number): Key =>
  settingKey(space, `${CHANGE_PREFIX}${String(round).padStart(6, '0')}`);

const NamedChange = z.extend(SettingField, { field: z.string(), signal: z.string() });
type NamedChange = z.infer<typeof NamedChange>;

/** @returns the changes after a version of the settings, oldest first. @throws StoredItemError */
export const loadSettingChanges = async (
  table: Pick<Table, 'query'>,
  space: string,
  after: number,
): Promise<readonly (NamedChange & { readonly version: number })[]> => {
  const { pk, sk: first } = changeKey(space, after + 1);
  const { items } = await queryAll(table, { pk, skBetween: [first, `${CHANGE_PREFIX}~`] });
  return items.map(({ pk: _pk, sk, schemaVersion: _v, ...change }) => ({
    ...parseStored(change, NamedChange, 'change of a setting'),
    version: Number(String(sk).slice(CHANGE_PREFIX.length)),
  }));
};

const save = async (
  table: Pick<Table, 'transact'>,
  space: string,
  { round, fields }: OwnerSettings,
  change: NamedChange,
  more: readonly Write[],
): Promise<boolean> => {
  const next = round + 1;
  const isAsRead = {
    name: 'the settings are as they were read',
    holds: round === 0 ? absent('round') : equals('round', round),
  };
  const set = { schemaVersion: 1, round: next, fields: JSON.stringify(fields) };
  return wasWritten(
    table.transact([
      { kind: 'update', key: ownerSettingsKey(space), change: { set }, condition: isAsRead },
      { kind: 'put', key: changeKey(space, next), item: { schemaVersion: 1, ...change }, condition: IS_NEW },
      ...more,
    ]),
  );
};

/** Sets a field, unless a later word was said. @throws RetryLaterError if others change them */
export const changeOwnerSetting = async (
  table: Pick<Table, 'load' | 'transact'>,
  { id, space, sender, receivedAt }: Pick<Signal, 'id' | 'space' | 'sender' | 'receivedAt'>,
  field: string,
  value: string,
  more: readonly Write[] = [],
): Promise<OwnerSettings> => {
  for (let tries = 0; tries < SETTING_CHANGE_TRIES_MAX; tries += 1) {
    const current = await loadOwnerSettings(table, space);
    const before = Object.hasOwn(current.fields, field) ? current.fields[field] : undefined;
    if (before !== undefined && before.at >= receivedAt) return current;
    const said: SettingField = { value, by: sender.id, at: receivedAt };
    const changed: OwnerSettings = { ...current, fields: { ...current.fields, [field]: said } };
    if (await save(table, space, changed, { ...said, field, signal: id }, more))
      return { ...changed, round: current.round + 1 };
  }
  throw new RetryLaterError('the settings are being changed by others', RETRY_BACKOFF_MS[0]);
};
