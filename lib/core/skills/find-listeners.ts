/**
 * Finds the handlers that listen to an event. Reads the record of skills at most once a minute in a
 * warm process, so that an ordinary message costs no request; a handler that was added meanwhile
 * runs a minute later. Before a handler runs, the record is read again.
 */
import { MINUTE_MS } from '../base/limits.ts';
import { type OwnerSettings, ownerSettingsKey, readOwnerSettings } from '../ledger/owner-settings.ts';
import { skillKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import type { FindListeners } from './listener.ts';

/** How old the list of handlers may be. */
const LISTENERS_AGE_MS_MAX = MINUTE_MS;

interface Known {
  readonly at: number;
  readonly skills: Item | undefined;
  readonly settings: OwnerSettings | undefined;
}

export const buildFindListeners = (table: Pick<Table, 'load'>, space: string, now: () => number): FindListeners => {
  let known: Known | undefined;
  return async (hooks) => {
    const at = now();
    if (known === undefined || Math.abs(at - known.at) > LISTENERS_AGE_MS_MAX) {
      const items = await loadNamed(table, { skills: skillKeys.active(space), owner: ownerSettingsKey(space) });
      known = { at, skills: items.skills, settings: readOwnerSettings(items.owner) };
    }
    if (known.skills === undefined) return [];
    const { listenersOf } = await import('./handlers.ts');
    return listenersOf(known.skills, known.settings, hooks);
  };
};
