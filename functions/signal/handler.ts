/** Signal: events of signal-cli, which the program of this machine hands over. 200 once stored. */
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { answerSignal } from '../../lib/features/signal/receive.ts';

const env = readEnvironment('signal');
const readSecrets = buildReadSecrets(secretsOf('signal'));
const deps = {
  table: openTable(env),
  publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  channel: 'signal' as const,
  config: { space: env.SPACE },
  rights: env,
  log: buildLog(env.LOG_LEVEL),
};

export const handler = async (event: unknown) =>
  answerSignal({ ...deps, now: Date.now(), secret: (await readSecrets(Date.now())).get('SIGNAL_DOOR_SECRET') }, event);
