/** Starts a run of a runbook. The yes is bound to the hash of its text and to the inputs. */
import * as z from 'zod/mini';
import { RunbookName } from '../../core/signal/runbook-name.ts';
import { fieldsWords } from '../../core/text/quoted.ts';
import { defineTool, loadFileParts } from '../../core/tools/tool.ts';

/** As long as the text of a runbook may be (`RUNBOOK_CHARS_MAX`), which its reader says better. */
const TEXT_CHARS_MAX = 32_000;
const INPUT_CHARS_MAX = 1_000;

const Inputs = z.record(z.string().check(z.maxLength(32)), z.string().check(z.maxLength(INPUT_CHARS_MAX)));

export const RunbookArgs = z.strictObject({
  runbook: RunbookName,
  /** SHA-256 of its text. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** Only of a runbook that no skill brings. */
  text: z.optional(z.string().check(z.maxLength(TEXT_CHARS_MAX))),
  inputs: Inputs,
  /** The yes covers the calls that its card names, each as often as it says. */
  approveWhole: z.boolean(),
});
export type RunbookArgs = z.infer<typeof RunbookArgs>;

const Draft = z.looseObject({
  runbook: z.string(),
  inputs: z.optional(z.record(z.string(), z.unknown())),
  approveWhole: z.optional(z.boolean()),
});

export const runRunbook = defineTool({
  name: 'run-runbook',
  description:
    'Start a run of a runbook by its name, with its inputs: steps that code performs in order. The owner is asked and sees each step.',
  sentence: ({ runbook, inputs }) => `Run the runbook ${runbook}${fieldsWords(inputs)}`,
  draft: Draft,
  args: RunbookArgs,
  tier: 'ask',
  isAlwaysAsked: true,
  kind: 'idempotent',
  outputOrigin: 'clean',
  loadForm: async () => (await loadFileParts()).FEATURE_FILE_PARTS.RUNBOOK_FORM,
  run: async (args, context) => (await loadFileParts()).FEATURE_FILE_PARTS.startRun(args, context),
});
