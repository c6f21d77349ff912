/**
 * Console: the page, the HTTP API and the health answer. Trigger: function URL (payload 2.0). A
 * late or duplicate request with the same idempotency key is the same signal; a store that does not
 * answer is a 503 and nothing was accepted.
 */
import { randomBytes } from 'node:crypto';
import { noteScriptTo, readConsoleSettings, readConsoleTokens, reportTo } from '../../lib/edge/console/console-env.ts';
import { buildConsole } from '../../lib/edge/console/routes.ts';
import { buildLive } from '../../lib/ledger/live-settings.ts';
import type { ReadMemory } from '../../lib/memory/read-memory.ts';
import { sqsClient } from '../../lib/store/clients.ts';
import { openTable } from '../../lib/store/data-version.ts';
import { readEnvironment } from '../../lib/store/env.ts';
import { buildLog } from '../../lib/store/log.ts';
import { buildPublish, buildPublishLog } from '../../lib/store/queue.ts';
import { buildReadSecrets } from '../../lib/store/secrets.ts';
import { secretsOf } from '../../lib/store/settings.ts';
import { WINGS } from '../../lib/wings/wings.ts';

const env = readEnvironment('console');
const sqs = sqsClient();
const readSecrets = buildReadSecrets(secretsOf('console'));
const log = buildLog(env.LOG_LEVEL);

const table = openTable(env);

/** Cached from the first question about memory until the process ends. */
let memory: ReadMemory | undefined;
const loadMemory = async (): Promise<ReadMemory> => {
  const { buildReadMemory } = await import('../../lib/memory/read-memory.ts');
  memory ??= buildReadMemory(table, env.SPACE);
  return memory;
};

const deps = {
  wings: WINGS,
  space: env.SPACE,
  table,
  loadMemory,
  publish: buildPublish(sqs, env.PERCEIVE_QUEUE_URL),
  wakeLog: buildPublishLog(sqs, env.LOG_QUEUE_URL, env.SPACE),
  now: Date.now,
  newId: () => randomBytes(16).toString('hex'),
  tokens: readConsoleTokens(readSecrets, log),
  importCedar: async () => (await import('../../lib/judge/policy/space-policy.ts')).importCedar(),
  startedAt: Date.now(),
  report: reportTo(log),
  noteScript: noteScriptTo(log),
};

const live = buildLive({
  table,
  space: env.SPACE,
  // What it shows may be old for a moment; nobody waits for it.
  waitsNever: true,
  build: (variables) => {
    const set = readEnvironment('console', variables);
    return buildConsole({ ...deps, settings: readConsoleSettings(set) });
  },
});

export const handler = async (event: unknown) => (await live())(event);
