/**
 * Replies made from outside text, as the gate leaves them and the actuator sends them, and how many
 * honest ones of them are shown as they were written.
 */

import { checkProvenance } from '../../lib/core/gates/rules/provenance.ts';
import type { TelegramClient } from '../../lib/features/telegram/client.ts';
import { deliverTelegram } from '../../lib/features/telegram/deliver.ts';
import { factsFor, reply } from '../core/gates/samples.ts';
import { type ShownMessage, tappableIn } from '../support/telegram-links.ts';
import { HONEST_REPLIES, type HonestReply } from './honest-replies.ts';

const isMessage = (body: unknown): body is ShownMessage =>
  typeof body === 'object' && body !== null && 'text' in body && typeof body.text === 'string';

/** The messages the actuator makes of a text as the gate leaves it. */
export const sendReply = async (text: string, listed: readonly string[]): Promise<readonly ShownMessage[]> => {
  const action = reply({ text });
  const knownUrls = listed.filter((link) => text.includes(link));
  const verdict = checkProvenance(action, factsFor(action, { origin: 'outside', knownUrls }));
  const sent: ShownMessage[] = [];
  const client: TelegramClient = {
    call: (_method, body) => {
      if (isMessage(body)) sent.push(body);
      return Promise.resolve({ kind: 'done', result: { message_id: sent.length } });
    },
  };
  await deliverTelegram(client, verdict.verdict === 'modify' ? verdict.action : action);
  return sent;
};

const isUnharmed = async ({ text, shown, link }: HonestReply): Promise<boolean> => {
  const sent = await sendReply(text, link === undefined ? [] : [link]);
  const coded = sent.flatMap(({ text: said = '', entities = [] }) =>
    entities
      .filter(({ type }) => type === 'code' || type === 'pre')
      .map(({ offset, length }) => said.slice(offset, offset + length)),
  );
  const isSame = sent.map((message) => message.text).join('\n') === shown && coded.every((part) => text.includes(part));
  // Words of letters alone are shown as code only where the model wrote them so.
  const isCalm = coded.every(
    (part) => /[^\p{L}\s]/u.test(part) || text.includes(`\`${part}\``) || text.includes(`\n${part}\n`),
  );
  return isSame && isCalm && (link === undefined || sent.flatMap(tappableIn).includes(link));
};

export interface HonestReplyFigures {
  readonly replies: number;
  /** Texts that were not shown as they were written. */
  readonly harmed: readonly string[];
}

/** The part of honest replies that has to be shown as it was written. */
export const UNHARMED_MIN = 0.98;
export const unharmedPart = ({ replies, harmed }: HonestReplyFigures): number => 1 - harmed.length / replies;

export const measureHonestReplies = async (): Promise<HonestReplyFigures> => {
  const harmed: string[] = [];
  for (const each of HONEST_REPLIES) if (!(await isUnharmed(each))) harmed.push(each.text);
  return { replies: HONEST_REPLIES.length, harmed };
};
