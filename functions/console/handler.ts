/** Console: page, HTTP API, health. One idempotency key is one signal; a 503 accepted nothing. */

import { randomBytes } from 'node:crypto';
import { once } from '../../lib/core/base/once.ts';
import {
  noteScriptTo,
  readConsoleSettings,
  readConsoleTokens,
  reportTo,
} from '../../lib/core/edge/console/console-env.ts';
import { loadLazy } from '../../lib/core/edge/console/operations.ts';
import { buildConsole } from '../../lib/core/edge/console/routes.ts';
import { buildLive } from '../../lib/core/ledger/live-settings.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildPublish, buildPublishLog } from '../../lib/core/store/queue.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { FEATURES } from '../../lib/features/features.ts';

const env = readEnvironment('console');
const sqs = sqsClient();
const readSecrets = buildReadSecrets(secretsOf('console'));
const log = buildLog(env.LOG_LEVEL);

const table = openTable(env);

const deps = {
  features: FEATURES,
  space: env.SPACE,
  table,
  loadMemory: once(async () => (await loadLazy()).buildReadMemory(table, env.SPACE)),
  publish: buildPublish(sqs, env.PERCEIVE_QUEUE_URL),
  wakeLog: buildPublishLog(sqs, env.LOG_QUEUE_URL, env.SPACE),
  now: Date.now,
  newId: () => randomBytes(16).toString('hex'),
  tokens: readConsoleTokens(readSecrets, log),
  importCedar: async () => (await loadLazy()).importCedar(),
  startedAt: Date.now(),
  report: reportTo(log),
  noteScript: noteScriptTo(log),
};

const live = buildLive({
  table,
  space: env.SPACE,
  // Its answers may be old for a moment; nobody waits for it.
  waitsNever: true,
  build: (variables) => {
    const set = readEnvironment('console', variables);
    return buildConsole({ ...deps, settings: readConsoleSettings(set) });
  },
});

export const handler = async (event: unknown) => (await live())(event);
