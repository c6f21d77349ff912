/**
 * Sends a text as one mail. `once`: a mail whose outcome nobody knows ends as `unknown` and is not
 * sent again by itself; if a person wants it again, it has the same Message-ID, by which programs
 * show it once. A mail stays as it was sent, so no number is given by which it could be changed.
 */
import MailComposer from 'nodemailer/lib/mail-composer';
import { shortIdOf } from '../../core/approvals/approval.ts';
import { isOpenCard } from '../../core/approvals/similar.ts';
import { defined } from '../../core/base/defined.ts';
import { ConfigError, isRetryable, PassepartoutError } from '../../core/base/errors.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/base/limits.ts';
import type { Sender, SenderParts } from '../../core/channels/channel.ts';
import { isPaired, pairedChatKey } from '../../core/ledger/paired-chats.ts';
import type { Action } from '../../core/signal/action.ts';
import type { ActuatorContext, ActuatorResult } from '../../core/signal/actuator.ts';
import { chatOf } from '../../core/signal/channels.ts';
import { absent, anyOf, below } from '../../core/store/condition.ts';
import { pairingKey } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import { updateIf } from '../../core/store/update-if.ts';
import { NEW_ADDRESS_MAILS_MAX } from './bounds.ts';
import { mailChannel } from './channel.ts';
import { cardFileOf, fileOf, languageIn, type MailFile } from './files.ts';
import { domainOf } from './head.ts';
import { fetchMailFile } from './imap.ts';
import { readServer } from './server.ts';
import { type SmtpOutcome, submitMail } from './smtp.ts';
import { digestOf, noteMail, parseThread, type Thread, threadKey, topicOf } from './threads.ts';

export interface MailWays extends Pick<SenderParts, 'table' | 'loadFile' | 'loadCard'> {
  readonly address: string;
  /** As the settings have it. */
  readonly smtp: string;
  /** Absent: no file that came can be read. */
  readonly imap?: string;
  readonly password: string;
  readonly space: string;
  readonly served: readonly string[];
  /** Address of the console's page. */
  readonly page?: string;
}

/** A server that takes nothing just now is asked again after so long: greylisting takes minutes. */
const DEFERRED_MS = MINUTE_MS;
/** Characters of a subject that a text's first line gives. */
const SUBJECT_CHARS_MAX = 78;

const WORDS = {
  en: {
    decide: (id: string) => `A reply decides nothing. In a terminal: npx passepartout approve ${id}`,
    page: (url: string) => `A reply decides nothing. Decide here: ${url}`,
    file: (name: string) => `The file ${name}`,
  },
  de: {
    decide: (id: string) => `Eine Antwort entscheidet nichts. Im Terminal: npx passepartout approve ${id}`,
    page: (url: string) => `Eine Antwort entscheidet nichts. Hier entscheiden: ${url}`,
    file: (name: string) => `Die Datei ${name}`,
  },
} as const;

const SUBJECT_LINE = /^(?:subject|betreff): (\S.{0,200})\n\s*\n([\s\S]+)$/i;

/** A text may begin with a line for its subject, as its card shows it. */
const splitSubject = (text: string): { readonly subject: string; readonly body: string } => {
  const [, subject, body] = SUBJECT_LINE.exec(text) ?? [];
  if (subject !== undefined && body !== undefined) return { subject, body };
  const [first = ''] = text.trim().split('\n', 1);
  return {
    subject: first.length <= SUBJECT_CHARS_MAX ? first : `${first.slice(0, SUBJECT_CHARS_MAX - 1)}…`,
    body: text,
  };
};

/** The link names the approval by its first characters: they select it, and permit nothing. */
const cardLine = (action: Action, page: string | undefined): string => {
  if (action.card === undefined || !isOpenCard(action.template)) return '';
  const [say, id] = [WORDS[languageIn(action)], shortIdOf(action.card)];
  return `\n\n${page === undefined ? say.decide(id) : say.page(new URL(`#/approvals/${id}`, page).href)}`;
};

const resultOf = (outcome: SmtpOutcome): ActuatorResult => {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'done', output: JSON.stringify({ messageIds: [] }), origin: 'agent' };
    case 'unknown':
      return { state: 'unknown', reason: 'the connection ended before the mail server answered' };
    case 'unreached':
      return { state: 'retry', reason: 'the mail server could not be reached' };
    case 'refused':
      if (outcome.isLogin === true)
        return { state: 'retry', reason: 'the mail server refuses MAIL_PASSWORD', because: { code: 'token-refused' } };
      return outcome.code < 500
        ? { state: 'retry', reason: `the mail server asks to wait (${outcome.code})`, afterMs: DEFERRED_MS }
        : { state: 'failed', reason: `the mail server refused the mail (${outcome.code})` };
  }
};

interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly files: readonly MailFile[];
  readonly messageId: string;
  /** The thread that it answers in. */
  readonly thread: Thread | undefined;
}

