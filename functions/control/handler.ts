/**
 * Control: stop, resume, approve and deny, apart from streams and the page, which could be busy. A
 * late or duplicate request is the same decision; a 503 accepted nothing.
 */
import { randomBytes } from 'node:crypto';
import { noteScriptTo, readConsoleTokens, reportTo } from '../../lib/core/edge/console/console-env.ts';
import { answerControl } from '../../lib/core/edge/console/control.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';

const env = readEnvironment('control');

const log = buildLog(env.LOG_LEVEL);

const deps = {
  space: env.SPACE,
  table: openTable(env),
  publish: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  now: Date.now,
  newId: () => randomBytes(16).toString('hex'),
  tokens: readConsoleTokens(buildReadSecrets(secretsOf('control')), log),
  report: reportTo(log),
  noteScript: noteScriptTo(log),
};

export const handler = (event: unknown) => answerControl(deps, event);
