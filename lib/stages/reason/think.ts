/**
 * One attempt: ask the cascade, parse the answer, judge every action. Gives the attempt as it is stored; decides nothing.
 */

import { defined } from '../../base/defined.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import type { GatherFacts } from '../../judge/gather-facts.ts';
import { judgeAction } from '../../judge/judge.ts';
import type { Hear } from '../../llm/chat.ts';
import { parseProposal } from '../../llm/parse-proposal.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import type { Action } from '../../signal/action.ts';
import type { Attempt, JudgedAction } from '../../signal/decision.ts';
import type { Proposal } from '../../signal/proposal.ts';
import type { ReplyRoute } from '../../signal/signal.ts';
import type { PaidAnswer } from '../pay.ts';
import { buildActions } from './build-actions.ts';
import type { Draft } from './draft.ts';

export interface ThinkDeps {
  readonly gateSet: GateSet;
  readonly gatherFacts: GatherFacts;
  readonly ask: (prompt: Prompt, hear?: Hear) => Promise<PaidAnswer>;
  /** Streams the answer as far as it may be shown before it is whole; absent where it is not to be streamed. */
  readonly openDraft?: (judge: (action: Action) => Promise<JudgedAction>) => Draft | undefined;
  readonly reply: ReplyRoute;
  readonly webhookUrls: Readonly<Record<string, string>>;
  /** The turn is for one call of this tool and nothing else. */
  readonly onlyTool?: string | undefined;
}

/** Nothing of a draft is under way any more when the answer is judged. */
const askAloud = async (deps: ThinkDeps, prompt: Prompt): Promise<PaidAnswer> => {
  const draft = deps.openDraft?.((action) => judgeAction(deps.gateSet, action, deps.gatherFacts));
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
  return { ...booked, proposal: parsed.proposal, judged: await judgeProposal(deps, parsed.proposal) };
};

/** Every action of a proposal, in order, each judged on its own. */
export const judgeProposal = async (
  deps: Pick<ThinkDeps, 'gateSet' | 'gatherFacts' | 'reply' | 'webhookUrls'>,
  proposal: Proposal,
): Promise<JudgedAction[]> => {
  const judged: JudgedAction[] = [];
  for (const action of buildActions(proposal, deps.reply, deps.webhookUrls))
    judged.push(await judgeAction(deps.gateSet, action, deps.gatherFacts));
  return judged;
};

const isOnlyCall = ({ calls }: Proposal, tool: string): boolean => calls.length === 1 && calls[0]?.tool === tool;

/** A proposal stands when it holds at least one action and none is blocked. */
export const isAccepted = (attempt: Attempt): boolean =>
  attempt.judged.length > 0 && attempt.judged.every((judged) => judged.outcome !== 'block');

/** Hashes of the actions these attempts were blocked with: not to be proposed again. */
export const refusedHashes = (attempts: readonly Attempt[]): ReadonlySet<string> =>
  new Set(
    attempts.flatMap(({ judged }) => judged.filter(({ outcome }) => outcome === 'block').map(({ hash }) => hash)),
  );

/** Why an attempt was rejected, in sentences the model and the person can be told. */
export const rejectionReasons = (attempt: Attempt): readonly string[] => {
  if (attempt.problem !== undefined) return [`the answer could not be used: ${attempt.problem}`];
  const blocks = attempt.judged.flatMap((judged) =>
    judged.trace
      .filter((entry) => entry.verdict === 'block')
      .map((entry) => `${judged.action.tool ?? 'the reply'}: ${entry.reason} (${entry.gate})`),
  );
  return blocks.length > 0 ? blocks : ['the answer held neither text nor a tool call'];
};
