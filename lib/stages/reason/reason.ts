/**
 * Reason: the second stage. Asks the language model for a proposal and puts it through the gates; a rejected proposal goes
 * back with its reasons, three attempts in all, each stored before the next so that a redelivery never pays twice. Ends
 * with exactly one stored decision, and publishes it by its hash. It can send nothing and write no memory (I2).
 */

import { LlmError } from '../../base/errors.ts';
import { ATTEMPTS_MAX } from '../../base/limits.ts';
import { isAccepted, rejectionReasons } from '../../judge/judge.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import type { SpacePolicy } from '../../judge/policy/space-policy.ts';
import { loadKillSwitch } from '../../ledger/kill-switch.ts';
import { actMessage, saveDecision } from '../../ledger/ledger.ts';
import { FAILURES, failureOf } from '../../ledger/recover-failure.ts';
import type { Hear } from '../../llm/chat.ts';
import { isHighImpact } from '../../llm/consensus.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import type { SessionSummary } from '../../prompt/prompt-input.ts';
import type { Attempt, Decision } from '../../signal/decision.ts';
import type { ActMessage, ReasonMessage } from '../../signal/messages.ts';
import { startAtWork } from '../at-work.ts';
import { chargesOf } from '../spending.ts';
import { planRoute } from './ask-model.ts';
import { type LoadedTurn, loadTurn } from './load-turn.ts';
import type { LookedAt } from './look-at-memory.ts';
import {
  acceptedDecision,
  noAnswer,
  overBudget,
  planWait,
  refuse,
  refuseStopped,
  refuseUnasked,
  saveAttempt,
  type Waits,
  withNotices,
} from './reason-endings.ts';
import { noteExchanges, payForRoute } from './reason-exchange.ts';
import type { ReasonDeps } from './reason-ports.ts';
import { loadSummary, promptFor, shownOf, toolNamesOf } from './reason-prompt.ts';
import { attemptOnce, thinkDeps } from './reason-thinking.ts';
import { asSummaryTurn } from './summary-turn.ts';
import { tellRefusedEmbeddings } from './tell-refused-key.ts';

/** @throws UnavailableError (retryable), PipelineError and StoredItemError (poison). */
export const reason =
  (deps: ReasonDeps) =>
  async (message: ReasonMessage, remainingMs: () => number): Promise<void> => {
    if (message.retry !== undefined) (await loadWaiting()).checkDue(message, deps.now());
    const turn = asSummaryTurn(await loadTurn(deps.table, message, deps.now()));
    const { signal, state, round, modelWait } = turn.record;
    if (state !== 'perceived' && state !== 'reasoned') return;
    // Its delivery was cut short, or it came twice: the try after it may not be on its way yet.
    const isOvertaken = message.retry !== undefined && message.retry.tries < (modelWait?.tries ?? 0);
    if (isOvertaken && modelWait !== undefined && turn.decision === undefined)
      return (await loadWaiting()).publishWait(deps, turn, message, modelWait);
    const decided = turn.decision ?? (await decideAtWork(deps, turn, remainingMs));
    if ('kind' in decided) return (await loadWaiting()).waitForModel(deps, turn, message, decided);
    const decision = turn.decision ?? (await saveDecision(deps.table, signal, decided));
    // The stored decision says that this stage is over: a write of the record's state would say it a second time.
    await deps.publishAct(actMessage(signal, decision), `act:${round}`);
  };

/** Loaded when no model could be reached: a plain turn waits for nobody. */
const loadWaiting = () => import('./wait-for-model.ts');

/** Shows meanwhile that the turn is worked on, when it takes long. */
const decideAtWork = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  remainingMs: () => number,
): Promise<Decision | Waits> => {
  const send = (message: ActMessage) => deps.publishAct(message, 'act:0');
  const atWork =
    deps.atWork && startAtWork({ ...deps, ...deps.atWork, send }, turn.record, async () => turn.rootRecord);
  const drafts = deps.drafts && { ...deps.drafts, onShown: atWork?.hush };
  try {
    return await decideSignal({ ...deps, drafts }, turn, remainingMs);
  } finally {
    await atWork?.end();
  }
};

