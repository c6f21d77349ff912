/**
 * Keeps back a text to a chat in its mute hours, unless it answers a person who wrote there. The
 * text becomes a signal of its own that is decided already and due when the hours end. Its effect
 * is settled in the very transaction that stores this signal, so the text is sent once. Until a
 * little after the hours, new texts queue behind it: the sweep sends them in order.
 */

import { showMoment } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { WaitingError } from '../../../base/errors.ts';
import { DAY_MS } from '../../../base/limits.ts';
import { baseFacts } from '../../../judge/base-facts.ts';
import { decideByCode } from '../../../judge/judge.ts';
import { NEWS_DIGEST } from '../../../ledger/digests.ts';
import { SESSION_STOPPED } from '../../../ledger/home-chat.ts';
import { packDecision } from '../../../ledger/ledger.ts';
import { buildRecordItem } from '../../../ledger/record.ts';
import { type Action, isText } from '../../../signal/action.ts';
import { NOT_READ } from '../../../signal/attachment.ts';
import { chatOf, chatOfSession, chatRoute, chatSession, sendsMessages } from '../../../signal/channels.ts';
import type { JudgedAction } from '../../../signal/decision.ts';
import { keptBackId, MAY_BE_LOST } from '../../../signal/ids.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../../signal/signal.ts';
import { absent, anyOf, below, IS_NEW } from '../../../store/condition.ts';
import { type Key, signalKeys } from '../../../store/keys.ts';
import { loadItem } from '../../../store/load-named.ts';
import type { Write } from '../../../store/table.ts';
import type { ActDeps, ActTurn, LoadedTask } from '../act-context.ts';
import { postponeSweep } from '../claim.ts';
import type { Addition, Claiming, Problem } from '../guard.ts';
import { loadRoot } from '../load-decision.ts';
import { mutedFor } from './muted.ts';
import { planDigest } from './put-in-digest.ts';

/** Texts that a chat gets one by one after its hours; later ones go into a digest. */
const KEPT_TEXTS_MAX = 50;

/** Template of a text that a muted chat gets after its hours. */
const KEPT_BACK = 'kept-back';

/** A text that waits itself until its chat is muted no more. */
const waitsItself = ({ payload }: Signal): boolean =>
  payload.sensor === 'notice' && [KEPT_BACK, NEWS_DIGEST].includes(payload.template ?? '');

/** Cards expire, and what has a button belongs to its message. A stop is told at once. */
const AT_ONCE: readonly string[] = [SESSION_STOPPED, MAY_BE_LOST, NOT_READ];

const mayWait = (action: Action): boolean =>
  isText(action) &&
  sendsMessages(action.target) &&
  action.card === undefined &&
  action.edits === undefined &&
  !(action.author === 'code' && AT_ONCE.includes(action.template ?? ''));

const isAnswer = ({ session, sender }: Signal, chat: string): boolean =>
  chatOfSession(session) === chat && sender.id !== 'system';

const counterKey = (space: string, chat: string, until: number): Key => ({
  pk: `session#${space}#muted`,
  sk: `${chat}#${until}`,
});

const countKept = (key: Key, until: number): Write => ({
  kind: 'update',
  key,
  change: { add: { texts: 1 }, set: { schemaVersion: 1, expiresAt: Math.ceil((until + DAY_MS) / 1000) } },
  condition: { name: 'few texts are kept back', holds: anyOf(absent('texts'), below('texts', KEPT_TEXTS_MAX)) },
});

/** A typed text is judged as it was, any other as an answer in the chat. */
const decideKept = (
  deps: ActDeps,
  turn: ActTurn,
  task: LoadedTask,
  judged: JudgedAction,
  kept: Signal,
  now: number,
) => {
  const { origin = 'outside', askedBy, isMemoryShown = true, knownUrls } = judged.facts.at(-1) ?? {};
  const isConsented = task.approvalId !== undefined || task.grant !== undefined;
  return decideByCode(
    deps.gateSet,
    { signalId: kept.id, outcome: 'act', reason: '' },
    [judged.action],
    baseFacts(
      {
        stage: 'reason',
        now,
        space: kept.space,
        setup: { ...deps.setup, gateSet: deps.gateSet },
        policy: turn.policy,
        settings: turn.settings,
        earlier: { table: deps.table },
      },
      {
        reply: kept.reply,
        session: kept.session,
        sensor: kept.payload.sensor,
        origin,
        turn: { isMemoryShown: isMemoryShown && !isConsented, ...defined({ askedBy, listedLinks: knownUrls }) },
      },
    ),
  );
};

/** @returns undefined if it is sent now. @throws WaitingError if its chat is muted still */
export const keepBack = async (
  deps: ActDeps,
  turn: ActTurn,
  task: LoadedTask,
  { judged, now, settling }: Claiming,
): Promise<Addition | Problem | undefined> => {
  const until = mutedFor(deps, turn, judged.action, now);
  if (until === undefined || settling !== undefined) return undefined;
  const { signal, n, consentedAt } = task;
  const { topic } = judged.action;
  const chat = chatOf(judged.action);
  if (!mayWait(judged.action)) return undefined;
  if (waitsItself(signal)) {
    if (until <= now) return undefined;
    await postponeSweep(deps.table, signal, until);
    throw new WaitingError('its chat is muted', until - now);
  }
  if (isAnswer(await loadRoot(deps.table, signal), chat)) return undefined;
  const { space } = signal;
  const counter = counterKey(space, chat, until);
  if (Number((await loadItem(deps.table, counter))?.texts ?? 0) >= KEPT_TEXTS_MAX)
    return planDigest(deps, turn, task, judged, now, until);
  const id = keptBackId(signal.id, n);
  const kept: Signal = {
    schemaVersion: SIGNAL_SCHEMA_VERSION,
    id,
    type: 'RESPONSE',
    source: 'system',
    space,
    session: chatSession(chat, topic),
    root: id,
    depth: 0,
    receivedAt: now,
    sender: { id: 'system', isApprover: false },
    // The person who typed it hears how it ended.
    reply: judged.action.author === 'owner' ? signal.reply : { ...chatRoute(chat), ...defined({ topic }) },
    payload: { sensor: 'notice', template: KEPT_BACK },
  };
  const decided = await decideKept(deps, turn, task, judged, kept, now);
  if (decided.actions.some(({ outcome }) => outcome !== 'pass')) return { problem: 'the chat is muted' };
  // A stop since the consent refuses it. A note that the turn was shown may be forgotten meanwhile.
  const { memory, seen } = turn.decision;
  const decision = { ...decided, at: consentedAt, ...defined({ memory, seen }) };
  const words = `Kept back until ${showMoment(until, deps.zone ?? 'UTC')}: the chat is muted (/chats).`;
  return {
    isLater: true,
    settled: { state: 'done', output: words, outputOrigin: 'agent', because: { code: 'kept-back' } },
    writes: [
      { kind: 'put', key: signalKeys.decision(space, id), item: { ...packDecision(decision) }, condition: IS_NEW },
      {
        kind: 'put',
        key: signalKeys.record(space, id),
        // One that queues behind the hours comes after those that were kept back before it.
        item: buildRecordItem(kept, 'reasoned', Math.max(until, now + 1)),
        condition: IS_NEW,
      },
      countKept(counter, until),
    ],
  };
};
