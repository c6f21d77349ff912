/**
 * Act: the third stage and the only one with hands. Loads the stored decision, performs each action it is asked to, in
 * order, and when all have ended or wait for a person closes the signal: feedback to the model, the turn handed on, the
 * record moved. Everything is stored before it is published, and the signal leaves the index of unfinished ones last. Cards and
 * other notices are loaded where one is to be made: a plain turn has none.
 */
import { endUnspent, parseApproval } from '../../approvals/decide-approval.ts';
import { buildGrantFacts, type FoundGrant, findGrant } from '../../approvals/find-grant.ts';
import { hashOf } from '../../base/canonical.ts';
import { PipelineError } from '../../base/errors.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import type { FactSources } from '../../judge/gather-facts.ts';
import { buildPolicyVersion } from '../../judge/judge.ts';
import { policyKey, policyTextOf } from '../../judge/policy/policy-setting.ts';
import type { SpacePolicy } from '../../judge/policy/space-policy.ts';
import { isStoppedFor, KillSwitch, killSwitchKey } from '../../ledger/kill-switch.ts';
import { parseDecision, parseEffect, parseRecord } from '../../ledger/ledger.ts';
import { chatMemoryOf, type OwnerSettings, ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import { parseStored, type SessionHead, type SignalRecord } from '../../ledger/record.ts';
import { parseHead } from '../../ledger/session.ts';
import { buildFloodFacts, isSessionStoppedFor } from '../../ledger/session-controls.ts';
import { commitKeys } from '../../memory/keys.ts';
import { spendKey } from '../../money/day-spend.ts';
import { budgetFacts } from '../../money/plan-reservation.ts';
import { whyOff } from '../../prompt/skill-settings.ts';
import type { Action } from '../../signal/action.ts';
import type { Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { ApprovalFacts } from '../../signal/facts.ts';
import type { ActMessage } from '../../signal/messages.ts';
import { routeOf, type Signal, type SignalState } from '../../signal/signal.ts';
import { approvalKey, mcpKey, sessionKey, signalKeys } from '../../store/keys.ts';
import { loadItem, loadNamed } from '../../store/load-named.ts';
import type { Item, Table } from '../../store/table.ts';
import { type McpCatalogue, readMcpCatalogue } from '../../tools/mcp/catalogue.ts';
import type { AtWork } from '../at-work.ts';
import type { ActDeps } from './act-deps.ts';
import { checkNamed } from './check-named.ts';
import { finish } from './finish.ts';
import { countBlocked, countRefused, stopForApprovals, tellStopped } from './flood.ts';
import { groupReads } from './group-reads.ts';
import type { NoteQuota } from './note-quota.ts';
import { type Bill, costsOf, loadBill } from './pay-effect.ts';
import { type Performed, perform, type Task, wasStopped } from './perform.ts';

interface Loaded {
  readonly record: SignalRecord;
  readonly decision: Decision;
  readonly head: SessionHead | undefined;
  readonly killSwitch: KillSwitch | undefined;
  /** Last commit of memory. */
  readonly commit: number;
  readonly policyText: string;
  readonly mcp: McpCatalogue;
  /** Undefined where they cannot be read: then no skill's tool is let through. */
  readonly settings: OwnerSettings | undefined;
  readonly effects: ReadonlyMap<number, Effect>;
  /** Effects of the actions this message does not name (an approval names one). */
  readonly others: readonly Effect[];
  readonly approvals: ReadonlyMap<string, Item>;
  /** The day's counter, as it was when the turn's last model call was over. */
  readonly spend: Item | undefined;
}

/** @throws RetryLaterError, UnavailableError (retryable); PipelineError, StoredItemError (poison). */
export const act =
  (deps: ActDeps) =>
  async (message: ActMessage): Promise<void> => {
    const found = await loadUnforgotten(deps, message);
    if (!isToBeDone(found.record.state, message)) return;
    checkNamed(message, found.decision);
    const isForged = hashOf('decision', found.decision) !== message.decisionHash;
    const policy = await deps.loadPolicy(found.policyText);
    let loaded: Loaded = { ...found, head: await countBlocked(deps, found) };
    const performed: Performed[] = [];
    const cards: Signal[] = [];
    const atWork = await showAtWork(deps, found, message);
    try {
      for (const group of groupReads(message.actions, found.decision)) {
        for (const { task, outcome } of await performTogether(deps, loaded, policy, group, isForged)) {
          performed.push(outcome.performed);
          if (outcome.isTooMany) loaded = { ...loaded, head: await stopForApprovals(deps, loaded) };
          cards.push(...outcome.cards);
          const update = await updateCard(deps, loaded, task, outcome.performed.effect);
          if (update !== undefined) cards.push(update);
        }
      }
    } finally {
      await atWork?.end();
    }
    loaded = { ...loaded, head: await countRefused(deps, loaded, performed) };
    const told = await tellStopped(deps, loaded);
    const kept = await eraseForgotten(deps, loaded, performed);
    await finish(deps, { ...loaded, performed: kept, cards: told === undefined ? cards : [...cards, told] });
    await eraseForgotten(deps, loaded, performed);
  };

/**
 * Only while a tool of the turn runs: a text that is slow to send is not helped by another. The
 * line is performed here and now.
 */
const showAtWork = async (
  deps: ActDeps,
  { record, decision }: Loaded,
  message: ActMessage,
): Promise<AtWork | undefined> => {
  const hasTool = message.actions.some(({ n }) => decision.actions[n]?.action.tool !== undefined);
  if (deps.atWork === undefined || !hasTool || routeOf(record.signal.payload.sensor) !== 'reason') return undefined;
  const { startAtWork } = await import('../at-work.ts');
  const { space, root } = record.signal;
  const loadRoot = async (): Promise<SignalRecord | undefined> => {
    const item = await loadItem(deps.table, signalKeys.record(space, root));
    return item === undefined ? undefined : parseRecord(root, item);
  };
  const isApproved = message.actions.some(({ approvalId }) => approvalId !== undefined);
  const atWorkDeps = { ...deps, ...deps.atWork, send: act({ ...deps, atWork: undefined }) };
  return startAtWork(atWorkDeps, record, loadRoot, isApproved ? deps.now() : undefined);
};

/** What tools showed, and was forgotten before it was stored as shown, is not told; and erased where it was told just then. */
const eraseForgotten = async (
  deps: ActDeps,
  { record: { signal }, decision }: Loaded,
  performed: readonly Performed[],
): Promise<readonly Performed[]> => {
  const results = performed.flatMap(({ effect: { n, output } }) => {
    const tool = decision.actions[n]?.action.tool;
    return tool === undefined || output === undefined ? [] : [{ tool, output }];
  });
  if (results.length === 0 || (await deps.forgetLate?.(signal, { results })) !== true) return performed;
  const { FORGOTTEN } = await import('../forget/erase.ts');
  return performed.map((one) => ({ ...one, effect: { ...one.effect, output: FORGOTTEN } }));
};

/** Where something the decision was shown was forgotten before it was stored, what it says is gone: nothing fits it any more. */
const loadUnforgotten = async (deps: ActDeps, message: ActMessage): Promise<Loaded> => {
  const found = await loadDecision(deps.table, message, deps.now());
  const { record, decision, commit } = found;
  const { memory, seen, forgottenAt } = decision;
  if (memory === undefined || memory.commit >= commit || seen === undefined) return found;
  if (forgottenAt !== undefined || !isDecided(record.state)) return found;
  return (await deps.forgetLate?.(record.signal, { seen, since: memory.commit })) === true
    ? loadDecision(deps.table, message, deps.now())
    : found;
};

/** Not yet acted on: Reason leaves the record as it is, and whoever comes here has found a decision. */
const isDecided = (state: SignalState): boolean => state === 'perceived' || state === 'reasoned';

/** A suspended signal is only taken up by an approval: a repeat of its first message has nothing to add. */
const isToBeDone = (state: SignalState, message: ActMessage): boolean =>
  isDecided(state) || (state === 'suspended' && message.actions.some((action) => action.approvalId !== undefined));

/** Loaded where a first try is made from untrusted text: all else counts on no quota here. */
const noteQuotaOf = async (
  deps: ActDeps,
  signal: Signal,
  judged: JudgedAction,
  effect: Effect | undefined,
): Promise<NoteQuota | undefined> => {
  const isCounted = judged.action.target === 'tool' && judged.facts.at(-1)?.origin === 'outside';
  if (!isCounted || effect !== undefined) return undefined;
  const { loadNoteQuota } = await import('./note-quota.ts');
  return loadNoteQuota(deps.table, signal, judged.action, deps.now());
};

const buildTask = async (
  deps: ActDeps,
  loaded: Loaded,
  policy: SpacePolicy,
  named: ActMessage['actions'][number],
  isForged: boolean,
): Promise<Task> => {
  const judged = loaded.decision.actions[named.n];
  if (judged === undefined)
    throw new PipelineError(`the decision has no action ${named.n}`, loaded.record.signal.id, false);
  const effect = loaded.effects.get(named.n);
  const approval = approvalFacts(loaded, named, effect);
  const consentedAt = consentOf(loaded, named);
  const isHeld = isStoppedFor(loaded.killSwitch, consentedAt) || isSessionStoppedFor(loaded.head, consentedAt);
  const isOpen = judged.outcome === 'ask' && named.approvalId === undefined && !isHeld;
  const found = isOpen
    ? await findGrant(deps.table, loaded.record.signal, judged.action, effect, deps.now())
    : undefined;
  const { signal } = loaded.record;
  const { action } = judged;
  const isApproved = named.approvalId !== undefined;
  const of = { signal, decision: loaded.decision, action, effect, isApproved, now: deps.now() };
  const bill = await loadBill(deps.table, deps.budget, of);
  const notes = await noteQuotaOf(deps, signal, judged, effect);
  return {
    bill,
    notes,
    signal: loaded.record.signal,
    n: named.n,
    judged,
    namedHash: isForged ? '' : named.hash,
    effect,
    approvalId: named.approvalId,
    consentedAt,
    found,
    factSources: factSourcesFor(deps, loaded, policy, { consentedAt, approval, found, judged, bill }),
  };
};

/** When somebody last said that it may be done: the person who approved it, else Reason, from the moment it asked the model. */
const consentOf = (
  { record, decision, approvals }: Loaded,
  { n, approvalId = '' }: ActMessage['actions'][number],
): number => {
  const item = approvals.get(approvalId);
  const approval = item === undefined ? undefined : parseApproval(approvalId, item);
  const isOfThis = approval?.signalId === record.signal.id && approval.n === n;
  return (isOfThis ? approval.decidedAt : undefined) ?? decision.attempt?.at ?? decision.at;
};

interface Outcome {
  readonly performed: Performed;
  readonly cards: readonly Signal[];
  readonly isTooMany: boolean;
}

/** All are waited for before one's failure is told: nothing may go on once the message has been answered. */
const performTogether = async (
  deps: ActDeps,
  loaded: Loaded,
  policy: SpacePolicy,
  group: readonly ActMessage['actions'][number][],
  isForged: boolean,
): Promise<readonly { readonly task: Task; readonly outcome: Outcome }[]> => {
  const settled = await Promise.allSettled(
    group.map(async (named) => {
      const task = await buildTask(deps, loaded, policy, named, isForged);
      return { task, outcome: await performOrSuspend(deps, loaded, policy, task) };
    }),
  );
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
};

const performOrSuspend = async (deps: ActDeps, loaded: Loaded, policy: SpacePolicy, task: Task): Promise<Outcome> => {
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const done = await perform(deps, task);
  if (done.isToSuspend) {
    const suspendDeps = {
      table: deps.table,
      context,
      newApprovalId: deps.newId,
      policyVersion: buildPolicyVersion(deps.gateSet, policy.hash),
      costs: costsOf(task.bill, deps.budget),
      decision: loaded.decision,
      chatMemory: chatMemoryOf(task.signal.reply, loaded.settings),
      homeChat: deps.homeChat,
    };
    const asked = task.judged.outcome === 'ask' ? task.judged : { ...task.judged, trace: done.effect.trace };
    const { suspendAction } = await import('./suspend.ts');
    const { effect, cards, isTooMany } = await suspendAction(suspendDeps, task.signal, asked, done.effect);
    return { performed: { effect, outputOrigin: 'agent', isToSuspend: false }, cards, isTooMany };
  }
  const isCardMissing = done.effect.state === 'suspended' && isDecided(loaded.record.state);
  const cards = isCardMissing ? await remakeCards(deps, context, task, done.effect) : [];
  return { performed: done, cards, isTooMany: false };
};

/** A crash between suspending and telling: the stored approval says what its card must show. */
const remakeCards = async (
  deps: ActDeps,
  context: { gateSet: GateSet; now: number },
  task: Task,
  effect: Effect,
): Promise<readonly Signal[]> => {
  const id = effect.approvalId ?? '';
  const item = await loadItem(deps.table, approvalKey(task.signal.space, id));
  if (item === undefined) return [];
  const { saveCards } = await import('./suspend.ts');
  return saveCards({ table: deps.table, context }, task.signal, parseApproval(id, item));
};

/** What became of an approved action goes onto its card. */
const updateCard = async (
  deps: ActDeps,
  loaded: Loaded,
  { approvalId, signal, n }: Task,
  effect: Effect,
): Promise<Signal | undefined> => {
  const { state } = effect;
  const item = approvalId === undefined ? undefined : loaded.approvals.get(approvalId);
  if (item === undefined || state === 'suspended' || state === 'claimed') return undefined;
  const approval = parseApproval(approvalId ?? '', item);
  if (approval.signalId !== signal.id || approval.n !== n || effect.approvalId !== approval.id) return undefined;
  const { saveCardUpdate } = await import('../../judge/notify.ts');
  const ending = wasStopped(effect) ? 'stopped' : state;
  const update = await saveCardUpdate(deps.table, { gateSet: deps.gateSet, now: deps.now() }, approval, ending);
  if (state === 'refused' && approval.state === 'approved') await endUnspent(deps.table, approval, deps.now());
  return update;
};

const loadDecision = async (table: Pick<Table, 'load'>, message: ActMessage, now: number): Promise<Loaded> => {
  const { space, signalId: id } = message;
  const approvalIds = message.actions.flatMap((action) => (action.approvalId === undefined ? [] : [action.approvalId]));
  const items = await loadNamed(table, {
    record: signalKeys.record(space, id),
    decision: signalKeys.decision(space, id),
    head: sessionKey(space, message.session),
    killSwitch: killSwitchKey(space),
    policy: policyKey(space),
    mcp: mcpKey(space),
    owner: ownerSettingsKey(space),
    memory: commitKeys.head(space),
    spend: spendKey(space, now),
    effects: message.actions.map((action) => signalKeys.effect(space, id, action.n)),
    approvals: approvalIds.map((approval) => approvalKey(space, approval)),
  });
  if (items.record === undefined) throw new PipelineError(`there is no signal ${id}`, id, false);
  if (items.decision === undefined)
    throw new PipelineError('there is no stored decision: nothing may be performed', id, false);
  const decision = parseDecision(id, items.decision);
  return {
    record: parseRecord(id, items.record),
    decision,
    others: await loadOthers(table, message, decision),
    head: items.head === undefined ? undefined : parseHead(message.session, items.head),
    killSwitch:
      items.killSwitch === undefined ? undefined : parseStored('setting kill-switch', items.killSwitch, KillSwitch),
    commit: commitOf(items.memory),
    policyText: policyTextOf(items.policy),
    mcp: readMcpCatalogue(items.mcp),
    settings: readOwnerSettings(items.owner),
    spend: items.spend,
    effects: new Map(
      items.effects.flatMap((item): [number, Effect][] =>
        item === undefined ? [] : [[parseEffect(id, item).n, parseEffect(id, item)]],
      ),
    ),
    approvals: new Map(
      items.approvals.flatMap((item, index): [string, Item][] =>
        item === undefined ? [] : [[approvalIds[index] ?? '', item]],
      ),
    ),
  };
};

/** A head that cannot be read may be anywhere: what was shown of memory is then looked up, which says what is wrong. */
const commitOf = (head: Item | undefined): number => {
  if (head === undefined) return 0;
  return typeof head.number === 'number' ? head.number : Number.POSITIVE_INFINITY;
};

const loadOthers = async (
  table: Pick<Table, 'load'>,
  message: ActMessage,
  decision: Decision,
): Promise<readonly Effect[]> => {
  const named = new Set(message.actions.map((action) => action.n));
  const rest = decision.actions.flatMap((_, n) =>
    named.has(n) ? [] : [signalKeys.effect(message.space, message.signalId, n)],
  );
  const items = await table.load(rest, { isConsistent: true });
  return items.flatMap((item) => (item === undefined ? [] : [parseEffect(message.signalId, item)]));
};

/**
 * The approval as it stands; one spent by an earlier, lapsed claim of this very effect counts as spent here. It counts only
 * for the action of the signal it was made for (not for the same bytes proposed elsewhere), and only while the action
 * it shows to people is the one its hash is of.
 */
const approvalFacts = (
  loaded: Loaded,
  { n, approvalId }: ActMessage['actions'][number],
  effect: Effect | undefined,
): ApprovalFacts | null => {
  const item = approvalId === undefined ? undefined : loaded.approvals.get(approvalId);
  if (approvalId === undefined || item === undefined) return null;
  const approval = parseApproval(approvalId, item);
  const { id, policyVersion, space, state, expiresAtMs } = approval;
  if (approval.signalId !== loaded.record.signal.id || approval.n !== n || effect?.approvalId !== id) return null;
  const shownHash = hashOf('action', approval.action);
  if (shownHash !== approval.actionHash) return null;
  const isSpentHere = state === 'spent' && effect.state !== 'suspended';
  return {
    id,
    actionHash: shownHash,
    policyVersion,
    space,
    state: isSpentHere ? 'spent-here' : state,
    expiresAt: expiresAtMs,
  };
};

const billFacts =
  ({ budget: { webhookCosts: costs } }: ActDeps, { caps, spending: { item, account } }: Bill) =>
  (action: Action) =>
    budgetFacts(action, { item, account, caps, costs });

const factSourcesFor = (
  deps: ActDeps,
  loaded: Loaded,
  policy: SpacePolicy,
  {
    consentedAt,
    approval,
    found,
    judged,
    bill,
  }: {
    readonly consentedAt: number;
    readonly approval: ApprovalFacts | null;
    readonly found: FoundGrant | undefined;
    readonly judged: JudgedAction;
    readonly bill: Bill | undefined;
  },
): FactSources => ({
  stage: 'act',
  now: deps.now(),
  space: loaded.record.signal.space,
  isStopped: isStoppedFor(loaded.killSwitch, consentedAt),
  flood: buildFloodFacts(loaded.head, deps.now(), consentedAt),
  reply: loaded.record.signal.reply,
  origin: judged.facts.at(-1)?.origin ?? 'outside',
  privacyTags: deps.privacyTags ?? [],
  // What was read is not loaded again: which links may stay tappable was decided and stored.
  listedLinks: judged.facts.at(-1)?.knownUrls ?? [],
  secrets: deps.secrets,
  webhookUrls: deps.webhookUrls,
  mcp: loaded.mcp,
  isLoopbackAllowed: deps.isLoopbackAllowed,
  resolveAddresses: deps.resolveAddresses,
  policyVersion: buildPolicyVersion(deps.gateSet, policy.hash),
  policy,
  whyOff: (tool) => whyOff(tool, loaded.settings),
  session: loaded.record.signal.session,
  sensor: loaded.record.signal.payload.sensor,
  // Who began the turn was decided and stored; the chat may have been closed since.
  askedBy: judged.facts.at(-1)?.askedBy ?? 'member',
  chatMemory: chatMemoryOf(loaded.record.signal.reply, loaded.settings),
  isMemoryShown: judged.facts.at(-1)?.isMemoryShown ?? true,
  approval,
  // Nobody is asked again: what other models said was decided and stored.
  consensus: judged.facts.at(-1)?.consensus,
  ...(bill === undefined ? {} : { budgetOf: billFacts(deps, bill) }),
  ...(found === undefined
    ? {}
    : { grantFor: (action: Action) => buildGrantFacts(found, loaded.record.signal, loaded.decision, action) }),
});