/** What one attempt is made with, and what those before it have left. */
interface Asking {
  /** With the spending as it is now. */
  readonly turn: LoadedTurn;
  readonly policy: SpacePolicy;
  readonly memory: LookedAt | undefined;
  readonly summary: SessionSummary | undefined;
  /** Rejected, oldest first. */
  readonly earlier: readonly Attempt[];
  readonly note: ReturnType<typeof noteExchanges>;
  readonly remainingMs: () => number;
}

/** A prompt, and the ways to make it shorter where a provider's window is smaller. */
interface Shown {
  readonly prompt: Prompt;
  readonly shrink: (tokensMax: number) => Prompt | undefined;
  /** What the decision says of memory, given the prompt that was answered. */
  readonly seenIn: (promptHash: string) => Pick<Decision, 'memory' | 'seen'>;
}

const decideSignal = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  remainingMs: () => number,
): Promise<Decision | Waits> => {
  const { signal } = turn.record;
  const unasked = await refuseUnasked(deps, turn);
  if (unasked !== undefined) return unasked;
  const policy = await deps.loadPolicy(turn.policyText);
  const memory = await deps.lookAtMemory(turn, deps.now());
  const summary = await loadSummary(deps, turn);
  const opening = turn.attempts.find((one) => one.isVote === undefined && isAccepted(one));
  const attempts: Attempt[] = turn.attempts.filter((one) => one.isVote === undefined && one !== opening);
  const owner = { table: deps.table, homeChat: deps.budget.homeChat };
  const told: Notice[] = [...(await tellRefusedEmbeddings(owner, turn, deps.now()))];
  const note = noteExchanges(deps, signal, told);
  let { item } = turn.spending;
  let seen: Pick<Decision, 'memory' | 'seen'> = {};
  for (let n = attempts.length + 1; n <= ATTEMPTS_MAX; n += 1) {
    const isLater = n > turn.attempts.length + 1;
    if (isLater && (await loadKillSwitch(deps.table, signal.space))?.isStopped === true)
      return refuseStopped(deps, signal, attempts.length);
    const spending = { ...turn.spending, item, known: [...turn.spending.known, ...chargesOf(attempts)] };
    const asking = { turn: { ...turn, spending }, policy, memory, summary, earlier: attempts, note, remainingMs };
    const shown = showTo(deps, asking);
    if (shown === undefined)
      return refuse(deps, signal, 'the message does not fit a prompt', [notices.tooLong(signal.id)]);
    // Stored by an earlier delivery, which asked others about it: paid for once.
    const asked =
      opening?.n === n ? { kind: 'answered' as const, attempt: opening, item } : await ask(deps, asking, shown);
    if (asked.kind === 'waits') return asked;
    if (asked.kind === 'refused') return withNotices(deps, signal, asked.decision, told);
    const { attempt } = asked;
    item = asked.item;
    seen = shown.seenIn(attempt.promptHash);
    if (isAccepted(attempt)) {
      const paid = { ...asking, turn: { ...turn, spending: { ...spending, item } } };
      const decision = await decideWithOthers(deps, paid, shown, attempt);
      return decision === undefined
        ? refuseStopped(deps, signal, attempt.n)
        : withNotices(deps, signal, { ...decision, ...seen }, told);
    }
    attempts.push(attempt);
    if (n < ATTEMPTS_MAX) await saveAttempt(deps.table, signal, attempt);
  }
  return refuseRejected(deps, turn, attempts, seen, told);
};

/** All attempts were rejected: the last one's reasons are told, and it stays with the decision. */
const refuseRejected = async (
  deps: ReasonDeps,
  { record: { signal } }: LoadedTurn,
  attempts: readonly Attempt[],
  seen: Pick<Decision, 'memory' | 'seen'>,
  told: readonly Notice[],
): Promise<Decision> => {
  const last = attempts.at(-1);
  const reasons = last === undefined ? [] : rejectionReasons(last);
  const said = [notices.refused(signal.id, reasons), ...told];
  const refusal = await refuse(deps, signal, reasons.join('; '), said, attempts.length);
  return last === undefined ? refusal : { ...refusal, attempt: last, ...seen };
};