const compose = (from: string, { to, subject, body, files, messageId, thread }: Letter): Promise<Buffer> => {
  const references = thread?.references ?? [];
  const answered = references.at(-1);
  return new MailComposer({
    ...{
      from,
      to,
      subject,
      text: body,
      messageId,
      attachments: [...files],
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    ...(answered === undefined ? {} : { inReplyTo: answered, references: [...references] }),
    // RFC 3834, 5: no program answers it.
    headers: {
      'Auto-Submitted': answered === undefined ? 'auto-generated' : 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
    },
  })
    .compile()
    .build();
};

/** Counts a mail to somebody who is no paired chat. @returns whether it may go out this hour */
const mayWriteTo = ({ table, space }: MailWays, now: number): Promise<boolean> => {
  const hour = Math.floor(now / HOUR_MS);
  const isUnder = {
    name: 'few mails to new addresses this hour',
    holds: anyOf(absent('mails'), below('mails', NEW_ADDRESS_MAILS_MAX)),
  };
  const change = { add: { mails: 1 }, set: { schemaVersion: 1, expiresAt: ((hour + 2) * HOUR_MS) / SECOND_MS } };
  return updateIf(table, pairingKey(space, `mail-new#${hour}`), change, isUnder);
};

const deliver = async (ways: MailWays, action: Action, { effectId, now }: ActuatorContext): Promise<ActuatorResult> => {
  const { table, space, address, smtp, password } = ways;
  const { to = '', topic, text = '', edits } = action;
  // It was sent, and no number was given by which it could be changed.
  if (edits !== undefined) return resultOf({ kind: 'sent' });
  if (!mailChannel.to.test(to)) return { state: 'failed', reason: 'the recipient is not an e-mail address' };
  const card = await cardFileOf(action, ways.loadCard);
  const file = await fileOf(action, ways.loadFile);
  const { chat, row } = await loadNamed(table, {
    chat: pairedChatKey(space, chatOf(action)),
    row: topic === undefined ? undefined : threadKey(space, topic),
  });
  const messageId = `<${digestOf(effectId).toString('hex').slice(0, 32)}@${domainOf(address)}>`;
  const known = parseThread(row);
  // An earlier try has noted this very mail.
  const thread = known && { ...known, references: known.references.filter((one) => one !== messageId) };
  const isKnown = isPaired(chat) || ways.served.includes(to) || thread !== undefined;
  if (!isKnown && !(await mayWriteTo(ways, now)))
    return {
      state: 'retry',
      reason: `at most ${NEW_ADDRESS_MAILS_MAX} mails an hour go to new addresses`,
      afterMs: HOUR_MS - (now % HOUR_MS),
    };
  const words =
    file === undefined
      ? splitSubject(text)
      : { subject: file.filename, body: WORDS[languageIn(action)].file(file.filename) };
  const answered = thread?.subject ?? '';
  const subject = thread === undefined ? words.subject : /^re:/i.test(answered) ? answered : `Re: ${answered}`;
  const files = [card, file].flatMap((one) => one ?? []);
  const body = `${words.body}${cardLine(action, ways.page)}`;
  const whole = await compose(address, { to, subject, body, files, messageId, thread });
  // Before it goes: its answer may come at once.
  const begun = thread ?? { subject, references: [] };
  await noteMail(table, { space, topic: topic ?? topicOf(messageId), messageId, now }, begun);
  return resultOf(await submitMail(readServer(smtp, address), password, { from: address, to }, whole));
};

export const openMailSender = (ways: MailWays): Sender => {
  const { address, imap, password } = ways;
  return {
    actuator: {
      kind: 'once',
      deliver: async (action, context) => {
        try {
          return await deliver(ways, action, context);
        } catch (error) {
          // Nothing was sent.
          if (!(error instanceof PassepartoutError)) throw error;
          return { state: isRetryable(error) ? 'retry' : 'failed', reason: error.message };
        }
      },
    },
    // A mail is sent once it is whole.
    sendDraft: async () => undefined,
    sendTyping: async () => undefined,
    ...(imap === undefined
      ? {}
      : {
          fetchFile: (...file) => fetchMailFile(readServer(imap, address), password, ...file),
        }),
  };
};

/** @throws ConfigError without an address or a password */
export const openSender = ({ env, secrets, table, loadFile, loadCard }: SenderParts): Sender => {
  const { MAIL_ADDRESS: address, MAIL_SMTP: smtp, MAIL_IMAP: imap, MAIL_SERVED: served, SPACE: space } = env;
  const password = secrets.get('MAIL_PASSWORD');
  if (address === undefined || smtp === undefined || password === undefined)
    throw new ConfigError(['MAIL_ADDRESS, MAIL_SMTP and MAIL_PASSWORD belong together']);
  const settings = { address, smtp, password, served, space, table, loadFile, loadCard };
  return openMailSender({ ...settings, ...defined({ imap, page: env.CONSOLE_URL }) });
};
