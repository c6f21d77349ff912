/** Names memory's present state. Only a person's command; the same effect never makes two. */

import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { SNAPSHOT_NAME_CHARS_MAX } from '../base/limits.ts';
import { joinOrigins } from '../signal/signal.ts';
import { quoted } from '../text/quoted.ts';
import { defineTool } from './tool.ts';

export const snapshot = defineTool({
  name: 'snapshot',
  sentence: ({ name }) => `Keep memory's present state${name === undefined ? '' : ` under the name ${quoted(name)}`}`,
  args: z.strictObject({ name: z.optional(z.string().check(z.regex(/\S/), z.maxLength(SNAPSHOT_NAME_CHARS_MAX))) }),
  tier: 'ask',
  isForPeople: true,
  kind: 'idempotent',
  outputOrigin: 'inputs',
  run: async ({ name }, { memory, origin, effectId, signalId, actor, now }) => {
    const made = await memory.snapshot({
      ...defined({ name }),
      by: { effectId, signalId, actor, now },
    });
    return { output: `Snapshot ${made.name} is commit ${made.number}.`, origin: joinOrigins(['agent', origin]) };
  },
});
