/** Runner: the signed requests of the owner's machines, at `/runner/<op>`. Each may be repeated. */

import { HttpError, respondFailure } from '../../lib/core/http/function-url.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { buildContents } from '../../lib/core/store/contents.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { buildOpenQueue } from '../../lib/core/store/queue-access.ts';
import { MACHINE_DOORS } from '../../lib/features/doors.ts';

const env = readEnvironment('runner');

const deps = {
  table: openTable(env),
  space: env.SPACE,
  publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  queueUrls: env.RUNNER_QUEUE_URLS,
  openQueue: buildOpenQueue(env.RUNNER_ROLE_ARN),
  contents: buildContents(env),
  now: Date.now,
  log: buildLog(env.LOG_LEVEL),
};

const nobody = () => respondFailure(new HttpError(404, 'not-found', 'there is nothing at this path'));
const [answer = nobody] = await Promise.all(MACHINE_DOORS.map(({ load }) => load()));

export const handler = (event: unknown) => answer(deps, event);
