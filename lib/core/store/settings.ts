/**
 * Every setting, once: how its text is read, its default, whether it is secret, which functions get
 * it and who sets it. The environments of the functions, the checks of a deployment and of `npm
 * start`, the permissions to secrets and the table in `infra/README.md` follow from here. The
 * meaning of each setting is in `infra/setting-meanings.ts`.
 */
import * as z from 'zod/mini';
import { CONSOLE_RUNNERS, FEATURE_FUNCTIONS, SENDERS, WITHOUT_TABLE } from '../../features/function-names.ts';
import { FEATURE_SETTINGS } from '../../features/settings.ts';
import { ChannelId, ChatId } from '../signal/channels.ts';
import {
  ApiKey,
  CommaList,
  Digits,
  Dollars,
  Email,
  EventForms,
  Flag,
  HttpsUrl,
  HttpUrl,
  integer,
  json,
  oneOf,
  PriceList,
  ProviderCount,
  SafeUrl,
  SpaceName,
  Text,
  Threshold,
  Token,
  TokenCount,
  WebhookEntry,
  WebhookTarget,
} from './setting-forms.ts';

export const FUNCTION_NAMES = [
  ...(['console', 'control', 'perceive', 'reason', 'act', 'log', 'embed', 'heartbeat', 'dead-letter'] as const),
  ...FEATURE_FUNCTIONS,
] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];

export interface Setting {
  readonly schema: z.ZodMiniType<unknown, string>;
  /** The default as text. A setting without one is absent unless somebody sets it. */
  readonly default?: string;
  /** An approver may change it while the stack runs (`/config`). */
  readonly isLive?: true;
  /** A function does not start unless it is set, whatever the default. */
  readonly isRequired?: true;
  /** In the cloud the value is in the function's secret, and never in a template. */
  readonly isSecret?: true;
  /** It has room for whole tables, and travels with the code: Lambda's environment takes 4 KB. */
  readonly isLong?: true;
  readonly functions: readonly FunctionName[];
  /** Absent: the owner. `derived`: other settings say it. `stack`: something the stack made. */
  readonly by?: 'local' | 'deploy' | 'derived' | 'stack';
}

const Record = z.record;
const WITH_TABLE = FUNCTION_NAMES.filter((name) => !WITHOUT_TABLE.includes(name));
/** They answer /config. */
const SHOWERS = ['console', 'perceive'] as const;
const REASON = ['reason'] as const;
const TURNS = [...SHOWERS, ...REASON] as const;
const SPENDERS = [...TURNS, 'act', 'embed'] as const;
const STAGES = ['perceive', 'reason', 'act', 'log'] as const;

