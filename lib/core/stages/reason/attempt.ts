/**
 * One attempt of Reason: builds the prompt, reserves what the call may cost, asks the model, parses
 * and judges the answer, and stores a rejected attempt before the next one begins. Decides nothing.
 */

import { REASON_FEATURES } from '../../../features/reason.ts';
import { defined } from '../../base/defined.ts';
import { LlmError } from '../../base/errors.ts';
import { ATTEMPTS_MAX } from '../../base/limits.ts';
import { baseFacts } from '../../judge/base-facts.ts';
import type { FactSources, FormReads } from '../../judge/fact-sources.ts';
import { blockedHashes, isAccepted, judgeProposal } from '../../judge/judge.ts';
import { leaveOutOfProposal, leaveOutOfText } from '../../judge/leave-out.ts';
import { listedLinks } from '../../judge/listed-links.ts';
import { ownWordsOf } from '../../judge/own-words.ts';
import { packAttempt } from '../../ledger/ledger.ts';
import { languageOf } from '../../ledger/owner-settings.ts';
import { FAILURES, failureOf } from '../../ledger/recover-failure.ts';
import { buildFloodFacts, deniedHashes } from '../../ledger/session-controls.ts';
import { chosenScopeOf } from '../../memory/chosen-scope.ts';
import { budgetFacts } from '../../money/plan-reservation.ts';
import { isOwnerSpeaking } from '../../signal/asker.ts';
import { isGroup } from '../../signal/channels.ts';
import type { Attempt, Decision, Proposal } from '../../signal/decision.ts';
import type { ConsensusFacts } from '../../signal/facts.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { putOnce } from '../../store/put-once.ts';
import { onlyToolOf } from '../../tools/catalogue.ts';
import { askModel, type PaidAnswer, reserveBudget } from './ask-model.ts';
import { buildTurnPrompt, shownIn, shownSkill, type TurnPrompt } from './build-turn-prompt.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps, TurnContext } from './reason-deps.ts';
import { loadLazy } from './reason-deps.ts';
import type { ReadContext } from './reason-feature.ts';
import { type ModelAway, planWait } from './wait-for-model.ts';

/** An attempt as it is stored, and the prompt it answers. */
export interface MadeAttempt {
  readonly kind: 'made';
  readonly attempt: Attempt;
  readonly prompt: TurnPrompt;
  /** The position of memory and the versions that were shown, for the decision. */
  readonly shown: Pick<Decision, 'memory' | 'seen' | 'skill'>;
}

export type AttemptResult =
  | MadeAttempt
  /** No model answered, and no further try follows. */
  | { readonly kind: 'refused'; readonly decision: Decision }
  | ModelAway;

/** @param n counts the signal's attempts, from 1 */
export const makeAttempt = async (context: TurnContext, n: number): Promise<AttemptResult> => {
  const { deps, turn, rejected } = context;
  const { signal } = turn.record;
  // 1. Build the prompt. It says why the attempt before was rejected.
  const prompt = buildTurnPrompt(context);
  if (prompt === undefined) {
    const { notices, refuse } = await loadLazy();
    const decision = await refuse(deps, turn, 'the message does not fit a prompt', [notices.tooLong(signal.id)]);
    return { kind: 'refused', decision };
  }
  // 2. An accepted attempt that an earlier delivery stored is not asked for again.
  if (context.accepted?.n === n) return made(context, prompt, context.accepted);
  // 3. Reserve the worst case of the call under every cap.
  const reserved = await reserveBudget(context, n, prompt);
  if (reserved.kind === 'over') {
    const { refuseOverBudget } = await loadLazy();
    return { kind: 'refused', decision: await refuseOverBudget(context, reserved.over) };
  }
  // 4. Ask the model.
  const at = deps.now();
  const sources = factSources(context, prompt);
  let answer: PaidAnswer;
  try {
    answer = await askModel(context, n, prompt, reserved, sources);
  } catch (error) {
    if (!(error instanceof LlmError) || FAILURES[failureOf(error)].step !== 'fallback') throw error;
    const away = planWait(turn, error, reserved.item, deps.now());
    return away ?? { kind: 'refused', decision: await (await loadLazy()).refuseUnanswered(context, error) };
  }
  // 5. Parse the answer, and judge its actions.
  const result = await judgeAnswer(context, { n, at, prompt, sources }, answer);
  // 6. Store the attempt if it is rejected and another follows. A decision holds all others.
  if (!isAccepted(result)) {
    rejected.push(result);
    if (n < ATTEMPTS_MAX) await saveAttempt(context, result);
  }
  return made(context, prompt, result);
};

