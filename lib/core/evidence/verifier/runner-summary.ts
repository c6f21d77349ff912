/**
 * Keeps a summary of what the rules of runners look at: signed jobs, receipts and results, the
 * effects that handed them on, and the pairings that a person asked for. `runner-checks.ts` judges
 * them after the last record, since a result has its leaf long after its job.
 */
import { hashOf } from '../../base/canonical.ts';
import { mayChange } from '../../signal/changing-tools.ts';
import { isRunnerTool, machineOf } from '../../signal/runner-tools.ts';
import { effectId, type FixedDecision, type FixedEffect, recordHash, withoutAttempts } from '../record-hash.ts';
import type { FixedOrder, FixedRunnerReceipt, FixedRunnerResult } from '../runner-records.ts';
import { failOf, type Subject } from './content.ts';
import { type Fields, readFieldList, readFields, readText } from './fields.ts';

export interface Noted<T> extends Subject {
  readonly fixed: T;
}

/** An effect of the actuator `runner`. */
export interface HandedEffect extends Subject {
  readonly signal: string;
  readonly state: string;
  readonly isHanded: boolean;
  /** A person settled it: it may be otherwise than the runner says. */
  readonly isResolved: boolean;
  readonly actionHash: string;
  /** Undefined if a later claim overwrote the trace that the job names. */
  readonly traceHash: string | undefined;
  readonly consent: string;
  readonly output: string | undefined;
  /** Hash of the output below its first line; undefined if it was forgotten. */
  readonly head: string | undefined;
}

/** A person's call that changes a runner; without a tool if it was forgotten. */
export interface RunnerChange {
  readonly tool?: string;
  readonly runner?: string | undefined;
  /** When it may have begun, and when it was done. */
  readonly from: number;
  readonly to: number;
}

export interface Runners {
  readonly jobs: Map<string, Noted<FixedOrder>>;
  readonly receipts: Map<string, Noted<FixedRunnerReceipt>>;
  readonly results: Map<string, Noted<FixedRunnerResult>>;
  readonly effects: Map<string, HandedEffect>;
  /** Hashes of the decisions that may have handed something on, by signal. */
  readonly decisions: Map<string, string>;
  /** Calls that a decision shows, by the ids of their effects; undefined if they were forgotten. */
  readonly calls: Map<string, { readonly tool: string; readonly runner: string | undefined } | undefined>;
  readonly changes: RunnerChange[];
}

export const startRunners = (): Runners => ({
  jobs: new Map(),
  receipts: new Map(),
  results: new Map(),
  effects: new Map(),
  decisions: new Map(),
  calls: new Map(),
  changes: [],
});

const ACTUATOR = 'runner';

/** Called before the effects of the decision. */
export const noteDecisionOfRunner = (
  { decisions, calls }: Runners,
  id: string,
  fixed: FixedDecision,
  content: Fields | undefined,
): void => {
  const shown = content === undefined ? undefined : (readFieldList(content, 'actions') ?? []);
  let isNoted = shown === undefined;
  for (let n = 0; n < fixed.actions.length; n += 1) {
    const action = readFields(shown?.[n]?.action) ?? {};
    const tool = readText(action, 'tool') ?? '';
    if (isRunnerTool(tool) || machineOf(readText(action, 'url')) !== undefined) isNoted = true;
    if (shown === undefined) calls.set(effectId(id, n), undefined);
    else if (isRunnerTool(tool) || mayChange(tool, 'runner'))
      calls.set(effectId(id, n), { tool, runner: readText(readFields(action.args) ?? {}, 'name') });
  }
  if (isNoted) decisions.set(id, recordHash('decision', withoutAttempts(fixed)));
};

const headOf = (content: Fields | undefined): string | undefined => {
  const text = content === undefined ? undefined : readText(content, 'output');
  return text === undefined ? undefined : hashOf('output', text.slice(text.indexOf('\n') + 1));
};

const PERFORMED: readonly string[] = ['claimed', 'done', 'failed', 'unknown'];

const notePairing = ({ calls, changes }: Runners, id: string, { claimedAt = 0, settledAt = 0 }: FixedEffect): void => {
  if (!calls.has(id)) return;
  const call = calls.get(id);
  if (call === undefined || mayChange(call.tool, 'runner')) changes.push({ ...call, from: claimedAt, to: settledAt });
};

export const noteEffectOfRunner = (
  runners: Runners,
  subject: Subject,
  fixed: FixedEffect,
  content: Fields | undefined,
): void => {
  const { state, actionHash, trace, tries, approval, grant, output, handedTo, resolution, signalId } = fixed;
  if (state === 'done') notePairing(runners, subject.id, fixed);
  const { tool = '' } = runners.calls.get(subject.id) ?? {};
  if (fixed.actuator !== ACTUATOR && isRunnerTool(tool) && PERFORMED.includes(state))
    failOf(subject, `${tool} was performed, and by no runner`);
  if (fixed.actuator !== ACTUATOR) return;
  runners.effects.set(subject.id, {
    ...subject,
    signal: signalId,
    state,
    isHanded: handedTo !== undefined,
    isResolved: resolution !== undefined,
    actionHash,
    traceHash: tries > 1 ? undefined : hashOf('trace', trace),
    consent: approval ?? grant ?? '',
    output,
    head: headOf(content),
  });
};
