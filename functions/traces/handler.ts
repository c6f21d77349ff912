/**
 * Traces, each minute, if a collector is set: sends it the traces of ended turns. A tick delivered
 * twice or late sends the same spans, or those that are left.
 */
import * as z from 'zod/mini';
import { parseWith } from '../../lib/core/base/json.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { TRACE_SENDERS } from './features.ts';

const env = readEnvironment('traces');
const [send = async () => undefined] = TRACE_SENDERS.map((start) =>
  start({
    table: openTable(env),
    space: env.SPACE,
    read: (variables) => {
      const set = readEnvironment('traces', variables);
      return {
        endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT ?? '',
        hasWords: set.TRACES_CONTENT === 'on',
        privateTags: set.PRIVACY_FILTER_TAGS,
      };
    },
    readSecrets: buildReadSecrets(secretsOf('traces')),
    log: buildLog(env.LOG_LEVEL),
  }),
);

/** A local start waits for its ticks, and for no collector. */
const Tick = z.object({ recover: z.optional(z.boolean()) });

export const handler = async (event: unknown): Promise<void> => {
  if (parseWith('tick', event, Tick).recover !== true) await send();
};
