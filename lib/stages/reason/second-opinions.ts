/**
 * Second opinions on an accepted proposal of high impact: the same prompt to further providers, all at once, reserved before and
 * settled after like any call, each answer stored as an attempt of its own. A redelivery finds what was stored and asks only
 * who is missing. A provider that fails is no vote, and one that the budget has no room for is not asked. Off by default.
 */

import { LlmError } from '../../base/errors.ts';
import { ATTEMPTS_MAX, CONSENSUS_PROVIDERS_MAX } from '../../base/limits.ts';
import { capsOf } from '../../ledger/quota.ts';
import type { CascadeAnswer } from '../../llm/cascade.ts';
import type { Priced } from '../../llm/prices.ts';
import { answeredCost, type CallCost, failedCost, worstCharge } from '../../llm/prices.ts';
import { orderByHealth } from '../../llm/provider-health.ts';
import { withTier } from '../../llm/providers.ts';
import { reserveCall, settleCall } from '../../money/reserve.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import type { Attempt } from '../../signal/decision.ts';
import { childId } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Item, Table } from '../../store/table.ts';
import { type Budget, chargesOf, type Spending } from '../spending.ts';
import type { PaidAnswer } from './pay.ts';

export interface OpinionDeps {
  readonly table: Pick<Table, 'load' | 'update'>;
  readonly budget: Budget;
  /** How many providers are asked in all. */
  readonly count: number;
  /** Asks one provider, and nobody in its place. */
  readonly ask: (voter: Priced, item: Item) => Promise<CascadeAnswer>;
  /** Makes an attempt of what it says: parsed and judged like any answer. */
  readonly judge: (n: number, ask: () => Promise<PaidAnswer>) => Promise<Attempt>;
  readonly save: (attempt: Attempt) => Promise<void>;
  readonly now: () => number;
}

export interface Opened {
  readonly signal: Signal;
  /** The accepted proposal. */
  readonly opening: Attempt;
  /** What an earlier delivery stored. */
  readonly votes: readonly Attempt[];
  readonly prompt: Pick<Prompt, 'tokens' | 'hash'>;
  readonly spending: Spending;
  /** Who may be asked, in order. */
  readonly providers: readonly Priced[];
}

/** Others than those that have answered, the well ones first, with their model of the opening's tier. */
const votersOf = ({ opening, votes, providers, spending }: Opened, count: number, now: number): readonly Priced[] => {
  const asked = new Set([opening, ...votes].map(({ provider }) => provider));
  const tiered = providers.map((provider) => withTier(provider, opening.tier ?? 'cognition'));
  const { order } = orderByHealth(tiered, spending.item, now);
  return order.filter(({ name }) => !asked.has(name)).slice(0, Math.max(0, count - 1 - votes.length));
};

/** Votes are numbered after all that may be attempts of the signal itself; these numbers are what a redelivery looks for. */
const freeNumbers = (votes: readonly Attempt[]): readonly number[] =>
  Array.from({ length: CONSENSUS_PROVIDERS_MAX - 1 }, (_, index) => ATTEMPTS_MAX + 1 + index).filter(
    (number) => !votes.some(({ n }) => n === number),
  );

const sumOf = (votes: readonly Attempt[]): { usd: number; tokens: number } => ({
  usd: votes.reduce((sum, { cost }) => sum + (cost?.usd ?? 0), 0),
  tokens: votes.reduce((sum, { cost }) => sum + (cost?.tokens ?? 0), 0),
});

/** Who failed has no proposal; what that may cost is booked all the same. */
const failedAttempt = (n: number, voter: Priced, error: LlmError, prompt: string, at: number): Attempt => ({
  schemaVersion: 1,
  n,
  at,
  provider: voter.name,
  model: voter.model,
  promptHash: prompt,
  problem: error.failures.join('; ').slice(0, 300) || 'it was not asked',
  judged: [],
});

const askVoter = async (deps: OpinionDeps, opened: Opened, voter: Priced, n: number, item: Item): Promise<Attempt> => {
  const { signal, prompt, opening } = opened;
  const book = ({ usd, tokens, isEstimated }: CallCost): PaidAnswer['cost'] => ({
    id: childId(signal.id, `v${n}`),
    usd,
    tokens,
    isEstimated,
    turnUsd: (opening.cost?.turnUsd ?? 0) + usd,
  });
  const ask = async (): Promise<PaidAnswer> => {
    const answered = await deps.ask(voter, item);
    return { ...answered, cost: book(answeredCost([voter], answered, prompt.tokens)) };
  };
  const vote = await deps.judge(n, ask).catch((error: unknown): Attempt => {
    if (!(error instanceof LlmError)) throw error;
    const cost = book(failedCost([voter], error.billed, prompt.tokens));
    return { ...failedAttempt(n, voter, error, prompt.hash, deps.now()), cost };
  });
  const numbered: Attempt = { ...vote, isVote: true };
  await deps.save(numbered);
  return numbered;
};

/** All that others say to the prompt of an accepted proposal. @throws UnavailableError (retryable) */
export const gatherOpinions = async (deps: OpinionDeps, opened: Opened): Promise<readonly Attempt[]> => {
  const { signal, spending, prompt, votes } = opened;
  const { space } = signal;
  const now = deps.now();
  const id = childId(signal.id, 'votes');
  const voters = votersOf(opened, deps.count, now);
  let item = spending.item;
  const given: Attempt[] = [...votes];
  if (voters.length > 0) {
    const worst = worstCharge(id, voters, prompt.tokens);
    const known = [...spending.known, ...chargesOf([opened.opening])];
    const request = { account: spending.account, worst, caps: capsOf(spending, deps.budget.caps), known };
    const reserved = await reserveCall(deps.table, space, now, item, request);
    if (reserved.kind === 'over') return given;
    item = reserved.item;
    const free = freeNumbers(votes);
    const asking = voters.map((voter, index) => askVoter(deps, opened, voter, free[index] ?? 0, reserved.item));
    // All are waited for before one's failure is told: what was paid is stored first.
    for (const one of await Promise.allSettled(asking)) {
      if (one.status === 'rejected') throw one.reason;
      given.push(one.value);
    }
  }
  if (given.length > 0) await settleCall(deps.table, space, now, item, spending.account, { id, ...sumOf(given) });
  return given;
};

/** What the turn has cost with them. */
export const withOpinionsPaid = (taken: Attempt, opening: Attempt, votes: readonly Attempt[]): Attempt =>
  taken.cost === undefined
    ? taken
    : { ...taken, cost: { ...taken.cost, turnUsd: (opening.cost?.turnUsd ?? 0) + sumOf(votes).usd } };
