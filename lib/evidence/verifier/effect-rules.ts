/**
 * What effects must have behind them: a decision that let exactly this action pass, the whole trace
 * of the gates in both places, and where the gates asked, an approval that was given, in time, for
 * this action, and spent on nothing else; or a grant. Keeps a summary of each decision and
 * approval, not the records.
 */
import { CLOCK_SKEW_MS } from '../limits.ts';
import type { FixedApproval, FixedDecision, FixedEffect } from '../record-hash.ts';
import { fail } from './wrong.ts';

/** A record with what its leaf says. */
export interface Placed<T> {
  readonly id: string;
  /** Of its leaf; null while it is within the merge delay. */
  readonly index: number | null;
  readonly fixed: T;
}

export interface EffectRules {
  readonly addDecision: (placed: Placed<FixedDecision>) => void;
  readonly addEffect: (placed: Placed<FixedEffect>) => void;
  readonly addApproval: (placed: Placed<FixedApproval>) => void;
  /** Called after the last record: approvals may come after the effects they were spent on. */
  readonly end: () => void;
}

interface DecisionSummary {
  readonly index: number | null;
  readonly gateSet: string;
  readonly actions: readonly { readonly hash: string; readonly outcome: string }[];
}
type ApprovalSummary = Placed<FixedApproval>;
type EffectSummary = Pick<Placed<FixedEffect>, 'id' | 'index'> &
  Pick<FixedEffect, 'signalId' | 'n' | 'actionHash' | 'claimedAt'> & { readonly approval: string };

/** A trace of the last mile that lacks gates of its decision's set. */
interface PartialTrace {
  readonly id: string;
  readonly index: number | null;
  readonly missing: readonly string[];
  /** Versions of which it lacks none. */
  readonly complete: readonly string[];
}

const PERFORMED = ['claimed', 'done', 'failed', 'unknown'];

const gateOf = (entry: unknown): string => {
  if (typeof entry === 'string') return entry;
  const gate = typeof entry === 'object' && entry !== null && 'gate' in entry ? entry.gate : undefined;
  return typeof gate === 'string' ? gate : '';
};
const verdictOf = (entry: unknown): string => {
  if (typeof entry === 'string') return 'pass';
  const verdict = typeof entry === 'object' && entry !== null && 'verdict' in entry ? entry.verdict : undefined;
  return typeof verdict === 'string' ? verdict : '';
};

const hasVerdict = (trace: readonly unknown[], verdict: string): boolean =>
  trace.some((entry) => verdictOf(entry) === verdict);

/** Gates of the set that did not run. */
const missingFrom = (trace: readonly unknown[], gates: readonly string[]): readonly string[] => {
  const ran = new Set(trace.map(gateOf));
  return gates.filter((gate) => !ran.has(gate));
};

/**
 * @param gateSets names of the gates by version, as the file gives them
 * @param onUnknown is told of a version the file does not explain, and of the decision that names
 * it
 */
