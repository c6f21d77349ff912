/**
 * What a deployment is told: plain settings from the environment, the same names locally and in the cloud. Nothing secret
 * is ever in here, because everything here ends up in the template. An unset setting is left out of a function's
 * environment, so that the function's own default holds. Fails with one ConfigError that names every bad variable.
 */

import * as z from 'zod';
import { defined } from '../lib/base/defined.ts';
import { ConfigError } from '../lib/base/errors.ts';
import { parseUsd } from '../lib/base/money.ts';
import { CONSOLE_TOKEN_GONE } from '../lib/edge/console/tokens.ts';
import { STREAM_REQUESTS_HELD_MAX } from '../lib/edge/limits.ts';
import { parseEventLinkHosts } from '../lib/judge/listed-links.ts';
import { parseConfigured } from '../lib/llm/configured-providers.ts';
import { parseModelRules, unknownNames } from '../lib/llm/model-rules.ts';
import { CONSENSUS_PROBLEM, parseConsensus } from '../lib/llm/parse-consensus.ts';
import { BUILT_IN_NAMES } from '../lib/llm/provider-table.ts';
import { type BudgetVariable, budgetProblem, parseCosts } from '../lib/money/caps.ts';
import { parseThreshold, THRESHOLD_PROBLEM } from '../lib/prompt/parse-threshold.ts';
import { HEARTBEAT_INTERVAL_S_DEFAULT } from './limits.ts';

/** What `REASON_MEMORY_MB` may be: Lambda's own range. */
const REASON_MEMORY_MB_MIN = 128;
const REASON_MEMORY_MB_MAX = 10_240;

