/** Lists runbooks, or one's steps. Words of a skill from elsewhere are outside text (I13). */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, loadFileParts, powerOf, type ToolOutput } from '../../core/tools/tool.ts';
import type { RunbookPowers } from './run-powers.ts';

const showOne = async (name: string, { find }: RunbookPowers): Promise<ToolOutput> => {
  const found = await find(name);
  if (found === undefined) throw new ProtocolError('there is no runbook of this name; call it without a name');
  const { parseRunbook, describeRunbook, runbookTexts } = (await loadFileParts()).FEATURE_FILE_PARTS;
  const parsed = parseRunbook(name, found.text);
  if (parsed.kind === 'problems') throw new ProtocolError(`the runbook ${name} cannot be read by this release`);
  return { output: describeRunbook(runbookTexts.en, parsed.runbook).join('\n'), origin: found.trust };
};

export const listRunbooks = defineTool({
  name: 'list-runbooks',
  description: 'List the runbooks, or show the steps and inputs of one by its name.',
  sentence: ({ name }) => (name === undefined ? 'List the runbooks' : `Show the runbook ${quoted(name)}`),
  args: z.strictObject({ name: z.optional(z.string().check(z.maxLength(64))) }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'objects',
  run: async ({ name }, { powers }) => {
    const runbooks = powerOf(powers, 'runbooks');
    if (name !== undefined) return showOne(name, runbooks);
    const known = await runbooks.list();
    const lines = known.map((one) => `${one.name}: ${one.description}`);
    return {
      output: lines.length === 0 ? 'There is no runbook.' : lines.join('\n'),
      origin: joinOrigins(known.map(({ trust }) => trust)),
    };
  },
});
