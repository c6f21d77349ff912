/** The settings of e-mail. Their meanings are in `infra/setting-meanings.ts`. */
import * as z from 'zod/mini';
import { CommaList, integer, isLoopback, Text } from '../../core/store/setting-forms.ts';
import type { Setting } from '../../core/store/settings.ts';
import { mailChannel } from './channel.ts';

/** With a user before the host, if it is not the address; plain only on this machine. */
const server = (protocol: 'imap' | 'smtp') =>
  z.string().check(
    z.refine((text) => {
      const url = URL.parse(text);
      const isBare = url !== null && url.hostname !== '' && url.password === '' && /^\/?$/.test(url.pathname);
      return isBare && [`${protocol}s:`, `${protocol}:`].includes(url.protocol);
    }, `must be an address such as ${protocol}s://user@host:1234 without a password; user and port may be left out`),
  );

const Address = z.string().check(z.regex(mailChannel.to, { error: 'must be an e-mail address in lower case' }));
const Addresses = z.pipe(
  z.string().check(
    z.refine((text) => CommaList.parse(text).every((one) => mailChannel.to.test(one)), {
      error: 'must be e-mail addresses in lower case, separated by commas',
    }),
  ),
  CommaList,
);

// biome-ignore format: a table
export const MAIL_SETTINGS = {
  MAIL_ADDRESS: { schema: Address, functions: ['mail', 'act'] },
  MAIL_IMAP: { schema: server('imap'), functions: ['act'] },
  MAIL_SMTP: { schema: server('smtp'), functions: ['act'] },
  MAIL_PASSWORD: { schema: z.string().check(z.minLength(1, { error: 'must be the password itself' })), isSecret: true, functions: ['act'] },
  MAIL_AUTHSERV_ID: { schema: z.string().check(z.regex(/^[\w.-]{1,128}$/, { error: 'must be the first word of an Authentication-Results header' })), functions: ['mail'] },
  MAIL_SERVED: { schema: Addresses, default: '', functions: ['mail', 'act'] },
  MAIL_POLL_SECONDS: { schema: integer(5, 3_600), default: '30', functions: [], by: 'local' },
  MAIL_STATE: { schema: Text, default: 'off', functions: ['console'], by: 'derived' },
  MAIL_DOOR_SECRET: { schema: Text, isSecret: true, functions: ['mail'], by: 'derived' },
} as const satisfies Readonly<Record<string, Setting>>;

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
