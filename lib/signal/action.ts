/**
 * Actions: what the gates let through, and what Act performs: exactly these bytes. A proposal is what the model wants;
 * `author` is set by code alone, so that nothing the model writes can pass for a notice of the system.
 */
import * as z from 'zod/mini';
import { hashOf } from '../base/canonical.ts';
import { JsonObject } from '../base/json.ts';
import type { ReplyRoute } from './signal.ts';

export const Target = z.enum(['telegram', 'webhook', 'console', 'tool', 'system']);
export type Target = z.infer<typeof Target>;

/** Lower-case words joined by `-`. Compared exactly after `normaliseName`. */
export const ToolName = z.string().check(z.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/), z.maxLength(64));

/** `Call_Webhook ` → `call-webhook`: the one spelling of a tool or target name used anywhere. */
export const normaliseName = (name: string): string =>
  name
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');

export const Action = z.strictObject({
  target: Target,
  /** Which tool; always set for `tool` and `webhook` (`call-webhook`). */
  tool: z.optional(ToolName),
  args: z.optional(JsonObject),
  text: z.optional(z.string()),
  /** Telegram chat id, console session, or the configured webhook's name. Filled in before the first gate (I4). */
  to: z.optional(z.string()),
  /**
   * The only links of a text that can be tapped; absent: the channel decides. Set by the gates
   * alone.
   */
  links: z.optional(z.array(z.string())),
  /** Resolved address of an outgoing webhook, from configuration, filled in before the first gate (I4). */
  url: z.optional(z.string()),
  explanation: z.string(),
  /** Who wants it: the model, code (texts from templates), or a person by a command that code read (`/remember …`). */
  author: z.enum(['model', 'code', 'owner']),
  /** Name of the fixed template a `code` text was built from. */
  template: z.optional(z.string()),
  /** The approval this text is the card of; the channel adds the buttons. Only with author `code`. */
  card: z.optional(z.string()),
  /**
   * The card shows the bounds for allowing similar ones, as they stood at this moment: epoch
   * milliseconds.
   */
  similarAt: z.optional(z.int()),
  /** The message in the channel whose text this one replaces. Only with author `code`. */
  edits: z.optional(z.strictObject({ message: z.int() })),
});
export type Action = z.infer<typeof Action>;

export const actionHash = (action: Action): string => hashOf('action', action);

/** True for an action that is a text to a person or log, rather than a tool or webhook call. */
export const isText = (action: Action): boolean => action.target !== 'tool' && action.target !== 'webhook';

export const replyAction = (text: string, reply: ReplyRoute): Action => ({
  target: reply.target,
  to: reply.to === '' ? 'log' : reply.to,
  text,
  explanation: '',
  author: 'model',
});
