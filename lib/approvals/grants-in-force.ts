/**
 * How many grants are in force, kept beside the owner's settings, so that a prompt can say it without a request of its own: grant id
 * → until when. Only for telling: whether a grant covers anything is judged by its record. A used-up one counts until the sweep.
 */

import { ownerSettingsKey } from '../ledger/owner-settings.ts';
import type { Item, Table } from '../store/table.ts';

const PREFIX = 'grant_';

export const noteGrant = async (
  table: Pick<Table, 'update'>,
  { space, id, expiresAtMs }: { readonly space: string; readonly id: string; readonly expiresAtMs: number },
): Promise<void> => {
  await table.update(ownerSettingsKey(space), { set: { schemaVersion: 1, [`${PREFIX}${id}`]: expiresAtMs } });
};

export const forgetGrants = async (
  table: Pick<Table, 'update'>,
  space: string,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  await table.update(ownerSettingsKey(space), { set: { schemaVersion: 1 }, remove: ids.map((id) => `${PREFIX}${id}`) });
};

/** @param item the owner's settings as read */
export const grantsInForce = (item: Item | undefined, now: number): number =>
  Object.entries(item ?? {}).filter(
    ([name, until]) => name.startsWith(PREFIX) && typeof until === 'number' && until > now,
  ).length;
