/** The way out to Signal: texts, files and cards, each message sent once (I7). */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { isRetryable, PassepartoutError, ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import type { Sender, SenderParts } from '../../core/channels/channel.ts';
import type { Action } from '../../core/signal/action.ts';
import type { ActuatorContext, ActuatorResult } from '../../core/signal/actuator.ts';
import { chatOf } from '../../core/signal/channels.ts';
import { type Mark, readMarkup } from '../../core/text/markup.ts';
import { type ButtonRows, buttonsOf, languageNamed } from '../chats/buttons.ts';
import { cardFileOf, fileOf, type Sendable } from '../chats/files.ts';
import { splitText } from '../chats/format.ts';
import { buttonsKey, noteButtons } from './buttons-row.ts';
import { recipientOf } from './channel.ts';
import { buildSignalClient, type SignalClient, type SignalOutcome } from './client.ts';
import { parseFileName } from './file-name.ts';
import { ANSWER_BY } from './texts.ts';

export type SignalWays = Pick<SenderParts, 'noteOwn' | 'loadFile' | 'loadCard'> & {
  readonly table: Pick<SenderParts['table'], 'put'>;
  readonly space: string;
  readonly page?: string | undefined;
};

/** A sign of typing is tried once, for a short time. */
const TYPING_TIMEOUT_MS = 3 * SECOND_MS;
/** Base64 takes four bytes for three, and the answer has a frame. */
const FILE_FRAME_BYTES = 4 * KIB;
/** Waits for a rate limit within one delivery; a longer one is left to the next. */
const WAIT_MS_MAX = 5 * SECOND_MS;

const Sent = z.looseObject({ timestamp: z.int() });
const FileData = z.looseObject({ data: z.string() });

const STYLES: Readonly<Partial<Record<Mark['type'], string>>> = {
  bold: 'BOLD',
  italic: 'ITALIC',
  strikethrough: 'STRIKETHROUGH',
  code: 'MONOSPACE',
  pre: 'MONOSPACE',
};

interface Part {
  readonly message: string;
  readonly textStyle?: readonly string[];
  readonly attachment?: string;
}

/** The buttons as numbered lines; those of a question stand in its text already. */
const numbersBelow = (rows: ButtonRows, { author, language }: Action): string => {
  const taps = rows.flat().filter((one) => 'data' in one);
  const links = rows.flat().flatMap((one) => ('url' in one ? [`${one.text}: ${one.url}`] : []));
  const lines = author === 'model' ? [] : taps.map(({ text }, n) => `${n + 1} ${text}`);
  return [...(lines.length === 0 ? [] : [ANSWER_BY[languageNamed(language)], ...lines]), ...links].join('\n');
};

/** A data URI with a name, as signal-cli takes files (RFC 2397). */
const attachmentOf = ({ name, type, content }: Sendable): string =>
  `data:${type};filename=${encodeURIComponent(name)};base64,${Buffer.from(content).toString('base64')}`;

const showPart = (text: string, isMarkup: boolean): Part => {
  if (!isMarkup) return { message: text };
  const { text: message, entities } = readMarkup(text);
  return {
    message,
    textStyle: entities.flatMap(({ type, offset, length }) => {
      const style = STYLES[type];
      return style === undefined ? [] : [`${offset}:${length}:${style}`];
    }),
  };
};

const partsOf = (
  action: Action,
  below: string,
  file: Sendable | undefined,
  cardFile: Sendable | undefined,
): readonly Part[] => {
  if (file !== undefined) return [{ message: '', attachment: attachmentOf(file) }];
  const isMarkup = action.author === 'model';
  const { texts } = splitText(action.text ?? '', isMarkup);
  const shown = texts.map((text) => showPart(text, isMarkup));
  const last = shown.at(-1);
  const ended =
    below === '' || last === undefined
      ? shown
      : [...shown.slice(0, -1), { ...last, message: `${last.message}\n\n${below}` }];
  return cardFile === undefined ? ended : [{ message: '', attachment: attachmentOf(cardFile) }, ...ended];
};

const resultOf = (outcome: Exclude<SignalOutcome, { kind: 'done' }>, sentIds: readonly number[]): ActuatorResult => {
  const sent = sentIds.length === 0 ? {} : { sentIds };
  if (outcome.kind === 'unknown') return { state: 'unknown', reason: outcome.reason };
  if (outcome.kind === 'unreached') return { state: 'retry', reason: outcome.reason, ...sent };
  const { description: reason, retryAfterMs: afterMs } = outcome;
  return afterMs === undefined ? { state: 'failed', reason } : { state: 'retry', reason, afterMs, ...sent };
};

/** Nothing was sent. */
const asResult = (error: unknown): ActuatorResult => {
  if (!(error instanceof PassepartoutError)) throw error;
  return { state: isRetryable(error) ? 'retry' : 'failed', reason: error.message };
};

const isWaitedFor = (
  outcome: SignalOutcome,
): outcome is Extract<SignalOutcome, { kind: 'refused' }> & { retryAfterMs: number } =>
  outcome.kind === 'refused' && outcome.retryAfterMs !== undefined && outcome.retryAfterMs <= WAIT_MS_MAX;

const deliver = async (
  call: SignalClient,
  ways: SignalWays,
  action: Action,
  context: ActuatorContext,
): Promise<ActuatorResult> => {
  const { to = '', edits } = action;
  const files = await Promise.all([fileOf(action, ways.loadFile), cardFileOf(action, ways.loadCard)]).catch(asResult);
  if ('state' in files) return files;
  const isAsked = (id: string): boolean => id.startsWith('sig-');
  const rows = buttonsOf(action, { ...context, isAsked, ...(ways.page === undefined ? {} : { page: ways.page }) });
  const parts = partsOf(action, numbersBelow(rows, action), ...files);
  if (parts.length === 0) return { state: 'failed', reason: 'there is no text to send' };
  const place = recipientOf(to);
  // 1. A change of a message repeats without harm: it shows the same.
  if (edits !== undefined) {
    const outcome = await call('send', { ...place, ...parts[0], editTimestamp: edits.message });
    if (outcome.kind === 'unknown') return { state: 'retry', reason: outcome.reason };
    if (outcome.kind !== 'done') return resultOf(outcome, []);
    await noteFor(ways, to, edits.message, rows, context.now);
    return { state: 'done', output: JSON.stringify({ messageIds: [edits.message] }), origin: 'agent' };
  }
  // 2. Each part once; a later try goes on behind those that were sent.
  const messageIds = [...(context.sentIds ?? [])];
  for (const part of parts.slice(messageIds.length)) {
    let outcome = await call('send', { ...place, ...part });
    if (isWaitedFor(outcome)) {
      await sleep(outcome.retryAfterMs);
      outcome = await call('send', { ...place, ...part });
    }
    if (outcome.kind !== 'done') return resultOf(outcome, messageIds);
    const { data } = Sent.safeParse(outcome.result);
    if (data === undefined) return { state: 'unknown', reason: 'signal-cli did not say which message it sent' };
    messageIds.push(data.timestamp);
  }
  // 3. Notes for replies: what it says is the agent's own, and what its numbers mean.
  await noteFor(ways, to, messageIds.at(-1) ?? 0, rows, context.now);
  if (action.author === 'model' && context.origin !== 'outside')
    await Promise.all(messageIds.map((id) => ways.noteOwn(chatOf({ target: 'signal', to }), id, context.now))).catch(
      asResult,
    );
  return { state: 'done', output: JSON.stringify({ messageIds }), origin: 'agent' };
};

/** The text is there: without the note its numbers do nothing, and the page decides. */
const noteFor = async (
  { table, space }: SignalWays,
  to: string,
  message: number,
  rows: ButtonRows,
  now: number,
): Promise<void> => {
  const data = rows.flat().flatMap((one) => ('data' in one ? [one.data] : []));
  if (data.length === 0) return;
  await noteButtons(table, buttonsKey(space, to, message), data, now).catch(asResult);
};

const fetchFile = async (call: SignalClient, file: string, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> => {
  const { to, id } = parseFileName(file);
  const outcome = await call(
    'getAttachment',
    { id, ...recipientOf(to) },
    { bytesMax: Math.ceil(bytesMax / 3) * 4 + FILE_FRAME_BYTES },
  );
  if (outcome.kind === 'refused') throw new ProtocolError(`signal-cli does not give the file: ${outcome.description}`);
  if (outcome.kind !== 'done') throw new UnavailableError(`${outcome.reason}; send it again later`);
  const { data } = FileData.safeParse(outcome.result);
  if (data === undefined) throw new ProtocolError('signal-cli gave no bytes of the file');
  const bytes = new Uint8Array(Buffer.from(data.data, 'base64'));
  if (bytes.byteLength > bytesMax) throw new ProtocolError(`it has more than ${bytesMax / 1_000_000} MB`);
  return bytes;
};

export const openSignalSender = (url: string, ways: SignalWays): Sender => {
  const call = buildSignalClient(url);
  return {
    actuator: { kind: 'once', deliver: (action, context) => deliver(call, ways, action, context) },
    // Signal has no messages that are still being written.
    sendDraft: async () => undefined,
    sendTyping: async ({ to }) => {
      await call('sendTyping', recipientOf(to), { timeoutMs: TYPING_TIMEOUT_MS });
    },
    fetchFile: (file, bytesMax) => fetchFile(call, file, bytesMax),
  };
};
