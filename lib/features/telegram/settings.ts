/** The settings of Telegram. Their meanings are in `infra/setting-meanings.ts`. */
import * as z from 'zod/mini';
import { ChatIds, Digits, oneOf, SafeUrl, Text } from '../../core/store/setting-forms.ts';
import type { Setting } from '../../core/store/settings.ts';

// biome-ignore format: a table
export const TELEGRAM_SETTINGS = {
  TELEGRAM_BOT_TOKEN: { schema: z.string().check(z.regex(/^\d+:[\x21-\x7e]+$/, { error: 'must look like 123456:ABC…' })), isSecret: true,
    functions: ['act'] },
  TELEGRAM_BOT_ID: { schema: Digits, default: '0', functions: ['telegram'], by: 'deploy' },
  TELEGRAM_BOT_USERNAME: { schema: z.string().check(z.regex(/^@?\w{1,32}$/, { error: 'must be the name of a bot' })),
    functions: ['telegram'] },
  TELEGRAM_STATE: { schema: Text, default: 'off', functions: ['console'], by: 'derived' },
  TELEGRAM_MODE: { schema: oneOf('auto', 'polling', 'webhook'), default: 'auto', functions: [], by: 'local' },
  TELEGRAM_WEBHOOK_URL: { schema: SafeUrl, functions: [], by: 'local' },
  TELEGRAM_WEBHOOK_SECRET: { schema: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,256}$/, { error: 'must be 16-256 letters, digits, _ or -' })), isSecret: true,
    functions: ['telegram'] },
  TELEGRAM_API_ROOT: { schema: SafeUrl, default: 'https://api.telegram.org', functions: ['act'] },
  TELEGRAM_ALLOWED_CHATS: { schema: ChatIds, default: '', isLive: true, functions: ['console', 'perceive', 'telegram', 'act'] },
  TELEGRAM_APPROVERS: { schema: ChatIds, default: '', isLive: true, functions: ['console', 'perceive', 'telegram', 'act'] },
} as const satisfies Readonly<Record<string, Setting>>;
