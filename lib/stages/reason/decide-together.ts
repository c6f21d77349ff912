/**
 * The decision that an accepted proposal of high impact leads to once others were asked about it: the proposal is stored, the
 * others are asked, what is taken is judged again with what was found, so that the gates can ask a person where the models do
 * not agree. Repeating it asks nobody whose answer is stored. @see second-opinions.ts, lib/llm/consensus.ts
 */

import { judgeProposal } from '../../judge/judge.ts';
import { loadKillSwitch } from '../../ledger/kill-switch.ts';
import { takeProposal } from '../../llm/consensus.ts';
import type { Priced } from '../../llm/prices.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import type { Attempt, Decision } from '../../signal/decision.ts';
import type { ConsensusFacts } from '../../signal/facts.ts';
import type { Table } from '../../store/table.ts';
import type { LoadedTurn } from './load-turn.ts';
import { gatherOpinions, type OpinionDeps, withOpinionsPaid } from './second-opinions.ts';
import { type ThinkDeps, think } from './think.ts';

export interface TogetherDeps extends Omit<OpinionDeps, 'judge' | 'table'> {
  readonly table: Pick<Table, 'load' | 'update'>;
  /** What an answer to this prompt is judged by. */
  readonly thinkDeps: (consensus?: ConsensusFacts) => Omit<ThinkDeps, 'ask'>;
  readonly accept: (attempt: Attempt) => Decision;
}

/** @returns undefined where everything was stopped while the first was thinking. @throws UnavailableError (retryable) */
export const decideTogether = async (
  deps: TogetherDeps,
  turn: LoadedTurn,
  asked: { readonly opening: Attempt; readonly prompt: Prompt; readonly providers: readonly Priced[] },
): Promise<Decision | undefined> => {
  const { opening, prompt } = asked;
  const { signal } = turn.record;
  await deps.save(opening);
  if ((await loadKillSwitch(deps.table, signal.space))?.isStopped === true) return undefined;
  const thinking = deps.thinkDeps();
  const votes = await gatherOpinions(
    { ...deps, judge: (n, ask) => think({ ...thinking, ask }, prompt, n, deps.now()) },
    { ...asked, signal, votes: turn.attempts.filter(({ isVote }) => isVote), spending: turn.spending },
  );
  const { taken, consensus, facts } = takeProposal(opening, votes);
  const { proposal } = taken;
  const { gateSet, sources } = deps.thinkDeps(facts);
  const judged = proposal === undefined ? taken.judged : await judgeProposal(gateSet, proposal, sources);
  const attempt = { ...withOpinionsPaid(taken, opening, votes), judged };
  return { ...deps.accept(attempt), attemptCount: opening.n, consensus };
};
