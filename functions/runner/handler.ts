/** Runner: the signed requests of the owner's machines, at `/runner/<op>`. Each may be repeated. */
import { answerRunner } from '../../lib/edge/runner/runner-http.ts';
import { sqsClient } from '../../lib/store/clients.ts';
import { buildContents } from '../../lib/store/contents.ts';
import { openTable } from '../../lib/store/data-version.ts';
import { readEnvironment } from '../../lib/store/env.ts';
import { buildLog } from '../../lib/store/log.ts';
import { buildPublish } from '../../lib/store/queue.ts';
import { buildOpenQueue } from '../../lib/store/queue-access.ts';

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

export const handler = (event: unknown) => answerRunner(deps, event);
