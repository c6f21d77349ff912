/** The settings, tokens and error reports that console and control are wired with. */
import { randomBytes } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { liveVariables } from '../../ledger/live-settings.ts';
import { buildCaps } from '../../money/caps.ts';
import { ChannelId, type Configured, sendsMessages } from '../../signal/channels.ts';
import { sqsClient } from '../../store/clients.ts';
import { openTable } from '../../store/data-version.ts';
import { buildLog, type Log } from '../../store/log.ts';
import { buildPublish } from '../../store/queue.ts';
import { buildReadSecrets, type ReadSecrets, type Secrets } from '../../store/secrets.ts';
import { type Environment, secretsOf } from '../../store/settings.ts';
import type { ConsoleSettings, ControlDeps } from './router.ts';
import { type ConsoleTokens, parseApiTokens } from './tokens.ts';

/** The settings `<CHANNEL>_STATE`. */
const statesOf = (env: Configured): ConsoleSettings['channelStates'] =>
  Object.fromEntries(
    ChannelId.options.filter(sendsMessages).map((id) => [id, String(env[`${id.toUpperCase()}_STATE`] ?? 'off')]),
  );

export const readConsoleSettings = (env: Environment<'console'>): ConsoleSettings => ({
  assistant: env.MEMEX_ASSISTANT,
  providerNames: env.PROVIDER_NAMES,
  channelStates: statesOf(env),
  caps: buildCaps(env),
  zone: env.TIME_ZONE,
  configured: liveVariables(),
  webhooks: env.WEBHOOK_URLS,
  ...defined({ controlOrigin: env.CONTROL_URL && new URL(env.CONTROL_URL).origin }),
});

/** Parses the secrets again only after they were read anew, and logs every mistake in them then. */
const readConsoleTokens = (readSecrets: ReadSecrets, log: Log): ((now: number) => Promise<ConsoleTokens>) => {
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

/** The parts that console and control share. */
export const wireControl = (name: 'console' | 'control', env: Environment<'console'> | Environment<'control'>) => {
  const log = buildLog(env.LOG_LEVEL);
  return {
    space: env.SPACE,
    table: openTable(env),
    publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
    now: Date.now,
    newId: () => randomBytes(16).toString('hex'),
    tokens: readConsoleTokens(buildReadSecrets(secretsOf(name)), log),
    // The kind of an error only: its text may quote a request (I11).
    report: (error) => log('error', 'console-failed', { kind: error instanceof Error ? error.name : typeof error }),
    noteScript: (event, script, what) => {
      const fields = { by: `script ${script}`, what };
      if (event === 'script-accepted') log('info', 'script-accepted', fields);
      else log('info', 'script-refused', fields);
    },
  } satisfies ControlDeps;
};
