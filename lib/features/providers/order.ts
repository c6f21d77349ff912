/**
 * The order in which providers are asked, as entries of a cascade: `name`, or `name:model`. Pure.
 */
import { liveField } from '../../core/ledger/live-settings.ts';
import { type OwnerSettings, settingOf } from '../../core/ledger/owner-settings.ts';
import { withNames } from '../../core/ledger/provider-names.ts';
import type { Variables } from '../../core/store/settings.ts';

export const nameIn = (entry: string): string => entry.split(/[:/]/)[0] ?? '';

const split = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(/[\s,]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/**
 * The entries in force: those of the stored cascade, of the environment's, or else all names that
 * are known to have a key. Empty if that is not known, or if there is none.
 */
export const entriesInForce = (configured: Variables, settings: OwnerSettings): readonly string[] => {
  const cascade = settingOf(settings, liveField('PROVIDER_CASCADE')) || configured.PROVIDER_CASCADE;
  if (cascade) return split(cascade);
  const names = split(withNames(configured, settings).PROVIDER_NAMES);
  // The table's own models stay: a name alone has a small and a large one.
  return [...new Set(names.map(nameIn))];
};

/** @param wanted comes first, in its own order; a name stands for its entry. */
export const orderFirst = (entries: readonly string[], wanted: string): readonly string[] => {
  const first = split(wanted).map((one) =>
    one.includes(':') ? one : (entries.find((entry) => nameIn(entry) === one) ?? one),
  );
  const names = first.map(nameIn);
  return [...new Set([...first, ...entries.filter((entry) => !names.includes(nameIn(entry)))])];
};

export const without = (entries: readonly string[], name: string): readonly string[] =>
  entries.filter((entry) => nameIn(entry) !== name);
