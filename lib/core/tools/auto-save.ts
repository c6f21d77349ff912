/** Keeps a snapshot of memory that nobody named, if one is due. Only for jobs and runbooks. */
import * as z from 'zod/mini';
import { SECOND_MS } from '../base/limits.ts';
import type { AutoSaved } from '../memory/auto-save.ts';
import { defineTool } from './tool.ts';

/** Author of such a snapshot; no person has this name. */
const ACTOR = 'auto-save';

const describe = (saved: AutoSaved, now: number): string => {
  switch (saved.kind) {
    case 'saved':
      return `Snapshot ${saved.snapshot.name} is commit ${saved.snapshot.number}.`;
    case 'unchanged':
      return `Nothing has changed since ${saved.snapshot.name}.`;
    case 'too-soon':
      return `${saved.snapshot.name} was made ${Math.round((now - saved.snapshot.at) / SECOND_MS)} seconds ago.`;
    case 'empty':
      return 'Memory is empty.';
    default:
      return saved satisfies never;
  }
};

export const autoSaveTool = defineTool({
  name: 'auto-save',
  sentence: () => "Keep memory's present state, if it changed",
  args: z.strictObject({}),
  tier: 'allow',
  isMaintenance: true,
  kind: 'idempotent',
  outputOrigin: 'clean',
  run: async (_args, { memory, signalId, effectId, now }) => {
    const saved = await memory.autoSave({ signalId, effectId, actor: ACTOR, now });
    return { output: describe(saved, now), origin: 'agent' };
  },
});
