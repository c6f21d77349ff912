/**
 * One run as the rules see it: the evidence export beside everything that clients sent and that the
 * servers outside received, read once and joined by the ids and texts that both sides name.
 */
import type { Observed, Received, Sent } from '../types.ts';
import { type Effect, type Evidence, readEvidence } from './evidence.ts';
import { type Fields, fieldsOf, hashOf, parseJson, textOf } from './json.ts';

/** A text that Telegram was asked to show. */
export interface Message {
  readonly receipt: Received;
  readonly at: number;
  readonly method: string;
  readonly chat: string;
  readonly text: string;
  /** What tells it from other texts: chat, text, and the message that it replaces. */
  readonly key: string;
  /** Effects that may have sent it. */
  readonly effects: readonly Effect[];
}

/** A call of an outgoing webhook. */
export interface HookCall {
  readonly receipt: Received;
  readonly at: number;
  readonly webhookId: string;
  readonly body: string;
  readonly effects: readonly Effect[];
}

export interface ModelCall {
  readonly receipt: Received;
  readonly at: number;
  /** Markers of the story that its prompt holds. */
  readonly markers: ReadonlySet<string>;
}

export interface Run {
  readonly observed: Observed;
  readonly evidence: Evidence;
  readonly messages: readonly Message[];
  readonly hookCalls: readonly HookCall[];
  readonly modelCalls: readonly ModelCall[];
  /** Methods that Telegram was asked for and that the checker does not know. */
  readonly strangeMethods: readonly string[];
  /** Effects that send a text to Telegram, by the key of the text. */
  readonly effectsByKey: ReadonlyMap<string, readonly Effect[]>;
  /** Effects of texts that are shown in several messages. */
  readonly longEffects: readonly Effect[];
  /** Ids of decisions by the root of their turn. */
  readonly turns: ReadonlyMap<string, readonly string[]>;
  /** What clients sent, without the answers to cards, orders and files. */
  readonly inputs: readonly Sent[];
  readonly files: readonly Sent[];
  readonly cardAnswers: readonly Sent[];
}

export interface Rule {
  /** Short and fixed. */
  readonly name: string;
  /** What always holds, in one sentence. */
  readonly promise: string;
  /** @returns a sentence for each time it does not hold */
  readonly check: (run: Run) => readonly string[];
}

export const rootOf = (id: string): string => id.split('/', 1)[0] ?? id;

/** The marker that a sent thing is known by. */
export const markerOf = ({ step }: Sent): string => step.marker;

/** States of effects that were, or may have been, performed. */
export const PERFORMED: readonly string[] = ['claimed', 'done', 'failed', 'unknown'];

/** Its text stands in a digest, or comes later as one of its own. */
export const isPutOff = ({ output }: Effect): boolean => /^(?:In the digest of|Kept back until) /.test(output);

/** Methods that show nobody a text. */
const SILENT_METHODS: readonly string[] = [
  'getMe',
  'sendChatAction',
  'answerCallbackQuery',
  'setWebhook',
  'getUpdates',
  'getFile',
];

const keyOf = (chat: string, text: string, edited: string): string => `${chat}\n${edited}\n${text}`;

const keyOfAction = ({ target, to, text, edits }: Fields): string | undefined =>
  target === 'telegram' ? keyOf(textOf(to), textOf(text), String(fieldsOf(edits).message ?? '')) : undefined;

const addTo = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
};

/** A card's bytes hold its approval's id, so the export withholds them: they are made again. */
const hashOfCard = (chat: string, text: string, { reply_markup, message_id }: Fields): string | undefined => {
  const [, card] = /"callback_data":"[adgb]:([0-9a-f]{32})"/.exec(JSON.stringify(reply_markup) ?? '') ?? [];
  if (card === undefined) return undefined;
  const markup = JSON.stringify(reply_markup);
  const edits = message_id === undefined ? {} : { edits: { message: message_id } };
  const [, at] = /"callback_data":"s:[0-9a-f]{32}:0:([0-9a-z]+)"/.exec(markup) ?? [];
  const similar = at === undefined ? {} : { similarAt: Number.parseInt(at, 36) };
  const ofOne = markup.includes('"callback_data":"g:')
    ? 'approval-card'
    : markup.includes('"text":"Yes"')
      ? 'approval-card-question'
      : 'approval-card-once';
  const ofBounds = /"callback_data":"s:[0-9a-f]{32}:3:/.test(markup) ? 'similar-card-task' : 'similar-card';
  const template = at === undefined ? ofOne : ofBounds;
  const explanation = `notice: ${template}`;
  return hashOf('action', {
    target: 'telegram',
    to: chat,
    text,
    explanation,
    author: 'code',
    template,
    card,
    ...similar,
    ...edits,
  });
};

/** Characters of one message of Telegram: a longer text is shown in several. */
const MESSAGE_CHARS_MAX = 4_096;

/** The effects of a text that is too long for one message, if this is a part of it. */
const findLong = (long: readonly Effect[], chat: string, text: string): readonly Effect[] =>
  long.filter(({ judged }) => judged?.action?.to === chat && textOf(judged.action.text).includes(text));

