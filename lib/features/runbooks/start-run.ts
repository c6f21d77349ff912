/** Begins the run that a yes on a card of `run-runbook` is for. */
import { ProtocolError } from '../../core/base/errors.ts';
import { runbookRunId } from '../../core/signal/ids.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { powerOf, type ToolContext, type ToolOutput } from '../../core/tools/tool.ts';
import { sha256Of } from './begin-run.ts';
import { completeInputs } from './inputs.ts';
import { parseRunbook } from './parse-runbook.ts';
import type { RunbookArgs } from './run-runbook.ts';

const loadText = async ({ runbook, hash, text }: RunbookArgs, { powers, origin }: ToolContext) => {
  const runbooks = powerOf(powers, 'runbooks');
  const found = text === undefined ? await runbooks.find(runbook) : { text, hash: sha256Of(text), trust: origin };
  if (found === undefined) throw new ProtocolError(`there is no runbook ${runbook} any more`);
  if (found.hash !== hash)
    throw new ProtocolError(`the runbook ${runbook} was changed since this was asked; ask again`);
  const parsed = parseRunbook(runbook, found.text);
  if (parsed.kind === 'problems') throw new ProtocolError(`the runbook ${runbook} cannot be read by this release`);
  return { runbook: parsed.runbook, text: found.text, trust: found.trust, runbooks };
};

export const startRun = async (args: RunbookArgs, context: ToolContext): Promise<ToolOutput> => {
  const { runbook, text, trust, runbooks } = await loadText(args, context);
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
};