// biome-ignore format: a table
export const SETTINGS = {
  PORT: { schema: integer(0, 65_535), default: '8787', functions: [], by: 'local' },
  HOST: { schema: oneOf('127.0.0.1', 'localhost', '::1'), default: '127.0.0.1', functions: [], by: 'local' },
  DATA_DIR: { schema: Text, default: '.passepartout', functions: [], by: 'local' },
  SKILLS_DIR: { schema: Text, functions: [], by: 'local' },
  AWS_ENDPOINT_URL_DYNAMODB: { schema: HttpUrl, functions: [], by: 'local' },
  WIRE: { schema: oneOf('direct', 'http'), default: 'direct', functions: [], by: 'local' },
  HEARTBEAT_INTERVAL_SECONDS: { schema: integer(1, 3_600), default: '60', functions: [], by: 'local' },
  SPACE: { schema: SpaceName, default: 'default', isRequired: true, functions: FUNCTION_NAMES },
  LOG_LEVEL: { schema: oneOf('debug', 'info', 'warn', 'error'), default: 'info', functions: FUNCTION_NAMES },
  APPROVER_TOKEN: { schema: Token, isSecret: true, functions: ['console', 'control'] },
  API_TOKENS: { schema: Text, isSecret: true, functions: ['console', 'control'] },
  MEMEX_ASSISTANT: { schema: Text, default: 'Passepartout', functions: TURNS },
  MEMEX_USER: { schema: Text, default: '', functions: REASON },
  TIME_ZONE: { schema: Text, default: 'UTC', isLive: true, functions: [...TURNS, 'act', 'heartbeat'] },
  HOME_CHAT: { schema: ChatId, isLive: true, functions: [...SHOWERS, 'webhook', 'reason', 'act', 'heartbeat'] },
  DEFAULT_ACTUATOR: { schema: oneOf('console', 'system'), default: 'console', isLive: true, functions: [...SHOWERS, 'webhook', 'act', 'heartbeat'] },
  SILENT_ACTUATORS: { schema: CommaList, default: [...ChannelId.options, 'system'].join(), isLive: true, functions: [...SHOWERS, 'act'] },
  OPENAI_BASE_URL: { schema: HttpUrl, functions: ['reason', 'act', 'embed'] },
  OPENAI_MODEL: { schema: Text, functions: REASON },
  OPENAI_API_KEY: { schema: ApiKey, isSecret: true, functions: REASON },
  OPENROUTER_API_KEY: { schema: ApiKey, isSecret: true, functions: REASON },
  ANTHROPIC_API_KEY: { schema: ApiKey, isSecret: true, functions: REASON },
  GROQ_API_KEY: { schema: ApiKey, isSecret: true, functions: REASON },
  GEMINI_API_KEY: { schema: ApiKey, isSecret: true, functions: REASON },
  OLLAMA_HOST: { schema: Text, functions: [], by: 'local' },
  OLLAMA_BASE_URL: { schema: HttpUrl, functions: REASON },
  OLLAMA_MODEL: { schema: Text, functions: REASON },
  OLLAMA_CONTEXT_LENGTH: { schema: Digits, functions: REASON },
  PROVIDER_CASCADE: { schema: Text, isLive: true, functions: TURNS },
  PROVIDERS: { schema: Text, isLong: true, isLive: true, functions: TURNS },
  PROVIDER_KEYS: { schema: Text, isSecret: true, functions: REASON },
  PROVIDER_NAMES: { schema: CommaList, default: '', functions: SHOWERS, by: 'derived' },
  MODEL_RULES: { schema: Text, default: '', isLong: true, isLive: true, functions: TURNS },
  CONSENSUS_PROVIDERS: { schema: ProviderCount, default: '0', isLive: true, functions: TURNS },
  EMBEDDING_MODEL: { schema: Text, isLive: true, functions: [...TURNS, 'embed'] },
  EMBEDDING_BASE_URL: { schema: HttpUrl, functions: ['reason', 'embed'] },
  EMBEDDING_PRICE: { schema: Dollars, functions: ['reason', 'embed'] },
  EMBEDDING_API_KEY: { schema: ApiKey, isSecret: true, functions: ['embed'] },
  TRANSCRIPTION_MODEL: { schema: Text, functions: ['reason', 'act'] },
  TRANSCRIPTION_BASE_URL: { schema: HttpUrl, functions: ['reason', 'act'] },
  TRANSCRIPTION_PRICE: { schema: Dollars, functions: REASON },
  TRANSCRIPTION_API_KEY: { schema: ApiKey, isSecret: true, functions: ['act'] },
  SPEECH_MODEL: { schema: Text, functions: ['perceive', 'act'] },
  SPEECH_PRICE: { schema: Dollars, functions: ['act'] },
  SPEECH_VOICE: { schema: Text, default: 'alloy', functions: ['act'] },
  SEARCH: { schema: Text, functions: ['reason', 'act'] },
  SEARCH_API_KEY: { schema: ApiKey, isSecret: true, functions: ['act'] },
  STREAMING: { schema: oneOf('on', 'off'), default: 'on', isLive: true, functions: TURNS },
  AT_WORK_SECONDS: { schema: integer(0, 3_600), default: '10', functions: ['reason', 'act'] },
  PRIVACY_FILTER_TAGS: { schema: CommaList, default: '', isLive: true, functions: [...SPENDERS, 'traces'] },
  MANDATORY_SKILLS: { schema: CommaList, default: '', isLive: true, functions: SHOWERS },
  MAINTENANCE: { schema: oneOf('on', 'off'), default: 'on', functions: ['heartbeat'] },
  MEMORY_AUTO_SAVE_MINUTES: { schema: integer(5, 1_440), default: '5', isLive: true, functions: [...SHOWERS, 'heartbeat'] },
  CONTEXT_SEMANTIC_THRESHOLD: { schema: Threshold, default: '0.75', isLive: true, functions: TURNS },
  REASON_MEMORY_MB: { schema: integer(128, 10_240), functions: [] },
  ...FEATURE_SETTINGS,
  RELEASE_URL: { schema: SafeUrl, functions: ['heartbeat'] },
  ANCHOR_CHAT: { schema: ChatId, functions: ['heartbeat'] },
  ANCHOR_DIR: { schema: Text, functions: ['log', 'heartbeat'], by: 'derived' },
  ANCHOR_BUCKET: { schema: Text, functions: ['log', 'heartbeat'], by: 'stack' },
  CONTENT_DIR: { schema: Text, functions: ['reason', 'act', 'document', 'runner'], by: 'derived' },
  CONTENT_BUCKET: { schema: Text, functions: ['reason', 'act', 'document', 'runner'], by: 'stack' },
  PROVIDER_VAULT_FILE: { schema: Text, functions: ['console', 'reason', 'act'], by: 'derived' },
  PROVIDER_VAULT: { schema: Text, functions: ['console', 'reason', 'act'], by: 'stack' },
  DOCUMENT_FUNCTION: { schema: Text, functions: ['act'], by: 'stack' },
  CONSOLE_FUNCTION: { schema: Text, isRequired: true, functions: CONSOLE_RUNNERS, by: 'stack' },
  WITNESSES: { schema: Text, default: '{}', functions: ['log'] },
  LOG_SIGNING_KEY: { schema: Text, isSecret: true, functions: ['log'] },
  LOG_SIGNING_KEY_PREVIOUS: { schema: Text, isSecret: true, functions: ['log'] },
  RUNNER_SIGNING_KEY: { schema: Text, isSecret: true, functions: ['act'] },
  WEBHOOK_SECRETS: { schema: Text, isSecret: true, functions: ['webhook'] },
  WEBHOOK_TARGETS: { schema: json(Record(z.string(), WebhookTarget), 'name → {"url"} or {"preset"}, with "secret", "bearer" or others of infra/webhooks.md'), isSecret: true,
    functions: ['act'] },
  WEBHOOK_URLS: { schema: json(Record(z.string(), WebhookEntry), 'name → https address, or {"url"} or {"preset"}'), default: '{}', isLong: true, functions: ['console', 'perceive', 'reason', 'act'], by: 'deploy' },
  WEBHOOK_COSTS: { schema: PriceList, default: '', isLive: true, functions: [...TURNS, 'act'] },
  ALLOW_LOOPBACK_WEBHOOKS: { schema: Flag, default: '0', functions: ['perceive', 'reason', 'act'], by: 'local' },
  EVENTS_WITHOUT_JOB: { schema: oneOf('record', 'ask'), default: 'record', isLive: true, functions: SHOWERS },
  EVENT_FORMS: { schema: json(EventForms, 'source → event → line'), default: '{}', isLive: true, functions: [...SHOWERS, 'webhook'] },
  EVENT_LINK_HOSTS: { schema: Text, default: '', functions: REASON },
  SECRET_PRINTS: { schema: Text, isSecret: true, functions: ['reason', 'act', 'traces'] },
  MCP_SERVERS: { schema: json(Record(z.string(), z.object({ url: z.string(), token: z.string().check(z.minLength(1)) })), 'name → {"url", "token"}'), isSecret: true, functions: ['act'] },
  MCP_DOOR: { schema: oneOf('on', 'off'), default: 'off', functions: ['mcp'] },
  OTEL_EXPORTER_OTLP_ENDPOINT: { schema: HttpUrl, functions: ['traces'] },
  OTEL_EXPORTER_OTLP_HEADERS: { schema: Text, isSecret: true, functions: ['traces'] },
  TRACES_CONTENT: { schema: oneOf('on', 'off'), default: 'off', functions: ['traces'] },
  BUDGET_TURN_USD: { schema: Dollars, default: '2', isLive: true, functions: SPENDERS },
  BUDGET_SESSION_USD: { schema: Dollars, default: '3', isLive: true, functions: SPENDERS },
  BUDGET_JOB_USD: { schema: Dollars, default: '2', isLive: true, functions: SPENDERS },
  BUDGET_DAY_USD: { schema: Dollars, default: '5', isLive: true, functions: SPENDERS },
  BUDGET_DAY_TOKENS: { schema: TokenCount, default: '10000000', isLive: true, functions: SPENDERS },
  STACK_NAME: { schema: z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, { error: 'must be letters, digits or "-", from a letter' })), default: 'Passepartout', functions: [], by: 'deploy' },
  PRODUCTION: { schema: oneOf('1', '0', 'true', 'false', 'yes', 'no'), default: 'yes', functions: [], by: 'deploy' },
  SHIFT: { schema: oneOf('on', 'off'), default: 'on', functions: [], by: 'deploy' },
  ALARM_EMAIL: { schema: Email, functions: [], by: 'deploy' },
  URL_CONCURRENCY: { schema: integer(8, 999), functions: [], by: 'deploy' },
  TABLE_NAME: { schema: z.string().check(z.minLength(3, { error: 'must be the name of a table' })), isRequired: true, functions: WITH_TABLE, by: 'stack' },
  QUEUE_URL: { schema: HttpUrl, isRequired: true, functions: STAGES, by: 'stack' },
  DLQ_URL: { schema: HttpUrl, isRequired: true, functions: STAGES, by: 'stack' },
  PERCEIVE_QUEUE_URL: { schema: HttpUrl, isRequired: true, functions: ['console', 'control', 'perceive', 'act', 'heartbeat', 'dead-letter', ...SENDERS], by: 'stack' },
  REASON_QUEUE_URL: { schema: HttpUrl, isRequired: true, functions: ['perceive'], by: 'stack' },
  ACT_QUEUE_URL: { schema: HttpUrl, isRequired: true, functions: ['perceive', 'reason', 'heartbeat'], by: 'stack' },
  LOG_QUEUE_URL: { schema: HttpUrl, isRequired: true, functions: ['console', 'log', 'heartbeat'], by: 'stack' },
  RUNNER_QUEUE_URLS: { schema: CommaList, isRequired: true, functions: ['act', 'heartbeat', 'runner'], by: 'stack' },
  RUNNER_KEY_ID: { schema: Text, functions: ['act'], by: 'stack' },
  RUNNER_ROLE_ARN: { schema: Text, isRequired: true, functions: ['runner'], by: 'stack' },
  CONTROL_URL: { schema: HttpsUrl, functions: ['console'], by: 'stack' },
  CONSOLE_URL: { schema: HttpsUrl, functions: ['act', ...CONSOLE_RUNNERS], by: 'stack' },
  STACK_RUN: { schema: Text, functions: ['act'], by: 'stack' },
} as const satisfies Readonly<Record<string, Setting>>;

