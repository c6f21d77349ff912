/**
 * Telegram: Bot API updates, from the webhook or from a local poller. 200 only when the update is
 * stored (its body may name a method for Telegram to perform), so Telegram sends others again.
 */

import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { answerTelegram } from '../../lib/features/telegram/receive.ts';

const env = readEnvironment('telegram');
const readSecrets = buildReadSecrets(secretsOf('telegram'));

const deps = {
  table: openTable(env),
  publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  config: {
    botId: env.TELEGRAM_BOT_ID,
    botUsername: env.TELEGRAM_BOT_USERNAME?.replace('@', ''),
    space: env.SPACE,
    // A change while it runs is read with each update: it holds for the next message.
    rights: env,
  },
  log: buildLog(env.LOG_LEVEL),
};

// Read while the function starts, on more of a processor than later. A failure is left to the
// first update.
await Promise.allSettled([readSecrets(Date.now()), deps.table.load([])]);

export const handler = async (event: unknown) =>
  answerTelegram(
    { ...deps, now: Date.now(), secret: (await readSecrets(Date.now())).get('TELEGRAM_WEBHOOK_SECRET') },
    event,
  );
