/**
 * Suspends an action that the gates ask about: it becomes a pending approval, bound to its exact
 * bytes (I5), and a card tells the person how to decide. Approval and suspended effect are one
 * transaction; the card is a notice with a decision of its own, which changes when the action has
 * ended.
 */

import type { Approval } from '../../approvals/approval.ts';
import { endUnspent, parseApproval } from '../../approvals/approval.ts';
import { isDestroying, onlyChangesRights } from '../../approvals/ask-marks.ts';
import { describeEarlier } from '../../approvals/earlier-yes.ts';
import { CARDS_AS_READ, type CardRoom, countOpenCards, findCardRoom } from '../../approvals/open-cards.ts';
import { taintSource } from '../../approvals/taint-source.ts';
import { defined } from '../../base/defined.ts';
import { ConditionError } from '../../base/errors.ts';
import { HOUR_MS } from '../../base/limits.ts';
import { approvalNotices, cardSuffix, saveCardUpdate } from '../../judge/approval-notices.ts';
import type { CardEnding } from '../../judge/card.ts';
import { findDeclared, targetsOf } from '../../judge/declared.ts';
import { formContext } from '../../judge/form-context.ts';
import { buildPolicyVersion } from '../../judge/judge.ts';
import { loadListed } from '../../judge/listed-cards.ts';
import type { Notice } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import { buildTierOf, type TierMoment } from '../../judge/tier-of.ts';
import { packEffect } from '../../ledger/ledger.ts';
import { chatMemoryOf, nameOf } from '../../ledger/owner-settings.ts';
import { accountsOf, type QuotaAccount, retryConflicts } from '../../ledger/quota.ts';
import { buildReader } from '../../memory/read.ts';
import type { Action } from '../../signal/action.ts';
import {
  chatOf,
  chatOfSession,
  chatRoute,
  homeRoute,
  isGroup,
  isPrivateChat,
  isSkillsDir,
  MAIN_CONSOLE,
  sendsMessages,
} from '../../signal/channels.ts';
import type { Effect, JudgedAction } from '../../signal/decision.ts';
import { isRunnerTool } from '../../signal/runner-tools.ts';
import type { ReplyRoute, Signal } from '../../signal/signal.ts';
import { IS_NEW } from '../../store/condition.ts';
import { approvalKey, indexPartitions, signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { findTool } from '../../tools/catalogue.ts';
import { buildLookups } from '../../tools/form-lookups.ts';
import { collectMarks, type Mark } from '../../tools/marks.ts';
import type { ActDeps, ActTurn, Performed, Task } from './act-context.ts';
import { recordEffect } from './claim.ts';
import { loadRoot } from './load-decision.ts';
import { wasStopped } from './was-stopped.ts';

/** An unanswered approval ends after this: a person at dinner comes back within the hour. */
export const APPROVAL_TTL_MS = HOUR_MS;

interface SuspendedCall {
  readonly task: Task;
  /** With the trace that asks. */
  readonly judged: JudgedAction;
  /** The effect, as far as it is known. */
  readonly base: Effect;
}

/** A change of rights may say more than its arguments. */
const markCard = async (
  { loadFeatures }: ActDeps,
  turn: ActTurn,
  action: Action,
  moment: TierMoment,
  mark: Mark,
): Promise<void> => {
  if (findTool(action.tool ?? '')?.effects?.changesAuthority !== true) return;
  for (const feature of (await loadFeatures?.()) ?? []) feature.markCard?.(action, turn, moment, mark);
};

export const suspendAction = async (deps: ActDeps, turn: ActTurn, asked: SuspendedCall): Promise<Performed> => {
  const { signal } = asked.task;
  const now = deps.now();
  const root = await loadRoot(deps.table, signal);
  const { lines, notable } = await describeArgs(deps, turn, asked, now);
  const earlier = await describeEarlier(deps.table, signal.space, asked.judged.action, now);
  const fresh = collectMarks();
  await markCard(deps, turn, asked.judged.action, { ...signal, now }, fresh.mark);
  const seen = [...fresh.marked, ...notable, ...earlier];
  const words = { requester: root.sender.id, ...defined({ lines }), ...(seen.length === 0 ? {} : { notable: seen }) };
  const approval = buildApproval(deps, turn, asked, words, now);
  const effect: Effect = { ...asked.base, state: 'suspended', approvalId: approval.id };
  const full = await storeWithRoom(deps, signal, approval, effect, accountsOf(root));
  if (full === undefined) return { effect, asked: approval, isTooMany: false };
  const refused: Effect = { ...asked.base, state: 'refused', reason: full.reason, settledAt: now };
  await recordEffect(deps.table, signal, refused);
  return { effect: refused, isTooMany: full.isOwners };
};

/** The arguments in the words of their tool; nothing if it has none for them. */
const describeArgs = async (
  deps: ActDeps,
  turn: ActTurn,
  { task: { signal, judged } }: SuspendedCall,
  now: number,
): Promise<{ readonly lines?: string[]; readonly notable: readonly string[] }> => {
  const { records, settings } = turn;
  const { tool = '', args = {}, target } = judged.action;
  // A number says nothing to a person.
  const name = sendsMessages(target) ? nameOf(settings, chatOf(judged.action)) : undefined;
  const names = name === undefined ? [] : [`This chat is named ${name}.`];
  const form = await findTool(tool)?.loadForm?.();
  if (form === undefined) return { notable: names };
  const { table, setup, loadPowers, zone } = deps;
  const { space, reply } = signal;
  const facts = formContext({
    now,
    reply,
    setup,
    reads: {
      readRow: (keyIn) => loadItem(table, keyIn(space)),
      loadNotes: async (ids) => {
        const reader = buildReader(table, space);
        return reader.loadMany(ids, (await reader.loadHead()).number);
      },
      loadLookups: async () => buildLookups(table, space),
    },
    state: { records },
    ...defined({ zone }),
  });
  const context = {
    ...facts,
    tierOf: buildTierOf(turn, { ...signal, now }),
    loadPowers,
    countOpenCards: () => countOpenCards(table, space, now),
  };
  const { marked: notable, mark } = collectMarks();
  return { lines: [...(await form.describe(args, context, mark))], notable };
};

const FREE: Approval['costs'] = { usd: 0, leftUsd: 0 };

const buildApproval = (
  deps: ActDeps,
  turn: ActTurn,
  { task, judged, base }: SuspendedCall,
  words: Pick<Approval, 'requester' | 'lines' | 'notable'>,
  now: number,
): Approval => {
  const { signal } = task;
  const facts = judged.facts.at(-1);
  const changesRights = facts !== undefined && onlyChangesRights(judged.action, facts);
  const asks = judged.trace
    .filter(({ verdict }) => verdict === 'ask')
    .map(({ gate, reason }) => ({ gate, reason, changesRights: gate === 'high-impact' && changesRights }));
  const origin = facts?.origin ?? 'outside';
  const { recipient } = findDeclared(judged.action, targetsOf(deps.setup.webhookCalls, turn.mcp));
  const approval: Approval = {
    schemaVersion: 1,
    id: deps.newId(),
    space: signal.space,
    session: signal.session,
    signalId: signal.id,
    n: base.n,
    action: judged.action,
    actionHash: judged.hash,
    ...words,
    policyVersion: buildPolicyVersion(deps.gateSet, turn.policy.hash),
    policyHash: turn.policy.hash,
    reasons: asks.map(({ reason }) => reason),
    asks,
    destroys: facts !== undefined && isDestroying(judged.action, facts),
    ...defined({ recipient }),
    origin,
    ...(origin === 'outside' ? { taintSource: taintSource(signal, turn.decision) } : {}),
    costs: task.looks.flatMap((look) => look.costs ?? [])[0] ?? FREE,
    state: 'pending',
    createdAt: now,
    expiresAtMs: now + APPROVAL_TTL_MS,
    unfinishedSpace: indexPartitions.pendingApprovals(signal.space),
    unfinishedAt: now + APPROVAL_TTL_MS,
  };
  const cardRoute = privateRoute(deps, turn, signal, words.requester ?? '', judged);
  const route = cardRoute ?? signal.reply;
  return {
    ...approval,
    ...(sendsMessages(route.target) ? { cardChat: chatOf(route) } : {}),
    ...defined({ cardRoute }),
  };
};

/**
 * A card shows the whole action, so a group that is not opened for memory never sees one made from
 * memory. It goes to the home chat if that is private, else to the private chat of the approver who
 * began the turn. An offer of SKILLS_DIR goes to the home chat too. Undefined if the chat itself
 * may see it.
 */
const privateRoute = (
  { homeChat = '' }: ActDeps,
  { settings }: ActTurn,
  { reply }: Signal,
  requester: string,
  { facts }: JudgedAction,
): ReplyRoute | undefined => {
  if (isSkillsDir(reply)) return homeRoute(homeChat) ?? MAIN_CONSOLE;
  const isOpen = chatMemoryOf(reply, settings) === 'open';
  if (!isGroup(reply) || isOpen || facts.at(-1)?.isMemoryShown === false) return undefined;
  const chats = [homeChat, chatOfSession(requester) ?? ''].map(chatRoute);
  return chats.find(isPrivateChat) ?? MAIN_CONSOLE;
};

/** Why there is no room for an approval; undefined once approval and effect are stored. */
const storeWithRoom = async (
  { table }: ActDeps,
  { space, id }: Signal,
  approval: Approval,
  effect: Effect,
  accounts: readonly QuotaAccount[],
): Promise<Extract<CardRoom, { kind: 'full' }> | undefined> => {
  // The list of all approvals shows it for good.
  const item = { ...approval, feedSpace: indexPartitions.approvalFeed(space), feedAt: approval.createdAt };
  const write = async (): Promise<Extract<CardRoom, { kind: 'full' }> | undefined> => {
    const room = await findCardRoom(table, space, approval.id, accounts, approval.createdAt);
    if (room.kind === 'full') return room;
    await table.transact([
      { kind: 'put', key: approvalKey(space, approval.id), item, condition: IS_NEW },
      { kind: 'put', key: signalKeys.effect(space, id, effect.n), item: { ...packEffect(effect) }, condition: IS_NEW },
      room.write,
    ]);
    return undefined;
  };
  const isOutdated = (error: unknown): boolean => error instanceof ConditionError && error.condition === CARDS_AS_READ;
  try {
    return await retryConflicts(write, isOutdated);
  } catch (error) {
    // Another delivery has suspended it.
    if (!(error instanceof ConditionError)) throw error;
    return undefined;
  }
};

/**
 * Stores the cards of the approvals that one delivery asked for: one for all of an answer that fit
 * on it, and one for each other. @returns their signals, to be published
 */
export const saveCards = async (
  deps: ActDeps,
  signal: Signal,
  asked: readonly Approval[],
): Promise<readonly Signal[]> => {
  const saved: Signal[] = [];
  const seen = new Set<string>();
  for (const approval of asked) {
    if (seen.has(approval.id)) continue;
    const listed = isSkillsDir(signal.reply) ? [] : await loadListed(deps.table, approval);
    for (const one of listed) seen.add(one.approval.id);
    const [first] = listed;
    const card = first === undefined ? approvalNotices.approvalCard(approval) : approvalNotices.listCard(listed);
    saved.push(...(await saveCard(deps, signal, first?.approval ?? approval, card)));
  }
  return saved;
};

const saveCard = async (
  { table, gateSet, now }: ActDeps,
  signal: Signal,
  { n, cardRoute: route }: Approval,
  card: Notice,
): Promise<readonly Signal[]> => {
  const save = async (suffix: string, notice: Notice): Promise<Signal> =>
    (await saveNotice(table, { gateSet, now: now() }, signal, suffix, notice)).signal;
  if (route === undefined) return [await save(cardSuffix(n), card)];
  if (isSkillsDir(signal.reply)) return [await save(cardSuffix(n), { ...card, route })];
  return [await save(cardSuffix(n), { ...card, route }), await save(`asked-${n}`, approvalNotices.askedInPrivate())];
};

/** After a crash before publishing, the stored approval says what its card must show. */
export const loadAsked = async (
  { table }: ActDeps,
  { space }: Signal,
  { approvalId: id = '' }: Effect,
): Promise<Approval | undefined> => {
  const item = await loadItem(table, approvalKey(space, id));
  return item === undefined ? undefined : parseApproval(id, item);
};

/** Undefined while it is not known. */
const endingOf = ({ judged }: Task, effect: Effect): CardEnding | undefined => {
  const { state, handedTo, reason = '' } = effect;
  if (state === 'suspended') return handedTo && { waitsFor: handedTo.runner };
  if (state === 'claimed') return undefined;
  if (wasStopped(effect)) return 'stopped';
  // Of a machine, and of the rules, the reason is in our own words.
  const isOurs = isRunnerTool(judged.action.tool) || state === 'refused';
  return isOurs && reason !== '' ? { ended: state, because: reason } : state;
};

/** Writes on an approved action's card how it ended. @returns the notice to publish, if any */
export const updateCard = async (
  deps: ActDeps,
  { approvals }: ActTurn,
  task: Task,
  effect: Effect,
): Promise<readonly Signal[]> => {
  const { approvalId = '', signal, n } = task;
  const ending = endingOf(task, effect);
  const item = approvals.get(approvalId) ?? (await loadItem(deps.table, approvalKey(signal.space, approvalId)));
  if (item === undefined || ending === undefined) return [];
  const approval = parseApproval(approvalId, item);
  if (approval.signalId !== signal.id || approval.n !== n || effect.approvalId !== approval.id) return [];
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const update = await saveCardUpdate(deps.table, context, approval, ending);
  if (effect.state === 'refused' && approval.state === 'approved') await endUnspent(deps.table, approval, deps.now());
  return update === undefined ? [] : [update.signal];
};
