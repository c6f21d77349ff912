/**
 * Tells the webhooks that subscribed to news. Each piece of news is a signal of its own, decided by
 * code: an approver asked for it, so nobody is asked again. The gates judge it, and the webhook is
 * called like any other. It holds a line of code's words, a link and states, never anybody's words,
 * and no approval's id (I5). Repeating changes nothing.
 */
import { parseApproval } from '../../core/approvals/approval.ts';
import { defined } from '../../core/base/defined.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { DAY_MS, SWEEP_BACKOFF_MS } from '../../core/base/limits.ts';
import { baseFacts } from '../../core/judge/base-facts.ts';
import { buildCall } from '../../core/judge/build-actions.ts';
import { decideByCode } from '../../core/judge/judge.ts';
import { saveNotice } from '../../core/judge/notify.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { saveDecidedSignal } from '../../core/ledger/ledger.ts';
import { buildRecordItem } from '../../core/ledger/record.ts';
import { jobOf } from '../../core/money/day-spend.ts';
import { type Action, isText } from '../../core/signal/action.ts';
import { homeRoute, MAIN_CONSOLE } from '../../core/signal/channels.ts';
import type { Decision, Effect } from '../../core/signal/decision.ts';
import { CARRIES_NEWS } from '../../core/signal/ids.ts';
import { buildChild, carriesNews, type Signal } from '../../core/signal/signal.ts';
import type { ActDeps, ActTurn } from '../../core/stages/act/act-context.ts';
import { approvalKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { CALL_WEBHOOK, textBody } from '../../core/tools/webhooks.ts';
import { newsFormOf } from './news-form.ts';
import {
  deliveriesKey,
  type News,
  newsSession,
  newsSuffix,
  subscriptionField,
  subscriptionsIn,
} from './subscriptions.ts';
import { subscriptionNotices } from './texts.ts';

/** A webhook that takes nothing for so long is told no more. */
const FAILING_MS_MAX = DAY_MS;

/** The event that a text of code tells people of. */
const NEWS_OF_TEMPLATE: Readonly<Record<string, News>> = {
  'job-missed': 'job.missed',
  'over-budget': 'budget.met',
  'runner-away': 'runner.lost',
};

interface NewsForSubscribers {
  readonly news: News;
  readonly n: number;
  readonly data: { readonly id: string; readonly job?: string } & JsonObject;
  /** Undefined for news of no single action. */
  readonly action?: Action;
  /** The approval of a card. */
  readonly card?: string;
}

/** An action without its arguments: those are words of a model, or of others. */
const nameOf = ({ tool, target, to = '' }: Action): string => {
  if (tool === CALL_WEBHOOK) return `a call of the webhook ${to}`;
  return tool === undefined ? `a text to ${target}` : `a call of ${tool}`;
};

const upper = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const lineOf = (news: News, name: string, job: string | undefined, outcome: Decision['outcome']): string => {
  switch (news) {
    case 'approval.waiting':
      return `${upper(name)} waits for your yes.`;
    case 'effect.failed':
      return `${upper(name)} failed.`;
    case 'effect.unknown':
      return `Nobody knows whether ${name} was done.`;
    case 'job.missed':
      return `${job === undefined ? 'A job' : `The job ${job}`} missed a run.`;
    case 'budget.met':
      return 'A budget has no room for a call.';
    case 'runner.lost':
      return 'An action waits for a machine that is away.';
    case 'decision.stored':
      return `A decision was stored: ${outcome}.`;
    default:
      return news satisfies never;
  }
};

/** The action that a card is about; its parent, if the approval is gone. */
const askedOf = async ({ table }: ActDeps, { space, id }: Signal, card: string) => {
  const item = await loadItem(table, approvalKey(space, card));
  if (item === undefined) return { id: id.slice(0, id.lastIndexOf('/')), n: 0, action: undefined };
  const { signalId, n, action } = parseApproval(card, item);
  return { id: signalId, n, action };
};

const newsOf = (
  { record: { signal }, decision }: ActTurn,
  effects: readonly Effect[],
): readonly NewsForSubscribers[] => {
  const about = { id: signal.id, ...defined({ job: jobOf(signal.session) }) };
  const isTurn = signal.payload.sensor !== 'notice';
  return [
    ...(isTurn ? [{ news: 'decision.stored', n: 0, data: { ...about, outcome: decision.outcome } } as const] : []),
    ...effects.flatMap(({ n, state }): readonly NewsForSubscribers[] => {
      const action = decision.actions[n]?.action;
      if (action === undefined) return [];
      const { author, template = '', card, edits, tool, target } = action;
      const isByCode = author === 'code' && isText(action);
      const news = isByCode && Object.hasOwn(NEWS_OF_TEMPLATE, template) ? NEWS_OF_TEMPLATE[template] : undefined;
      const data = { ...about, n, does: tool ?? `text to ${target}` };
      return [
        ...(news === undefined ? [] : [{ news, n, data: about }]),
        ...(isByCode && card !== undefined && edits === undefined
          ? [{ news: 'approval.waiting', n, data: about, card } as const]
          : []),
        ...(state === 'failed' || state === 'unknown' ? [{ news: `effect.${state}`, n, data, action } as const] : []),
      ];
    }),
  ];
};

/** With the line that a person reads, and where the rest is. */
const complete = async (
  { page, ...deps }: ActDeps,
  { record, decision }: ActTurn,
  told: NewsForSubscribers,
): Promise<JsonObject> => {
  const { news, card, data } = told;
  const asked = card === undefined ? undefined : await askedOf(deps, record.signal, card);
  const action = asked?.action ?? told.action;
  const name = action === undefined ? 'an action' : nameOf(action);
  const about = asked === undefined ? data : { ...data, id: asked.id, n: asked.n };
  const line = lineOf(news, name, data.job, decision.outcome);
  const link = page && new URL(`#/decisions/${encodeURIComponent(about.id)}`, page).href;
  return { ...about, line, ...defined({ link }) };
};

const send = async (deps: ActDeps, turn: ActTurn, target: string, told: NewsForSubscribers): Promise<void> => {
  const { record, policy, settings, records } = turn;
  const { news, n } = told;
  const data = await complete(deps, turn, told);
  const now = deps.now();
  const signal = {
    ...buildChild(record.signal, newsSuffix(target, news, n), { sensor: 'notice', template: CARRIES_NEWS }, now),
    ...({ type: 'RESPONSE', depth: record.signal.depth } as const),
    session: newsSession(target),
  };
  const isText = newsFormOf(deps.setup.webhookCalls?.[target]) === 'text';
  const body: JsonObject = isText
    ? textBody(`${String(data.line)} ${String(data.link ?? `/why ${String(data.id)}`)}`)
    : { type: news, timestamp: new Date(turn.decision.at).toISOString(), data };
  const call = {
    tool: CALL_WEBHOOK,
    args: { webhook: target, body },
    explanation: 'An approver subscribed this webhook to such news (/hooks subscriptions).',
  };
  const written = { author: 'code', template: CARRIES_NEWS } as const;
  const action = { ...buildCall(call, { webhookUrls: deps.setup.webhookUrls ?? {} }), ...written };
  const known = {
    stage: 'reason',
    now,
    space: signal.space,
    setup: { ...deps.setup, gateSet: deps.gateSet },
    policy,
    settings,
    records,
  } as const;
  const { session, reply } = signal;
  const sources = baseFacts(known, {
    session,
    reply,
    sensor: 'notice',
    origin: 'owner',
    turn: { askedBy: 'approver' },
  });
  const decided = { signalId: signal.id, outcome: 'act', reason: '' } as const;
  const decision = await decideByCode(deps.gateSet, decided, [action], sources);
  const item = buildRecordItem(signal, 'reasoned', now + SWEEP_BACKOFF_MS[0]);
  await saveDecidedSignal(deps.table, signal, item, decision);
  await deps.publishPerceive(perceiveMessage(signal), 'notice');
};

/** Notes whether the webhook took it. One that took nothing for a day is told no more. */
const noteDelivery = async (deps: ActDeps, turn: ActTurn, { n, state }: Effect): Promise<void> => {
  const { record, decision, settings } = turn;
  const { signal } = record;
  const target = decision.actions[n]?.action.to ?? '';
  const now = deps.now();
  const at = { schemaVersion: 1, state, at: now, id: signal.id };
  const change = state === 'done' ? { set: at, remove: ['failingSince'] } : { set: at, setOnce: { failingSince: now } };
  const { failingSince = now } = await deps.table.update(deliveriesKey(signal.space, target), change);
  const isOn = subscriptionsIn(settings).some((one) => one.target === target);
  if (!isOn || now - Number(failingSince) < FAILING_MS_MAX) return;
  const route = homeRoute(deps.homeChat) ?? MAIN_CONSOLE;
  const notice = { ...subscriptionNotices.newsEnded(target), route };
  const { signal: told } = await saveNotice(deps.table, { gateSet: deps.gateSet, now }, signal, 'ended', notice);
  await deps.publishPerceive(perceiveMessage(told), 'notice');
  await changeOwnerSetting(
    deps.table,
    { ...signal, sender: { id: 'system', isApprover: false }, receivedAt: now },
    subscriptionField(target),
    '',
  );
};

export const tellSubscribers = async (deps: ActDeps, turn: ActTurn, effects: readonly Effect[]): Promise<void> => {
  if (carriesNews(turn.record.signal)) {
    for (const effect of effects) if (effect.state !== 'suspended') await noteDelivery(deps, turn, effect);
    return;
  }
  const all = newsOf(turn, effects);
  for (const { target, news } of subscriptionsIn(turn.settings))
    for (const one of all) if (news.includes(one.news)) await send(deps, turn, target, one);
};
