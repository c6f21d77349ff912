/** E-mail: one mail at a time, from the program beside the mailbox. 200 only when it is stored. */
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { answerMail } from '../../lib/features/mail/receive.ts';

const env = readEnvironment('mail');
const readSecrets = buildReadSecrets(secretsOf('mail'));

const deps = {
  table: openTable(env),
  publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  config: {
    address: env.MAIL_ADDRESS?.toLowerCase() ?? '',
    authservId: env.MAIL_AUTHSERV_ID,
    space: env.SPACE,
    served: env.MAIL_SERVED,
  },
  log: buildLog(env.LOG_LEVEL),
};

export const handler = async (event: unknown) =>
  answerMail({ ...deps, now: Date.now(), secret: (await readSecrets(Date.now())).get('MAIL_DOOR_SECRET') }, event);
