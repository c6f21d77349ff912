/** The settings of e-mail. Their meanings are in `infra/setting-meanings.ts`. */
import * as z from 'zod/mini';
import { CommaList, integer, Text } from '../../core/store/setting-forms.ts';
import type { Setting } from '../../core/store/settings.ts';
import { mailChannel } from './channel.ts';

const matching = (form: RegExp, error: string) => z.string().check(z.regex(form, { error }));
/** With a user before the host, if it is not the address. */
const server = (name: string) =>
  matching(
    new RegExp(`^${name}s?://(?:[^\\s/:@]+@)?[^\\s/:@]+(?::\\d+)?/?$`),
    `must be an address such as ${name}s://user@host:1234 without a password; user and port may be left out`,
  );

// biome-ignore format: a table
export const MAIL_SETTINGS = {
  MAIL_ADDRESS: { schema: matching(mailChannel.to, 'must be an e-mail address in lower case'), functions: ['mail', 'act'] },
  MAIL_IMAP: { schema: server('imap'), functions: ['act'] },
  MAIL_SMTP: { schema: server('smtp'), functions: ['act'] },
  MAIL_PASSWORD: { schema: Text, isSecret: true, functions: ['act'] },
  MAIL_AUTHSERV_ID: { schema: matching(/^[\w.-]{1,128}$/, 'must be the first word of an Authentication-Results header'), functions: ['mail'] },
  MAIL_SERVED: { schema: CommaList, default: '', functions: ['mail', 'act'] },
  MAIL_POLL_SECONDS: { schema: integer(5, 3_600), default: '30', functions: [], by: 'local' },
  MAIL_STATE: { schema: Text, default: 'off', functions: ['console'], by: 'derived' },
  MAIL_DOOR_SECRET: { schema: Text, isSecret: true, functions: ['mail'], by: 'derived' },
} as const satisfies Readonly<Record<string, Setting>>;
