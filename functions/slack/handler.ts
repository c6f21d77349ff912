/**
 * Slack: events and taps, from Slack itself or from the socket of this machine. 200 only when a
 * payload is stored or needs nothing, so Slack sends an event again otherwise.
 */
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { buildSlackClient } from '../../lib/features/slack/client.ts';
import { answerSlack } from '../../lib/features/slack/receive.ts';

const env = readEnvironment('slack');
const readSecrets = buildReadSecrets(secretsOf('slack'));

const deps = {
  table: openTable(env),
  publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  config: { space: env.SPACE },
  log: buildLog(env.LOG_LEVEL),
};

// Read while the function starts. A failure is left to the first payload.
await Promise.allSettled([readSecrets(Date.now()), deps.table.load([])]);

export const handler = async (event: unknown) => {
  const now = Date.now();
  const secrets = await readSecrets(now);
  const client = buildSlackClient({ token: secrets.get('SLACK_BOT_TOKEN') ?? '', apiRoot: env.SLACK_API_ROOT });
  return await answerSlack({ ...deps, client, now, secret: secrets.get('SLACK_SIGNING_SECRET') }, event);
};