const made = (context: TurnContext, prompt: TurnPrompt, result: Attempt): MadeAttempt => ({
  kind: 'made',
  attempt: result,
  prompt,
  shown: shownIn(context, prompt, result.promptHash),
});

/** Everything known about the turn that the gates judge an answer to this prompt by. */
export const factSources = (
  {
    deps,
    turn,
    policy,
    rejected,
    spending,
    ...narrowed
  }: Pick<TurnContext, 'deps' | 'turn' | 'policy' | 'spending' | 'part' | 'jobTools'> & {
    readonly rejected: readonly Attempt[];
  },
  { prompt }: { readonly prompt: Pick<TurnPrompt['prompt'], 'origin' | 'seen'> },
  consensus?: ConsensusFacts,
): FactSources => {
  const { space, id, root, reply, session, payload } = turn.record.signal;
  const now = deps.now();
  const { item, account } = spending;
  const { caps, webhookCosts: costs } = deps.budget;
  const saidBefore = turn.steps.flatMap((step) => (step.kind === 'answer' ? [step.text ?? ''] : [])).join('\n');
  const known = {
    stage: 'reason',
    now,
    zone: deps.identity.zone,
    space,
    setup: { ...deps.setup, gateSet: deps.gateSet },
    policy,
    settings: turn.owner.settings,
    shown: shownSkill(narrowed),
    mcp: turn.mcp,
    records: turn.records,
    earlier: { table: deps.table, before: { signalId: id } },
  } as const;
  return baseFacts(known, {
    reply,
    session,
    sensor: payload.sensor,
    origin: prompt.origin,
    turn: {
      askedBy: turn.asker,
      isMemoryShown:
        isGroup(reply) && (turn.memory.wasShown || prompt.seen.some(({ id }) => !turn.memory.ownNotes.has(id))),
      listedLinks: listedLinks(turn.root.payload, saidBefore, deps.eventLinkHosts),
      ...defined({ areOwnWords: isOwnerSpeaking(turn.asker) ? ownWordsOf(turn.root.payload) : undefined }),
    },
    refused: {
      refusedHashes: blockedHashes(rejected),
      deniedHashes: deniedHashes(turn.session.head, { root, isByApprover: turn.asker === 'approver' }, now),
      flood: buildFloodFacts(turn.session.head, now, { at: now }),
    },
    reads: formReads(deps, turn, space, id),
    budgetOf: (action) => budgetFacts(action, { item, account, caps, costs }),
    consensus,
    ...defined({ copies: turn.run?.copies }),
  });
};

const readsOfFeatures = (turn: ReadContext): FormReads => {
  let reads: FormReads = {};
  for (const { buildReads } of REASON_FEATURES) reads = { ...reads, ...buildReads?.(turn) };
  return reads;
};

/** Each is loaded with the first call that reads it. */
const formReads = (deps: ReasonDeps, turn: LoadedTurn, space: string, id: string): FormReads => ({
  readRow: (keyIn) => loadItem(deps.table, keyIn(space)),
  loadNotes: (ids) => loadNamedNotes(deps, space, ids),
  chosenScope: isOwnerSpeaking(turn.asker) ? chosenScopeOf(turn.session.head) : undefined,
  loadLookups: async () => (await loadLazy()).buildLookups(deps.table, space),
  loadOutput: async (tool) => (await loadLazy()).loadTurnOutput(deps.table, space, turn, tool),
  ...readsOfFeatures({ table: deps.table, space, signalId: id }),
});

/** Notes that a call names. Reading memory is loaded with the first such call. */
const loadNamedNotes = async ({ table, setup }: ReasonDeps, space: string, ids: readonly string[]) => {
  const { loadObject, loadOpenNotes } = await loadLazy();
  return loadOpenNotes((id) => loadObject(table, space, id), ids, setup.privacyTags);
};

/** Earlier releases show these words too: a member of its own would make them refuse the record. */
const whyChosen = (because: string | undefined, { settingsVersion }: ReasonDeps): string | undefined =>
  because === undefined || settingsVersion === undefined
    ? because
    : `${because}; by version ${settingsVersion} of the settings`;

/** Calls of this turn, but for those that failed or were refused. */
const toolsDone = ({ steps }: LoadedTurn): readonly string[] => {
  const results = steps.flatMap((step) => (step.kind === 'results' ? step.results : []));
  const hasFailed = (tool: string): boolean =>
    results.some((result) => result.tool === tool && (result.state === 'failed' || result.state === 'refused'));
  const calls = steps.flatMap((step) => (step.kind === 'answer' ? step.calls : []));
  return calls.map(({ tool }) => tool).filter((tool) => !hasFailed(tool));
};

