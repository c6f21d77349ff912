/** The verb of voice. */
import * as z from 'zod/mini';
import type { Change } from '../../core/operations/operation.ts';
import { chat } from '../../core/verbs/settings/operations.ts';

export const voice = {
  kind: 'change',
  needs: 'approver',
  isTypedYes: true,
  name: 'voice',
  summary: 'on: my answers in this chat, or in the one you name, come as voice notes too; off ends it',
  args: z.strictObject({ state: z.enum(['on', 'off']), chat: z.optional(chat) }),
  words: ['state', 'chat'],
  form: '<on | off> [chat]',
  restores: ({ kind, name, before }) => (kind === 'voice' ? { state: before || 'off', chat: name } : undefined),
} as const satisfies Change;

export const VOICE_OPERATIONS = [voice] as const;
