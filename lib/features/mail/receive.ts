/**
 * The door of mails, for the program beside the mailbox alone: it hands in each mail once more
 * until this says that it is stored (I6). The door also keeps how far that program has come, so a
 * restart goes on there, and a restored backup too. Nothing of a mail is logged.
 */
import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { PassepartoutError, ProtocolError } from '../../core/base/errors.ts';
import { parseJson } from '../../core/base/json.ts';
import { BODY_BYTES_MAX } from '../../core/base/limits.ts';
import type { Intake } from '../../core/channels/channel.ts';
import { type HttpResponse, parseRequest, respondJson } from '../../core/http/function-url.ts';
import { type AdmitDeps, admitSignal } from '../../core/ledger/accept.ts';
import { isPaired, pairedChatKey } from '../../core/ledger/paired-chats.ts';
import { chatOf } from '../../core/signal/channels.ts';
import { pairingKey } from '../../core/store/keys.ts';
import { loadItem, loadNamed } from '../../core/store/load-named.ts';
import type { Log } from '../../core/store/log.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Table } from '../../core/store/table.ts';
import { readFields, senderIn, subjectIn } from './head.ts';
import { answerUnpaired } from './pairing.ts';
import { type MailConfig, messageIdOf, parseMail, parseUpdate, refersTo } from './parse-mail.ts';
import { digestOf, mailIdKey, noteMail, parseThread, parseTopic, threadKey } from './threads.ts';
import { Cursor, type MailUpdate } from './update.ts';

export interface MailDoorDeps extends AdmitDeps {
  readonly table: Pick<Table, 'put' | 'update' | 'load' | 'transact'>;
  readonly config: Pick<MailConfig, 'address' | 'authservId' | 'space'> & { readonly served: readonly string[] };
  /** Without it no mail is taken. */
  readonly secret: string | undefined;
  readonly log: Log;
  readonly now: number;
}

/** Mails that one names and that are looked up: the one it answers, and those before. */
const LOOKED_UP_MAX = 4;

const cursorKey = ({ space, address }: MailDoorDeps['config']) =>
  pairingKey(space, `mail-cursor#${digestOf(address).toString('hex').slice(0, 32)}`);

const Named = z.object({ cursor: Cursor });

const accept = async (deps: MailDoorDeps, update: MailUpdate): Promise<Intake> => {
  const { table, config, now } = deps;
  const { space } = config;
  const fields = readFields(update.head);
  const from = senderIn(fields) ?? '';
  const { chat, before } = await loadNamed(table, {
    chat: pairedChatKey(space, chatOf({ target: 'mail', to: from })),
    before: refersTo(fields)
      .slice(0, LOOKED_UP_MAX)
      .map((one) => mailIdKey(space, one)),
  });
  const topic = before.map(parseTopic).find((one) => one !== undefined);
  const isServed = config.served.includes(from) || isPaired(chat);
  const intake = parseMail(update, { ...config, isServed, topic, now });
  if (intake.kind === 'ignored' || intake.kind === 'asks-why') return intake;
  const place = intake.kind === 'signal' ? intake.signal.reply : intake.place;
  // An answer names this mail, and is known by it.
  const thread = parseThread(await loadItem(table, threadKey(space, place.topic ?? 0)));
  const { subject, references } = thread ?? { subject: subjectIn(fields), references: refersTo(fields).toReversed() };
  const messageId = messageIdOf(fields, update);
  await noteMail(table, { space, topic: place.topic ?? 0, messageId, now }, { subject, references });
  if (intake.kind === 'unpaired') {
    await answerUnpaired(deps, intake);
    return intake;
  }
  const admitted = await admitSignal(deps, intake.signal);
  if (typeof admitted === 'object')
    return { kind: 'ignored', reason: `the ${admitted.account.kind} is over its quota` };
  return admitted === 'differs' ? { kind: 'ignored', reason: 'another mail under the same id' } : intake;
};

const take = async (deps: MailDoorDeps, body: unknown): Promise<HttpResponse> => {
  const keep = (cursor: Cursor) => deps.table.put(cursorKey(deps.config), { schemaVersion: 1, cursor });
  const named = Named.safeParse(body).data;
  if (named === undefined) {
    const update = parseUpdate(body);
    const intake = await accept(deps, update);
    if (intake.kind === 'ignored') deps.log('info', 'mail-ignored', { reason: intake.reason });
    await keep({ validity: update.validity, uid: update.uid, at: update.at });
  } else await keep(named.cursor);
  return respondJson(200, { ok: true });
};

const refuse = (status: number, message: string): HttpResponse =>
  respondJson(status, { error: { code: String(status), message } });

/** `GET` answers how far the program has come; `POST` takes a mail, or another place to go on. */
export const answerMail = async (deps: MailDoorDeps, event: unknown): Promise<HttpResponse> => {
  try {
    const { body, method, headers } = parseRequest(event);
    const given = digestOf(headers.authorization ?? '');
    if (deps.secret === undefined || !timingSafeEqual(given, digestOf(`Bearer ${deps.secret}`)))
      return refuse(401, 'the secret is missing or wrong');
    if (method === 'GET') {
      const item = await loadItem(deps.table, cursorKey(deps.config));
      return respondJson(200, item === undefined ? {} : parseStored(item, Named, 'cursor of the mailbox'));
    }
    if (body.byteLength > BODY_BYTES_MAX) return refuse(413, 'the mail is too large');
    return await take(deps, parseJson('mail', Buffer.from(body).toString('utf8'), z.unknown()));
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(400, error.problem);
    deps.log('error', 'mail-not-stored', { reason: error instanceof PassepartoutError ? error.name : 'unexpected' });
    return refuse(503, 'it could not be stored just now: send it again');
  }
};
