/**
 * Reason: the second stage. Asks the language model for a proposal and puts it through the gates; a rejected proposal goes
 * back with its reasons, three attempts in all, each stored before the next so that a redelivery never pays twice. Ends
 * with exactly one stored decision, and publishes it by its hash. It can send nothing and write no memory (I2).
 */
import { IS_NEW } from '../aws/condition.ts';
import { signalKeys } from '../aws/keys.ts';
import type { Publish } from '../aws/queue.ts';
import type { Item, Table } from '../aws/table.ts';
import { budgetFacts } from '../budget/effect-cost.ts';
import type { CapCheck } from '../budget/plan-reservation.ts';
import { buildPrompt, type Prompt } from '../context/build-prompt.ts';
import type { PromptInput } from '../context/prompt-input.ts';
import { ConditionError, LlmError, type ProviderTrouble } from '../errors.ts';
import type { ConsensusFacts } from '../gates/facts.ts';
import type { GateSet } from '../gates/verify.ts';
import { ATTEMPTS_MAX } from '../limits.ts';
import type { CascadeAnswer } from '../llm/cascade.ts';
import type { Hear } from '../llm/chat.ts';
import { isHighImpact } from '../llm/consensus.ts';
import type { SelectModel } from '../llm/model-rules.ts';
import type { Priced } from '../llm/prices.ts';
import { mcpUrls } from '../mcp/catalogue.ts';
import { mcpToolDescriptions } from '../mcp/describe-mcp-tools.ts';
import type { LoadPolicy, SpacePolicy } from '../policy/space-policy.ts';
import type { Action } from '../signal/action.ts';
import type { Attempt, Decision, JudgedAction } from '../signal/decision.ts';
import type { ActMessage, ReasonMessage } from '../signal/messages.ts';
import type { Sensor } from '../signal/sensors.ts';
import type { ReplyRoute, Signal } from '../signal/signal.ts';
import { whyOff } from '../skills/why-off.ts';
import { onlyToolOf } from '../tools/catalogue.ts';
import { toolsOf } from '../tools/describe-tools.ts';
import { cheaperRoute, type ModelRoute, noteHealth, orderProviders, planRoute } from './ask-model.ts';
import { decideTogether } from './decide-together.ts';
import { type Draft, type DraftDeps, openDraft } from './draft.ts';
import { buildGatherFacts } from './gather-facts.ts';
import { inputUrls } from './input-urls.ts';
import { buildPolicyVersion } from './judge.ts';
import { loadKillSwitch } from './kill-switch.ts';
import { actMessage, saveDecision } from './ledger.ts';
import { type LoadedTurn, loadTurn } from './load-turn.ts';
import type { LookAtMemory, LookedAt } from './look-at-memory.ts';
import { type Notice, notices } from './notices.ts';
import { buildNoticeDecision } from './notify.ts';
import { packAttempt } from './pack.ts';
import { type Budget, chargesOf, type Paid, type PaidAnswer, type Purse, payFor } from './pay.ts';
import { withSettings } from './prompt-settings.ts';
import { readSummary } from './read-summary.ts';
import { FAILURES, failureOf } from './recover-failure.ts';
import { refuseOverBudget } from './refuse-over-budget.ts';
import { buildFloodFacts, deniedHashes } from './session-controls.ts';
import { asSummaryTurn } from './summary-turn.ts';
import { KEYS_REFUSED, refusedWork, tellRefusedKeys } from './tell-refused-key.ts';
import { isAccepted, refusedHashes, rejectionReasons, type ThinkDeps, think } from './think.ts';

/** Who is to be asked, in order, and how the prompt gets shorter where it is too long for one of them. */
export interface AskedProviders {
  readonly providers: readonly Pick<Priced, 'name' | 'model'>[];
  readonly shrink: (tokensMax: number) => Prompt | undefined;
  /** Hears the answer as it comes. */
  readonly hear?: Hear | undefined;
}

