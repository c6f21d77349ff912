/**
 * What `npm start` is told: the environment (and `.env`, which the environment overrides), checked as a whole before anything
 * starts. Gives what the stack needs, the functions' settings and the secrets; fails with one ConfigError that names every
 * variable that does not fit, never a value. Empty variables count as unset. Pure.
 */
import * as z from 'zod';
import { ConfigError } from '../../lib/base/errors.ts';
import { CONSOLE_TOKEN_GONE, parseApiTokens } from '../../lib/edge/console/tokens.ts';
import { API_TOKEN_CHARS_MIN } from '../../lib/edge/limits.ts';
import { buildCascade } from '../../lib/llm/providers.ts';
import { parseCosts } from '../../lib/money/caps.ts';
import { normaliseName } from '../../lib/signal/action.ts';
import { keyBeside } from '../embedding-key.ts';
import { HEARTBEAT_INTERVAL_S_DEFAULT } from '../limits.ts';
import {
  ANCHOR_CHAT,
  BUDGET_SETTINGS,
  EMBEDDING_PRICE,
  REASON_SETTINGS,
  ruleProblems,
  SECRET_NAMES,
} from '../settings.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export type TelegramSettings =
  | { readonly mode: 'off' }
  | { readonly mode: 'polling'; readonly token: string; readonly apiRoot: string }
  | { readonly mode: 'webhook'; readonly token: string; readonly apiRoot: string; readonly publicUrl: string };

export interface LocalSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly dataDir: string;
  readonly space: string;
  readonly heartbeatIntervalSeconds: number;
  readonly dynamodbEndpoint: string | undefined;
  readonly telegram: TelegramSettings;
  /** Names of the configured providers in the order they are tried, `name:model`; empty when there is none. */
  readonly providers: readonly string[];
  /** Settings and secrets by name, as the functions are to have them. */
  readonly variables: Variables;
}

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]', '::1'];
const isLoopback = (url: URL): boolean => LOOPBACK_HOSTS.includes(url.hostname);

/** https anywhere, plain http only on this machine. */
const safeUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}, 'must be an https address (plain http only on this machine)');
const anyUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const json = <T>(schema: z.ZodType<T>, form: string) =>
  z.string().transform((text, context): T => {
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: `must be JSON: ${form}` });
    return z.NEVER;
  });

const integer = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must have no spaces')
  .min(API_TOKEN_CHARS_MIN, `needs ${API_TOKEN_CHARS_MIN} characters or more`);
const chats = z.string().regex(/^\s*-?\d+\s*(,\s*-?\d+\s*)*$/, 'must be numeric ids, separated by commas');
const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const WebhookTargets = z.record(z.string(), z.object({ url: z.string(), secret: z.string().min(1) }));

const McpServers = z.record(z.string(), z.object({ url: z.string(), token: z.string().min(1) }));

const Environment = z.object({
  PORT: integer(0, 65_535).prefault('8787'),
  HOST: z
    .enum(['127.0.0.1', 'localhost', '::1'], { error: 'must be 127.0.0.1, localhost or ::1' })
    .default('127.0.0.1'),
  DATA_DIR: z.string().default('.passepartout'),
  SPACE: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be 1-32 lower-case letters, digits or "-"')
    .default('default'),
  APPROVER_TOKEN: token.optional(),
  TIME_ZONE: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin').optional(),
  DEFAULT_ACTUATOR: z.enum(['console', 'system'], { error: 'must be console or system' }).optional(),
  OPENAI_BASE_URL: anyUrl.optional(),
  OLLAMA_BASE_URL: anyUrl.optional(),
  EMBEDDING_BASE_URL: anyUrl.optional(),
  EMBEDDING_PRICE,
  OLLAMA_CONTEXT_LENGTH: integer(1, 100_000_000).optional(),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\x21-\x7e]+$/, 'must look like 123456:ABC…')
    .optional(),
  TELEGRAM_API_ROOT: safeUrl.default('https://api.telegram.org'),
  TELEGRAM_MODE: z.enum(['auto', 'polling', 'webhook'], { error: 'must be auto, polling or webhook' }).default('auto'),
  TELEGRAM_WEBHOOK_URL: safeUrl.optional(),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,256}$/, 'must be 16-256 letters, digits, _ or -')
    .optional(),
  TELEGRAM_ALLOWED_CHATS: chats.optional(),
  TELEGRAM_APPROVERS: chats.optional(),
  ANCHOR_CHAT,
  WEBHOOK_SECRETS: json(z.record(z.string(), z.string().startsWith('whsec_')), 'source → "whsec_…"').optional(),
  WEBHOOK_TARGETS: json(WebhookTargets, 'name → {"url", "secret"}').optional(),
  MCP_SERVERS: json(McpServers, 'name → {"url", "token"}').optional(),
  ALLOW_LOOPBACK_WEBHOOKS: z.enum(['0', '1'], { error: 'must be 0 or 1' }).optional(),
  ...BUDGET_SETTINGS,
  ...REASON_SETTINGS,
  HEARTBEAT_INTERVAL_SECONDS: integer(1, 3_600).prefault(`${HEARTBEAT_INTERVAL_S_DEFAULT}`),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], { error: 'must be debug, info, warn or error' }).optional(),
  AWS_ENDPOINT_URL_DYNAMODB: anyUrl.optional(),
});
type Environment = z.infer<typeof Environment>;

