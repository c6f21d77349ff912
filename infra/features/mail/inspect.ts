/** Tries the mailbox and the way out, and reads which receiver vouches for senders. No throws. */
import type { ImapFlow } from 'imapflow';
import type { Variables } from '../../../lib/core/store/settings.ts';
import { openMailbox } from '../../../lib/features/mail/imap.ts';
import { readServer } from '../../../lib/features/mail/server.ts';
import { submitMail } from '../../../lib/features/mail/smtp.ts';
import type { Endpoint } from '../../inspection.ts';
import { LOOK_TIMEOUT_MS, type SettingPlace, withRemedy } from '../../reachability.ts';

const NO_RECEIVER = 'without MAIL_AUTHSERV_ID every mail counts as words of others, and no address can be paired';
/** Newest mails that are looked at. */
const MAILS_MAX = 20;

const openOf = ({ MAIL_ADDRESS: address, MAIL_IMAP: imap, MAIL_PASSWORD: password }: Variables) =>
  address && imap && password ? openMailbox(readServer(imap, address), password) : undefined;

/** `isRefused`: the password. */
const tryMailbox = async (variables: Variables): Promise<Partial<Endpoint> | undefined> => {
  try {
    (await openOf(variables))?.close();
    return undefined;
  } catch (error) {
    const isRefused = typeof error === 'object' && error !== null && 'authenticationFailed' in error;
    return isRefused ? { isRefused } : { isAway: true };
  }
};

export const inspectMailbox = async (variables: Variables, place: SettingPlace): Promise<Endpoint | undefined> => {
  const { MAIL_ADDRESS: from, MAIL_IMAP: imap, MAIL_SMTP: smtp, MAIL_PASSWORD: password } = variables;
  if (!from || !imap || !smtp || !password) return undefined;
  const box = { name: from, address: imap, isReachable: false };
  const problem = await tryMailbox(variables);
  if (problem?.isRefused === true)
    return {
      ...box,
      ...withRemedy({ isReachable: false, isRefused: true, detail: 'refuses the password' }, place('MAIL_PASSWORD')),
    };
  if (problem !== undefined) return { ...box, isAway: true, detail: 'the mailbox is not reachable' };
  const way = await submitMail(readServer(smtp, from), password, { from, to: from }, undefined);
  if (way.kind === 'refused')
    return { ...box, address: smtp, isRefused: true, detail: 'the way out refuses the password' };
  if (way.kind !== 'sent') return { ...box, address: smtp, isAway: true, detail: 'the way out is not reachable' };
  return { ...box, isReachable: true, detail: variables.MAIL_AUTHSERV_ID ? 'reachable' : `reachable; ${NO_RECEIVER}` };
};

const idOf = (head: string): string | undefined =>
  /^authentication-results[ \t]*:\s*([\w.-]{1,128})\s*;/im.exec(head)?.[1]?.toLowerCase();

const idsIn = async (client: ImapFlow): Promise<readonly (string | undefined)[]> => {
  const { mailbox } = client;
  if (mailbox === false || mailbox.exists === 0) return [];
  const range = `${Math.max(1, mailbox.exists - MAILS_MAX + 1)}:*`;
  const heads: (string | undefined)[] = [];
  for await (const { headers } of client.fetch(range, { headers: ['authentication-results'] }))
    heads.push(idOf(headers?.toString('latin1') ?? ''));
  return heads;
};

/**
 * The receiver that the newest mails name on top: the same in most, since it writes one in each.
 * Undefined if there is none; the owner says whether it is his.
 */
export const findReceiver = async (variables: Variables): Promise<string | undefined> => {
  let client: ImapFlow | undefined;
  try {
    client = await openOf(variables);
    const ids = client === undefined ? [] : await Promise.race([idsIn(client), timeUp()]);
    return [...new Set(ids)].find((id) => id !== undefined && ids.filter((one) => one === id).length * 2 > ids.length);
  } catch {
    return undefined;
  } finally {
    client?.close();
  }
};

const timeUp = (): Promise<readonly undefined[]> =>
  new Promise((resolve) => setTimeout(resolve, LOOK_TIMEOUT_MS, []).unref());