type Rows = typeof SETTINGS;
export type SettingName = keyof Rows;
export type SecretName = { [N in SettingName]: Rows[N] extends { isSecret: true } ? N : never }[SettingName];

export const SETTING_NAMES: readonly SettingName[] = Object.keys(SETTINGS).filter(
  (name): name is SettingName => name in SETTINGS,
);
export const settingOf = (name: SettingName): Setting => SETTINGS[name];

const isSecret = (name: SettingName): name is SecretName => settingOf(name).isSecret === true;

/** Whether a variable is one of the keys and tokens. */
export const isSecretName = (name: string): boolean => SETTING_NAMES.some((known) => known === name && isSecret(known));

export const secretsOf = (functionName: FunctionName): readonly SecretName[] =>
  SETTING_NAMES.filter((name) => settingOf(name).functions.includes(functionName)).filter(isSecret);

export const settingsOf = (functionName: FunctionName): readonly SettingName[] =>
  SETTING_NAMES.filter((name) => settingOf(name).functions.includes(functionName) && !isSecret(name));

/** The values of the settings named, by the names of the variables. */
export type Values<N extends SettingName> = {
  readonly [K in N]:
    | z.output<Rows[K]['schema']>
    | (Rows[K] extends { default: string } | { isRequired: true } ? never : undefined);
};

type NameFor<F extends FunctionName> = {
  [N in SettingName]: Rows[N] extends { isSecret: true } ? never : F extends Rows[N]['functions'][number] ? N : never;
}[SettingName];

export type Environment<F extends FunctionName> = Values<NameFor<F>>;

export type Variables = Readonly<Record<string, string | undefined>>;