/** @returns undefined where the person's words alone are more than a prompt may hold. */
const showTo = (deps: ReasonDeps, { turn, policy, memory, summary, earlier }: Asking): Shown | undefined => {
  const build = (tokensMax?: number) => promptFor(deps, turn, policy, { memory, summary }, earlier.at(-1), tokensMax);
  const prompt = build();
  if (prompt.kind === 'too-long') return undefined;
  let shrunk: Prompt | undefined;
  return {
    prompt,
    shrink: (tokensMax) => {
      const shorter = build(tokensMax);
      shrunk = shorter.kind === 'prompt' ? shorter : undefined;
      return shrunk;
    },
    seenIn: (promptHash) => shownOf(memory, shrunk?.hash === promptHash ? shrunk : prompt),
  };
};

/**
 * One attempt: reserved, asked, judged. Refused if a cap has no room or no provider will answer.
 */
const ask = async (deps: ReasonDeps, asking: Asking, { prompt, shrink }: Shown) => {
  const { turn, policy, earlier, note, remainingMs } = asking;
  const { signal } = turn.record;
  const { paid, route } = await payForRoute(deps, turn, turn.spending, earlier.length + 1, prompt, earlier);
  if (paid.kind === 'over')
    return { kind: 'refused', decision: await overBudget(deps, turn, paid.over, earlier.length) } as const;
  const { item } = paid;
  const send = (asked: Prompt, hear: Hear | undefined) =>
    paid.ask(() => deps.ask(asked, remainingMs, { providers: route.providers, shrink, hear }));
  const exchange = async (asked: Prompt, hear?: Hear) => ({
    ...(await note(() => send(asked, hear), route, item)),
    choice: route.choice,
  });
  try {
    const own = { ...turn, spending: { ...turn.spending, item } };
    const attempt = await attemptOnce(deps, own, policy, prompt, earlier, exchange);
    return { kind: 'answered', attempt, item } as const;
  } catch (error) {
    if (!(error instanceof LlmError) || FAILURES[failureOf(error)].step !== 'fallback') throw error;
    const wait = planWait(turn, error, item, deps.now());
    if (wait !== undefined) return wait;
    const decision = await refuse(deps, signal, error.message, [noAnswer(signal, error)], earlier.length);
    return { kind: 'refused', decision } as const;
  }
};

/** Puts an accepted proposal of high impact to further providers, where the owner wants that. Undefined when stopped meanwhile. */
const decideWithOthers = async (
  deps: ReasonDeps,
  { turn, policy, earlier, note, remainingMs }: Asking,
  { prompt, shrink }: Shown,
  opening: Attempt,
): Promise<Decision | undefined> => {
  const { signal } = turn.record;
  const accept = (attempt: Attempt): Decision => acceptedDecision(deps, signal, policy, attempt);
  const count = deps.consensusProviders ?? 0;
  if (count < 2 || !isHighImpact(opening.judged)) return accept(opening);
  const { providers } = planRoute(deps.budget.providers, turn, earlier, toolNamesOf(prompt), deps.selectModel);
  const { decideTogether } = await import('./decide-together.ts');
  return decideTogether(
    {
      ...deps,
      count,
      thinkDeps: (consensus) => thinkDeps(deps, turn, policy, prompt, earlier, consensus),
      accept,
      save: (attempt) => saveAttempt(deps.table, signal, attempt),
      // Its place before the one that answered is what it is marked by where it fails.
      ask: (voter, item) =>
        note(
          () => deps.ask(prompt, remainingMs, { providers: [voter], shrink }),
          { providers: [voter, ...providers.filter(({ name }) => name === opening.provider)] },
          item,
        ),
    },
    turn,
    { opening, prompt, providers },
  );
};
