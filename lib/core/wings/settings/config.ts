/** Settings that change while it runs: what holds now, and what a new value must be. Pure. */
import { isZone } from '../../base/clock.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { JsonObject, readJson } from '../../base/json.ts';
import { isoMinute } from '../../base/utc-minute.ts';
import { joinProviders, LIVE_SETTINGS, liveField } from '../../ledger/live-settings.ts';
import { settingOf as fieldOf, type OwnerSettings } from '../../ledger/owner-settings.ts';
import { parseModelRules } from '../../llm/choose-model.ts';
import { parseConfigured } from '../../llm/configured-providers.ts';
import { cascadeProblems, ruleProblems } from '../../llm/providers.ts';
import { SETTING_NAMES, type SettingName, settingOf, type Variables } from '../../store/settings.ts';
import { findTemplates } from '../../text/template.ts';
import type { ShownSetting } from './operations.ts';
import type { SettingTexts } from './texts.ts';

/** @throws NotFoundError naming the settings there are */
export const liveSetting = (name: string, say: SettingTexts): SettingName => {
  const found = LIVE_SETTINGS.find((one) => one === name);
  if (found !== undefined) return found;
  const isFixed = SETTING_NAMES.some((one) => one === name);
  throw new NotFoundError(say.noSetting(name.replace(/\W/g, ''), isFixed, LIVE_SETTINGS.join(', ')));
};

export const showSetting = (name: SettingName, { fields }: OwnerSettings, configured: Variables = {}): ShownSetting => {
  const field = liveField(name);
  const stored = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (stored !== undefined && stored.value !== '')
    return { name, value: stored.value, from: 'stored', by: stored.by, at: stored.at };
  const { [name]: set } = configured;
  if (set !== undefined && set !== '') return { name, value: set, from: 'environment' };
  return { name, value: settingOf(name).default ?? '', from: 'default' };
};

export const settingLine = (shown: ShownSetting, say: SettingTexts): string =>
  `${shown.name}: ${shown.value || say.notSet} (${say.from(shown, isoMinute(shown.at ?? 0))})`;

const BEYOND_FORM: Partial<Record<SettingName, (value: string, configured: Variables) => readonly string[]>> = {
  PROVIDERS: (value, { PROVIDERS: environment }) => {
    const problems: string[] = [];
    const names = parseConfigured(value, new Map(), problems).map(({ name }) => name);
    const taken = parseConfigured(environment ?? '', new Map(), []).find(({ name }) => names.includes(name));
    return taken === undefined
      ? problems
      : [`the environment configures ${taken.name} already, and its key goes to the address there`];
  },
  TIME_ZONE: (value) => (isZone(value) ? [] : ['TIME_ZONE must be a time zone such as Europe/Berlin']),
  PROVIDER_CASCADE: (value, { PROVIDERS, PROVIDER_CASCADE, PROVIDER_NAMES }) =>
    // Without a cascade of the environment, its names are all providers that have a key.
    cascadeProblems(value, PROVIDERS, PROVIDER_CASCADE ? '' : PROVIDER_NAMES),
  EVENT_FORMS: (value) =>
    findTemplates(JsonObject.parse(readJson(value))).bad.map((bad) => `EVENT_FORMS holds ${bad}, which is no path`),
  MODEL_RULES: (value, { PROVIDERS }) => {
    const rules = parseModelRules(value);
    return typeof rules === 'string' ? [`MODEL_RULES ${rules}`] : ruleProblems(value, PROVIDERS);
  },
};

/** The environment's value, with the providers that were stored since. */
export const withProviders = (configured: Variables, settings: OwnerSettings): Variables => {
  const more = fieldOf(settings, liveField('PROVIDERS'));
  if (more === '') return configured;
  const names = parseConfigured(more, new Map(), []).map(({ name }) => name);
  return {
    ...configured,
    PROVIDERS: joinProviders(configured.PROVIDERS, more),
    // Empty if it is not known who has a key.
    PROVIDER_NAMES: configured.PROVIDER_NAMES && [configured.PROVIDER_NAMES, ...names].join(','),
  };
};

/** @throws ProtocolError if the setting cannot have this value */
export const checkSetting = (name: SettingName, value: string, configured: Variables, say: SettingTexts): void => {
  const { error } = settingOf(name).schema.safeParse(value, { jitless: true });
  const problem = error?.issues[0]?.message;
  if (value === '') throw new ProtocolError(say.needsValue(name));
  if (problem !== undefined) throw new ProtocolError(`${name} ${problem}`);
  const [beyond] = BEYOND_FORM[name]?.(value, configured) ?? [];
  if (beyond !== undefined) throw new ProtocolError(beyond);
};
