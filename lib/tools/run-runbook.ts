/** Starts a run of a runbook. The yes is bound to the hash of its text and to the inputs. */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { RunbookName } from '../runbooks/runbook.ts';
import { runbookRunId } from '../signal/ids.ts';
import { joinOrigins } from '../signal/signal.ts';
import { fieldsWords } from '../text/quoted.ts';
import { defineTool, loadFileParts, powerOf, type ToolContext } from './tool.ts';

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

const loadText = async ({ runbook, hash, text }: RunbookArgs, { powers, origin }: ToolContext) => {
  const runbooks = powerOf(powers, 'runbooks');
  const { parseRunbook, sha256Of } = await loadFileParts();
  const found = text === undefined ? await runbooks.find(runbook) : { text, hash: sha256Of(text), trust: origin };
  if (found === undefined) throw new ProtocolError(`there is no runbook ${runbook} any more`);
  if (found.hash !== hash)
    throw new ProtocolError(`the runbook ${runbook} was changed since this was asked; ask again`);
  const parsed = parseRunbook(runbook, found.text);
  if (parsed.kind === 'problems') throw new ProtocolError(`the runbook ${runbook} cannot be read by this release`);
  return { runbook: parsed.runbook, text: found.text, trust: found.trust, runbooks };
};

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
  loadForm: async () => (await loadFileParts()).RUNBOOK_FORM,
  run: async (args, context) => {
    const { runbook, text, trust, runbooks } = await loadText(args, context);
    const { completeInputs } = await loadFileParts();
    const completed = completeInputs(runbook, args.inputs);
    if (completed.kind === 'problems') throw new ProtocolError(completed.problems.join('; '));
    const by = context.approvedBy ?? context.actor;
    const run = await runbooks.begin(
      {
        id: runbookRunId(context.effectId),
        runbook,
        text,
        inputs: completed.inputs,
        origin: joinOrigins([trust, context.origin]),
        by,
        askedBy: 'owner',
        // A yes on the card is needed: a policy that permits the call approves no step.
        ...(args.approveWhole && context.approvedBy !== undefined && context.policyVersion !== undefined
          ? { approved: { by, policyVersion: context.policyVersion } }
          : {}),
      },
      context.signalId,
      context.now,
    );
    return { output: `The runbook ${runbook.name} runs: /runbook show ${run.id} shows its steps.`, origin: 'owner' };
  },
});