/** What no single variable shows to be wrong. */
const findConflicts = (variables: Variables, environment: Partial<Environment>): readonly string[] => {
  const problems: string[] = [];
  if (variables.CONSOLE_TOKEN !== undefined) problems.push(`CONSOLE_TOKEN: ${CONSOLE_TOKEN_GONE}`);
  const scripts = parseApiTokens(variables.API_TOKENS, variables.APPROVER_TOKEN);
  problems.push(...scripts.problems.map((problem) => `API_TOKENS: ${problem}`));
  if (variables.TELEGRAM_MODE === 'webhook' && variables.TELEGRAM_WEBHOOK_URL === undefined) {
    problems.push('TELEGRAM_WEBHOOK_URL: is missing (TELEGRAM_MODE is webhook)');
  }
  if (variables.TELEGRAM_MODE === 'webhook' && variables.TELEGRAM_BOT_TOKEN === undefined) {
    problems.push('TELEGRAM_BOT_TOKEN: is missing (TELEGRAM_MODE is webhook)');
  }
  if (variables.ANCHOR_CHAT !== undefined && variables.TELEGRAM_BOT_TOKEN === undefined) {
    problems.push('ANCHOR_CHAT: needs a bot (TELEGRAM_BOT_TOKEN is missing)');
  }
  problems.push(...ruleProblems(environment.MODEL_RULES, variables.PROVIDERS));
  const costs = parseCosts(environment.WEBHOOK_COSTS ?? '');
  const targets = new Set(Object.keys(environment.WEBHOOK_TARGETS ?? {}).map(normaliseName));
  for (const name of typeof costs === 'string' || targets.size === 0 ? [] : costs.keys()) {
    if (!targets.has(name)) problems.push(`WEBHOOK_COSTS: ${name} is not one of WEBHOOK_TARGETS`);
  }
  for (const [name, { url }] of Object.entries(environment.WEBHOOK_TARGETS ?? {})) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    const isLocal = parsed !== undefined && isLoopback(parsed) && variables.ALLOW_LOOPBACK_WEBHOOKS === '1';
    if (parsed?.protocol === 'https:' || (isLocal && parsed.protocol === 'http:')) continue;
    problems.push(`WEBHOOK_TARGETS: ${name} needs an https address (or this machine, with ALLOW_LOOPBACK_WEBHOOKS=1)`);
  }
  return problems;
};

const findProviders = (variables: Variables, problems: string[]): readonly string[] => {
  const secrets = new Map(SECRET_NAMES.flatMap((name) => (variables[name] ? [[name, variables[name]] as const] : [])));
  try {
    return buildCascade(variables, secrets).map(({ name, model }) => `${name}:${model}`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return [];
  }
};

const buildTelegram = (environment: Environment): TelegramSettings => {
  const { TELEGRAM_BOT_TOKEN: botToken, TELEGRAM_API_ROOT: apiRoot, TELEGRAM_WEBHOOK_URL: publicUrl } = environment;
  if (botToken === undefined) return { mode: 'off' };
  if (environment.TELEGRAM_MODE === 'polling' || publicUrl === undefined) {
    return { mode: 'polling', token: botToken, apiRoot };
  }
  return { mode: 'webhook', token: botToken, apiRoot, publicUrl };
};

/** @throws ConfigError naming every variable that does not fit */
export const parseLocalSettings = (given: Variables): LocalSettings => {
  const variables = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== ''),
  );
  const problems: string[] = [];
  const parsed = Environment.safeParse(variables);
  for (const issue of parsed.error?.issues ?? []) problems.push(`${issue.path.join('.')}: ${issue.message}`);
  problems.push(...findConflicts(variables, parsed.data ?? {}));
  const wrong = new Set(problems.map((problem) => problem.slice(0, problem.indexOf(':'))));
  // An address that is already named as wrong is not named again by the cascade.
  const providers = findProviders(
    Object.fromEntries(Object.entries(variables).filter(([name]) => !wrong.has(name))),
    problems,
  );
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const environment = parsed.data;
  const telegram = buildTelegram(environment);
  const targets = Object.entries(environment.WEBHOOK_TARGETS ?? {});
  return {
    host: environment.HOST === 'localhost' ? '127.0.0.1' : environment.HOST,
    port: environment.PORT,
    dataDir: environment.DATA_DIR,
    space: environment.SPACE,
    heartbeatIntervalSeconds: environment.HEARTBEAT_INTERVAL_SECONDS,
    dynamodbEndpoint: environment.AWS_ENDPOINT_URL_DYNAMODB,
    telegram,
    providers,
    variables: {
      ...variables,
      TELEGRAM_API_ROOT: environment.TELEGRAM_API_ROOT,
      TELEGRAM_BOT_ID: telegram.mode === 'off' ? undefined : telegram.token.split(':')[0],
      TELEGRAM_STATE: telegram.mode,
      WEBHOOK_URLS:
        targets.length === 0
          ? undefined
          : JSON.stringify(Object.fromEntries(targets.map(([name, { url }]) => [name, url]))),
      PROVIDER_NAMES: providers.join(','),
      // On one machine they are one person's: the key of the endpoint both use by default serves both.
      ...keyBeside(variables),
    },
  };
};
