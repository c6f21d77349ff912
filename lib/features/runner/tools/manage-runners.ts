/**
 * The commands `/runners pair|pause|resume|remove|list`. They decide which machines perform
 * commands, so only people use them (I14). `pair-runner` is given the hash of a code's secret and
 * never the secret: its answer names the fingerprint of Act's key, and the terminal that made the
 * secret puts both into the line to paste.
 */

import * as z from 'zod/mini';
import { utcMinute } from '../../../core/base/utc-minute.ts';
import { defineTool, loadFeatureParts, powerOf, type ToolContext, type ToolOutput } from '../../../core/tools/tool.ts';
import { RunnerName } from '../runner-name.ts';
import type { RunnerPowers } from '../runner-powers.ts';

declare module '../../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly runners?: RunnerPowers;
  }
}

const ownerLines = (lines: readonly string[]): ToolOutput => ({ output: lines.join('\n'), origin: 'owner' });

const MANAGING = {
  tier: 'ask',
  isForPeople: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'clean',
} as const;

export const pairRunner = defineTool({
  name: 'pair-runner',
  sentence: ({ name }) => `Let a machine pair under the name ${name}`,
  args: z.strictObject({ name: RunnerName, codeHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ...MANAGING,
  run: async ({ name, codeHash }, { powers, actor: by, now }) => {
    const { fingerprint, expiresAt } = await powerOf(powers, 'runners').open({ name, codeHash, by, now });
    return ownerLines([`The runner ${name} may pair until ${utcMinute(expiresAt)}.`, `My key: ${fingerprint}`]);
  },
});

const nameOnly = z.strictObject({ name: RunnerName });

const setPaused = (isPaused: boolean, { powers }: ToolContext, name: string) =>
  powerOf(powers, 'runners').pause(name, isPaused);

export const pauseRunner = defineTool({
  name: 'pause-runner',
  sentence: ({ name }) => `Pause your machine ${name}: it gets no further work`,
  args: nameOnly,
  ...MANAGING,
  run: async ({ name }, context) => {
    await setPaused(true, context, name);
    return ownerLines([`The runner ${name} is paused and takes no job. /runners resume ${name} lets it go on.`]);
  },
});

export const resumeRunner = defineTool({
  name: 'resume-runner',
  sentence: ({ name }) => `Let your machine ${name} take work again`,
  args: nameOnly,
  ...MANAGING,
  run: async ({ name }, context) => {
    await setPaused(false, context, name);
    return ownerLines([`The runner ${name} takes orders again. What was refused meanwhile stays refused.`]);
  },
});

export const removeRunner = defineTool({
  name: 'remove-runner',
  sentence: ({ name }) => `Remove your machine ${name}: its key counts no more`,
  args: nameOnly,
  ...MANAGING,
  run: async ({ name }, { powers }) => {
    await powerOf(powers, 'runners').remove(name);
    return ownerLines([`The runner ${name} is removed, and its key counts no more. Its folder stays on the machine.`]);
  },
});

export const listRunners = defineTool({
  name: 'list-runners',
  sentence: () => 'List your machines',
  args: z.strictObject({}),
  tier: 'allow',
  isForPeople: true,
  kind: 'read',
  outputOrigin: 'clean',
  run: async (_args, { powers, now }) => {
    const all = await powerOf(powers, 'runners').list();
    const none = 'No machine is paired. In a terminal: npx passepartout runners pair <name>';
    const { describeRunner } = await loadFeatureParts();
    return ownerLines(all.length === 0 ? [none] : all.flatMap((runner) => describeRunner(runner, now)));
  },
});
