/**
 * Settings that an approver changes while the stack runs (`/config`). The owner's record holds them
 * (I14), and they win over the environment. Each function reads the record at most every five
 * seconds, and is wired anew once one of them has changed: nothing is started again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { changedWaits } from '../base/changed-waits.ts';
import { ConfigError } from '../base/errors.ts';
import { readJson } from '../base/json.ts';
import { SECOND_MS } from '../base/limits.ts';
import type { Decision } from '../signal/decision.ts';
import { loadItem } from '../store/load-named.ts';
import { settingOf as rowOf, SETTING_NAMES, type SettingName, type Variables } from '../store/settings.ts';
import type { Table } from '../store/table.ts';
import { type OwnerSettings, ownerSettingsKey, readOwnerSettings, settingOf } from './owner-settings.ts';

/** A change is in force within ten seconds, also in a function that is busy. */
const LOOK_EVERY_MS = 5 * SECOND_MS;
/** After a pause a function that waits for no look waits so long for its first one. */
const LOOK_WAIT_MS_MAX = SECOND_MS / 2;

export const LIVE_SETTINGS: readonly SettingName[] = SETTING_NAMES.filter((name) => rowOf(name).isLive === true);

/** Field of the owner's record. */
export const liveField = (name: string): string => `config.${name}`;

/** Variable with the version of the stored settings; absent if none of them is a live one. */
export const SETTINGS_VERSION = 'SETTINGS_VERSION';

/** Stored providers come behind the environment's, whose addresses keep their keys. Pure. */
export const joinProviders = (environment: string | undefined, stored: string): string => {
  const own = readJson(environment || '{}');
  return JSON.stringify(Object.assign({}, own, readJson(stored), own));
};

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

/** The stored values over those of the environment. Pure. */
export const withStored = (source: Variables, settings: OwnerSettings): Variables => {
  const stored = LIVE_SETTINGS.map((name) => [name, settingOf(settings, liveField(name))] as const);
  const [cascade, providers] = [
    settingOf(settings, liveField('PROVIDER_CASCADE')),
    settingOf(settings, liveField('PROVIDERS')),
  ];
  const isChanged = cascade !== '' || providers !== '';
  const names = isChanged
    ? { PROVIDER_NAMES: namesInOrder(source, providers, cascade || (source.PROVIDER_CASCADE ?? '')) }
    : {};
  const set = stored.filter(([, value]) => value !== '');
  const version = set.length === 0 ? {} : { [SETTINGS_VERSION]: `${settings.round}` };
  const all = set.map(([name, value]) => [name, name === 'PROVIDERS' ? joinProviders(source[name], value) : value]);
  return { ...source, ...names, ...version, ...Object.fromEntries(all) };
};

/** The part of the environment that may be changed, for those who show it. */
export const liveVariables = (source: Variables = process.env): Variables =>
  Object.fromEntries(LIVE_SETTINGS.map((name) => [name, source[name]]));

/** Stands for the stored settings among what a decision was shown; no memory object has this id. */
export const SETTINGS_SEEN = 'settings';

/**
 * The decision with the version of the stored settings that it was made under. One of a model has
 * it already, beside the choice of the model. A member of its own would make earlier releases
 * refuse the record.
 */
export const madeUnder = (decision: Decision, settingsVersion: string | undefined): Decision => {
  if (settingsVersion === undefined || decision.attempt !== undefined) return decision;
  return { ...decision, seen: [...(decision.seen ?? []), { id: SETTINGS_SEEN, version: Number(settingsVersion) }] };
};

const textOf = (variables: Variables): string =>
  JSON.stringify([liveVariables(variables), variables[SETTINGS_VERSION]]);

export interface LiveInput<T> {
  readonly table: Pick<Table, 'load'>;
  readonly space: string;
  /** Wires the function with these variables. @throws ConfigError */
  readonly build: (variables: Variables) => T;
  /** No look fails its work, which waits for one only after a pause. */
  readonly waitsNever?: true;
  readonly source?: Variables;
  readonly now?: () => number;
}

/**
 * @returns what was built with the newest settings, the same until one changes. Settings that do
 * not fit, or that cannot be read, change nothing.
 * @throws ConfigError at once if the environment does not fit; what a look throws
 */
export const buildLive = <T>(input: LiveInput<T>): (() => Promise<T>) => {
  const { table, space, build, waitsNever = false, source = process.env, now = Date.now } = input;
  let built = build(source);
  let seen = textOf(source);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const at = now();
    const settings = readOwnerSettings(await loadItem(table, ownerSettingsKey(space)));
    lookedAt = at;
    const variables = settings === undefined ? source : withStored(source, settings);
    const text = textOf(variables);
    if (settings === undefined || text === seen) return;
    seen = text;
    try {
      built = build(variables);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
  };
  return async (): Promise<T> => {
    if (now() - lookedAt >= (changedWaits.settingsLookMs ?? LOOK_EVERY_MS))
      looking ??= look().finally(() => {
        looking = undefined;
      });
    // The work's next read says that the table is away.
    if (!waitsNever) await looking;
    else if (looking !== undefined) {
      const quiet = looking.catch(() => undefined);
      const isOld = now() - lookedAt >= 2 * LOOK_EVERY_MS;
      if (isOld) await Promise.race([quiet, sleep(LOOK_WAIT_MS_MAX, undefined, { ref: false })]);
    }
    return built;
  };
};
