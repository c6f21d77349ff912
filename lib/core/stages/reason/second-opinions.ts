/**
 * Second opinions on an accepted proposal of high impact, off by default. The same prompt goes to
 * further providers, all at once; the calls are reserved before and settled after. Each answer is
 * stored as an attempt of its own, so a redelivery asks only who is missing. A provider that fails
 * has no vote. The taken proposal is judged again, so that gates can ask a person if models
 * disagree.
 */

import { LlmError } from '../../base/errors.ts';
import { ATTEMPTS_MAX, CONSENSUS_PROVIDERS_MAX } from '../../base/limits.ts';
import type { FactSources } from '../../judge/fact-sources.ts';
import { judgeProposal } from '../../judge/judge.ts';
import { capsOf } from '../../ledger/quota.ts';
import type { CascadeAnswer } from '../../llm/cascade.ts';
import { takeProposal } from '../../llm/consensus.ts';
import type { Priced } from '../../llm/prices.ts';
import { answeredCost, type CallCost, failedCost, worstCharge } from '../../llm/prices.ts';
import { orderByHealth } from '../../llm/provider-health.ts';
import { withTier } from '../../llm/providers.ts';
import { reserveCall, settleCall } from '../../money/reserve.ts';
import type { Attempt, BookedCost, Consensus } from '../../signal/decision.ts';
import { childId } from '../../signal/ids.ts';
import type { Item } from '../../store/table.ts';
import { noteHealth } from './ask-model.ts';
import { factSources, judgeAnswer, type MadeAttempt, saveAttempt } from './attempt.ts';
import { chooseModels } from './choose-model.ts';
import type { TurnContext } from './reason-deps.ts';

/** The attempt to decide on, and how the models agreed. @throws UnavailableError (retryable) */
export const takeOpinions = async (
  context: TurnContext,
  made: MadeAttempt,
): Promise<{ readonly attempt: Attempt; readonly consensus: Consensus }> => {
  const { deps } = context;
  const opening = made.attempt;
  const votes = await gatherVotes(context, made);
  const { taken, consensus, facts } = takeProposal(opening, votes);
  const sources = factSources(context, made.prompt, facts);
  const judged =
    taken.proposal === undefined ? taken.judged : await judgeProposal(deps.gateSet, taken.proposal, sources);
  const turnUsd = turnUsdOf(opening) + sumOf(votes).usd;
  const paid = taken.cost === undefined ? taken : { ...taken, cost: { ...taken.cost, turnUsd } };
  return { attempt: { ...paid, judged }, consensus };
};

const gatherVotes = async (context: TurnContext, made: MadeAttempt): Promise<readonly Attempt[]> => {
  const { deps, turn, spending } = context;
  const { space, id: signalId } = turn.record.signal;
  const now = deps.now();
  const id = childId(signalId, 'votes');
  const votes = turn.attempts.filter(({ isVote }) => isVote);
  const providers = chooseModels(context, made.prompt).providers;
  const voters = votersOf(context, made.attempt, votes, providers, now);
  const sources = factSources(context, made.prompt);
  let { item } = spending;
  if (voters.length > 0) {
    const worst = worstCharge(id, voters, made.prompt.prompt.tokens);
    const request = { account: spending.account, worst, caps: capsOf(spending, deps.budget.caps) };
    const reserved = await reserveCall(deps.table, space, now, item, request);
    // Without room in the budget nobody else is asked.
    if (reserved.kind === 'over') return votes;
    item = reserved.item;
    const free = freeNumbers(votes);
    const own = providers.filter(({ name }) => name === made.attempt.provider);
    const asking = voters.map((voter, index) =>
      askVoter(context, made, { n: free[index] ?? 0, order: [voter, ...own], voter, item: reserved.item, sources }),
    );
    // Every answer that was paid for is stored before a failure ends the delivery.
    for (const one of await Promise.allSettled(asking)) {
      if (one.status === 'rejected') throw one.reason;
      votes.push(one.value);
    }
  }
  if (votes.length > 0) await settleCall(deps.table, space, now, item, spending.account, { id, ...sumOf(votes) });
  return votes;
};

