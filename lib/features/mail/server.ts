/** The servers of the mailbox and of the way out, as their settings name them. Pure. */
import { isLoopback } from '../../core/store/setting-forms.ts';

/** @returns what is wrong with the text of such a setting; undefined if it fits */
export const serverProblem = (name: 'MAIL_IMAP' | 'MAIL_SMTP', text: string): string | undefined => {
  const protocol = name.slice('MAIL_'.length).toLowerCase();
  return new RegExp(`^${protocol}s?://(?:[^\\s/:@]+@)?[^\\s/:@]+(?::\\d{1,5})?/?$`).test(text)
    ? undefined
    : `${name}: must be an address such as ${protocol}s://user@host:1234 without a password; user and port may be left out`;
};

/** @param text of MAIL_IMAP or MAIL_SMTP. Without TLS it speaks to this machine alone. */
export const readServer = (text: string, address: string) => {
  const url = new URL(text);
  const isTls = url.protocol.endsWith('s:');
  const isMail = url.protocol.startsWith('smtp');
  const usual = isMail ? (isTls ? 465 : 587) : isTls ? 993 : 143;
  return {
    host: url.hostname,
    port: url.port === '' ? usual : Number(url.port),
    secure: isTls,
    /** Without TLS from the start, the connection is upgraded or ends, but for this machine. */
    mustUpgrade: !isTls && !isLoopback(url),
    user: url.username === '' ? address : decodeURIComponent(url.username),
  };
};
export type MailServer = ReturnType<typeof readServer>;
