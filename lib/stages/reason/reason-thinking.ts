/**
 * One attempt of Reason: what its answer is judged by, and the draft it is streamed to. The facts are gathered for the gates as
 * they stand now; the attempt is given as it is stored.
 */

import type { FactSources } from '../../judge/gather-facts.ts';
import { blockedHashes, buildPolicyVersion } from '../../judge/judge.ts';
import { listedLinks } from '../../judge/listed-links.ts';
import type { SpacePolicy } from '../../judge/policy/space-policy.ts';
import { buildFloodFacts, deniedHashes } from '../../ledger/session-controls.ts';
import type { Hear } from '../../llm/chat.ts';
import { budgetFacts } from '../../money/plan-reservation.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import { whyOff } from '../../prompt/skill-settings.ts';
import type { Action } from '../../signal/action.ts';
import { isGroup } from '../../signal/asker.ts';
import type { Attempt, JudgedAction } from '../../signal/decision.ts';
import type { ConsensusFacts } from '../../signal/facts.ts';
import { onlyToolOf } from '../../tools/catalogue.ts';
import type { Budget, Spending } from '../spending.ts';
import { type Draft, openDraft } from './draft.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { PaidAnswer } from './pay.ts';
import type { ReasonDeps } from './reason-ports.ts';
import { type ThinkDeps, think } from './think.ts';

export const attemptOnce = (
  deps: ReasonDeps,
  turn: LoadedTurn,
  policy: SpacePolicy,
  prompt: Prompt,
  earlier: readonly Attempt[],
  ask: (prompt: Prompt, hear?: Hear) => Promise<PaidAnswer>,
): Promise<Attempt> =>
  think(
    {
      ...thinkDeps(deps, turn, policy, prompt, earlier),
      openDraft: draftFor(deps, turn, prompt, earlier.length + 1),
      ask,
    },
    prompt,
    earlier.length + 1,
    deps.now(),
  );

/** The draft an answer is streamed to, where drafts are kept. */
const draftFor =
  (
    deps: ReasonDeps,
    { record: { signal }, rootPayload, policyText }: LoadedTurn,
    { origin }: Prompt,
    attempt: number,
  ) =>
  (judge: (action: Action) => Promise<JudgedAction>): Draft | undefined =>
    deps.drafts &&
    openDraft(deps.drafts, {
      signal,
      rootSensor: rootPayload.sensor,
      attempt,
      origin,
      policyText,
      secrets: deps.secrets,
      privacyTags: deps.privacyTags ?? [],
      gateSetVersion: deps.gateSet.version,
      judge,
    });

/** What an answer to this prompt is judged by. */
export const thinkDeps = (
  deps: ReasonDeps,
  turn: LoadedTurn,
  policy: SpacePolicy,
  prompt: Prompt,
  earlier: readonly Attempt[],
  consensus?: ConsensusFacts,
): Omit<ThinkDeps, 'ask'> => {
  const { signal } = turn.record;
  const now = deps.now();
  const saidBefore = turn.steps.map((step) => (step.kind === 'answer' ? (step.text ?? '') : '')).join('\n');
  const sources: FactSources = {
    stage: 'reason',
    now,
    space: signal.space,
    isStopped: false,
    reply: signal.reply,
    origin: prompt.origin,
    secrets: deps.secrets,
    webhookUrls: deps.webhookUrls,
    mcp: turn.mcp,
    isLoopbackAllowed: deps.isLoopbackAllowed,
    resolveAddresses: deps.resolveAddresses,
    policyVersion: buildPolicyVersion(deps.gateSet, policy.hash),
    policy,
    whyOff: (tool) => whyOff(tool, turn.settings),
    session: signal.session,
    sensor: signal.payload.sensor,
    privacyTags: deps.privacyTags ?? [],
    refusedHashes: blockedHashes(earlier),
    deniedHashes: deniedHashes(turn.head, { root: signal.root, isByApprover: turn.asker === 'approver' }, now),
    flood: buildFloodFacts(turn.head, now, now),
    listedLinks: listedLinks(turn.rootPayload, saidBefore, deps.eventLinkHosts),
    budgetOf: budgetOf(deps.budget, turn.spending),
    consensus,
    askedBy: turn.asker,
    chatMemory: turn.chatMemory,
    isMemoryShown: isGroup(signal.reply) && (turn.wasMemoryShown || prompt.seen.length > 0),
    approval: null,
  };
  const { gateSet } = deps;
  const onlyTool = onlyToolOf(signal.payload.sensor)?.name;
  return { gateSet, sources, onlyTool };
};

const budgetOf =
  (budget: Budget, { item, account }: Spending) =>
  (action: Action) =>
    budgetFacts(action, { item, account, caps: budget.caps, costs: budget.webhookCosts });
