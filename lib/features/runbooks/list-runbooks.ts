/** Lists runbooks, or one's steps. Words of a skill from elsewhere are outside text (I13). */
import * as z from 'zod/mini';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, loadFileParts } from '../../core/tools/tool.ts';

export const listRunbooks = defineTool({
  name: 'list-runbooks',
  description: 'List the runbooks, or show the steps and inputs of one by its name.',
  sentence: ({ name }) => (name === undefined ? 'List the runbooks' : `Show the runbook ${quoted(name)}`),
  args: z.strictObject({ name: z.optional(z.string().check(z.maxLength(64))) }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'objects',
  run: async ({ name }, { powers }) => (await loadFileParts()).FEATURE_FILE_PARTS.showRunbooks(name, powers),
});
