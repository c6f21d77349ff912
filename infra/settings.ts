/** The settings of a deployment. Nothing secret is among them: all end up in the template. */
import { ConfigError } from '../lib/core/base/errors.ts';
import { parseEventLinkHosts } from '../lib/core/judge/listed-links.ts';
import { parseModelRules } from '../lib/core/llm/choose-model.ts';
import { parseConfigured } from '../lib/core/llm/configured-providers.ts';
import { ruleProblems } from '../lib/core/llm/providers.ts';
import { findWebhookProblems } from '../lib/core/store/declared-facts.ts';
import { type Parsers, readSettings } from '../lib/core/store/env.ts';
import { HttpUrl, SafeUrl } from '../lib/core/store/setting-forms.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, settingOf, type Variables } from '../lib/core/store/settings.ts';
import { FEATURE_PARSERS } from '../lib/features/setting-parsers.ts';
import { checkNames } from './spelling.ts';

export type FunctionSettings = Readonly<Partial<Record<SettingName, string>>>;

export interface StackSettings {
  readonly stackName: string;
  readonly space: string;
  readonly logLevel: string;
  /** Table and logs outlive the stack, and the table cannot be deleted by accident. */
  readonly isProduction: boolean;
  /** Functions change over ten minutes, and not all at once. */
  readonly isShifted: boolean;
  readonly alarmEmail: string | undefined;
  /** Runs at once of each function behind an open URL; without it only the account bounds them. */
  readonly urlConcurrency: number | undefined;
  /** Memory of Reason, if it is not what its row says. */
  readonly reasonMemoryMb: number | undefined;
  readonly functions: FunctionSettings;
}

/** Every function has these; its construct sets them. */
const COMMON: readonly SettingName[] = ['SPACE', 'LOG_LEVEL'];

/** Settings that functions get as they are set. */
export const HANDED_ON = SETTING_NAMES.filter((name) => {
  const { functions, isSecret, by } = settingOf(name);
  return functions.length > 0 && isSecret !== true && by !== 'stack' && !COMMON.includes(name);
});

const DEPLOYED = SETTING_NAMES.filter((name) => {
  const { isSecret, by = 'deploy' } = settingOf(name);
  return isSecret !== true && by === 'deploy';
});

/**
 * Stands in the local template for a setting, so one cached template serves every configuration.
 */
export const placeholderOf = (name: string): string => `\${${name}}`;

/** Settings of the template that the local stack is built from. */
export const buildLocalSettings = (space: string): StackSettings => ({
  stackName: 'Passepartout',
  space,
  logLevel: placeholderOf('LOG_LEVEL'),
  isProduction: false,
  isShifted: true,
  alarmEmail: undefined,
  urlConcurrency: undefined,
  reasonMemoryMb: undefined,
  functions: Object.fromEntries(HANDED_ON.map((name) => [name, placeholderOf(name)])),
});

const parseTimeZone = (name: string): unknown => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return 'must be a time zone such as Europe/Berlin';
  }
};

/** Functions do not check the time zone: loading all zones would take 10 ms of their start. */
export const SETTING_PARSERS = {
  TIME_ZONE: parseTimeZone,
  MODEL_RULES: parseModelRules,
  EVENT_LINK_HOSTS: parseEventLinkHosts,
  ...FEATURE_PARSERS,
} satisfies Parsers;

/** Faults of the fields by which a policy counts, as webhooks declare them; without any value. */
export const factProblems = (variables: Variables): readonly string[] =>
  (['WEBHOOK_TARGETS', 'WEBHOOK_URLS'] as const).flatMap((setting) => {
    const entries = SETTINGS[setting].schema.safeParse(variables[setting] ?? '{}').data ?? {};
    return Object.entries(entries).flatMap(([name, one]) =>
      typeof one === 'string' ? [] : findWebhookProblems(one).map((problem) => `${setting}: of ${name} ${problem}`),
    );
  });

/** Checks added providers without their keys, which a deployment does not have. */
const parseProviders = (text: string): unknown => {
  const problems: string[] = [];
  const providers = parseConfigured(text, new Map(), problems);
  return problems.length === 0 ? providers : problems.join('; ');
};

/** In the cloud no function may talk plain http. */
const isPlainHttp = (name: SettingName, text: string | undefined): boolean => {
  const { schema } = settingOf(name);
  return (schema === HttpUrl || schema === SafeUrl) && text?.startsWith('http:') === true;
};

/** Empty variables count as unset. @throws ConfigError naming every variable that does not fit */
export const parseStackSettings = (environment: Variables): StackSettings => {
  const problems = [...checkNames([], Object.keys(environment)).problems];
  const values = readSettings(DEPLOYED, environment, problems, { ...SETTING_PARSERS, PROVIDERS: parseProviders });
  for (const name of DEPLOYED) {
    if (isPlainHttp(name, environment[name])) problems.push(`${name}: must be an https address`);
  }
  problems.push(...ruleProblems(environment.MODEL_RULES, environment.PROVIDERS), ...factProblems(environment));
  if (problems.length > 0) throw new ConfigError(problems);
  const functions: Partial<Record<SettingName, string>> = {};
  for (const name of HANDED_ON) {
    if (DEPLOYED.includes(name) && environment[name]) functions[name] = environment[name];
  }
  if (functions.PROVIDER_CASCADE !== undefined) functions.PROVIDER_NAMES = functions.PROVIDER_CASCADE;
  functions.TELEGRAM_STATE = functions.TELEGRAM_BOT_ID === undefined ? 'off' : 'webhook';
  return {
    stackName: values.STACK_NAME,
    space: values.SPACE,
    logLevel: values.LOG_LEVEL,
    isProduction: ['1', 'true', 'yes'].includes(values.PRODUCTION),
    isShifted: values.SHIFT === 'on',
    alarmEmail: values.ALARM_EMAIL,
    urlConcurrency: values.URL_CONCURRENCY,
    reasonMemoryMb: values.REASON_MEMORY_MB,
    functions,
  };
};
