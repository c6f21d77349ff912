/**
 * The runbook of a job: the draft names it, and the definition binds the hash of its text and every
 * input. Its card shows each step.
 */

import { ProtocolError } from '../base/errors.ts';
import { problemWords } from '../base/file-problem.ts';
import type { JobDefinition, RunbookWork } from '../jobs/job.ts';
import type { JobDraft } from '../jobs/job-draft.ts';
import { describeRunbook } from '../runbooks/describe-runbook.ts';
import { completeInputs } from '../runbooks/inputs.ts';
import { parseRunbook } from '../runbooks/parse-runbook.ts';
import type { FindRunbook } from '../runbooks/run-powers.ts';
import { runbookToolProblems } from './runbook-tools.ts';

/** Undefined if the draft has no runbook. @throws ProtocolError that says what is wrong with it */
export const buildRunbookWork = async (
  { runbook: named, inputs, event, at, every, cron, condition }: JobDraft,
  before: JobDefinition | undefined,
  loadRunbook: FindRunbook | undefined,
): Promise<RunbookWork | undefined> => {
  const old = before?.work.kind === 'runbook' ? before.work : undefined;
  const name = named ?? (inputs === undefined ? undefined : old?.runbook);
  if (name === undefined && inputs !== undefined) throw new ProtocolError('give runbook, whose inputs these are');
  if (name === undefined) return undefined;
  const found = await loadRunbook?.(name);
  if (found === undefined) throw new ProtocolError(`there is no runbook ${name}; /runbook list names those there are`);
  const parsed = parseRunbook(name, found.text);
  if (parsed.kind === 'problems') throw new ProtocolError(parsed.problems.map(problemWords).join('; '));
  const isOfEvent = [at, every, cron, condition].every((rule) => rule === undefined) && before?.when.kind === 'event';
  const kept = old?.runbook === name ? old.inputs : {};
  const completed = completeInputs(parsed.runbook, { ...kept, ...inputs }, event !== undefined || isOfEvent);
  const problems = completed.kind === 'problems' ? completed.problems : runbookToolProblems(parsed.runbook);
  if (completed.kind === 'problems' || problems.length > 0) throw new ProtocolError(problems.join('; '));
  return { kind: 'runbook', runbook: name, hash: found.hash, inputs: { ...completed.inputs } };
};

/** The steps of a job's runbook, or why they cannot be shown; none if it has no runbook. */
export const runbookLines = async (
  { work }: JobDefinition,
  loadRunbook: FindRunbook | undefined,
): Promise<readonly string[]> => {
  if (work.kind !== 'runbook') return [];
  const found = await loadRunbook?.(work.runbook);
  if (found === undefined) return [`There is no runbook ${work.runbook}: the job cannot run.`];
  if (found.hash !== work.hash)
    return [`The runbook was changed since: the job fails until /jobs edit … runbook=${work.runbook} is approved.`];
  const parsed = parseRunbook(work.runbook, found.text);
  return parsed.kind === 'problems' ? parsed.problems.map(problemWords) : describeRunbook(parsed.runbook, work.inputs);
};
