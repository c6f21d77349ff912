/**
 * Reason: the second stage. Asks the language model for a proposal, puts it through the gates, and
 * stores exactly one decision. A rejected proposal goes back to the model with the reasons, three
 * attempts in all. Reason can send nothing and writes no memory (I2). A repeated message finds the
 * stored attempts and the decision, and never pays for them again.
 */

import { REASON_FEATURES } from '../../../features/reason.ts';
import { ATTEMPTS_MAX } from '../../base/limits.ts';
import { buildPolicyVersion, isAccepted, rejectionReasons } from '../../judge/judge.ts';
import { forPeople } from '../../language/for-people.ts';
import { loadKillSwitch } from '../../ledger/kill-switch.ts';
import { actMessage, saveDecision } from '../../ledger/ledger.ts';
import { madeUnder } from '../../ledger/live-settings.ts';
import { isHighImpact } from '../../llm/consensus.ts';
import { isEmbeddingRefused } from '../../money/day-spend.ts';
import { attachmentsIn, isToIngest } from '../../signal/attachment.ts';
import type { Attempt, Decision } from '../../signal/decision.ts';
import type { ActMessage, ReasonMessage } from '../../signal/messages.ts';
import { toolsIn } from '../../signal/task-tools.ts';
import { startAtWork } from '../at-work.ts';
import { type MadeAttempt, makeAttempt, saveAttempt } from './attempt.ts';
import { loadSummary } from './build-turn-prompt.ts';
import { ownersText } from './choose-model.ts';
import { type LoadedTurn, loadTurn } from './load-turn.ts';
import { mayAsk } from './may-ask.ts';
import type { ReasonDeps, ReasonStageDeps, TurnContext } from './reason-deps.ts';
import { loadLazy } from './reason-deps.ts';
import { checkDue, findLaterWait, type ModelAway } from './wait-for-model.ts';

/** @throws UnavailableError (retryable), PipelineError and StoredItemError (poison). */
export const reason =
  (given: ReasonStageDeps) =>
  async (message: ReasonMessage, remainingMs: () => number): Promise<void> => {
    // 1. If this is another try after the model was away, wait until it is due.
    checkDue(message, given.now());
    // 2. Load the turn, and the gates that judge it.
    const turn = await loadTurn(given.table, message, given.now());
    const gateSet = await given.gateSets.of(turn.records, turn.owner.settings);
    const deps: ReasonDeps = { ...given, gateSet };
    const { signal, state, round } = turn.record;
    // 3. Stop if it is not ours to do: the signal has gone on, or a later try is stored already.
    if (state !== 'perceived' && state !== 'reasoned') return;
    const laterWait = findLaterWait(message, turn);
    if (laterWait !== undefined) return (await loadLazy()).publishWait(deps, turn, message, laterWait);
    // 4. Decide, unless an earlier delivery did. While no model can be reached, try again later.
    const decided = turn.decision ?? (await decideWithSignsOfLife(deps, turn, remainingMs));
    if ('kind' in decided) return (await loadLazy()).waitForModel(deps, turn, message, decided);
    // 5. Store the decision. Of two deliveries the first one's stays.
    const decision =
      turn.decision ?? (await saveDecision(deps.table, signal, madeUnder(decided, deps.settingsVersion)));
    // 6. Publish it by its hash. The stored decision ends this stage: no state needs to be written.
    await deps.publishAct(actMessage(signal, decision), `act:${round}`);
  };

/** If a turn takes long, the sender sees that it is still at work. */
const decideWithSignsOfLife = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  remainingMs: () => number,
): Promise<Decision | ModelAway> => {
  const send = (message: ActMessage) => deps.publishAct(message, 'act:0');
  const atWork =
    deps.atWork &&
    startAtWork({ ...deps, ...deps.atWork, send, loadLook: loadLazy }, turn.record, async () => turn.root.record);
  const drafts = deps.drafts && { ...deps.drafts, onShown: atWork?.hush };
  try {
    return await decide({ ...deps, drafts }, turn, remainingMs);
  } finally {
    await atWork?.end();
  }
};

const decide = async (deps: ReasonDeps, turn: LoadedTurn, remainingMs: () => number): Promise<Decision | ModelAway> => {
  if (!mayAsk(deps, turn)) return (await loadLazy()).refuseUnasked(deps, turn);
  const { signal } = turn.record;
  const files = signal.id === signal.root ? attachmentsIn(signal.payload) : [];
  const reading = files.length === 0 ? undefined : await (await loadLazy()).decideReading(deps, turn, files);
  if (reading !== undefined) return reading;
  if (signal.payload.sensor === 'tool-output' && isToIngest(turn.root.payload))
    return (await loadLazy()).decideIngest(deps, turn);
  const startedAt = deps.now();
  const context = await openTurn(deps, turn, remainingMs);
  const decided = await decideByModel(context);
  if (!('kind' in decided)) await context.part?.onDecided?.(context, decided, startedAt);
  return decided;
};