/** Words of a person that this turn answers; those of a recording are among them. */
const askedIn = ({ steps }: LoadedTurn): string =>
  steps
    .flatMap((step) => (step.kind === 'input' ? step.pieces : []))
    .flatMap(({ text, label }) => (label === undefined ? [text] : []))
    .join('\n');

/**
 * Lines that code adds below an answer to a person, who may act on it: what of it repeats outside
 * text, and what features say.
 */
const linesBelow = async (
  { deps, turn, spending }: TurnContext,
  { prompt }: TurnPrompt,
  { model, cost }: PaidAnswer,
  text: string,
): Promise<readonly string[]> => {
  const { reply } = turn.record.signal;
  const { settings } = turn.owner;
  const done = toolsDone(turn);
  const lines: (string | undefined)[] = [];
  if (prompt.origin === 'outside' && isOwnerSpeaking(turn.asker)) {
    const { markOutside } = await loadLazy();
    lines.push(markOutside(text, turn.steps, turn.memory.outsideNotes, languageOf(settings, reply)) || undefined);
  }
  const view = {
    settings,
    reply,
    model,
    gateCount: deps.gateSet.gates.length,
    turnUsd: spending.account.turnUsd + cost.usd,
    waiting: turn.session.mailbox.length,
    focus: turn.session.head?.focus,
    text,
    asked: askedIn(turn),
    done,
  };
  for (const { lineBelow } of REASON_FEATURES) lines.push(await lineBelow?.(view));
  return lines.filter((line) => line !== undefined);
};

const withLines = async (
  context: TurnContext,
  prompt: TurnPrompt,
  answer: PaidAnswer,
  proposal: Proposal,
): Promise<Proposal> => {
  const { text = '', calls } = proposal;
  if (calls.length > 0 || text === '' || context.turn.root.payload.sensor !== 'chat-message') return proposal;
  return { ...proposal, text: [text, ...(await linesBelow(context, prompt, answer, text))].join('\n\n') };
};

/** Makes an attempt of an answer: parsed, and every action judged. */
export const judgeAnswer = async (
  context: TurnContext,
  asked: { readonly n: number; readonly at: number; readonly prompt: TurnPrompt; readonly sources: FactSources },
  answer: PaidAnswer,
): Promise<Attempt> => {
  const { deps, turn } = context;
  const { choice, failures } = answer;
  const booked = {
    schemaVersion: 1,
    n: asked.n,
    at: asked.at,
    provider: answer.provider,
    model: answer.model,
    promptHash: answer.promptHash ?? asked.prompt.prompt.hash,
    ...defined({ tier: choice?.tier, tierBecause: whyChosen(choice?.because, deps) }),
    ...(failures.length === 0 ? {} : { failures: [...failures] }),
    ...defined({
      inputTokens: answer.inputTokens,
      cachedTokens: answer.cachedTokens,
      outputTokens: answer.outputTokens,
    }),
    cost: answer.cost,
  } as const;
  const { parseProposal } = await import('../../llm/parse-proposal.ts');
  const parsed = parseProposal(answer.answer, asked.prompt.prompt.tools);
  if ('problem' in parsed)
    return { ...booked, problem: leaveOutOfText(parsed.problem, deps.setup.secrets), judged: [] };
  const proposal = leaveOutOfProposal(parsed.proposal, deps.setup.secrets);
  const onlyTool = onlyToolOf(turn.record.signal.payload.sensor)?.name;
  if (onlyTool !== undefined && !(proposal.calls.length === 1 && proposal.calls[0]?.tool === onlyTool))
    return { ...booked, problem: `it must be one call of ${onlyTool}, and no other`, judged: [] };
  let whole = await withLines(context, asked.prompt, answer, proposal);
  for (const { sayCalls } of REASON_FEATURES) whole = (await sayCalls?.(turn.root.payload, whole)) ?? whole;
  return { ...booked, proposal: whole, judged: await judgeProposal(deps.gateSet, whole, asked.sources) };
};

/** If two deliveries race, the first attempt stays, because it was paid for and stored. */
export const saveAttempt = async ({ deps, turn }: TurnContext, result: Attempt): Promise<void> => {
  const { space, id } = turn.record.signal;
  await putOnce(deps.table, signalKeys.attempt(space, id, result.n), { ...packAttempt(result) });
};