const indexEffects = ({ effects }: Evidence) => {
  const byKey = new Map<string, Effect[]>();
  const byHash = new Map<string, Effect[]>();
  const byBody = new Map<string, Effect[]>();
  const long: Effect[] = [];
  for (const effect of effects.values()) {
    const action = effect.judged?.action;
    const key = action === undefined ? undefined : keyOfAction(action);
    if (key !== undefined && textOf(action?.text).length > MESSAGE_CHARS_MAX) long.push(effect);
    else if (key !== undefined) addTo(byKey, key, effect);
    else if (action === undefined) addTo(byHash, textOf(effect.fixed.actionHash), effect);
    if (action?.target === 'webhook') addTo(byBody, hashOf('', fieldsOf(action.args).body), effect);
  }
  return { byKey, byHash, byBody, long };
};

/** Finds every marker of a story in a text. */
const buildFinder = (markers: readonly string[]): ((text: string) => ReadonlySet<string>) => {
  if (markers.length === 0) return () => new Set();
  const escaped = markers.map((marker) => marker.replaceAll(/[^A-Za-z0-9]/g, '\\$&'));
  const pattern = new RegExp(`(?:${escaped.join('|')})(?![A-Za-z0-9])`, 'g');
  return (text) => new Set(Array.from(text.matchAll(pattern), ([marker]) => marker));
};

export const buildRun = (observed: Observed): Run => {
  const evidence = readEvidence(observed.exported);
  const { byKey, byHash, byBody, long } = indexEffects(evidence);
  const find = buildFinder(observed.sent.map(markerOf));
  const messages: Message[] = [];
  const hookCalls: HookCall[] = [];
  const modelCalls: ModelCall[] = [];
  const strangeMethods: string[] = [];
  const { moved = {} } = observed.configured;
  for (const receipt of observed.received) {
    const { server, at, request } = receipt;
    if (server === 'model' && !request.url.endsWith('/audio/transcriptions'))
      modelCalls.push({ receipt, at, markers: find(request.body) });
    if (server === 'webhook') {
      const effects = byBody.get(hashOf('', parseJson(request.body) ?? null)) ?? [];
      hookCalls.push({ receipt, at, webhookId: request.headers['webhook-id'] ?? '', body: request.body, effects });
    }
    if (server !== 'telegram') continue;
    if (request.url.includes('/file/bot')) continue;
    const method = request.url.slice(request.url.lastIndexOf('/') + 1);
    if (method !== 'sendMessage' && method !== 'editMessageText') {
      if (!SILENT_METHODS.includes(method)) strangeMethods.push(method);
      continue;
    }
    const body = fieldsOf(parseJson(request.body));
    const asked = String(body.chat_id);
    const [chat, text] = [Object.entries(moved).find(([, to]) => to === asked)?.[0] ?? asked, textOf(body.text)];
    const key = keyOf(chat, text, String(body.message_id ?? ''));
    const card = byKey.has(key) ? undefined : hashOfCard(chat, text, body);
    const byCard = card === undefined ? findLong(long, chat, text) : byHash.get(card);
    const effects = byKey.get(key) ?? byCard ?? [];
    messages.push({ receipt, at, method, chat, text, key, effects });
  }
  const turns = new Map<string, string[]>();
  for (const id of evidence.decisions.keys()) addTo(turns, rootOf(id), id);
  return {
    observed,
    evidence,
    messages,
    hookCalls,
    modelCalls,
    strangeMethods,
    effectsByKey: byKey,
    longEffects: long,
    turns,
    inputs: observed.sent.filter(
      ({ isCardAnswer, step }) => !isCardAnswer && step.kind !== 'order' && step.kind !== 'files',
    ),
    files: observed.sent.filter(({ step }) => step.kind === 'files'),
    cardAnswers: observed.sent.filter(({ isCardAnswer }) => isCardAnswer),
  };
};

export const isOk = (status: number): boolean => status >= 200 && status < 300;

/** Epoch milliseconds of the first answer that said yes; undefined without one. */
export const acceptedAt = ({ tries }: Sent): number | undefined =>
  tries.find(({ answer }) => answer !== undefined && isOk(answer.status))?.answer?.at;

/** The control function takes no key: each try makes its own signal, which its answer names. */
export const isKeyed = ({ step, isCardAnswer }: Sent): boolean => {
  if (step.kind === 'event') return true;
  if (step.kind === 'place') return false;
  return step.via === 'telegram' || (step.kind === 'message' && !isCardAnswer);
};

/** Ids of the signals that something sent became, as far as its sender knows them. */
export const idsOf = (sent: Sent): readonly string[] => {
  const own = sent.signalId === undefined ? [] : [sent.signalId];
  if (isKeyed(sent)) return own;
  const named = sent.tries.map(({ answer }) => textOf(fieldsOf(parseJson(answer?.body ?? '')).id));
  return [...new Set([...own, ...named.filter((id) => id !== '')])];
};