const decideByModel = async (context: TurnContext): Promise<Decision | ModelAway> => {
  const { deps, turn, rejected } = context;
  let last: MadeAttempt | undefined;
  for (let n = rejected.length + 1; n <= ATTEMPTS_MAX; n += 1) {
    const isFirstHere = n <= turn.attempts.length + 1;
    if (!isFirstHere && (await isStopped(context)))
      return (await loadLazy()).refuseStopped(deps, turn, rejected.length);
    const result = await makeAttempt(context, n);
    if (result.kind === 'away') return result;
    if (result.kind === 'refused') return withNotices(context, result.decision);
    if (isAccepted(result.attempt)) return accept(context, result);
    last = result;
  }
  return refuseRejected(context, last);
};

const isStopped = async ({ deps, turn }: TurnContext): Promise<boolean> =>
  (await loadKillSwitch(deps.table, turn.record.signal.space))?.isStopped === true;

/** Makes the context that all attempts of this delivery share. */
const openTurn = async (deps: ReasonDeps, turn: LoadedTurn, remainingMs: () => number): Promise<TurnContext> => {
  const policy = await deps.loadPolicy(turn.owner.policyText);
  const memory = await deps.lookAtMemory(turn, deps.now());
  const summary = await loadSummary(deps, turn);
  const [loadPart] = REASON_FEATURES.flatMap((feature) => feature.loadPart ?? []);
  const part = await loadPart?.(deps, turn);
  const told = isEmbeddingRefused(turn.spending.item, deps.now())
    ? await (await loadLazy()).tellRefusedEmbeddings(deps, turn)
    : [];
  const own = turn.attempts.filter(({ isVote }) => isVote === undefined);
  return {
    deps,
    turn,
    policy,
    memory,
    summary,
    part,
    jobTools: turn.root.payload.sensor === 'job-due' ? toolsIn(ownersText(turn.root.payload)) : undefined,
    remainingMs,
    accepted: own.find(isAccepted),
    rejected: own.filter((one) => !isAccepted(one)),
    notices: [...told],
    spending: turn.spending,
  };
};

/** Most turns collected no notice for the owner. */
const withNotices = async (context: TurnContext, decision: Decision): Promise<Decision> =>
  context.notices.length === 0 ? decision : (await loadLazy()).withNotices(context, decision);

/** Decides on an accepted proposal, after second opinions if the owner wants them. */
const accept = async (context: TurnContext, made: MadeAttempt): Promise<Decision> => {
  const { deps, turn } = context;
  const opening = made.attempt;
  const isShared = deps.models.opinions >= 2 && isHighImpact(opening.judged);
  if (!isShared) return withNotices(context, buildDecision(context, opening, made.shown));
  await saveAttempt(context, opening);
  if (await isStopped(context)) return (await loadLazy()).refuseStopped(deps, turn, opening.n);
  const { takeOpinions } = await loadLazy();
  const { attempt: taken, consensus } = await takeOpinions(context, made);
  const decision = buildDecision(context, taken, made.shown);
  return withNotices(context, { ...decision, attemptCount: opening.n, consensus });
};

const buildDecision = ({ deps, turn, policy }: TurnContext, taken: Attempt, shown: MadeAttempt['shown']): Decision => ({
  schemaVersion: 1,
  signalId: turn.record.signal.id,
  at: deps.now(),
  outcome: 'act',
  reason: '',
  gateSet: deps.gateSet.version,
  policyVersion: buildPolicyVersion(deps.gateSet, policy.hash),
  // The judged actions stand in the decision itself; the attempt does not repeat them.
  attempt: { ...taken, judged: [] },
  attemptCount: taken.n,
  actions: taken.judged,
  ...shown,
});

/** All attempts were rejected: the person hears why, as the first gate said it, without orders. */
const refuseRejected = async (context: TurnContext, last: MadeAttempt | undefined): Promise<Decision> => {
  const { deps, turn, rejected } = context;
  const { signal } = turn.record;
  const final = rejected.at(-1);
  const reasons = final === undefined ? [] : rejectionReasons(final, rejected).map(forPeople);
  const { notices, refuse, withFailure } = await loadLazy();
  const said = [notices.refused(signal.id, reasons, turn.asker !== 'member')];
  const refusal = await withNotices(context, await refuse(deps, turn, reasons.join('; '), said, rejected.length));
  if (final === undefined) return refusal;
  const decision = { ...refusal, attempt: final, ...last?.shown };
  const { provider, problem } = final;
  return problem === undefined
    ? decision
    : withFailure(turn, decision, 'llm', { providers: [{ provider, fault: 'answer' }] });
};
