/**
 * Whether a message is a job for this runner: signed by the key of Act that was pinned when the
 * machine was paired, for this space and this name, whole, in time, and never seen before. Pure.
 */
import { readJson } from '../../lib/base/json.ts';
import { isJobOf, type RunnerJob, SignedJob } from '../../lib/runner/job.ts';
import { RUNNER_CLOCK_MS_MAX } from '../../lib/runner/requests.ts';
import { isRunnerTool } from '../../lib/signal/runner-tools.ts';
import type { Pairing } from './runner-folder.ts';

export type VerifiedJob =
  | { readonly kind: 'job'; readonly signed: SignedJob }
  /** Nothing answers it: it is not for this runner, not from Act, or was answered before. */
  | { readonly kind: 'ignored'; readonly why: string };

const parse = (body: string): SignedJob | undefined => SignedJob.safeParse(readJson(body)).data;

const problemOf = (job: RunnerJob, { space, name }: Pairing, now: number): string => {
  if (job.space !== space || job.runner !== name) return 'it is for another runner';
  if (now >= job.expiresAt) return 'it expired';
  // A clock that is wrong by hours would make expired jobs valid.
  if (job.issuedAt > now + RUNNER_CLOCK_MS_MAX) return "it was made in the future: check this machine's clock";
  const { target, tool, args } = job.action;
  if (target !== 'tool' || !isRunnerTool(tool) || args?.runner !== name)
    return 'it is no call of a tool for this runner';
  return '';
};

/** @param knows whether the journal has it */
export const verifyJob = (
  body: string,
  pairing: Pairing,
  now: number,
  knows: (signed: SignedJob) => boolean,
): VerifiedJob => {
  const signed = parse(body);
  if (signed === undefined) return { kind: 'ignored', why: 'it is no job' };
  if (!isJobOf(pairing.actKey, signed))
    return { kind: 'ignored', why: 'its signature is not that of the paired stack' };
  const problem = problemOf(signed.job, pairing, now);
  if (problem !== '') return { kind: 'ignored', why: problem };
  return knows(signed) ? { kind: 'ignored', why: 'it was accepted before' } : { kind: 'job', signed };
};
