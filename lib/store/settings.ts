/**
 * Every setting, once: how its text is read, its default, its meaning, whether it is secret, which
 * functions get it and who sets it. The environments of the functions, the checks of a deployment
 * and of `npm start`, the permissions to secrets and the table in `infra/README.md` follow from
 * here.
 */
import * as z from 'zod/mini';
import {
  ApiKey,
  ChatId,
  ChatIds,
  CommaList,
  Digits,
  Dollars,
  Email,
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
} from './setting-forms.ts';

export const FUNCTION_NAMES = [
  'telegram',
  'webhook',
  'console',
  'control',
  'perceive',
  'reason',
  'act',
  'log',
  'embed',
  'heartbeat',
  'dead-letter',
  'runner',
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
  /**
   * Absent: the owner, on a machine and in the cloud. `derived`: other settings say it. `stack`:
   * the name or address of something the stack made.
   */
  readonly by?: 'local' | 'deploy' | 'derived' | 'stack';
  readonly meaning: string;
}

const Record = z.record;
const SPENDERS = ['console', 'perceive', 'reason', 'act', 'embed'] as const;
const STAGES = ['perceive', 'reason', 'act', 'log'] as const;

// biome-ignore format: a table, with two lines for each setting
export const SETTINGS = {
  PORT: { schema: integer(0, 65_535), default: '8787', functions: [], by: 'local',
    meaning: 'port the local stack listens on; 0 takes any free one' },
  HOST: { schema: oneOf('127.0.0.1', 'localhost', '::1'), default: '127.0.0.1', functions: [], by: 'local',
    meaning: 'address the local stack listens on; loopback only' },
  DATA_DIR: { schema: Text, default: '.passepartout', functions: [], by: 'local',
    meaning: 'folder with everything the local stack keeps (mode 0700)' },
  AWS_ENDPOINT_URL_DYNAMODB: { schema: HttpUrl, functions: [], by: 'local',
    meaning: 'another DynamoDB-compatible server than the embedded one' },
  HEARTBEAT_INTERVAL_SECONDS: { schema: integer(1, 3_600), default: '60', functions: [], by: 'local',
    meaning: 'seconds between two heartbeats; a minute in the cloud' },
  SPACE: { schema: SpaceName, default: 'default', isRequired: true, functions: FUNCTION_NAMES,
    meaning: 'whose agent this is' },
  LOG_LEVEL: { schema: oneOf('debug', 'info', 'warn', 'error'), default: 'info', functions: FUNCTION_NAMES,
    meaning: '`debug`, `info`, `warn` or `error`' },
  APPROVER_TOKEN: { schema: Token, isSecret: true, functions: ['console', 'control'],
    meaning: 'your token for the page, the command line and everything else, generated if it is not set; ' +
      'give it to no script' },
  API_TOKENS: { schema: Text, isSecret: true, functions: ['console', 'control'],
    meaning: 'JSON: a token for each script, name → {"token", "scopes"}; 16 characters or more ' +
      '([HTTP](../lib/edge/README.md))' },
  MEMEX_ASSISTANT: { schema: Text, default: 'Passepartout', functions: ['console', 'perceive', 'reason'],
    meaning: 'name of the agent, unless `/identity` says another' },
  MEMEX_USER: { schema: Text, default: '', functions: ['reason'],
    meaning: 'your name, unless `/identity` says another' },
  TIME_ZONE: { schema: Text, default: 'UTC', isLive: true, functions: ['console', 'perceive', 'reason', 'act', 'heartbeat'],
    meaning: 'your zone, such as `Europe/Lisbon`; on your machine that of its clock' },
  HOME_CHAT: { schema: ChatId, isLive: true, functions: ['webhook', 'console', 'perceive', 'reason', 'act', 'heartbeat'],
    meaning: 'id of the Telegram chat that gets texts nobody asked for, at most 12 an hour, 8 of one source, and as many cards' },
  DEFAULT_ACTUATOR: { schema: oneOf('console', 'system'), default: 'console', isLive: true, functions: ['webhook', 'console', 'perceive', 'act', 'heartbeat'],
    meaning: 'who gets those texts without a home chat: `console` or `system` (the record only)' },
  SILENT_ACTUATORS: { schema: CommaList, default: 'console,telegram,system', isLive: true, functions: ['console', 'perceive', 'act'],
    meaning: 'actuators whose results the model does not get' },
  OPENAI_BASE_URL: { schema: HttpUrl, functions: ['reason', 'embed'],
    meaning: 'any endpoint compatible with OpenAI, in the place of OpenAI' },
  OPENAI_MODEL: { schema: Text, functions: ['reason'],
    meaning: 'model of that endpoint, or of the first provider of the cascade' },
  OPENAI_API_KEY: { schema: ApiKey, isSecret: true, functions: ['reason'],
    meaning: 'key of OpenAI, or of that endpoint' },
  OPENROUTER_API_KEY: { schema: ApiKey, isSecret: true, functions: ['reason'],
    meaning: 'key of OpenRouter; the provider is used if it is set' },
  ANTHROPIC_API_KEY: { schema: ApiKey, isSecret: true, functions: ['reason'],
    meaning: 'the same for Anthropic' },
  GROQ_API_KEY: { schema: ApiKey, isSecret: true, functions: ['reason'],
    meaning: 'the same for Groq' },
  GEMINI_API_KEY: { schema: ApiKey, isSecret: true, functions: ['reason'],
    meaning: 'the same for Gemini' },
  OLLAMA_BASE_URL: { schema: HttpUrl, functions: ['reason'],
    meaning: 'address of an Ollama; without any key, one on its default port is found' },
  OLLAMA_MODEL: { schema: Text, functions: ['reason'],
    meaning: 'model of that Ollama' },
  OLLAMA_CONTEXT_LENGTH: { schema: Digits, functions: ['reason'],
    meaning: 'tokens that model takes' },
  PROVIDER_CASCADE: { schema: Text, functions: ['reason'],
    meaning: 'order of the providers, such as `anthropic,openai:gpt-6-luna,ollama`; `name:small\\|large` ' +
      'names a model for each tier; otherwise all that have a key' },
  PROVIDERS: { schema: Text, isLong: true, functions: ['reason'],
    meaning: 'JSON: further OpenAI-compatible endpoints, asked first: name → ' +
      '{"baseUrl","model","reasoningModel"?,"contextTokens"?,"tools"?,"thinking"? ("responses" or ' +
      '"reasoning_effort": how the large tier asks for it),"prices"?: ' +
      '{"prompt","cached"?,"completion"} in US dollars for a million tokens}' },
  PROVIDER_KEYS: { schema: Text, isSecret: true, functions: ['reason'],
    meaning: 'JSON: name → key, for those of `PROVIDERS` that need one' },
  PROVIDER_NAMES: { schema: CommaList, default: '', functions: ['console', 'perceive'], by: 'derived',
    meaning: 'the providers, as `/health` and `/model` show them' },
  MODEL_RULES: { schema: Text, default: '', isLong: true, functions: ['reason'],
    meaning: 'JSON: your own table which model is asked ([models](../lib/llm/README.md))' },
  CONSENSUS_PROVIDERS: { schema: ProviderCount, default: '0', isLive: true, functions: ['console', 'perceive', 'reason'],
    meaning: '2 or 3: so many providers are asked before anything of high impact is taken' },
  EMBEDDING_MODEL: { schema: Text, functions: ['reason', 'embed'],
    meaning: 'model that makes vectors of your notes; Reason asks it too if a provider of the cascade has ' +
      'the same address or it needs no key' },
  EMBEDDING_BASE_URL: { schema: HttpUrl, functions: ['reason', 'embed'],
    meaning: 'its OpenAI-compatible endpoint, if it is not `OPENAI_BASE_URL`' },
  EMBEDDING_PRICE: { schema: Dollars, functions: ['reason', 'embed'],
    meaning: 'its price in US dollars for a million tokens, if no list says it; an unknown price counts as ' +
      'the most expensive model' },
  EMBEDDING_API_KEY: { schema: ApiKey, isSecret: true, functions: ['embed'],
    meaning: 'its key; on your machine `OPENAI_API_KEY` serves the same address' },
  STREAMING: { schema: oneOf('on', 'off'), default: 'on', isLive: true, functions: ['console', 'perceive', 'reason'],
    meaning: '`off` shows answers only when they are whole' },
  PRIVACY_FILTER_TAGS: { schema: CommaList, default: '', isLive: true, functions: ['console', 'perceive', 'reason', 'act', 'embed'],
    meaning: 'tags beside `personal`, such as `medical,family`: notes with them, and all below, are never ' +
      'shown to the model; texts so marked never leave' },
  MANDATORY_SKILLS: { schema: CommaList, default: '', functions: ['perceive'],
    meaning: 'skills, such as `notes,house-rules`, without which a local stack does not start; nobody ' +
      'switches them off or removes them' },
  MAINTENANCE: { schema: oneOf('on', 'off'), default: 'on', functions: ['heartbeat'],
    meaning: '`off` makes no jobs of built-in skills by itself; `/skill on <name>` still does' },
  CONTEXT_SEMANTIC_THRESHOLD: { schema: Threshold, default: '0.75', isLive: true, functions: ['console', 'perceive', 'reason'],
    meaning: 'how close to your words, from above 0 to 1, a note must be to be shown in full, and a note ' +
      'from outside at all' },
  REASON_MEMORY_MB: { schema: integer(128, 10_240), functions: [],
    meaning: 'memory of the function that asks the model, 144 if it is not set: more for very large memories' },
  TELEGRAM_BOT_TOKEN: { schema: z.string().check(z.regex(/^\d+:[\x21-\x7e]+$/, { error: 'must look like 123456:ABC…' })), isSecret: true,
    functions: ['act'],
    meaning: 'your bot' },
  TELEGRAM_BOT_ID: { schema: Digits, default: '0', functions: ['telegram'], by: 'deploy',
    meaning: 'the digits before ":" in the bot token' },
  TELEGRAM_BOT_USERNAME: { schema: z.string().check(z.regex(/^@?\w{1,32}$/, { error: 'must be the name of a bot' })),
    functions: ['telegram'],
    meaning: 'name of your bot; with it a command for another bot of a group (`/help@other_bot`) is not answered' },
  TELEGRAM_STATE: { schema: Text, default: 'off', functions: ['console'], by: 'derived',
    meaning: '`off`, `polling` or `webhook`' },
  TELEGRAM_MODE: { schema: oneOf('auto', 'polling', 'webhook'), default: 'auto', functions: [], by: 'local',
    meaning: '`polling`, `webhook`, or `auto`: webhook if there is a public address' },
  TELEGRAM_WEBHOOK_URL: { schema: SafeUrl, functions: [], by: 'local',
    meaning: 'public base address; the webhook is registered by itself, with one connection' },
  TELEGRAM_WEBHOOK_SECRET: { schema: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,256}$/, { error: 'must be 16-256 letters, digits, _ or -' })), isSecret: true,
    functions: ['telegram'],
    meaning: 'secret header of the webhook, generated if it is not set' },
  TELEGRAM_API_ROOT: { schema: SafeUrl, default: 'https://api.telegram.org', functions: ['act'],
    meaning: 'another Bot API server' },
  TELEGRAM_ALLOWED_CHATS: { schema: ChatIds, default: '', functions: ['telegram', 'act'],
    meaning: 'ids of chats that are served, besides paired ones' },
  TELEGRAM_APPROVERS: { schema: ChatIds, default: '', functions: ['telegram'],
    meaning: 'ids of users who may approve in groups; without it, whoever has a paired private chat' },
  ANCHOR_CHAT: { schema: ChatId, functions: ['heartbeat'],
    meaning: 'chat that gets the newest signed checkpoint of the evidence log, at most one an hour: a copy ' +
      'outside the table (it must have written to the bot once)' },
  ANCHOR_DIR: { schema: Text, functions: ['log', 'heartbeat'], by: 'derived',
    meaning: 'folder of anchors, on a machine' },
  ANCHOR_BUCKET: { schema: Text, functions: ['log', 'heartbeat'], by: 'stack',
    meaning: 'bucket of anchors' },
  LOG_SIGNING_KEY: { schema: Text, isSecret: true, functions: ['log'],
    meaning: 'key that signs the evidence log, any text of 20 characters or more; generated if it is not set' },
  LOG_SIGNING_KEY_PREVIOUS: { schema: Text, isSecret: true, functions: ['log'],
    meaning: 'the key before it' },
  RUNNER_SIGNING_KEY: { schema: Text, isSecret: true, functions: ['act'],
    meaning: 'key that signs the jobs of your machines, any text of 20 characters or more; generated if it is not ' +
      'set. With another one each machine must be paired again' },
  WEBHOOK_SECRETS: { schema: json(Record(z.string(), z.string().check(z.startsWith('whsec_'))), 'source → "whsec_…"'), isSecret: true,
    functions: ['webhook'],
    meaning: 'JSON: source → `whsec_…` for `POST /webhook/<source>`' },
  WEBHOOK_TARGETS: { schema: json(Record(z.string(), z.object({ url: z.string(), secret: z.string().check(z.minLength(1)) })), 'name → {"url", "secret"}'), isSecret: true,
    functions: ['act'],
    meaning: 'JSON: name → {"url","secret"} of webhooks the agent may call, each time with your approval' },
  WEBHOOK_URLS: { schema: json(Record(z.string(), z.string()), 'name → https address'), default: '{}', isLong: true,
    functions: ['perceive', 'reason', 'act'], by: 'deploy',
    meaning: 'JSON: name → address, the addresses of `WEBHOOK_TARGETS`' },
  WEBHOOK_COSTS: { schema: PriceList, default: '', isLive: true, functions: ['console', 'perceive', 'reason', 'act'],
    meaning: 'price of a call of a webhook, such as `deploy=0.25,sms=0.01`; paid from the same caps' },
  ALLOW_LOOPBACK_WEBHOOKS: { schema: Flag, default: '0', functions: ['perceive', 'reason', 'act'], by: 'local',
    meaning: '`1` lets webhooks go to this machine' },
  EVENT_LINK_HOSTS: { schema: Text, default: '', functions: ['reason'],
    meaning: 'hosts whose links stay tappable in texts about events, by the event\'s source: ' +
      '`github=github.com,ci=ci.example`; one link a turn, exactly as the event has it. All other ' +
      'links in texts made from outside text are shown as code' },
  SECRET_PRINTS: { schema: Text, isSecret: true, functions: ['reason', 'act'],
    meaning: 'JSON: one-way prints of all secrets, so that each function finds those of the others in texts; made at ' +
      'each start on your machine, and by `npm run --silent secret-prints` for the cloud' },
  MCP_SERVERS: { schema: json(Record(z.string(), z.object({ url: z.string(), token: z.string().check(z.minLength(1)) })), 'name → {"url", "token"}'), isSecret: true,
    functions: ['act'],
    meaning: 'JSON: name → {"url","token"}: the bearer token for that MCP server at that address; servers ' +
      'without one need nothing here' },
  BUDGET_TURN_USD: { schema: Dollars, default: '2', isLive: true, functions: SPENDERS,
    meaning: 'most US dollars for one task; 0 allows nothing that costs, here and below' },
  BUDGET_SESSION_USD: { schema: Dollars, default: '3', isLive: true, functions: SPENDERS,
    meaning: 'the same in a day (UTC) for one conversation' },
  BUDGET_JOB_USD: { schema: Dollars, default: '2', isLive: true, functions: SPENDERS,
    meaning: 'the same in a day for one job' },
  BUDGET_DAY_USD: { schema: Dollars, default: '5', isLive: true, functions: SPENDERS,
    meaning: 'the same in a day for the space' },
  BUDGET_DAY_TOKENS: { schema: TokenCount, default: '10000000', isLive: true, functions: SPENDERS,
    meaning: 'most tokens in a day for the space' },
  STACK_NAME: { schema: z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, { error: 'must be letters, digits or "-", from a letter' })), default: 'Passepartout',
    functions: [], by: 'deploy',
    meaning: 'name of the stack: several agents may live in one account' },
  PRODUCTION: { schema: oneOf('1', '0', 'true', 'false', 'yes', 'no'), default: 'yes',
    functions: [], by: 'deploy',
    meaning: '`yes`: the table and the logs outlive the stack' },
  SHIFT: { schema: oneOf('on', 'off'), default: 'on',
    functions: [], by: 'deploy',
    meaning: '`off`: a deploy changes all functions at once, not over ten minutes, and no alarm takes it back' },
  ALARM_EMAIL: { schema: Email, functions: [], by: 'deploy',
    meaning: 'address that every alarm is sent to' },
  URL_CONCURRENCY: { schema: integer(8, 999), functions: [], by: 'deploy',
    meaning: 'runs at once of each function behind an open URL (below)' },
  TABLE_NAME: { schema: z.string().check(z.minLength(3, { error: 'must be the name of a table' })), isRequired: true,
    functions: FUNCTION_NAMES, by: 'stack',
    meaning: 'the table' },
  QUEUE_URL: { schema: HttpUrl, isRequired: true, functions: STAGES, by: 'stack',
    meaning: 'the queue a stage reads' },
  DLQ_URL: { schema: HttpUrl, isRequired: true, functions: STAGES, by: 'stack',
    meaning: 'its dead-letter queue' },
  PERCEIVE_QUEUE_URL: { schema: HttpUrl, isRequired: true,
    functions: ['telegram', 'webhook', 'console', 'control', 'perceive', 'act', 'heartbeat', 'dead-letter', 'runner'], by: 'stack',
    meaning: 'the queue of Perceive' },
  REASON_QUEUE_URL: { schema: HttpUrl, isRequired: true, functions: ['perceive'], by: 'stack',
    meaning: 'the queue of Reason' },
  ACT_QUEUE_URL: { schema: HttpUrl, isRequired: true,
    functions: ['perceive', 'reason', 'heartbeat'], by: 'stack',
    meaning: 'the queue of Act' },
  LOG_QUEUE_URL: { schema: HttpUrl, isRequired: true, functions: ['console', 'log', 'heartbeat'], by: 'stack',
    meaning: 'the queue of the log' },
  RUNNER_QUEUE_URLS: { schema: CommaList, isRequired: true, functions: ['act', 'heartbeat', 'runner'], by: 'stack',
    meaning: 'the queues of paired machines' },
  RUNNER_KEY_ID: { schema: Text, functions: ['act'], by: 'stack',
    meaning: 'the generated `RUNNER_SIGNING_KEY`, in a secret of its own' },
  RUNNER_ROLE_ARN: { schema: Text, isRequired: true, functions: ['runner'], by: 'stack',
    meaning: 'the role whose credentials a machine gets, for its queue alone' },
  CONTROL_URL: { schema: HttpsUrl, functions: ['console'], by: 'stack',
    meaning: 'address of the control function' },
  STACK_RUN: { schema: Text, functions: ['act'], by: 'stack',
    meaning: 'this run of a local stack that alone uses its table' },
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

/** The secrets a function may hold. */
export const secretsOf = (functionName: FunctionName): readonly SecretName[] =>
  SETTING_NAMES.filter((name) => settingOf(name).functions.includes(functionName)).filter(isSecret);

/** The settings in a function's environment. */
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

/** The settings a function gets. */
export type Environment<F extends FunctionName> = Values<NameFor<F>>;

export type Variables = Readonly<Record<string, string | undefined>>;
