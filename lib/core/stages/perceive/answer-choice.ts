/**
 * A tap on one of the choices under a question. Under one of the model it begins a turn with these
 * words, as if the person who was asked had typed them: words for the model, never a command or an
 * approval, with the origin of the question. Under one of code it types the command that stands for
 * the choice. One tap answers a question. A choice of code may be typed too, to the same effect.
 */

import { createHash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { DAY_MS } from '../../base/limits.ts';
import { receiptOf, resumedBy, typedCode } from '../../judge/code-choices.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { oldChoice } from '../../judge/old-choices.ts';
import { acceptSignal } from '../../ledger/accept.ts';
import { markAnswered, releaseEvents, silenceSource } from '../../ledger/event-kinds.ts';
import { parseDecision, parseRecord } from '../../ledger/ledger.ts';
import type { CodeContext, PayloadOf } from '../../operations/code-context.ts';
import { type Action, isSamePlace, placeOf } from '../../signal/action.ts';
import { chatOf } from '../../signal/channels.ts';
import { CODE_QUESTIONS, rootOf, tappedTurnId } from '../../signal/ids.ts';
import { joinOrigins, type Payload, type Signal, type TextPiece } from '../../signal/signal.ts';
import { indexPartitions, signalKeys } from '../../store/keys.ts';
import { loadIndexed, loadNamed } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import { choicesIn, typedChoice } from '../../text/choices.ts';
import { eventsOf, kindOf } from '../../text/event-word.ts';

const ASK_ABOUT_EVENT = 'Say what this event means and what I should do about it, if anything.';

/** Newest signals of the space among which the question of a typed answer is looked for. */
const ASKED_SIGNALS_MAX = 50;

interface TypedChoice {
  /** The signal that asked. */
  readonly question: string;
  readonly choice: string;
  readonly code: string;
  /** Of the question. */
  readonly payload: Payload;
  /** The command that it stands for; absent if it asks for nothing. */
  readonly command?: { readonly name: string; readonly rest: string };
}

const isQuestionOfCode = ({ author, template }: Action): boolean =>
  author === 'code' && CODE_QUESTIONS.includes(template ?? '');

const sourceOf = (payload: Payload): string => (payload.sensor === 'webhook' ? payload.source : '');

/** Codes of the choices below a question of code; an older question has only words. */
const codesOf = ({ choices, text = '' }: Action, payload: Payload): readonly string[] =>
  choices ?? choicesIn(text).map((words) => oldChoice(text, words, sourceOf(payload)) ?? '');

/** The index of the typed choice: in its own words, or in those of another language. */
const typedAt = (question: Action, payload: Payload, typed: string): number => {
  const own = typedChoice(choicesIn(question.text ?? ''), typed);
  return own >= 0 ? own : typedCode(codesOf(question, payload), typed, sourceOf(payload));
};

/**
 * Reads an approver's words as the answer to the newest question with numbers in this place. A
 * number answers only before the next message there; the words of a choice do so for a day.
 * @returns undefined if no question is there, or the model asked the newest one
 */
export const findTypedChoice = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  signal: Signal,
  typed: string,
): Promise<TypedChoice | undefined> => {
  const { space, session, reply, receivedAt } = signal;
  const partition = indexPartitions.feed(space);
  const { items } = await loadIndexed(table, {
    index: 'feed',
    partition,
    limit: ASKED_SIGNALS_MAX,
    isDescending: true,
  });
  const before = items
    .map((item) => parseRecord(String(item.pk), item))
    .filter(
      ({ signal: one }) => one.id !== signal.id && one.receivedAt <= receivedAt && one.receivedAt > receivedAt - DAY_MS,
    );
  const decisions = await table.load(before.map(({ signal: { id } }) => signalKeys.decision(space, id)));
  for (const [at, { signal: asked, forgottenAt }] of before.entries()) {
    const item = decisions[at];
    const texts = item === undefined ? [] : parseDecision(asked.id, item).actions.map(({ action }) => action);
    const question = texts.find(
      (action) => isSamePlace(action, placeOf(reply)) && choicesIn(action.text ?? '').length > 0,
    );
    if (question !== undefined) {
      if (forgottenAt !== undefined || !isQuestionOfCode(question)) return undefined;
      const { payload } = asked;
      const n = typedAt(question, payload, typed);
      const [choice, code] = [choicesIn(question.text ?? '')[n], codesOf(question, payload)[n]];
      if (choice === undefined || code === undefined) return undefined;
      const command = commandFor(payload, code, chatOf(reply));
      return { question: asked.id, choice, code, payload, ...defined({ command }) };
    }
    if (asked.session === session && asked.id === asked.root && /^\d/.test(typed)) return undefined;
  }
  return undefined;
};

/** The command that a choice below a question of code stands for; undefined if it is none. */
const commandFor = (
  payload: Payload,
  code: string,
  chat: string,
): { readonly name: string; readonly rest: string } | undefined => {
  const paused = resumedBy(code);
  if (paused !== undefined) return { name: 'jobs', rest: `resume ${paused}` };
  if (payload.sensor === 'pairing')
    return code === 'here' ? { name: 'config', rest: `set HOME_CHAT ${chat}` } : undefined;
  if (payload.sensor === 'command') {
    const deed = receiptOf(code);
    return deed === undefined ? undefined : { name: 'receipt', rest: deed };
  }
  if (payload.sensor !== 'webhook') return undefined;
  const job = jobFor(payload, code);
  return job === undefined ? undefined : { name: 'jobs', rest: `add ${JSON.stringify(job)}` };
};

