/**
 * Tidies memory up as one commit: only mends that memory's own state still asks for, so that no
 * words of a note or a model can ask for others. The same effect never does it twice.
 */
import { ProtocolError } from '../../base/errors.ts';
import { parseWith } from '../../base/json.ts';
import type { Mend } from '../../memory/tend/mend.ts';
import { buildMendEdits, describeMend, stillDue } from '../../memory/tend/mends.ts';
import { joinOrigins } from '../../signal/signal.ts';
import { argumentProblems } from '../argument-problems.ts';
import { nameShown } from '../show-objects.ts';
import { MendMemoryArgs, mendMemory as tool } from '../tending.ts';
import type { ToolContext, ToolForm, ToolOutput } from '../tool.ts';
import { tend } from './tend-memory.ts';

export const MEND_FORM: ToolForm = {
  complete: async (given) => given,
  findProblems: async (given) => argumentProblems(tool, given),
  describe: async (given, { loadNotes }) => {
    const { mends } = parseWith('the mends', given, MendMemoryArgs);
    const objects = await loadNotes(mends.map(({ id }) => id));
    return ['Tidy memory up, as one change:', ...mends.map((mend, n) => `${n + 1}. ${describeMend(mend, objects)}`)];
  },
};

export const mendMemory = async (mends: readonly Mend[], context: ToolContext): Promise<ToolOutput> => {
  const { memory, signalId, effectId, actor, now } = context;
  const { view, mends: due } = await tend(context);
  const chosen = stillDue(mends, due);
  const by = { signalId, effectId, actor, now };
  const result = await memory.edit({ by, edits: () => buildMendEdits(chosen, view.objects) });
  if (result.state === 'unchanged') throw new ProtocolError('memory has changed since this was proposed');
  const { number, changes } = result.record;
  const { objects } = await memory.view();
  const shown = changes.flatMap(({ id }) => {
    const object = objects.get(id);
    return object?.state === 'live' ? [object] : [];
  });
  const left = result.state === 'repeated' ? 0 : mends.length - chosen.length;
  const report = [
    `Memory is tidier by commit ${number}. To take it back: /revert ${number}`,
    ...(left === 0 ? [] : [`${left} of the changes were left out, because memory has changed since.`]),
  ].join('\n');
  return {
    output: JSON.stringify({ report, commit: number, shown: shown.map(nameShown) }),
    origin: joinOrigins(['agent', ...shown.map(({ origin }) => origin)]),
  };
};
