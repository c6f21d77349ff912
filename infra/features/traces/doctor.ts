import * as z from 'zod/mini';
import { status } from '../../../lib/core/verbs/signals/operations.ts';
import { performLook } from '../../cli/client.ts';
import { type FeatureCheck, ok, tryCheck } from '../../cli/doctor/check.ts';

const Traces = z.object({ traces: z.object({ last: z.string(), sent: z.int(), triedAt: z.int() }) });

/** That the last traces were taken; of others health tells. */
export const checkTraces: FeatureCheck = (_, access) =>
  tryCheck('traces', async () => {
    const { traces } = Traces.safeParse(await performLook(access, status, {})).data ?? {};
    if (traces?.last !== 'taken') return [];
    return [ok('traces', `${traces.sent} turns sent, the last ones ${new Date(traces.triedAt).toISOString()}`)];
  });
