/**
 * Webhooks: signed events at `/webhook/<source>`. 202 only when the signal is stored; a repeat of
 * the same event is the same signal and answered alike.
 */
import { HttpError, respondFailure } from '../../lib/core/http/function-url.ts';
import { buildLive } from '../../lib/core/ledger/live-settings.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { EVENT_DOORS } from './features.ts';

const env = readEnvironment('webhook');
const table = openTable(env);
const live = buildLive({ table, space: env.SPACE, build: (variables) => readEnvironment('webhook', variables) });

/** While the table is away nothing is accepted: the sender is told so. */
const loadSettings = async () => {
  const set = await live().catch(() => env);
  return { homeChat: set.HOME_CHAT, defaultActuator: set.DEFAULT_ACTUATOR, eventForms: set.EVENT_FORMS };
};

const deps = {
  table,
  publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  space: env.SPACE,
  readSecrets: buildReadSecrets(secretsOf('webhook')),
  loadSettings,
  now: Date.now,
  log: buildLog(env.LOG_LEVEL),
};

const nobody = async () => respondFailure(new HttpError(404, 'not-found', 'there is nothing at this path'));
export const handler = EVENT_DOORS[0]?.(deps) ?? nobody;
