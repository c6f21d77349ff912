/**
 * Parts of the handlers of the console and the control function: environment, tokens and logging.
 */
import * as z from 'zod/mini';
import { BUDGET_ENV, buildCaps } from '../../money/caps.ts';
import { COMMON_ENV, CommaList, readEnv } from '../../store/env.ts';
import type { Log } from '../../store/log.ts';
import type { ReadSecrets, Secrets } from '../../store/secrets.ts';
import type { ConsoleDeps, ConsoleSettings } from './router.ts';
import { type ConsoleTokens, parseApiTokens } from './tokens.ts';

const ConsoleEnv = z.object({
  ...COMMON_ENV,
  PERCEIVE_QUEUE_URL: z.string().check(z.minLength(1)),
  LOG_QUEUE_URL: z.string().check(z.minLength(1)),
  LOG_LEVEL: z.optional(z.string()),
  MEMEX_ASSISTANT: z.optional(z.string()),
  PROVIDER_NAMES: CommaList,
  TELEGRAM_STATE: z.optional(z.string()),
  CONTROL_URL: z.optional(z.url({ protocol: /^https$/ })),
  ...BUDGET_ENV,
});

export interface ConsoleEnvironment
  extends Pick<
    z.infer<typeof ConsoleEnv>,
    'SPACE' | 'TABLE_NAME' | 'PERCEIVE_QUEUE_URL' | 'LOG_QUEUE_URL' | 'LOG_LEVEL'
  > {
  readonly settings: ConsoleSettings;
}

/** @throws ConfigError naming every variable that is missing or does not fit. */
export const readConsoleEnv = (source: Readonly<Record<string, string | undefined>>): ConsoleEnvironment => {
  const env = readEnv(ConsoleEnv, source);
  return {
    SPACE: env.SPACE,
    TABLE_NAME: env.TABLE_NAME,
    PERCEIVE_QUEUE_URL: env.PERCEIVE_QUEUE_URL,
    LOG_QUEUE_URL: env.LOG_QUEUE_URL,
    LOG_LEVEL: env.LOG_LEVEL,
    settings: {
      assistant: env.MEMEX_ASSISTANT || 'Passepartout',
      providerNames: env.PROVIDER_NAMES,
      telegramState: env.TELEGRAM_STATE || 'off',
      caps: buildCaps(env),
      ...(env.CONTROL_URL === undefined ? {} : { controlOrigin: new URL(env.CONTROL_URL).origin }),
    },
  };
};

/** Secrets that open the console. */
export const TOKEN_SECRETS = ['APPROVER_TOKEN', 'API_TOKENS'] as const;

/** Parses the secrets again only after they were read anew, and logs every mistake in them then. */
export const readConsoleTokens = (readSecrets: ReadSecrets, log: Log): ((now: number) => Promise<ConsoleTokens>) => {
  let last: { readonly secrets: Secrets; readonly tokens: ConsoleTokens } | undefined;
  return async (now) => {
    const secrets = await readSecrets(now);
    if (last?.secrets === secrets) return last.tokens;
    const approverToken = secrets.get('APPROVER_TOKEN');
    const { tokens: scripts, problems } = parseApiTokens(secrets.get('API_TOKENS'), approverToken);
    for (const problem of problems) log('error', 'api-token-refused', { problem });
    last = { secrets, tokens: { approverToken, scripts } };
    return last.tokens;
  };
};

export const noteScriptTo =
  (log: Log): ConsoleDeps['noteScript'] =>
  (event, name, what) => {
    const fields = { by: `script ${name}`, what };
    if (event === 'script-accepted') log('info', 'script-accepted', fields);
    else log('info', 'script-refused', fields);
  };

/** Logs the kind of an error only: its text may quote a request (I11). */
export const reportTo =
  (log: Log) =>
  (error: unknown): void =>
    log('error', 'console-failed', { kind: error instanceof Error ? error.name : typeof error });
