/**
 * Finds the handlers that listen to an event. Reads the record of skills at most once a minute in a
 * warm process, so that an ordinary message costs no request; a handler that was added meanwhile
 * runs a minute later. Before a handler runs, the record is read again.
 */
import { MINUTE_MS } from '../../core/base/limits.ts';
import { type OwnerSettings, ownerSettingsKey, readOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { skillKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Item, Table } from '../../core/store/table.ts';
import type { Listener } from './listener.ts';

/** How old the list of handlers may be. */
const LISTENERS_AGE_MS_MAX = MINUTE_MS;

interface KnownSkills {
  readonly space: string;
  readonly at: number;
  readonly skills: Item | undefined;
  readonly settings: OwnerSettings | undefined;
}

/** By their table, as long as the process lives. */
const last = new WeakMap<object, KnownSkills>();

interface SkillSpace {
  readonly table: Pick<Table, 'load'>;
  readonly space: string;
}

const loadKnown = async ({ table, space }: SkillSpace, at: number): Promise<KnownSkills> => {
  const items = await loadNamed(table, { skills: skillKeys.active(space), owner: ownerSettingsKey(space) });
  const known = { space, at, skills: items.skills, settings: readOwnerSettings(items.owner) };
  last.set(table, known);
  return known;
};

/** @param hooks such as `sensor:webhook`, `tick` */
export const findListeners = async (
  place: SkillSpace,
  hooks: readonly string[],
  at: number,
): Promise<readonly Listener[]> => {
  const before = last.get(place.table);
  const isFresh = before?.space === place.space && Math.abs(at - before.at) <= LISTENERS_AGE_MS_MAX;
  const known = before !== undefined && isFresh ? before : await loadKnown(place, at);
  if (known.skills === undefined) return [];
  const { listenersOf } = await import('./handler-code.ts');
  return listenersOf(known.skills, known.settings, hooks);
};
