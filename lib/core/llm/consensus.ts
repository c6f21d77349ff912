/**
 * Consensus: compares what several models proposed for one prompt, and takes one proposal. Compared
 * are the effects, not the words that explain them; two answers that do nothing are alike. A
 * majority of those who answered wins, two at least; else the safest proposal by its verdicts.
 * Pure.
 */
import { hashOf } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { isText } from '../signal/action.ts';
import type { Attempt, Consensus, JudgedAction, Outcome } from '../signal/decision.ts';
import type { ConsensusFacts } from '../signal/facts.ts';

const isReply = ({ action, facts }: JudgedAction): boolean => isText(action) && facts.at(-1)?.isPlainReply === true;

const hasAsk = ({ trace }: JudgedAction): boolean => trace.some(({ verdict }) => verdict === 'ask');

/** The action leaves the space, or a gate asks a person about it. */
const isImpact = (judged: JudgedAction): boolean =>
  !isReply(judged) && (hasAsk(judged) || judged.action.target === 'webhook');

/** Tells whether other models are asked before such a proposal is taken. */
export const isHighImpact = (judged: readonly JudgedAction[]): boolean => judged.some(isImpact);

/** Hash of a proposal's effects, the same for all without effects; undefined for no proposal. */
export const formOf = ({ problem, judged }: Attempt): string | undefined => {
  if (problem !== undefined || judged.length === 0) return undefined;
  const effects = judged.filter((one) => !isReply(one));
  return hashOf(
    'proposal',
    effects.map(({ action: { explanation: _, ...rest } }) => rest),
  );
};

const isAcceptable = ({ judged }: Attempt): boolean =>
  judged.length > 0 && judged.every(({ outcome }) => outcome !== 'block');

const verdictOf = (attempt: Attempt): Outcome | 'none' => {
  if (formOf(attempt) === undefined) return 'none';
  if (!isAcceptable(attempt)) return 'block';
  return attempt.judged.some(hasAsk) ? 'ask' : 'pass';
};

/** Smaller is safer: high-impact actions, then those gates ask about, then all but replies. */
const riskOf = ({ judged }: Attempt): readonly number[] => [
  judged.filter(isImpact).length,
  judged.filter(hasAsk).length,
  judged.filter((one) => !isReply(one)).length,
];

const nameOf = ({ provider, model }: Attempt): string => `${provider}/${model}`;

const bySafety = (a: Attempt, b: Attempt): number => {
  const [left, right] = [riskOf(a), riskOf(b)];
  for (const [index, risk] of left.entries()) {
    const difference = risk - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : a.n - b.n;
};

/** The proposals whose form more than half of all voters share. */
const majorityOf = (voted: readonly Attempt[]): readonly Attempt[] => {
  for (const one of voted) {
    const alike = voted.filter((other) => formOf(other) === formOf(one));
    if (alike.length > 1 && alike.length * 2 > voted.length) return alike;
  }
  return [];
};

export interface Agreement {
  readonly taken: Attempt;
  /** Stored with the decision. */
  readonly consensus: Consensus;
  /** The gates get this as a fact. */
  readonly facts: ConsensusFacts;
}

const byNumber = (a: Attempt, b: Attempt): number => a.n - b.n;

/** @param votes the others' answers to the same prompt, failures included */
export const takeProposal = (opening: Attempt, votes: readonly Attempt[]): Agreement => {
  const all = [opening, ...votes.toSorted(byNumber)];
  const voted = all.filter((attempt) => formOf(attempt) !== undefined);
  const alike = majorityOf(voted);
  const [byMajority] = alike.filter(isAcceptable);
  const taken = byMajority ?? voted.filter(isAcceptable).toSorted(bySafety)[0] ?? opening;
  const others = voted.filter((attempt) => formOf(attempt) !== formOf(taken));
  const isAgreed = byMajority !== undefined && others.length === 0;
  const outcome = voted.length < 2 ? 'alone' : isAgreed ? 'agreed' : byMajority !== undefined ? 'majority' : 'safest';
  return {
    taken,
    consensus: {
      outcome,
      taken: taken.n,
      votes: all.map((attempt) => ({
        n: attempt.n,
        provider: attempt.provider,
        model: attempt.model,
        verdict: verdictOf(attempt),
        ...defined({ form: formOf(attempt) }),
      })),
    },
    facts: {
      votes: voted.length,
      agreeing: voted.length - others.length,
      others: others.map(({ provider }) => provider),
    },
  };
};
