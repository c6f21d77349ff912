/**
 * The settings of `npm start`: the environment, and `.env` below it, checked as a whole before
 * anything starts. One ConfigError names every wrong variable, and never a value. Pure.
 */
import { ConfigError } from '../../lib/core/base/errors.ts';
import { parseApiTokens } from '../../lib/core/edge/console/tokens.ts';
import { modelName } from '../../lib/core/llm/choose-model.ts';
import { PROVIDER_TABLE } from '../../lib/core/llm/provider-table.ts';
import { buildCascade, ruleProblems } from '../../lib/core/llm/providers.ts';
import { readSettings } from '../../lib/core/store/env.ts';
import { WebhookForm, type WebhookTarget } from '../../lib/core/store/setting-forms.ts';
import {
  SETTING_NAMES,
  type SettingName,
  secretsOf,
  settingOf,
  type Values,
  type Variables,
} from '../../lib/core/store/settings.ts';
import { CHANNEL_PROGRAMS } from '../features.ts';
import { factProblems, SETTING_PARSERS } from '../settings.ts';
import { SETTING_CONFLICTS } from './features.ts';

/**
 * With the same address as `OPENAI_BASE_URL`, and no key of its own. Its model may be set later.
 */
export const keyBeside = (
  variables: Readonly<Record<string, string | undefined>>,
): { readonly EMBEDDING_API_KEY?: string } => {
  const { EMBEDDING_API_KEY: own, EMBEDDING_BASE_URL: url, OPENAI_API_KEY: key } = variables;
  if (own !== undefined || key === undefined) return {};
  return url === undefined || url === variables.OPENAI_BASE_URL ? { EMBEDDING_API_KEY: key } : {};
};

/** The key of the provider at its address, if it has none of its own. */
export const recordingKey = (variables: Variables): { readonly TRANSCRIPTION_API_KEY?: string } => {
  const { TRANSCRIPTION_API_KEY: own, OPENAI_BASE_URL: openai, TRANSCRIPTION_BASE_URL: url = openai } = variables;
  const row = PROVIDER_TABLE.find(({ baseUrl }) => baseUrl === url?.replace(/\/+$/, ''));
  const key = variables[url === openai ? 'OPENAI_API_KEY' : (row?.keyName ?? '')];
  return own !== undefined || key === undefined ? {} : { TRANSCRIPTION_API_KEY: key };
};

export type { Variables } from '../../lib/core/store/settings.ts';

export interface LocalSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly dataDir: string;
  readonly space: string;
  readonly heartbeatIntervalSeconds: number;
  readonly skillsDir: string | undefined;
  readonly dynamodbEndpoint: string | undefined;
  readonly isWireHttp: boolean;
  /** The configured providers in the order they are tried, as `name:model`. */
  readonly providers: readonly string[];
  /** Settings and secrets by name, as the functions are to have them. */
  readonly variables: Variables;
}

const CHANNELS = Object.values(CHANNEL_PROGRAMS);
const LOCAL = SETTING_NAMES.filter((name) => ['local', undefined].includes(settingOf(name).by));
type Settings = Values<SettingName>;

/** Finds problems between several variables. */
export type FindConflicts = (variables: Variables, environment: Settings) => readonly string[];

const findConflicts: FindConflicts = (variables, environment) => {
  const problems: string[] = [];
  const scripts = parseApiTokens(variables.API_TOKENS, variables.APPROVER_TOKEN);
  problems.push(...scripts.problems.map((problem) => `API_TOKENS: ${problem}`));
  for (const channel of CHANNELS) problems.push(...channel.findConflicts(variables));
  problems.push(...ruleProblems(variables.MODEL_RULES, variables.PROVIDERS), ...factProblems(variables));
  problems.push(...SETTING_CONFLICTS.flatMap((find) => find(variables, environment)));
  return problems;
};

const findProviders = (variables: Variables, problems: string[]): readonly string[] => {
  const secrets = new Map(
    secretsOf('reason').flatMap((name) => (variables[name] ? [[name, variables[name]] as const] : [])),
  );
  try {
    return buildCascade(variables, secrets).map(({ name, model }) => modelName(name, model));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return [];
  }
};

/** @param misspelt problems of names, which the error tells too */
export const parseLocalSettings = (given: Variables, misspelt: readonly string[] = []): LocalSettings => {
  const variables = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== ''),
  );
  const problems: string[] = [...misspelt];
  const environment = readSettings(LOCAL, variables, problems, SETTING_PARSERS);
  problems.push(...findConflicts(variables, environment));
  const wrong = new Set(problems.map((problem) => problem.slice(0, problem.indexOf(':'))));
  // The cascade does not name a variable again that is already wrong.
  const providers = findProviders(
    Object.fromEntries(Object.entries(variables).filter(([name]) => !wrong.has(name))),
    problems,
  );
  if (problems.length > 0) throw new ConfigError(problems);
  const targets = Object.entries(environment.WEBHOOK_TARGETS ?? {});
  return {
    host: environment.HOST === 'localhost' ? '127.0.0.1' : environment.HOST,
    port: environment.PORT,
    dataDir: environment.DATA_DIR,
    space: environment.SPACE,
    heartbeatIntervalSeconds: environment.HEARTBEAT_INTERVAL_SECONDS,
    skillsDir: environment.SKILLS_DIR,
    dynamodbEndpoint: environment.AWS_ENDPOINT_URL_DYNAMODB,
    isWireHttp: environment.WIRE === 'http',
    providers,
    variables: {
      ...variables,
      ...Object.assign({}, ...CHANNELS.map(({ derive }) => derive(variables))),
      WEBHOOK_URLS:
        targets.length === 0
          ? undefined
          : JSON.stringify(Object.fromEntries(targets.map(([name, target]) => [name, entryOf(target)]))),
      PROVIDER_NAMES: providers.join(','),
      ...keyBeside(variables),
      ...recordingKey(variables),
    },
  };
};

/** The part of a target that Perceive and Reason may know. */
const entryOf = (target: WebhookTarget): string | WebhookForm => {
  const hides = target.fixed === undefined ? {} : { hides: Object.keys(target.fixed) };
  const known = WebhookForm.parse({ ...target, ...hides });
  return Object.keys(known).length === 1 && known.url !== undefined ? known.url : known;
};

/** The faults of these settings; empty if they fit. @param misspelt problems of names */
export const findSettingProblems = (given: Variables, misspelt: readonly string[] = []): readonly string[] => {
  try {
    parseLocalSettings(given, misspelt);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};
