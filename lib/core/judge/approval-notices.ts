/** Notices about approvals. They take the catalogue of tools: other functions go without. */

import * as z from 'zod/mini';
import { type Approval, shortIdOf } from '../approvals/approval.ts';
import { type Answers, type Grantable, toolOf } from '../approvals/count-answers.ts';
import type { Grant } from '../approvals/grant.ts';
import {
  fromList,
  isQuestion,
  listCard,
  ONCE_CARD,
  QUESTION_CARD,
  similarProblem,
  TASK_CARD,
} from '../approvals/similar.ts';
import { defined } from '../base/defined.ts';
import { readJson } from '../base/json.ts';
import { textTable } from '../base/language.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { CARD_REASON } from '../evidence/record-hash.ts';
import { parseEffect, parseRecord } from '../ledger/ledger.ts';
import type { Action } from '../signal/action.ts';
import { APPROVER_SETTINGS, sendsMessages } from '../signal/channels.ts';
import type { Decision } from '../signal/decision.ts';
import { childId } from '../signal/ids.ts';
import { isRunnerTool } from '../signal/runner-tools.ts';
import type { Signal } from '../signal/signal.ts';
import { signalKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { defang } from '../text/tappable.ts';
import { actionSentence } from '../tools/action-sentence.ts';
import {
  buildCard,
  buildCardUpdate,
  buildSimilarCard,
  CARD_WORDS,
  type Card,
  type CardEnding,
  type CardWords,
  cardWords,
} from './card.ts';
import { buildListCard, hashOfList, type Listed, loadListed } from './listed-cards.ts';
import { buildNotices, joined, type Notice } from './notices.ts';
import { type NoticeContext, saveNotice } from './notify.ts';

const WHY_NOT_APPROVE = {
  person: () =>
    `Only an approver may decide this. In a group these are the people named in the setting ${APPROVER_SETTINGS}, or, without it, those whose private chat with me is paired.`,
  chat: (id: string) =>
    `This can be decided only where its card was sent, or in a terminal: npx passepartout approvals ${shortIdOf(id)}`,
} as const;

/** Why a decision about an approval changes nothing. */
const STALE = {
  unknown: 'I know no such question (any more)',
  pending: 'this still waits for a decision',
  decided: 'this is decided already',
  approved: 'this is approved already',
  spent: 'this is approved already, and was begun',
  denied: 'this is denied already',
  expired: 'the time to decide this is over, and it was not done. Ask for it again',
} as const;
type StaleState = keyof typeof STALE;

const ENDED_BECAUSE = {
  policy:
    'the rules changed after this was asked, or its chat was removed, so it can no longer be approved. Ask for it again',
  refused: 'this was approved, and then refused before it was done',
} as const;

/** How a person is spared questions about a tool. */
export const SPARED: Readonly<Record<Grantable, (tool: string) => string>> = {
  reads: (tool) => `You could let it pass if ${tool} only reads: /mcp add its server again, which offers that.`,
  similar: (tool) => `You could let ${tool} pass: “Allow similar…” on its next card.`,
  nothing: (tool) => `Nothing lets ${tool} pass: read its card before you say yes.`,
};

/** A card in each language. */
const inWords = (build: (say: CardWords) => Card): Pick<Notice, 'text' | 'textIn'> => ({
  text: build(CARD_WORDS).text,
  textIn: async (language) => build(await cardWords.in(language)).text,
});

const cardTemplate = (approval: Approval): string => {
  if (isQuestion(approval.action)) return QUESTION_CARD;
  return similarProblem(approval) === '' ? 'approval-card' : ONCE_CARD;
};

export const TEXTS = {
  askedInPrivate: () => 'What I want to do here holds something from memory, so I asked for a yes in private first.',
  approved: (action: Action) => `Approved: ${defang(actionSentence(action))}`,
  denied: (action: Action) => `Denied: ${defang(actionSentence(action))}`,
  granted: (grant: Grant) =>
    `Approved, and allowed ${grant.usesMax} more times until ${utcMinute(grant.expiresAtMs)}: ${defang(actionSentence(grant))}. /revoke ${grant.id} takes it back.`,
  /** @param others of the same answer, which waited and are approved with it */
  grantedForTask: (grant: Grant, others: number) =>
    `Approved${others === 0 ? '' : ` with ${others} more of this answer`}, and for this task allowed ${grant.usesMax} more times until ${utcMinute(grant.expiresAtMs)}, also with ${CARD_WORDS.mayDiffer(grant.loosened)}: ${defang(actionSentence(grant))}. /revoke ${grant.id} takes it back.`,
  approvedOnly: (problem: string) => `Approved this once; nothing more is allowed: ${problem}.`,
  grantAdded: (line: string) => `Allowed: ${line}`,
  revoked: (id: string) => `The grant ${id} is taken back.`,
  /** @param actions that are decided by it @param others that were decided before */
  decidedAll: (isYes: boolean, actions: readonly Action[], others: number) =>
    joined([
      `${isYes ? 'Approved' : 'Denied'} ${actions.length}${others === 0 ? '' : `; ${others} more had been decided or had ended before`}:`,
      ...actions.map((action) => `– ${defang(actionSentence(action))}`),
    ]),
  similarStale: () => 'Those bounds are not the ones shown now; nothing was changed. Tap “Allow similar…” again.',
  waitingHere: (name: string, waiting: readonly Approval[]) =>
    waiting.length === 0
      ? 'Nothing waits for a yes here. /approvals lists what waits elsewhere.'
      : joined([
          'Write one of these:',
          ...waiting.map(({ id, action }) => `/${name} ${shortIdOf(id)} – ${defang(actionSentence(action))}`),
        ]),
  bareAnswer: (waiting: readonly Approval[]) =>
    joined([
      'A word alone decides nothing, because it may be meant for something else. Use the buttons of the card, or write:',
      ...waiting.map(({ id, action }) => {
        const short = shortIdOf(id);
        return `/approve ${short} or /deny ${short} – ${defang(actionSentence(action))}`;
      }),
    ]),
  noSuchApproval: (name: string) =>
    `No single approval has that id, so nothing was changed. Write /${name} and only the id that its card shows; /approvals lists them.`,
  mayNotApprove: (because: keyof typeof WHY_NOT_APPROVE, id: string) => WHY_NOT_APPROVE[because](id),
  approvalStale: (state: StaleState, endedBecause: Approval['endedBecause']) =>
    `Nothing was changed: ${endedBecause === undefined ? STALE[state] : ENDED_BECAUSE[endedBecause]}.`,
  approvalOutdated: () =>
    'The rules have changed since that was asked for, so the approval has expired; nothing was done. Ask for it again.',
  approvalStopped: () => 'The agent is stopped; nothing is performed. /resume first, then approve. Denying works.',
  approvalSessionStopped: (session: string) =>
    `The conversation ${session} is stopped; nothing is performed there. /resume ${session} first, then approve. Denying works.`,
  /** @param answers of a week; the first row has the most quick ones */
  quickAnswers: ({ asked, quick, rows: [most] }: Answers) =>
    [
      `You said yes within three seconds to ${quick} of ${asked} questions of the last 7 days.`,
      ...(most === undefined
        ? []
        : [`${most.quick} were about ${toolOf(most)}.`, SPARED[most.grantable](toolOf(most))]),
      'All of them: /questions',
    ].join(' '),
};

/** Its buttons decide what still waits; none are left once nothing does. */
const listNotice = (
  listed: readonly Listed[],
  change?: { readonly message: number; readonly id?: string; readonly ending?: CardEnding | undefined },
): Notice => {
  const approvals = listed.map(({ approval }) => approval);
  const isOpen = approvals.some(({ state }) => state === 'pending');
  const ended = change?.id === undefined ? undefined : { id: change.id, ending: change.ending };
  const [first] = approvals;
  return {
    template: isOpen ? listCard(approvals.length) : 'card-update',
    ...inWords((say) => buildListCard(listed, say, ended)),
    ...(isOpen && first !== undefined ? { card: first.id, similarAt: hashOfList(approvals) } : {}),
    ...(change === undefined ? {} : { edits: { message: change.message } }),
  };
};

export const approvalNotices = {
  ...buildNotices(textTable(TEXTS, { de: async () => (await import('./approval-notices-german.ts')).DE })),
  /** Each card carries its buttons. */
  approvalCard: (approval: Approval): Notice => ({
    template: cardTemplate(approval),
    ...inWords((say) => buildCard(approval, say)),
    card: approval.id,
  }),
  /** Replaces the card by the bounds that a second tap grants. */
  similarCard: (approval: Approval, message: number, at: number, canBeForTask: boolean): Notice => ({
    template: canBeForTask ? TASK_CARD : 'similar-card',
    ...inWords((say) => buildSimilarCard(approval, at, say, canBeForTask)),
    card: approval.id,
    similarAt: at,
    edits: { message },
  }),
  /** Replaces the card of several calls by that of one of them. */
  cardFromList: (approval: Approval, message: number): Notice => ({
    template: fromList(cardTemplate(approval)),
    ...inWords((say) => buildCard(approval, say)),
    card: approval.id,
    edits: { message },
  }),
  /** The card of several calls, as it stands. */
  listCard: listNotice,
  /** Shows the card again as it was. */
  cardAgain: (approval: Approval, message: number): Notice => ({
    template: cardTemplate(approval),
    ...inWords((say) => buildCard(approval, say)),
    card: approval.id,
    edits: { message },
  }),
};

/** Suffix of the signal a card travels as. */
export const cardSuffix = (n: number): string => `card-${n}`;

/**
 * Changes an approval's card when the approval is decided, expires or is spent: its buttons go, and
 * a line says what happened. Made once for each state, also if repeated.
 * @returns the decided notice, to be published; undefined if no message can be changed
 */
export const saveCardUpdate = async (
  table: Pick<Table, 'load' | 'put'>,
  context: NoticeContext,
  approval: Approval,
  ending?: CardEnding,
): Promise<{ readonly signal: Signal; readonly decision: Decision } | undefined> => {
  const { space, signalId, n } = approval;
  const listed = await loadListed(table, approval);
  const cardId = childId(signalId, cardSuffix(listed[0]?.approval.n ?? n));
  const items = await loadNamed(table, {
    record: signalKeys.record(space, signalId),
    cardEffect: signalKeys.effect(space, cardId, 0),
  });
  if (items.record === undefined || items.cardEffect === undefined) return undefined;
  const { signal } = parseRecord(signalId, items.record);
  const route = approval.cardRoute ?? signal.reply;
  const { messageIds = [], chat } = sentIn(parseEffect(cardId, items.cardEffect).output);
  // The last message carries the buttons.
  const message = sendsMessages(route.target) ? messageIds.at(-1) : undefined;
  if (message === undefined) return undefined;
  const isHanded = typeof ending === 'object' && (isRunnerTool(approval.action.tool) || 'waitsFor' in ending);
  const step = ending === undefined ? approval.state : isHanded ? 'handed' : 'spent';
  const update: Notice =
    listed.length > 0
      ? listNotice(listed, { message, id: approval.id, ending })
      : { template: 'card-update', ...inWords((say) => buildCardUpdate(approval, ending, say)), edits: { message } };
  const notice = { ...update, route: { ...route, ...defined({ to: chat }) } };
  // A card's own signal is known by its name; one that shows it again, by its reason.
  const reason = notice.card === undefined ? '' : CARD_REASON;
  return saveNotice(table, context, signal, `c${n}-${step}`, notice, reason);
};

const SentMessages = z.object({ messageIds: z.array(z.int()), chat: z.optional(z.string()) });

/** The messages of an effect, and their chat if it moved; empty if the output names none. */
const sentIn = (output = ''): Partial<z.infer<typeof SentMessages>> =>
  SentMessages.safeParse(readJson(output)).data ?? {};
