/**
 * One attempt: ask the cascade, parse the answer, judge every action. Gives the attempt as it is stored; decides nothing.
 */

import { defined } from '../../base/defined.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import type { FactSources } from '../../judge/gather-facts.ts';
import { judgeAction, judgeProposal } from '../../judge/judge.ts';
import type { Hear } from '../../llm/chat.ts';
import { parseProposal } from '../../llm/parse-proposal.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import type { Action } from '../../signal/action.ts';
import type { Attempt, JudgedAction, Proposal } from '../../signal/decision.ts';
import type { Draft } from './draft.ts';
import type { PaidAnswer } from './pay.ts';

export interface ThinkDeps {
  readonly gateSet: GateSet;
  readonly sources: FactSources;
  readonly ask: (prompt: Prompt, hear?: Hear) => Promise<PaidAnswer>;
  /** Streams the answer as far as it may be shown before it is whole; absent where it is not to be streamed. */
  readonly openDraft?: (judge: (action: Action) => Promise<JudgedAction>) => Draft | undefined;
  /** The turn is for one call of this tool and nothing else. */
  readonly onlyTool?: string | undefined;
}

/** Nothing of a draft is under way any more when the answer is judged. */
const askAloud = async (deps: ThinkDeps, prompt: Prompt): Promise<PaidAnswer> => {
  const draft = deps.openDraft?.((action) => judgeAction(deps.gateSet, action, deps.sources));
  try {
    return await deps.ask(prompt, draft?.hear);
  } finally {
    await draft?.end();
  }
};

/** @throws LlmError when no provider answered. */
export const think = async (deps: ThinkDeps, prompt: Prompt, n: number, now: number): Promise<Attempt> => {
  const answered = await askAloud(deps, prompt);
  const booked = {
    schemaVersion: 1,
    n,
    at: now,
    provider: answered.provider,
    model: answered.model,
    promptHash: answered.promptHash ?? prompt.hash,
    ...(answered.choice === undefined ? {} : { tier: answered.choice.tier, tierBecause: answered.choice.because }),
    ...(answered.failures.length === 0 ? {} : { failures: [...answered.failures] }),
    ...defined({
      inputTokens: answered.inputTokens,
      cachedTokens: answered.cachedTokens,
      outputTokens: answered.outputTokens,
    }),
    cost: answered.cost,
  } as const;
  const parsed = parseProposal(answered.answer);
  if ('problem' in parsed) return { ...booked, problem: parsed.problem, judged: [] };
  if (deps.onlyTool !== undefined && !isOnlyCall(parsed.proposal, deps.onlyTool))
    return { ...booked, problem: `it must be one call of ${deps.onlyTool}, and no other`, judged: [] };
  return {
    ...booked,
    proposal: parsed.proposal,
    judged: await judgeProposal(deps.gateSet, parsed.proposal, deps.sources),
  };
};

const isOnlyCall = ({ calls }: Proposal, tool: string): boolean => calls.length === 1 && calls[0]?.tool === tool;