export const buildEffectRules = (
  gateSets: ReadonlyMap<string, readonly string[]>,
  onUnknown: (version: string, decision: string) => void,
): EffectRules => {
  const decisions = new Map<string, DecisionSummary>();
  const approvals = new Map<string, ApprovalSummary>();
  const spending: EffectSummary[] = [];
  const used = new Map<string, string>();
  /** Gate sets that a decision names: another one of the file explains nothing. */
  const named = new Set<string>();
  const partial: PartialTrace[] = [];

  const checkTrace = ({ id, index, fixed }: Placed<FixedEffect>, gateSet: string): void => {
    if (fixed.trace.length === 0) fail('effect', id, index, 'it was performed without a gate trace');
    if (hasVerdict(fixed.trace, 'block')) fail('effect', id, index, 'it was performed though a gate blocked it');
    // Decided under gates the file does not explain, it was judged again by gates it does not
    // explain either.
    const own = gateSets.get(gateSet);
    const missing = missingFrom(fixed.trace, own ?? []);
    if (missing.length === 0) return;
    // It may have been judged again under the gates of the next release, which a later decision
    // names.
    const versions = [...gateSets].filter(([, gates]) => missingFrom(fixed.trace, gates).length === 0);
    partial.push({ id, index, missing, complete: versions.map(([version]) => version) });
  };

  const checkPartial = ({ id, index, missing, complete }: PartialTrace): void => {
    if (!complete.some((version) => named.has(version)))
      fail('effect', id, index, `its gate trace is not complete: ${missing.join(', ')} is missing`);
  };

  const checkPerformed = (placed: Placed<FixedEffect>, outcome: string, gateSet: string): void => {
    const { id, index, fixed } = placed;
    if (outcome === 'block') fail('effect', id, index, 'it was performed though its decision blocked it');
    checkTrace(placed, gateSet);
    const { approval, grant, signalId, n, actionHash, claimedAt } = fixed;
    const isAsked = outcome === 'ask' || hasVerdict(fixed.trace, 'ask');
    if (isAsked && approval === undefined && grant === undefined)
      fail('effect', id, index, 'a gate asked for a person, and it was performed without an approval or a grant');
    if (approval !== undefined) spending.push({ id, index, signalId, n, actionHash, claimedAt, approval });
  };

  const checkSpent = ({ id, index, approval, signalId, n, actionHash, claimedAt }: EffectSummary): void => {
    const found = approvals.get(approval);
    if (found === undefined) fail('effect', id, index, 'the approval it was performed with is not there');
    const { fixed } = found;
    const usedBy = used.get(approval);
    if (usedBy !== undefined) fail('approval', approval, found.index, `it was spent twice: on ${usedBy} and on ${id}`);
    used.set(approval, id);
    if (fixed.signalId !== signalId || fixed.n !== n || fixed.actionHash !== actionHash)
      fail('effect', id, index, 'its approval was given for another action');
    if (fixed.state !== 'spent' || fixed.spentAt === undefined)
      fail('effect', id, index, `its approval was not spent on it but is ${fixed.state}`);
    const { spentAt, decidedAt } = fixed;
    // Exact: the write that spends it has this very time in its condition.
    if (spentAt >= fixed.expiresAt) fail('approval', approval, found.index, 'it was spent after it had expired');
    // Perceive's clock and Act's.
    if (decidedAt === undefined || decidedAt > spentAt + CLOCK_SKEW_MS || fixed.decider === undefined)
      fail('approval', approval, found.index, 'it was spent before anybody had given it');
    // A later claim has the clock of another process, and earlier releases read theirs twice for
    // the first.
    if (claimedAt !== undefined && claimedAt < spentAt - CLOCK_SKEW_MS)
      fail('approval', approval, found.index, 'it was spent after its action had been claimed');
  };

  return {
    addDecision: ({ id, index, fixed }) => {
      const gates = gateSets.get(fixed.gateSet);
      named.add(fixed.gateSet);
      if (gates === undefined) onUnknown(fixed.gateSet, id);
      for (const [n, { outcome, trace }] of fixed.actions.entries()) {
        if (outcome === 'block') continue;
        if (hasVerdict(trace, 'block')) fail('decision', id, index, `action ${n} passed though a gate blocked it`);
        const missing = missingFrom(trace, gates ?? []);
        if (missing.length > 0)
          fail(
            'decision',
            id,
            index,
            `the gate trace of action ${n} is not complete: ${missing.join(', ')} is missing`,
          );
      }
      decisions.set(id, {
        index,
        gateSet: fixed.gateSet,
        actions: fixed.actions.map(({ hash, outcome }) => ({ hash, outcome })),
      });
    },
    addEffect: (placed) => {
      const { id, index, fixed } = placed;
      const decision = decisions.get(fixed.signalId);
      if (decision === undefined) return fail('effect', id, index, 'there is no decision before it');
      if (index !== null && (decision.index === null || decision.index > index))
        fail('effect', id, index, 'its decision came after it');
      const action = decision.actions[fixed.n];
      if (action === undefined) return fail('effect', id, index, 'its decision has no such action');
      if (action.hash !== fixed.actionHash) fail('effect', id, index, 'its action is not the one that was decided');
      if (PERFORMED.includes(fixed.state)) checkPerformed(placed, action.outcome, decision.gateSet);
    },
    addApproval: (placed) => {
      approvals.set(placed.id, placed);
    },
    end: () => {
      partial.forEach(checkPartial);
      spending.forEach(checkSpent);
    },
  };
};
