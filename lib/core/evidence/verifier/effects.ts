/**
 * Every effect must have a decision behind it that let exactly this action pass, with the whole
 * trace of the gates in both places. If the gates asked, it must have a grant, or an approval that
 * was given in time for this action and spent on nothing else. Keeps a summary of each record.
 */
import { CLOCK_SKEW_MS } from '../limits.ts';
import type { FixedApproval, FixedDecision, FixedEffect } from '../record-hash.ts';
import { fail, readFields, readText } from './fields.ts';

/** A record with its leaf. */
export interface Placed<T> {
  readonly id: string;
  /** Null while the record is within the merge delay. */
  readonly index: number | null;
  readonly fixed: T;
}

interface DecisionSummary {
  readonly index: number | null;
  readonly gateSet: string;
  readonly actions: readonly { readonly hash: string; readonly outcome: string }[];
}

interface Spending {
  readonly id: string;
  readonly index: number | null;
  readonly fixed: Pick<FixedEffect, 'signalId' | 'n' | 'actionHash' | 'claimedAt'>;
  readonly approval: string;
}

/** A trace of the last mile that lacks gates of its decision's set. */
interface PartialTrace {
  readonly id: string;
  readonly index: number | null;
  readonly missing: readonly string[];
  /** Versions of which it lacks no gate. */
  readonly complete: readonly string[];
}

export interface Effects {
  /** Names of the gates by version, as the file gives them. */
  readonly gateSets: ReadonlyMap<string, readonly string[]>;
  /** Versions that the file does not explain, each with the first decision that names it. */
  readonly unknownGateSets: Map<string, string>;
  readonly decisions: Map<string, DecisionSummary>;
  readonly approvals: Map<string, Placed<FixedApproval>>;
  /** Effects that were performed with an approval. */
  readonly spendings: Spending[];
  /** Gate sets that a decision names: another one of the file explains nothing. */
  readonly namedGateSets: Set<string>;
  readonly partialTraces: PartialTrace[];
}

export const startEffects = (gateSets: ReadonlyMap<string, readonly string[]>): Effects => ({
  gateSets,
  unknownGateSets: new Map(),
  decisions: new Map(),
  approvals: new Map(),
  spendings: [],
  namedGateSets: new Set(),
  partialTraces: [],
});

/** A gate that passed without a word stands in a trace by its name alone. */
const readEntry = (entry: unknown): { readonly gate: string; readonly verdict: string } => {
  if (typeof entry === 'string') return { gate: entry, verdict: 'pass' };
  const fields = readFields(entry) ?? {};
  return { gate: readText(fields, 'gate') ?? '', verdict: readText(fields, 'verdict') ?? '' };
};

const hasVerdict = (trace: readonly unknown[], verdict: string): boolean =>
  trace.some((entry) => readEntry(entry).verdict === verdict);

/** Gates of the set that did not run. */
const missingFrom = (trace: readonly unknown[], gates: readonly string[]): readonly string[] => {
  const ran = new Set(trace.map((entry) => readEntry(entry).gate));
  return gates.filter((gate) => !ran.has(gate));
};

export const addDecision = (effects: Effects, { id, index, fixed }: Placed<FixedDecision>): void => {
  const { gateSet, actions } = fixed;
  const gates = effects.gateSets.get(gateSet);
  effects.namedGateSets.add(gateSet);
  if (gates === undefined && !effects.unknownGateSets.has(gateSet)) effects.unknownGateSets.set(gateSet, id);
  for (const [n, { outcome, trace }] of actions.entries()) {
    if (outcome === 'block') continue;
    if (hasVerdict(trace, 'block')) fail('decision', id, index, `action ${n} passed though a gate blocked it`);
    const missing = missingFrom(trace, gates ?? []).join(', ');
    if (missing !== '')
      fail('decision', id, index, `the gate trace of action ${n} is not complete: ${missing} is missing`);
  }
  const summaries = actions.map(({ hash, outcome }) => ({ hash, outcome }));
  effects.decisions.set(id, { index, gateSet, actions: summaries });
};

export const addApproval = ({ approvals }: Effects, placed: Placed<FixedApproval>): void => {
  approvals.set(placed.id, placed);
};

