/** The providers in the order in which they are asked, for those who show them. Pure. */
import { readJson } from '../base/json.ts';
import type { Variables } from '../store/settings.ts';
import { liveField, withStored } from './live-settings.ts';
import { type OwnerSettings, settingOf } from './owner-settings.ts';

/**
 * The providers in the order in which they are asked, as `name/model` where the model is known: by
 * the cascade, else the stored ones behind those that the environment configures (`buildRows`).
 */
const namesInOrder = (source: Variables, stored: string, cascade: string): string => {
  const known = (source.PROVIDER_NAMES ?? '').split(',').filter((name) => name !== '');
  const added = Object.entries(Object(readJson(stored || '{}'))).map(([name, one]) => `${name}/${Object(one).model}`);
  const all = [...known, ...added];
  if (cascade !== '') {
    const entries = cascade.split(',').map((entry) => entry.trim());
    return entries.map((entry) => all.find((one) => one.startsWith(`${entry}/`)) ?? entry).join(',');
  }
  // Without them it is not known who has a key.
  if (known.length === 0) return '';
  const first = ['custom', ...Object.keys(Object(readJson(source.PROVIDERS || '{}')))];
  const own = known.findIndex((name) => !first.includes(name.split('/')[0] ?? ''));
  return known.toSpliced(own < 0 ? known.length : own, 0, ...added).join(',');
};

/** The variable `PROVIDER_NAMES`, if anything stored says it; for `derive` of `buildLive`. */
export const deriveNames = (source: Variables, settings: OwnerSettings): Variables => {
  const [cascade = '', providers = ''] = (['PROVIDER_CASCADE', 'PROVIDERS'] as const).map((name) =>
    settingOf(settings, liveField(name)),
  );
  if (cascade === '' && providers === '') return {};
  return { PROVIDER_NAMES: namesInOrder(source, providers, cascade || (source.PROVIDER_CASCADE ?? '')) };
};

/** The variables in force, with these names. */
export const withNames = (source: Variables, settings: OwnerSettings): Variables => ({
  ...withStored(source, settings),
  ...deriveNames(source, settings),
});
