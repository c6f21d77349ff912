/**
 * The rules of runners. A job is signed by Act and names the decision, action, trace and consent of
 * its effect. Receipt and result are signed by the key that a person had paired, and name that job
 * and that claim. The output of the effect is the text that the result signs. An effect that a
 * runner did has all three.
 */
import { hashOf } from '../../base/canonical.ts';
import { MINUTE_MS } from '../../base/limits.ts';
import { CLOCK_SKEW_MS } from '../limits.ts';
import {
  type FixedOrder,
  type FixedPairing,
  type FixedRunnerReceipt,
  type FixedRunnerResult,
  OUTPUT_HIDDEN,
  OUTPUT_WITH_KEY_HIDDEN,
} from '../runner-records.ts';
import { isHashSigned } from '../signed-hash.ts';
import { failOf } from './content.ts';
import type { HandedEffect, Noted, RunnerChange, Runners } from './runner-summary.ts';

/** How long a code may be used that a person asked for. */
const PAIRING_MS_MAX = 10 * MINUTE_MS;
/** How far the clock of a paired machine may be from Act's. */
const MACHINE_SKEW_MS = 5 * MINUTE_MS;

const isOf = (change: RunnerChange, tool: string, runner: string): boolean =>
  change.tool === undefined || (change.tool === tool && change.runner === runner);

/** A person asked for the pairing, shortly before it, and had not removed the runner again. */
const checkPairing = ({ changes }: Runners, job: Noted<FixedOrder>): void => {
  const { pairedAt } = job.fixed.pairing;
  const { runner, issuedAt } = job.fixed.job;
  const isAsked = changes.some(
    (one) =>
      isOf(one, 'pair-runner', runner) &&
      one.from <= pairedAt + CLOCK_SKEW_MS &&
      pairedAt <= one.to + PAIRING_MS_MAX + CLOCK_SKEW_MS,
  );
  if (!isAsked) failOf(job, `no effect of the log let ${runner} pair with the key that it names`);
  const isRemoved = changes.some(
    (one) =>
      one.tool === 'remove-runner' &&
      one.runner === runner &&
      one.from > pairedAt + CLOCK_SKEW_MS &&
      one.to + CLOCK_SKEW_MS < issuedAt,
  );
  if (isRemoved) failOf(job, `its runner had been removed, and the key of ${runner} counted no more`);
};

/** One pairing has one pair of keys, and a later one replaces it. */
const checkPairings = (runners: Runners): void => {
  const newest = new Map<string, FixedPairing>();
  const jobs = [...runners.jobs.values()].sort((a, b) => a.fixed.at - b.fixed.at);
  for (const job of jobs) {
    const { pairing } = job.fixed;
    const { runner } = job.fixed.job;
    const before = newest.get(runner);
    const isSame = pairing.publicKey === before?.publicKey && pairing.actKey === before.actKey;
    if (
      before !== undefined &&
      (pairing.pairedAt < before.pairedAt || (pairing.pairedAt === before.pairedAt && !isSame))
    )
      failOf(job, `it names another key of ${runner} than a job before it, and the runner was not paired anew`);
    newest.set(runner, pairing);
    checkPairing(runners, job);
  }
};

const checkJob = ({ effects, decisions }: Runners, job: Noted<FixedOrder>, space: string): void => {
  const { job: signed, signature, pairing } = job.fixed;
  const effect = effects.get(job.id) ?? failOf(job, 'no effect of the log handed it on');
  if (!isHashSigned(pairing.actKey, hashOf('runner-job', signed), signature))
    failOf(job, "it is not signed by Act's key");
  if (signed.space !== space) failOf(job, 'it is of another space');
  if (signed.actionHash !== effect.actionHash) failOf(job, 'its action is not the one of its effect');
  if (signed.decisionHash !== decisions.get(effect.signal)) failOf(job, 'its decision is not the one of its effect');
  if (effect.traceHash !== undefined && signed.traceHash !== effect.traceHash)
    failOf(job, 'its trace is not the one of its effect');
  if ((signed.consent?.id ?? '') !== effect.consent) failOf(job, 'its approval or grant is not the one of its effect');
};