/** Settings that functions receive, by the names of the environment variables. */
export const SETTING_NAMES = [
  'MEMEX_ASSISTANT',
  'MEMEX_USER',
  'TIME_ZONE',
  'DEFAULT_ACTUATOR',
  'SILENT_ACTUATORS',
  'HOME_CHAT',
  'OPENAI_BASE_URL',
  'OPENAI_MODEL',
  'OLLAMA_BASE_URL',
  'OLLAMA_MODEL',
  'OLLAMA_CONTEXT_LENGTH',
  'PROVIDER_CASCADE',
  'PROVIDERS',
  'PROVIDER_NAMES',
  'CONSENSUS_PROVIDERS',
  'MODEL_RULES',
  'EMBEDDING_MODEL',
  'EMBEDDING_BASE_URL',
  'EMBEDDING_PRICE',
  'TELEGRAM_BOT_ID',
  'TELEGRAM_API_ROOT',
  'TELEGRAM_STATE',
  'TELEGRAM_ALLOWED_CHATS',
  'TELEGRAM_APPROVERS',
  'WEBHOOK_URLS',
  'PRIVACY_FILTER_TAGS',
  'EVENT_LINK_HOSTS',
  'CONTEXT_SEMANTIC_THRESHOLD',
  'ALLOW_LOOPBACK_WEBHOOKS',
  'HEARTBEAT_INTERVAL_SECONDS',
  'BUDGET_TURN_USD',
  'BUDGET_SESSION_USD',
  'BUDGET_JOB_USD',
  'BUDGET_DAY_USD',
  'BUDGET_DAY_TOKENS',
  'WEBHOOK_COSTS',
  'STREAMING',
  'ANCHOR_DIR',
  'ANCHOR_CHAT',
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

export const SECRET_NAMES = [
  'TELEGRAM_WEBHOOK_SECRET',
  'TELEGRAM_BOT_TOKEN',
  'WEBHOOK_SECRETS',
  'WEBHOOK_TARGETS',
  'MCP_SERVERS',
  'APPROVER_TOKEN',
  'API_TOKENS',
  'LOG_SIGNING_KEY',
  'LOG_SIGNING_KEY_PREVIOUS',
  'OPENAI_API_KEY',
  'EMBEDDING_API_KEY',
  'OPENROUTER_API_KEY',
  'ANTHROPIC_API_KEY',
  'GROQ_API_KEY',
  'GEMINI_API_KEY',
  'PROVIDER_KEYS',
] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

export type FunctionSettings = Readonly<Partial<Record<SettingName, string>>>;

export interface StackSettings {
  readonly space: string;
  readonly logLevel: string;
  /** Table and logs outlive the stack, and the table cannot be deleted by accident. */
  readonly isProduction: boolean;
  readonly alarmEmail: string | undefined;
  /**
   * Runs at once of each function behind an open URL; bounded by the account alone if it is not
   * given.
   */
  readonly urlConcurrency?: number;
  /** Of Reason, instead of what its row says. */
  readonly reasonMemoryMb?: number;
  readonly functions: FunctionSettings;
}

const SPACE = /^[a-z0-9-]{1,32}$/;

/**
 * `${NAME}`: what a template made for the local stack holds where a deployed one holds the value. So one cached template
 * serves every configuration, and the local stack fills in what `npm start` was told.
 */
export const placeholderOf = (name: string): string => `\${${name}}`;

/** Settings of the template the local stack is built from. Pure. */
export const buildLocalSettings = (space: string): StackSettings => ({
  space,
  logLevel: placeholderOf('LOG_LEVEL'),
  isProduction: false,
  alarmEmail: undefined,
  functions: Object.fromEntries(SETTING_NAMES.map((name) => [name, placeholderOf(name)])),
});

const text = z.optional(z.string().min(1));
const url = z.optional(z.url({ protocol: /^https$/ }));

const amount = (name: BudgetVariable) =>
  z.optional(z.string().refine((value) => budgetProblem(name, value) === '', { error: budgetProblem(name, '') }));

/** Caps and prices, as both a deployment and the local stack check them. */
export const BUDGET_SETTINGS = {
  BUDGET_TURN_USD: amount('BUDGET_TURN_USD'),
  BUDGET_SESSION_USD: amount('BUDGET_SESSION_USD'),
  BUDGET_JOB_USD: amount('BUDGET_JOB_USD'),
  BUDGET_DAY_USD: amount('BUDGET_DAY_USD'),
  BUDGET_DAY_TOKENS: amount('BUDGET_DAY_TOKENS'),
  WEBHOOK_COSTS: z.optional(
    z.string().refine((value) => typeof parseCosts(value) !== 'string', {
      error: 'must be name=dollars, as in deploy=0.25,sms=0.01',
    }),
  ),
} as const;

/** US dollars a million tokens, for an endpoint whose price nobody knows. */
export const EMBEDDING_PRICE = z.optional(
  z
    .string()
    .refine((value) => parseUsd(value) !== undefined, { error: 'must be US dollars a million tokens, such as 0.02' }),
);

/** A Telegram chat, as both a deployment and the local stack check it. */
export const ANCHOR_CHAT = z.optional(z.string().regex(/^-?\d{1,19}$/, 'must be the numeric id of one Telegram chat'));

/** What Reason is given, as both a deployment and the local stack check it. */
export const REASON_SETTINGS = {
  EVENT_LINK_HOSTS: z.optional(
    z.string().superRefine((value, context) => {
      const hosts = parseEventLinkHosts(value);
      if (typeof hosts === 'string') context.addIssue({ code: 'custom', message: hosts });
    }),
  ),
  STREAMING: z.optional(z.enum(['on', 'off'])),
  MODEL_RULES: z.optional(
    z.string().superRefine((value, context) => {
      const rules = parseModelRules(value);
      if (typeof rules === 'string') context.addIssue({ code: 'custom', message: rules });
    }),
  ),
  CONSENSUS_PROVIDERS: z.optional(
    z.string().refine((value) => parseConsensus(value) !== undefined, { error: CONSENSUS_PROBLEM }),
  ),
  CONTEXT_SEMANTIC_THRESHOLD: z.optional(
    z.string().refine((value) => parseThreshold(value) !== undefined, { error: THRESHOLD_PROBLEM }),
  ),
  REASON_MEMORY_MB: z.optional(
    z
      .string()
      .refine((value) => isMemorySize(value), {
        error: `must be a whole number from ${REASON_MEMORY_MB_MIN} to ${REASON_MEMORY_MB_MAX}`,
      })
      .transform(Number),
  ),
} as const;

function isMemorySize(value: string): boolean {
  return /^\d{3,5}$/.test(value) && Number(value) >= REASON_MEMORY_MB_MIN && Number(value) <= REASON_MEMORY_MB_MAX;
}

/** More than the console holds for streams: some are left for everything else. */
const URL_CONCURRENCY_MIN = STREAM_REQUESTS_HELD_MAX + 2;

const DeployEnvironment = z.object({
  SPACE: z.string().regex(SPACE, 'must be 1-32 lower-case letters, digits or "-"').default('default'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  PRODUCTION: z.enum(['1', '0', 'true', 'false', 'yes', 'no']).default('yes'),
  ALARM_EMAIL: z.optional(z.email()),
  URL_CONCURRENCY: z.optional(
    z
      .string()
      .refine((value) => /^\d{1,3}$/.test(value) && Number(value) >= URL_CONCURRENCY_MIN, {
        error: `must be a whole number from ${URL_CONCURRENCY_MIN} to 999`,
      })
      .transform(Number),
  ),
  MEMEX_ASSISTANT: text,
  MEMEX_USER: text,
  TIME_ZONE: text,
  DEFAULT_ACTUATOR: text,
  SILENT_ACTUATORS: text,
  PRIVACY_FILTER_TAGS: text,
  HOME_CHAT: text,
  ANCHOR_CHAT,
  OPENAI_BASE_URL: url,
  OPENAI_MODEL: text,
  OLLAMA_BASE_URL: url,
  OLLAMA_MODEL: text,
  OLLAMA_CONTEXT_LENGTH: z.optional(z.string().regex(/^\d+$/, 'must be a number of tokens')),
  PROVIDER_CASCADE: text,
  EMBEDDING_MODEL: text,
  EMBEDDING_BASE_URL: url,
  EMBEDDING_PRICE,
  PROVIDERS: z.optional(
    z.string().superRefine((value, context) => {
      for (const message of providerProblems(value)) context.addIssue({ code: 'custom', message });
    }),
  ),
  TELEGRAM_BOT_ID: z.optional(z.string().regex(/^\d+$/, 'must be the digits before ":" in the bot token')),
  TELEGRAM_API_ROOT: url,
  TELEGRAM_ALLOWED_CHATS: text,
  TELEGRAM_APPROVERS: text,
  ...BUDGET_SETTINGS,
  ...REASON_SETTINGS,
  WEBHOOK_URLS: z.optional(z.string().refine(isJsonObject, 'must be JSON: name → https URL')),
});

/** Rules that name a provider nobody knows, as both a deployment and the local stack tell it. */
export const ruleProblems = (rules: string | undefined, providers: string | undefined): readonly string[] => {
  const parsed = parseModelRules(rules);
  const added = parseConfigured(providers ?? '', new Map(), []).map(({ name }) => name);
  const problems = typeof parsed === 'string' ? [] : unknownNames(parsed, [...BUILT_IN_NAMES, ...added]);
  return problems.map((problem) => `MODEL_RULES: ${problem}`);
};

/** What is wrong with added providers, as a deployment can tell it: their keys are not there. */
function providerProblems(value: string): readonly string[] {
  const problems: string[] = [];
  parseConfigured(value, new Map(), problems);
  return problems;
}

function isJsonObject(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

/**
 * Reads the settings of a deployment; empty variables count as unset.
 * @throws ConfigError naming every variable that does not fit
 */
export const parseStackSettings = (environment: Readonly<Record<string, string | undefined>>): StackSettings => {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  if (present.CONSOLE_TOKEN !== undefined) throw new ConfigError([`CONSOLE_TOKEN: ${CONSOLE_TOKEN_GONE}`]);
  const parsed = DeployEnvironment.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const unknown = ruleProblems(parsed.data.MODEL_RULES, parsed.data.PROVIDERS);
  if (unknown.length > 0) throw new ConfigError(unknown);
  const {
    SPACE: space,
    LOG_LEVEL: logLevel,
    PRODUCTION: production,
    ALARM_EMAIL: alarmEmail,
    REASON_MEMORY_MB: reasonMemoryMb,
    URL_CONCURRENCY: urlConcurrency,
    ...rest
  } = parsed.data;
  const functions: Partial<Record<SettingName, string>> = {
    HEARTBEAT_INTERVAL_SECONDS: `${HEARTBEAT_INTERVAL_S_DEFAULT}`,
  };
  for (const name of SETTING_NAMES) {
    const value = name in rest ? Object.entries(rest).find(([key]) => key === name)?.[1] : undefined;
    if (value !== undefined) functions[name] = value;
  }
  if (functions.PROVIDER_CASCADE !== undefined) functions.PROVIDER_NAMES = functions.PROVIDER_CASCADE;
  functions.TELEGRAM_STATE = functions.TELEGRAM_BOT_ID === undefined ? 'off' : 'webhook';
  return {
    space,
    logLevel,
    isProduction: ['1', 'true', 'yes'].includes(production),
    alarmEmail,
    ...defined({ reasonMemoryMb, urlConcurrency }),
    functions,
  };
};
