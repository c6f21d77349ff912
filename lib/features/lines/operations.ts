/** The verb of lines. */
import * as z from 'zod/mini';
import type { Change } from '../../core/operations/operation.ts';
import { chat } from '../../core/verbs/settings/operations.ts';

export const lines = {
  kind: 'change',
  needs: 'approver',
  isTypedYes: true,
  name: 'lines',
  summary:
    'on: below my answers in this chat, or in the one you name, one line says why; tap: a button shows it; off: neither',
  args: z.strictObject({ state: z.enum(['on', 'off', 'tap']), chat: z.optional(chat) }),
  words: ['state', 'chat'],
  form: '<on | off | tap> [chat]',
  restores: ({ kind, name, before }) => (kind === 'lines' ? { state: before || 'tap', chat: name } : undefined),
} as const satisfies Change;

export const LINE_OPERATIONS = [lines] as const;