/** As the name of a job allows. */
const JOB_NAME_CHARS_MAX = 32;
const READABLE = /^[a-z][a-z0-9._-]*$/;
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');

/** Two kinds never get one name: a long or unusual one ends with a part of its hash. */
const jobNameOf = (source: string, kind: string): string => {
  const slug = slugOf(`${source}-${kind}`);
  if (slug.length <= JOB_NAME_CHARS_MAX && READABLE.test(source) && READABLE.test(kind)) return slug;
  const hash = createHash('sha256').update(`${source}/${kind}`).digest('hex').slice(0, 6);
  return `${slugOf(slug.slice(0, JOB_NAME_CHARS_MAX - 7)) || 'events'}-${hash}`;
};

/** The draft of the job that a choice about an event stands for; undefined for none. */
const jobFor = ({ source, event }: PayloadOf<'webhook'>, code: string) => {
  const kind = kindOf(event);
  if (code === 'all') return { name: jobNameOf('all-of', source), event: source, runbook: 'tell' };
  const named = { name: jobNameOf(source, kind), event: `${source}/${eventsOf(kind)}` };
  if (code === 'tell') return { ...named, runbook: 'tell' };
  return code === 'ask' ? { ...named, prompt: ASK_ABOUT_EVENT } : undefined;
};

/** A no to a kind of events, or to all of a source, makes no job. */
export const answerNo = async (
  { table, publishPerceive, signal, now }: CodeContext,
  payload: Payload,
  code: string,
) => {
  if (payload.sensor !== 'webhook') return;
  const { source, event } = payload;
  const { space } = signal;
  if (code === 'none') return silenceSource(table, { space, source });
  await markAnswered(table, { space, source, event });
  await releaseEvents({ table, publish: publishPerceive, now }, { space, source, kind: kindOf(event) });
};

/** Types the command of a choice, once for each choice. @returns false if that was done before */
export const typeCommand = async (
  { table, publishPerceive: publish, signal }: CodeContext,
  { question, choice }: Pick<TypedChoice, 'question' | 'choice'>,
  command: NonNullable<TypedChoice['command']>,
): Promise<boolean> => {
  const id = tappedTurnId('choice', `${question}\n${choice}`);
  const typed: Signal = { ...signal, id, root: id, type: 'EVENT', payload: { sensor: 'command', ...command } };
  return (await acceptSignal({ table, publish }, typed)) === 'accepted';
};

/** A tap below a question of code types a command, with the rights of whoever tapped. */
const answerCode = async (
  context: CodeContext,
  { signalId: question, chat, message }: PayloadOf<'send-again'>,
  payload: Payload,
  { choice, code }: Pick<TypedChoice, 'choice' | 'code'>,
): Promise<Notice> => {
  if (!context.signal.sender.isApprover) return notices.notYourQuestion();
  const command = commandFor(payload, code, chat);
  if (command === undefined) {
    await answerNo(context, payload, code);
    return notices.chosen(message, choice);
  }
  const isFirst = await typeCommand(context, { question, choice }, command);
  return isFirst ? notices.chosen(message, choice) : notices.answeredAlready();
};

export const answerChoice = async (context: CodeContext, tap: PayloadOf<'send-again'>): Promise<Notice> => {
  const { signalId: question, n, chat, message } = tap;
  const { table, publishPerceive, signal } = context;
  const { space, sender } = signal;
  const items = await loadNamed(table, {
    root: signalKeys.record(space, rootOf(question)),
    decision: signalKeys.decision(space, question),
  });
  if (items.root === undefined || items.decision === undefined) return notices.answeredAlready();
  const { signal: asked, forgottenAt } = parseRecord(rootOf(question), items.root);
  const [judged] = parseDecision(question, items.decision).actions;
  const { author, to, text = '' } = judged?.action ?? {};
  const isCodes = judged !== undefined && isQuestionOfCode(judged.action);
  const choice = (author === 'model' || isCodes) && to === chat ? choicesIn(text)[n] : undefined;
  if (choice === undefined || forgottenAt !== undefined) return notices.answeredAlready();
  if (isCodes) {
    const code = codesOf(judged.action, asked.payload)[n] ?? '';
    return answerCode(context, tap, asked.payload, { choice, code });
  }
  if (asked.sender.id !== sender.id) return notices.notYourQuestion();
  const origins = judged?.facts.map(({ origin }) => origin) ?? ['outside'];
  const origin = sender.isApprover ? joinOrigins(['agent', ...origins]) : 'outside';
  const words: TextPiece = { text: choice, origin, label: 'choice' };
  const id = tappedTurnId('choice', question);
  const turn: Signal = { ...signal, id, root: id, type: 'EVENT', payload: { sensor: 'chat-message', text: [words] } };
  const accepted = await acceptSignal({ table, publish: publishPerceive }, turn);
  return accepted === 'accepted' ? notices.chosen(message, choice) : notices.answeredAlready();
};
