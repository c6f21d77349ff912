/**
 * Telegram: takes Bot API updates, from the webhook or from a local poller.
 * Trigger: function URL. Answers 200 only when the update is stored (its body may name a method for
 * Telegram to perform: the typing indicator), 401 without the secret token, 400 for something that
 * is no update, 503 when the store is down, so that Telegram sends it again.
 */
import * as z from 'zod/mini';
import { answerTelegram } from '../../lib/edge/telegram/telegram-http.ts';
import { sqsClient } from '../../lib/store/clients.ts';
import { openTable } from '../../lib/store/data-version.ts';
import { COMMON_ENV, CommaList, readEnv } from '../../lib/store/env.ts';
import { buildLog } from '../../lib/store/log.ts';
import { buildPublish } from '../../lib/store/queue.ts';
import { buildReadSecrets } from '../../lib/store/secrets.ts';

const env = readEnv(
  z.object({
    ...COMMON_ENV,
    PERCEIVE_QUEUE_URL: z.url(),
    TELEGRAM_BOT_ID: z._default(z.string(), '0'),
    TELEGRAM_ALLOWED_CHATS: CommaList,
    TELEGRAM_APPROVERS: CommaList,
    LOG_LEVEL: z.optional(z.string()),
  }),
);
const readSecrets = buildReadSecrets(['TELEGRAM_WEBHOOK_SECRET']);

const deps = {
  table: openTable(env),
  publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  config: {
    botId: env.TELEGRAM_BOT_ID,
    space: env.SPACE,
    allowedChats: new Set(env.TELEGRAM_ALLOWED_CHATS),
    approvers: new Set(env.TELEGRAM_APPROVERS),
  },
  log: buildLog(env.LOG_LEVEL),
};

export const handler = async (event: unknown) =>
  answerTelegram(
    { ...deps, now: Date.now(), secret: (await readSecrets(Date.now())).get('TELEGRAM_WEBHOOK_SECRET') },
    event,
  );