/** Whether it names the job, and the machine's key signed it. */
const checkWords = (
  { jobs }: Runners,
  words: Noted<FixedRunnerReceipt | FixedRunnerResult>,
  part: { readonly jobHash: string; readonly runner: string },
  hash: string,
): void => {
  const { job, pairing } = jobs.get(words.id)?.fixed ?? failOf(words, 'Act never handed on a job of this effect');
  if (part.jobHash !== hashOf('runner-job', job)) failOf(words, 'it is of another job');
  if (part.runner !== job.runner)
    failOf(words, `it is of the runner ${part.runner}, and the job was for ${job.runner}`);
  if (!isHashSigned(pairing.publicKey, hash, words.fixed.signature))
    failOf(words, `it is not signed by the key that was paired as ${job.runner}`);
};

const HIDDEN_HASHES = [OUTPUT_HIDDEN, OUTPUT_WITH_KEY_HIDDEN].map((text) => hashOf('output', text));

/** Of a long text the effect has the first characters, below a line that says how to read on. */
const isOutputOf = ({ output, head }: HandedEffect, { shown }: FixedRunnerResult['result']): boolean => {
  if (output === undefined || output === shown.hash || HIDDEN_HASHES.includes(output)) return true;
  return shown.head !== shown.hash && (head === undefined || head === shown.head);
};

const checkReceipt = (runners: Runners, words: Noted<FixedRunnerReceipt>): void => {
  const { receipt } = words.fixed;
  checkWords(runners, words, receipt, hashOf('runner-receipt', receipt));
  const expiresAt = runners.jobs.get(words.id)?.fixed.job.expiresAt ?? 0;
  if (receipt.takenAt >= expiresAt + MACHINE_SKEW_MS) failOf(words, 'the runner took the job after it had expired');
};

const checkResult = (runners: Runners, words: Noted<FixedRunnerResult>): void => {
  const { result } = words.fixed;
  checkWords(runners, words, result, hashOf('runner-result', result));
  const receipt = runners.receipts.get(words.id)?.fixed.receipt;
  if (receipt === undefined && result.state !== 'refused') failOf(words, 'the runner signed no receipt before it');
  if (result.claim !== receipt?.claim) failOf(words, 'it names another claim than the receipt');
  const effect = runners.effects.get(words.id);
  if (effect !== undefined && !isOutputOf(effect, result))
    failOf(effect, 'its output is not the text that the runner signed');
};

const ENDED: readonly string[] = ['done', 'failed', 'refused', 'unknown'];

const checkEffect = ({ jobs, receipts, results }: Runners, effect: HandedEffect): void => {
  const { id, state, isHanded, isResolved, traceHash, output } = effect;
  if (isHanded && !jobs.has(id)) failOf(effect, 'it was handed to a runner, and there is no signed job');
  if (isResolved) return;
  const said = results.get(id)?.fixed.result.state;
  // No job runs twice, so a later try fails or is refused, whatever the runner said of the first.
  const isOfLaterTry = traceHash === undefined && state !== 'done';
  if (ENDED.includes(state) && said !== undefined && said !== state && !isOfLaterTry)
    failOf(effect, `it says ${state}, and the runner signed ${said}`);
  if (state !== 'done') return;
  const [missing] = [
    ...(jobs.has(id) ? [] : ['job']),
    ...(receipts.has(id) ? [] : ['receipt']),
    ...(said === undefined ? ['result'] : []),
    ...(output === undefined ? ['output'] : []),
  ];
  if (missing !== undefined) failOf(effect, `a runner did it, and its ${missing} is missing`);
};

export const endRunners = (runners: Runners, space: string): void => {
  const { jobs, receipts, results, effects } = runners;
  for (const job of jobs.values()) checkJob(runners, job, space);
  checkPairings(runners);
  for (const words of receipts.values()) checkReceipt(runners, words);
  for (const words of results.values()) checkResult(runners, words);
  for (const effect of effects.values()) checkEffect(runners, effect);
};
