/**
 * The threads of mails (RFC 5322, 3.6.4): each is a conversation, named by a number. Of each mail
 * that came in or went out a row says to which it belongs, and a row of the thread what an answer
 * in it names.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { DAY_MS, SECOND_MS } from '../../core/base/limits.ts';
import { pairingKey } from '../../core/store/keys.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Item, Table } from '../../core/store/table.ts';

/** A later answer begins a new conversation, and its words count as words of others. */
const THREAD_RETENTION_MS = 365 * DAY_MS;
/** Ids that an answer names: RFC 5322 lets a line be folded, and servers take so many. */
const REFERENCES_MAX = 20;

const Thread = z.object({ subject: z.string(), references: z.array(z.string()) });
/** `references`: the ids of its mails, the newest last. */
export type Thread = z.infer<typeof Thread>;
const Belongs = z.object({ topic: z.int() });

export const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
/** The number of the thread that a mail begins: 31 bits of its id. */
export const topicOf = (messageId: string): number => digestOf(messageId).readUInt32BE() >>> 1;

export const threadKey = (space: string, topic: number) => pairingKey(space, `mail-thread#${topic}`);
export const mailIdKey = (space: string, messageId: string) =>
  pairingKey(space, `mail-id#${digestOf(messageId).toString('hex').slice(0, 32)}`);

export const parseThread = (item: Item | undefined): Thread | undefined =>
  item === undefined ? undefined : parseStored(item, Thread, 'thread of mails');
export const parseTopic = (item: Item | undefined): number | undefined =>
  item === undefined ? undefined : parseStored(item, Belongs, 'mail of a thread').topic;

/** Notes that a mail stands in a thread. A repeat notes the same. */
export const noteMail = async (
  table: Pick<Table, 'put'>,
  { space, topic, messageId, now }: { space: string; topic: number; messageId: string; now: number },
  { subject, references }: Thread,
): Promise<void> => {
  const all = [...references.filter((one) => one !== messageId), messageId];
  const kept = all.length <= REFERENCES_MAX ? all : [...all.slice(0, 1), ...all.slice(1 - REFERENCES_MAX)];
  const row = { schemaVersion: 1, expiresAt: Math.ceil((now + THREAD_RETENTION_MS) / SECOND_MS) };
  await table.put(mailIdKey(space, messageId), { ...row, topic });
  await table.put(threadKey(space, topic), { ...row, subject, references: kept });
};