export interface ReasonDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update'>;
  readonly publishAct: Publish<ActMessage>;
  readonly gateSet: GateSet;
  /** Asks the cascade, within the invocation's remaining time. */
  readonly ask: (prompt: Prompt, remainingMs: () => number, asked: AskedProviders) => Promise<CascadeAnswer>;
  readonly identity: {
    readonly assistant: string;
    readonly user: string;
    readonly zone: string;
    readonly version: string;
  };
  readonly providerNames: readonly string[];
  readonly promptTokensMax: number;
  readonly secrets: ReadonlyMap<string, string>;
  readonly webhookUrls: Readonly<Record<string, string>>;
  readonly isLoopbackAllowed: boolean;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags?: readonly string[];
  readonly resolveAddresses: (url: string) => Promise<readonly string[]>;
  readonly loadPolicy: LoadPolicy;
  readonly lookAtMemory: LookAtMemory;
  readonly budget: Budget;
  /** Providers asked about a proposal of high impact, the first one included; none beside it where it is not given. */
  readonly consensusProviders?: number;
  /** Where answers are streamed to; nowhere where it is not given. */
  readonly drafts?: DraftDeps | undefined;
  /** May name a model for a question, or leave providers out. */
  readonly selectModel?: SelectModel;
  readonly now: () => number;
}

/** @throws UnavailableError (retryable), PipelineError and StoredItemError (poison). */
export const reason =
  (deps: ReasonDeps) =>
  async (message: ReasonMessage, remainingMs: () => number): Promise<void> => {
    const turn = asSummaryTurn(await loadTurn(deps.table, message, deps.now()));
    const { signal, state, round } = turn.record;
    if (state !== 'perceived' && state !== 'reasoned') return;
    const decision =
      turn.decision ?? (await saveDecision(deps.table, signal, await decideSignal(deps, turn, remainingMs)));
    // The stored decision says that this stage is over: a write of the record's state would say it a second time.
    await deps.publishAct(actMessage(signal, decision), `act:${round}`);
  };

