/**
 * Takes back what one signal changed in memory. Objects that others changed since stay and are
 * named; forgotten ones stay forgotten. Code calls it if the signal failed, or a person if they do
 * not want it. The same effect never does it twice.
 */
import * as z from 'zod/mini';
import { MEMORY_ID_SHOWN_CHARS, MEMORY_RESULTS_MAX } from '../base/limits.ts';
import { joinOrigins } from '../signal/signal.ts';
import { quoted } from '../text/quoted.ts';
import { defineTool } from './tool.ts';

const SIGNAL_ID_CHARS_MAX = 256;

const named = (ids: readonly string[]): string => {
  const shown = ids.slice(0, MEMORY_RESULTS_MAX).map((id) => id.slice(0, MEMORY_ID_SHOWN_CHARS));
  return `${shown.join(', ')}${ids.length > shown.length ? ` and ${ids.length - shown.length} more` : ''}`;
};

export const revert = defineTool({
  name: 'revert',
  sentence: ({ signal, commit }) =>
    `Take back what ${commit === undefined ? quoted(signal) : `commit ${commit}`} changed in memory`,
  args: z.strictObject({
    signal: z.string().check(z.minLength(1), z.maxLength(SIGNAL_ID_CHARS_MAX)),
    commit: z.optional(z.int()),
  }),
  tier: 'allow',
  isForPeople: true,
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  run: async ({ signal, commit }, { memory, origin, effectId, signalId, actor, now }) => {
    const by = { effectId, signalId, actor, now };
    const { left, result } = await memory.revertSignal({ signalId: signal, by });
    const changed = left.filter(({ because }) => because === 'changed since').map(({ id }) => id);
    const gone = left.filter(({ because }) => because === 'forgotten').map(({ id }) => id);
    const change = commit === undefined ? signal : `commit ${commit}`;
    const lines = [
      result.state === 'unchanged'
        ? `Nothing that ${change} changed in memory had to be taken back.`
        : `What ${change} changed in memory is taken back${actor === 'agent' ? ', because it failed' : ''}.`,
      ...(changed.length === 0 ? [] : [`Left as they are, because others changed them since: ${named(changed)}.`]),
      ...(gone.length === 0 ? [] : [`Forgotten, and not brought back: ${named(gone)}.`]),
    ];
    return { output: lines.join('\n'), origin: joinOrigins(['agent', origin]) };
  },
});
