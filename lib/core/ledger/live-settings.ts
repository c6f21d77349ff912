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
/** A function that answers people waits no longer for a look. */
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

/** The stored values over those of the environment. Pure. */
export const withStored = (source: Variables, settings: OwnerSettings): Variables => {
  const stored = LIVE_SETTINGS.map((name) => [name, settingOf(settings, liveField(name))] as const);
  const set = stored.filter(([, value]) => value !== '');
  const version = set.length === 0 ? {} : { [SETTINGS_VERSION]: `${settings.round}` };
  const all = set.map(([name, value]) => [name, name === 'PROVIDERS' ? joinProviders(source[name], value) : value]);
  return { ...source, ...version, ...Object.fromEntries(all) };
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
  /** No look fails its work, which waits for one half a second at most. */
  readonly waitsBriefly?: true;
  /** Adds what follows from the stored values, for functions that show it. Pure. */
  readonly derive?: (source: Variables, settings: OwnerSettings) => Variables;
  readonly source?: Variables;
  readonly now?: () => number;
}

/**
 * @returns what was built with the newest settings, the same until one changes. Settings that do
 * not fit, or that cannot be read, change nothing.
 * @throws ConfigError at once if the environment does not fit; what a look throws
 */
export const buildLive = <T>(input: LiveInput<T>): (() => Promise<T>) => {
  const { table, space, build, derive, waitsBriefly = false, source = process.env, now = Date.now } = input;
  let built = build(source);
  let seen = textOf(source);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const at = now();
    const settings = readOwnerSettings(await loadItem(table, ownerSettingsKey(space)));
    lookedAt = at;
    const stored = settings === undefined ? source : withStored(source, settings);
    const variables = settings === undefined ? stored : { ...stored, ...derive?.(source, settings) };
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
    if (!waitsBriefly) await looking;
    else if (looking)
      await Promise.race([looking.catch(() => undefined), sleep(LOOK_WAIT_MS_MAX, undefined, { ref: false })]);
    return built;
  };
};