const decideSignal = async (deps: ReasonDeps, turn: LoadedTurn, remainingMs: () => number): Promise<Decision> => {
  const { signal } = turn.record;
  if (turn.isStopped) return refuse(deps, signal, 'the kill switch is on', [notices.isStopped()]);
  const because = turn.head?.stoppedBecause;
  if (because !== undefined) {
    const notice = notices.isSessionStopped(because);
    return refuse(deps, { ...signal, reply: stopRoute(signal) }, 'the conversation is stopped', [notice]);
  }
  if (signal.payload.sensor === 'session-summary' && turn.steps.length === 0)
    return refuse(deps, signal, 'nobody said anything that could be summarised', [notices.nothingToSummarise()]);
  const unasked = refusedWork(turn, deps.budget.providers, deps.now());
  if (unasked !== undefined) return refuse(deps, signal, KEYS_REFUSED, unasked);
  const policy = await deps.loadPolicy(turn.policyText);
  const memory = await deps.lookAtMemory(turn, deps.now());
  const opening = turn.attempts.find((one) => one.isVote === undefined && isAccepted(one));
  const attempts: Attempt[] = turn.attempts.filter((one) => one.isVote === undefined && one !== opening);
  let shown: Pick<Decision, 'memory' | 'seen'> = {};
  const told: Notice[] = [];
  const note = noteExchanges(deps, signal, told);
  let { item } = turn.purse;
  for (let n = attempts.length + 1; n <= ATTEMPTS_MAX; n += 1) {
    // A stop that came while the model was thinking: it is not asked again.
    if (n > turn.attempts.length + 1 && (await loadKillSwitch(deps.table, signal.space))?.isStopped === true)
      return refuse(deps, signal, 'the kill switch is on', [notices.isStopped()], attempts.length);
    const prompt = promptFor(deps, turn, policy, memory, attempts.at(-1));
    if (prompt.kind === 'too-long')
      return refuse(deps, signal, 'the message does not fit a prompt', [notices.tooLong(signal.id)]);
    shown = shownOf(memory, prompt);
    let purse = { ...turn.purse, item, known: [...turn.purse.known, ...chargesOf(attempts)] };
    let shrunk: Prompt | undefined;
    const shrink = (tokensMax: number): Prompt | undefined => {
      const shorter = promptFor(deps, turn, policy, memory, attempts.at(-1), tokensMax);
      shrunk = shorter.kind === 'prompt' ? shorter : undefined;
      return shrunk;
    };
    // Stored by an earlier delivery, which asked others about it: paid for once.
    let attempt: Attempt | undefined = opening?.n === n ? opening : undefined;
    if (attempt === undefined) {
      const { paid, route } = await payForRoute(deps, turn, purse, n, prompt, attempts);
      if (paid.kind === 'over') return overBudget(deps, turn, paid.over, attempts.length);
      item = paid.item;
      purse = { ...purse, item };
      try {
        const send = (asked: Prompt, hear: Hear | undefined) =>
          paid.ask(() => deps.ask(asked, remainingMs, { providers: route.providers, shrink, hear }));
        const ask = async (asked: Prompt, hear?: Hear) => ({
          ...(await note(() => send(asked, hear), route, paid.item)),
          choice: route.choice,
        });
        attempt = await attemptOnce(deps, { ...turn, purse }, policy, prompt, attempts, ask);
      } catch (error) {
        if (!(error instanceof LlmError) || FAILURES[failureOf(error)].step !== 'fallback') throw error;
        return refuse(deps, signal, error.message, [noAnswer(signal, error), ...told], attempts.length);
      }
      if (shrunk !== undefined && attempt.promptHash === shrunk.hash) shown = shownOf(memory, shrunk);
    }
    if (isAccepted(attempt)) {
      const asking = { turn: { ...turn, purse }, policy, prompt, shrink, earlier: attempts, note };
      const decision = await decideWithOthers(deps, asking, attempt, remainingMs);
      return decision === undefined
        ? refuse(deps, signal, 'the kill switch is on', [notices.isStopped()], attempt.n)
        : withNotices(deps, signal, { ...decision, ...shown }, told);
    }
    attempts.push(attempt);
    if (n === ATTEMPTS_MAX) break;
    await saveAttempt(deps.table, signal, attempt);
  }
  const last = attempts.at(-1);
  const reasons = last === undefined ? [] : rejectionReasons(last);
  const refusal = await refuse(
    deps,
    signal,
    reasons.join('; '),
    [notices.refused(signal.id, reasons), ...told],
    attempts.length,
  );
  return last === undefined ? refusal : { ...refusal, attempt: last, ...shown };
};

/** Reserves the attempt with the models its tier asks for, or with the small ones where the budget has room for no more. */
const payForRoute = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  purse: Purse,
  n: number,
  prompt: Prompt,
  attempts: readonly Attempt[],
): Promise<{ readonly paid: Paid; readonly route: ModelRoute }> => {
  const { space } = turn.record.signal;
  const reserve = async (planned: ModelRoute) => {
    const providers = await orderProviders(deps, space, purse.item, planned.providers, deps.now());
    const budget = { ...deps.budget, providers };
    const paid = await payFor({ ...deps, budget }, turn.record.signal, purse, n, prompt);
    return { paid, route: { ...planned, providers } };
  };
  const wanted = planRoute(deps.budget.providers, turn, attempts, toolNamesOf(prompt), deps.selectModel);
  const reserved = await reserve(wanted);
  const cheaper = reserved.paid.kind === 'over' ? cheaperRoute(deps.budget.providers, wanted) : undefined;
  return cheaper === undefined ? reserved : reserve(cheaper);
};

