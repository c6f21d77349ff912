/** The settings of e-mail. Their meanings are in `infra/setting-meanings.ts`. */
import { CommaList, Email, integer, Text } from '../../core/store/setting-forms.ts';
import type { Setting } from '../../core/store/settings.ts';

// biome-ignore format: a table
export const MAIL_SETTINGS = {
  MAIL_ADDRESS: { schema: Email, functions: ['mail', 'act'] },
  MAIL_IMAP: { schema: Text, functions: ['act'] },
  MAIL_SMTP: { schema: Text, functions: ['act'] },
  MAIL_PASSWORD: { schema: Text, isSecret: true, functions: ['act'] },
  MAIL_AUTHSERV_ID: { schema: Text, functions: ['mail'] },
  MAIL_SERVED: { schema: CommaList, default: '', functions: ['mail', 'act'] },
  MAIL_POLL_SECONDS: { schema: integer(5, 3_600), default: '30', functions: [], by: 'local' },
  MAIL_STATE: { schema: Text, default: 'off', functions: ['console'], by: 'derived' },
  MAIL_DOOR_SECRET: { schema: Text, isSecret: true, functions: ['mail'], by: 'derived' },
} as const satisfies Readonly<Record<string, Setting>>;
