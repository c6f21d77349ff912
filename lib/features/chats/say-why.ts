/**
 * The line of figures of an answer, for whoever taps the button below it. It is read from the
 * stored record and decision, so a tap changes nothing, and a restart forgets nothing.
 */
import { StoredItemError } from '../../core/base/errors.ts';
import type { Language } from '../../core/base/language.ts';
import type { Intake } from '../../core/channels/channel.ts';
import { parseDecision, parseRecord } from '../../core/ledger/ledger.ts';
import { parseHead } from '../../core/ledger/session.ts';
import { type ChannelId, chatOf } from '../../core/signal/channels.ts';
import { sessionKey, signalKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { lineParts, turnFigures } from '../../core/verbs/signals/turn-cost.ts';

/** Telegram shows no more characters in the answer to a tap, and so few are read at a glance. */
const ALERT_CHARS_MAX = 200;
const MODEL_CHARS_MAX = 80;

const GONE: Readonly<Record<Language, string>> = {
  en: 'The record of this answer is gone, so nobody can say why any more.',
  de: 'Den Beleg zu dieser Antwort gibt es nicht mehr, also kann niemand mehr sagen, warum.',
};

type Asked = Extract<Intake, { kind: 'asks-why' }>;

interface Where {
  readonly channel: ChannelId;
  readonly space: string;
}

/** @returns undefined if there is no such answer in this chat */
const findLine = async (
  table: Pick<Table, 'load'>,
  { channel, space }: Where,
  { signalId, chat, language }: Asked,
): Promise<string | undefined> => {
  const keys = { record: signalKeys.record(space, signalId), decision: signalKeys.decision(space, signalId) };
  const { record: item, decision: decided } = await loadNamed(table, keys);
  if (item === undefined || decided === undefined) return undefined;
  const { signal } = parseRecord(signalId, item);
  const decision = parseDecision(signalId, decided);
  if (signal.reply.target !== channel || chatOf(signal.reply) !== chat || decision.attempt === undefined)
    return undefined;
  const { attempt, actions } = decision;
  const { head } = await loadNamed(table, { head: sessionKey(space, signal.session) });
  const { mailbox = [], focus } = head === undefined ? {} : parseHead(signal.session, head);
  const attempts = [{ ...attempt, turnUsd: attempt.cost?.turnUsd }];
  const answered = { receivedAt: signal.receivedAt, decision: { attempts, actions }, waiting: mailbox.length, focus };
  const figures = turnFigures(answered, decision.at);
  if (figures === undefined) return undefined;
  const hints = signalId.includes('/') ? ['/why', '/output'] : ['/why'];
  const { ms: _, ...shown } = { ...figures, model: figures.model.slice(0, MODEL_CHARS_MAX) };
  return [...lineParts(shown, language), ...hints].join(' · ').slice(0, ALERT_CHARS_MAX);
};

/** @throws UnavailableError */
export const sayWhy = async (table: Pick<Table, 'load'>, where: Where, asked: Asked): Promise<string> => {
  try {
    return (await findLine(table, where, asked)) ?? GONE[asked.language];
  } catch (error) {
    if (!(error instanceof StoredItemError)) throw error;
    return GONE[asked.language];
  }
};
