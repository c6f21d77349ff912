/** Performs `list-runbooks`: every runbook in a line, or the steps of one. */
import { ProtocolError } from '../../core/base/errors.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { powerOf, type ToolOutput, type ToolPowers } from '../../core/tools/tool.ts';
import { describeRunbook } from './describe-runbook.ts';
import { parseRunbook } from './parse-runbook.ts';
import type { RunbookPowers } from './run-powers.ts';
import { runbookTexts } from './texts.ts';

const showOne = async (name: string, { find }: RunbookPowers): Promise<ToolOutput> => {
  const found = await find(name);
  if (found === undefined) throw new ProtocolError('there is no runbook of this name; call it without a name');
  const parsed = parseRunbook(name, found.text);
  if (parsed.kind === 'problems') throw new ProtocolError(`the runbook ${name} cannot be read by this release`);
  return { output: describeRunbook(runbookTexts.en, parsed.runbook).join('\n'), origin: found.trust };
};

/** @param name of one; undefined lists all */
export const showRunbooks = async (name: string | undefined, powers: ToolPowers): Promise<ToolOutput> => {
  const runbooks = powerOf(powers, 'runbooks');
  if (name !== undefined) return showOne(name, runbooks);
  const known = await runbooks.list();
  const lines = known.map((one) => `${one.name}: ${one.description}`);
  return {
    output: lines.length === 0 ? 'There is no runbook.' : lines.join('\n'),
    origin: joinOrigins(known.map(({ trust }) => trust)),
  };
};
