/**
 * Begins the run of a job whose work is a runbook. The job names the hash that its approver saw: a
 * runbook that changed since is not run, and the run's record says so.
 */
import { defined } from '../../base/defined.ts';
import type { JobVersion, RunbookWork } from '../../jobs/job.ts';
import type { Occurrence } from '../../jobs/occurrence.ts';
import { notices } from '../../judge/notices.ts';
import { type CodeAnswer, type CodeContext, say } from '../../operations/code-context.ts';
import { beginRun, failedRun } from '../../runbooks/begin-run.ts';
import { wholeJobId } from '../../runbooks/grant-of-step.ts';
import { completeInputs } from '../../runbooks/inputs.ts';
import { parseRunbook } from '../../runbooks/parse-runbook.ts';
import { packRun, type Run } from '../../runbooks/run.ts';
import type { Runbook } from '../../runbooks/runbook.ts';
import { askerOf } from '../../signal/asker.ts';
import { type FoundRunbook, findRunbook } from '../../skills/find-runbook.ts';
import { runKeys } from '../../store/keys.ts';
import { putOnce } from '../../store/put-once.ts';
import { acceptStep } from '../runbooks/answer-run-step.ts';

interface Found extends Pick<FoundRunbook, 'text' | 'trust'> {
  readonly runbook: Runbook;
  readonly inputs: Readonly<Record<string, string>>;
}

/** The runbook as the job names it, with its inputs; a sentence if it cannot be run. */
const find = async (
  { table, signal: { space } }: CodeContext,
  { runbook: name, hash, inputs }: RunbookWork,
  hasEvent: boolean,
): Promise<Found | string> => {
  const found = await findRunbook(table, space, name);
  if (found === undefined) return `there is no runbook ${name} now: its skill is off or was removed (/skill list)`;
  if (found.hash !== hash)
    return `the runbook ${name} was changed since the job was approved: edit the job, so that it is approved again`;
  const parsed = parseRunbook(name, found.text);
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

/** @param one the occurrence that the signal stands for */
export const beginJobRun = async (
  context: CodeContext,
  version: JobVersion,
  work: RunbookWork,
  one: Occurrence,
): Promise<CodeAnswer> => {
  const { table, signal, now } = context;
  const { id, space, session, reply, sender } = signal;
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
  // The words of an event are a stranger's, and so may be those of a runbook.
  const origin = one.eventId === undefined ? trust : 'outside';
  const run = await beginRun(table, space, { ...given, ...rest, origin }, { isFirst: false }, now);
  if (run.approved !== undefined) await (await import('../runbooks/grant-steps.ts')).grantSteps(context, run);
  await acceptStep(context, run, 1, []);
  return { ending: `it runs the runbook ${work.runbook}` };
};