/** Puts an accepted proposal of high impact to further providers, where the owner wants that. Undefined when stopped meanwhile. */
const decideWithOthers = async (
  deps: ReasonDeps,
  { turn, policy, prompt, shrink, earlier, note }: Asking,
  opening: Attempt,
  remainingMs: () => number,
): Promise<Decision | undefined> => {
  const { signal } = turn.record;
  const accept = (attempt: Attempt): Decision => acceptedDecision(deps, signal, policy, attempt);
  const count = deps.consensusProviders ?? 0;
  if (count < 2 || !isHighImpact(opening.judged)) return accept(opening);
  const { providers } = planRoute(deps.budget.providers, turn, earlier, toolNamesOf(prompt), deps.selectModel);
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

interface Asking {
  readonly turn: LoadedTurn;
  readonly policy: SpacePolicy;
  readonly prompt: Prompt;
  readonly shrink: (tokensMax: number) => Prompt | undefined;
  readonly earlier: readonly Attempt[];
  readonly note: ReturnType<typeof noteExchanges>;
}

const toolNamesOf = (prompt: Prompt): readonly string[] => prompt.tools.map((tool) => tool.function.name);

/** Writes down after each exchange how the providers are, and collects what their owner has to be told. */
const noteExchanges =
  (deps: ReasonDeps, signal: Signal, told: Notice[]) =>
  async <A extends CascadeAnswer>(
    send: () => Promise<A>,
    { providers: order }: Pick<ModelRoute, 'providers'>,
    item: Item,
  ): Promise<A> => {
    const note = async (troubles: readonly ProviderTrouble[], answered: number | undefined): Promise<void> => {
      await noteHealth(deps, signal.space, item, { order, troubles, answered }, deps.now());
      const owner = { table: deps.table, homeChat: deps.budget.homeChat };
      told.push(...(await tellRefusedKeys(owner, signal, order, troubles, deps.now())));
    };
    try {
      const answered = await send();
      await note(answered.troubles ?? [], answered.index);
      return answered;
    } catch (error) {
      if (error instanceof LlmError) await note(error.troubles, undefined);
      throw error;
    }
  };

const noAnswer = ({ id }: Signal, { troubles }: LlmError): Notice =>
  troubles.at(-1)?.fault === 'policy' ? notices.withheld(id) : notices.noModel(id);

/** The same decision, and texts of our own beside what the model proposed. */
const withNotices = async (
  deps: ReasonDeps,
  signal: Signal,
  decision: Decision,
  said: readonly Notice[],
): Promise<Decision> => {
  if (said.length === 0) return decision;
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const { actions } = await buildNoticeDecision(context, signal, 'act', '', said);
  return { ...decision, actions: [...decision.actions, ...actions] };
};

/** What the decision says of memory: where it stood, and the very versions that were shown. */
const shownOf = (memory: LookedAt | undefined, { seen }: Prompt): Pick<Decision, 'memory' | 'seen'> => ({
  ...(memory === undefined ? {} : { memory: memory.position }),
  ...(seen.length === 0 ? {} : { seen: [...seen] }),
});

/** Who asked is told; of a webhook, or an approval that ended, only the record tells: the owner heard of the stop itself. */
const stopRoute = ({ payload, reply }: Signal): ReplyRoute =>
  ASKED_BY_PEOPLE.includes(payload.sensor) ? reply : { target: 'system', to: '' };

const ASKED_BY_PEOPLE: readonly Sensor[] = ['user-input', 'chat-message', 'tool-output', 'tool-error'];

const promptFor = (
  deps: ReasonDeps,
  turn: LoadedTurn,
  policy: SpacePolicy,
  memory: LookedAt | undefined,
  rejected: Attempt | undefined,
  tokensMax = deps.promptTokensMax,
) => {
  const { identity } = deps;
  const { signal } = turn.record;
  const input: PromptInput = {
    now: deps.now(),
    zone: identity.zone,
    version: identity.version,
    providers: deps.providerNames,
    gates: deps.gateSet.gates.map((gate) => gate.name),
    assistant: identity.assistant,
    user: identity.user,
    mandates: [],
    tools: [
      ...toolsOf(signal.payload.sensor).filter((tool) => !policy.hiddenTools.has(tool.name)),
      ...mcpToolDescriptions(turn.mcp),
    ],
    memory: memory?.context,
    logs: turn.logs,
    history: turn.history,
    summary: readSummary(turn.summaryItem, turn.memoryHead, signal, deps.privacyTags ?? []),
    turn: turn.steps,
    mailbox: turn.mailbox,
    rejection: rejected === undefined ? undefined : { n: rejected.n, reasons: rejectionReasons(rejected) },
    sessionStartedAt: turn.head?.startedAt ?? turn.record.signal.receivedAt,
    tokensMax: Math.min(tokensMax, deps.promptTokensMax),
  };
  return buildPrompt(withSettings(deps, turn, input));
};

const attemptOnce = (
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
  (deps: ReasonDeps, { record: { signal }, policyText }: LoadedTurn, { origin }: Prompt, attempt: number) =>
  (judge: (action: Action) => Promise<JudgedAction>): Draft | undefined =>
    deps.drafts &&
    openDraft(deps.drafts, {
      signal,
      attempt,
      origin,
      policyText,
      secrets: deps.secrets,
      privacyTags: deps.privacyTags ?? [],
      gateSetVersion: deps.gateSet.version,
      judge,
    });

/** What an answer to this prompt is judged by. */
const thinkDeps = (
  deps: ReasonDeps,
  turn: LoadedTurn,
  policy: SpacePolicy,
  prompt: Prompt,
  earlier: readonly Attempt[],
  consensus?: ConsensusFacts,
): Omit<ThinkDeps, 'ask'> => {
  const { signal } = turn.record;
  const now = deps.now();
  const gatherFacts = buildGatherFacts({
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
    refusedHashes: refusedHashes(earlier),
    deniedHashes: deniedHashes(turn.head, { root: signal.root, isByApprover: turn.isByApprover }, now),
    flood: buildFloodFacts(turn.head, now, now),
    inputUrls: inputUrls(turn),
    budgetOf: budgetOf(deps.budget, turn.purse),
    consensus,
    approval: null,
  });
  const { gateSet } = deps;
  const webhookUrls = { ...deps.webhookUrls, ...mcpUrls(turn.mcp) };
  const onlyTool = onlyToolOf(signal.payload.sensor)?.name;
  return { gateSet, gatherFacts, webhookUrls, reply: signal.reply, onlyTool };
};

const budgetOf =
  (budget: Budget, { item, account }: Purse) =>
  (action: Action) =>
    budgetFacts(action, { item, account, caps: budget.caps, costs: budget.webhookCosts });

const overBudget = async (
  deps: ReasonDeps,
  { record: { signal }, rootPayload }: LoadedTurn,
  over: CapCheck,
  attemptCount: number,
): Promise<Decision> => {
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const said = { table: deps.table, homeChat: deps.budget.homeChat };
  return { ...(await refuseOverBudget(said, context, signal, rootPayload.sensor, over)), attemptCount };
};

/** The first of two racing deliveries stays; its attempt is the one that was paid for and stored. */
const saveAttempt = async (table: Pick<Table, 'put'>, signal: Signal, attempt: Attempt): Promise<void> => {
  try {
    await table.put(signalKeys.attempt(signal.space, signal.id, attempt.n), { ...packAttempt(attempt) }, IS_NEW);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
};

const acceptedDecision = (deps: ReasonDeps, signal: Signal, policy: SpacePolicy, attempt: Attempt): Decision => ({
  schemaVersion: 1,
  signalId: signal.id,
  at: deps.now(),
  outcome: 'act',
  reason: '',
  gateSet: deps.gateSet.version,
  policyVersion: buildPolicyVersion(deps.gateSet, policy.hash),
  // The judged actions are the decision's own: they are not stored a second time with the attempt.
  attempt: { ...attempt, judged: [] },
  attemptCount: attempt.n,
  actions: attempt.judged,
});

const refuse = async (
  deps: ReasonDeps,
  signal: Signal,
  why: string,
  said: readonly Notice[],
  attemptCount = 0,
): Promise<Decision> => ({
  ...(await buildNoticeDecision({ gateSet: deps.gateSet, now: deps.now() }, signal, 'refuse', why, said)),
  attemptCount,
});
