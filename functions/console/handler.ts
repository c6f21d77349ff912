/** Console: page, HTTP API, health. One idempotency key is one signal; a 503 accepted nothing. */
import { once } from '../../lib/core/base/once.ts';
import { readConsoleSettings, wireControl } from '../../lib/core/edge/console/console-env.ts';
import { loadLazy } from '../../lib/core/edge/console/operations.ts';
import { buildConsole } from '../../lib/core/edge/console/routes.ts';
import { buildLive } from '../../lib/core/ledger/live-settings.ts';
import { deriveNames } from '../../lib/core/ledger/provider-names.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildPublishLog } from '../../lib/core/store/queue.ts';
import { FEATURES } from '../../lib/features/features.ts';

const env = readEnvironment('console');
const shared = wireControl('console', env);
const { table, space } = shared;

const deps = {
  ...shared,
  features: FEATURES,
  loadMemory: once(async () => (await loadLazy()).buildReadMemory(table, space)),
  wakeLog: buildPublishLog(sqsClient(), env.LOG_QUEUE_URL, space),
  importCedar: async () => (await loadLazy()).importCedar(),
  startedAt: Date.now(),
};

const live = buildLive({
  table,
  space,
  // Its answers may be old for a moment.
  waitsBriefly: true,
  derive: deriveNames,
  build: (variables) => {
    const set = readEnvironment('console', variables);
    return buildConsole({ ...deps, settings: readConsoleSettings(set) });
  },
});

export const handler = async (event: unknown) => (await live())(event);
