/**
 * Begins the run of a job whose work is a runbook, or steps, which are one. The job names the hash
 * that its approver saw: a runbook that changed since is not run, and the run's record says so.
 */

import { defined } from '../../core/base/defined.ts';
import { PipelineError } from '../../core/base/errors.ts';
import { notices } from '../../core/judge/notices.ts';
import { packRun, type Run } from '../../core/ledger/run.ts';
import { type CodeAnswer, type CodeContext, say } from '../../core/operations/code-context.ts';
import { payloadOf } from '../../core/operations/hooks.ts';
import { askerOf } from '../../core/signal/asker.ts';
import { jobKeys, runKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { putOnce } from '../../core/store/put-once.ts';
import type { JobVersion, RunbookWork } from '../jobs/job.ts';
import { parseOccurrence } from '../jobs/occurrence.ts';
import { loadVersion } from '../jobs/read-jobs.ts';
import { acceptStep } from './answer-run-step.ts';
import { beginRun, failedRun } from './begin-run.ts';
import { type FoundRunbook, findRunbook } from './find-runbook.ts';
import { wholeJobId } from './grant-of-step.ts';
import { grantSteps } from './grant-steps.ts';
import { completeInputs } from './inputs.ts';
import { parseRunbook } from './parse-runbook.ts';
import type { Runbook } from './runbook.ts';
import { asRunbook, type KnownWork } from './steps-runbook.ts';

interface JobRunbook extends Pick<FoundRunbook, 'text' | 'trust'> {
  readonly runbook: Runbook;
  readonly inputs: Readonly<Record<string, string>>;
}

/** The runbook as the job names it, with its inputs; a sentence if it cannot be run. */
const find = async (
  { table, signal: { space } }: CodeContext,
  { runbook: name, hash, inputs, text }: KnownWork,
  hasEvent: boolean,
): Promise<JobRunbook | string> => {
  const found = text === undefined ? await findRunbook(table, space, name) : { text, hash, trust: 'owner' as const };
  if (found === undefined) return `there is no runbook ${name} now: its skill is off or was removed (/skill list)`;
  if (found.hash !== hash)
    return `the runbook ${name} was changed since the job was approved: edit the job, so that it is approved again`;
  const parsed = parseRunbook(name, found.text, undefined, text === undefined ? 'file' : 'steps');
  if (parsed.kind === 'problems') return `the runbook ${name} cannot be read by this release`;
  const completed = completeInputs(parsed.runbook, inputs, hasEvent);
  if (completed.kind === 'problems') return completed.problems.join('; ');
  return { runbook: parsed.runbook, text: found.text, trust: found.trust, inputs: completed.inputs };
};

/** A yes to the whole job holds in each of its runs, as long as its bounds and the rules stay. */
const approvedOf = ({ name, approved }: JobVersion, { whole }: RunbookWork): Run['approved'] =>
  approved === undefined || whole === undefined
    ? undefined
    : {
        by: approved.by,
        policyVersion: approved.policyVersion,
        job: { id: wholeJobId(name, approved.version), ...whole },
      };

/** @throws PipelineError if there is no such job, or its work is a prompt */
export const beginJobRun = async (context: CodeContext): Promise<CodeAnswer> => {
  const { table, signal, now } = context;
  const { id, space, session, reply, sender } = signal;
  const { job } = payloadOf(context, 'job-due');
  const item = await loadItem(table, jobKeys.occurrence(space, id));
  const one = item === undefined ? undefined : parseOccurrence(item);
  const version = one && (await loadVersion(table, space, job, one.version));
  if (one === undefined || version === undefined) throw new PipelineError(`the run ${id} has no job`, id, false);
  if (version.definition.work.kind === 'prompt') throw new PipelineError(`the run ${id} has no steps`, id, false);
  const work = asRunbook(job, version.definition.work);
  const isOfSteps = work.text !== undefined;
  const given = {
    id,
    session,
    reply,
    by: sender.id,
    askedBy: askerOf(signal),
    ...defined({ copies: one.copies, eventId: one.eventId, approved: approvedOf(version, work) }),
  } as const;
  const found = await find(context, work, one.eventId !== undefined);
  if (typeof found === 'string') {
    const empty = { ...given, origin: 'owner', inputs: {}, runbook: work.runbook, hash: work.hash } as const;
    const failed = failedRun(space, empty, found, now);
    await putOnce(table, runKeys.record(space, id), packRun(failed));
    return say(notices.runFailed(work.runbook, id, found));
  }
  const { trust, ...rest } = found;
  // The words of an event are a stranger's, and so may be those of a runbook. Steps name neither.
  const origin = one.eventId === undefined || isOfSteps ? trust : 'outside';
  const run = await beginRun(table, space, { ...given, ...rest, origin, isOfSteps }, { isFirst: false }, now);
  if (run.approved !== undefined) await grantSteps(context, run);
  await acceptStep(context, run, 1, []);
  return isOfSteps
    ? { ending: `it goes on with its steps (/runbook show ${id})`, because: { code: 'steps' } }
    : { ending: `it runs the runbook ${work.runbook}`, because: { code: 'runbook' } };
};