/** Providers that have not answered yet, healthy ones first, with the opening's tier. */
const votersOf = (
  { deps, spending }: TurnContext,
  opening: Attempt,
  votes: readonly Attempt[],
  providers: readonly Priced[],
  now: number,
): readonly Priced[] => {
  const answered = new Set([opening, ...votes].map(({ provider }) => provider));
  const tiered = providers.map((provider) => withTier(provider, opening.tier ?? 'cognition'));
  const order = orderByHealth(tiered, spending.item, now);
  const missing = deps.models.opinions - 1 - votes.length;
  return order.filter(({ name }) => !answered.has(name)).slice(0, Math.max(0, missing));
};

/** Votes have numbers after all attempts of the signal itself. A redelivery looks for these. */
const freeNumbers = (votes: readonly Attempt[]): readonly number[] =>
  Array.from({ length: CONSENSUS_PROVIDERS_MAX - 1 }, (_, index) => ATTEMPTS_MAX + 1 + index).filter(
    (number) => !votes.some(({ n }) => n === number),
  );

interface Question {
  /** Number of the vote. */
  readonly n: number;
  readonly voter: Priced;
  /** The voter, and the provider of the opening: a fault of the voter alone is its own. */
  readonly order: readonly Priced[];
  readonly item: Item;
  readonly sources: FactSources;
}

const askVoter = async (context: TurnContext, made: MadeAttempt, question: Question): Promise<Attempt> => {
  const { deps } = context;
  const { n, voter, sources } = question;
  const { prompt, attempt: opening } = made;
  const { tokens } = prompt.prompt;
  const at = deps.now();
  const costOf = ({ usd, tokens: spent, isEstimated }: CallCost): BookedCost => ({
    id: childId(context.turn.record.signal.id, `v${n}`),
    usd,
    tokens: spent,
    isEstimated,
    turnUsd: turnUsdOf(opening) + usd,
  });
  const answer = await askOne(context, made, question);
  const vote: Attempt =
    answer instanceof LlmError
      ? {
          ...failedAttempt(made, question, answer, deps.now()),
          cost: costOf(failedCost([voter], answer.billed, tokens)),
        }
      : await judgeAnswer(
          context,
          { n, at, prompt, sources },
          { ...answer, cost: costOf(answeredCost([voter], answer, tokens)) },
        );
  const numbered: Attempt = { ...vote, isVote: true };
  await saveAttempt(context, numbered);
  return numbered;
};

/** Asks one provider, and nobody in its place. */
const askOne = async (
  context: TurnContext,
  { prompt: { prompt, shrink } }: MadeAttempt,
  { voter, order, item }: Question,
): Promise<CascadeAnswer | LlmError> => {
  const { deps, remainingMs } = context;
  const answer = await deps.ask(prompt, remainingMs, { providers: [voter], shrink }).catch((error: unknown) => {
    if (error instanceof LlmError) return error;
    throw error;
  });
  await noteHealth(context, order, item, answer);
  return answer;
};

/** A provider that failed has no proposal. Its call may cost something all the same. */
const failedAttempt = ({ prompt }: MadeAttempt, { n, voter }: Question, error: LlmError, at: number): Attempt => ({
  schemaVersion: 1,
  n,
  at,
  provider: voter.name,
  model: voter.model,
  promptHash: prompt.prompt.hash,
  problem: error.failures.join('; ').slice(0, 300) || 'it was not asked',
  judged: [],
});

const turnUsdOf = ({ cost }: Attempt): number => cost?.turnUsd ?? 0;

const sumOf = (votes: readonly Attempt[]): { usd: number; tokens: number } => ({
  usd: votes.reduce((sum, { cost }) => sum + (cost?.usd ?? 0), 0),
  tokens: votes.reduce((sum, { cost }) => sum + (cost?.tokens ?? 0), 0),
});