const checkTrace = (
  { gateSets, partialTraces }: Effects,
  { id, index, fixed: { trace } }: Placed<FixedEffect>,
  gateSet: string,
): void => {
  if (trace.length === 0) fail('effect', id, index, 'it was performed without a gate trace');
  if (hasVerdict(trace, 'block')) fail('effect', id, index, 'it was performed though a gate blocked it');
  // If the file does not explain the gates of the decision, it does not explain these either.
  const missing = missingFrom(trace, gateSets.get(gateSet) ?? []);
  if (missing.length === 0) return;
  // The gates of the next release may have judged it, which a later decision names.
  const complete = [...gateSets].filter(([, gates]) => missingFrom(trace, gates).length === 0);
  partialTraces.push({ id, index, missing, complete: complete.map(([version]) => version) });
};

const checkPerformed = (
  effects: Effects,
  placed: Placed<FixedEffect>,
  { outcome }: { readonly outcome: string },
  gateSet: string,
): void => {
  const { id, index, fixed } = placed;
  if (outcome === 'block') fail('effect', id, index, 'it was performed though its decision blocked it');
  checkTrace(effects, placed, gateSet);
  const { approval, grant, trace, signalId, n, actionHash, claimedAt } = fixed;
  const isAsked = outcome === 'ask' || hasVerdict(trace, 'ask');
  if (isAsked && approval === undefined && grant === undefined)
    fail('effect', id, index, 'a gate asked for a person, and it was performed without an approval or a grant');
  if (approval !== undefined)
    effects.spendings.push({ id, index, approval, fixed: { signalId, n, actionHash, claimedAt } });
};

const PERFORMED: readonly string[] = ['claimed', 'done', 'failed', 'unknown'];

export const addEffect = (effects: Effects, placed: Placed<FixedEffect>): void => {
  const { id, index, fixed } = placed;
  const decision = effects.decisions.get(fixed.signalId);
  if (decision === undefined) fail('effect', id, index, 'there is no decision before it');
  if (index !== null && (decision.index === null || decision.index > index))
    fail('effect', id, index, 'its decision came after it');
  const action = decision.actions[fixed.n];
  if (action === undefined) fail('effect', id, index, 'its decision has no such action');
  if (action.hash !== fixed.actionHash) fail('effect', id, index, 'its action is not the one that was decided');
  if (PERFORMED.includes(fixed.state) || fixed.handedTo !== undefined)
    checkPerformed(effects, placed, action, decision.gateSet);
};

const checkSpent = ({ id, index, approval, fixed }: Spending, found: Placed<FixedApproval>): void => {
  const { state, spentAt, decidedAt, decider, expiresAt, ...given } = found.fixed;
  if (given.signalId !== fixed.signalId || given.n !== fixed.n || given.actionHash !== fixed.actionHash)
    fail('effect', id, index, 'its approval was given for another action');
  if (state !== 'spent' || spentAt === undefined)
    fail('effect', id, index, `its approval was not spent on it but is ${state}`);
  // This is exact: the write that spends it has this very time in its condition.
  if (spentAt >= expiresAt) fail('approval', approval, found.index, 'it was spent after it had expired');
  // Perceive's clock stamped one time, Act's clock the other.
  if (decidedAt === undefined || decidedAt > spentAt + CLOCK_SKEW_MS || decider === undefined)
    fail('approval', approval, found.index, 'it was spent before anybody had given it');
  // A later claim has another process's clock; earlier releases read theirs twice for the first.
  if (fixed.claimedAt !== undefined && fixed.claimedAt < spentAt - CLOCK_SKEW_MS)
    fail('approval', approval, found.index, 'it was spent after its action had been claimed');
};

/** Called after the last record: approvals may come after the effects they were spent on. */
export const endEffects = ({ namedGateSets, partialTraces, approvals, spendings }: Effects): void => {
  for (const { id, index, missing, complete } of partialTraces)
    if (!complete.some((version) => namedGateSets.has(version)))
      fail('effect', id, index, `its gate trace is not complete: ${missing.join(', ')} is missing`);
  const spentOn = new Map<string, string>();
  for (const spending of spendings) {
    const { id, index, approval } = spending;
    const found = approvals.get(approval);
    if (found === undefined) fail('effect', id, index, 'the approval it was performed with is not there');
    const other = spentOn.get(approval);
    if (other !== undefined) fail('approval', approval, found.index, `it was spent twice: on ${other} and on ${id}`);
    spentOn.set(approval, id);
    checkSpent(spending, found);
  }
};
