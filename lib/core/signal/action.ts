/**
 * An action is what the gates judge and what Act performs, byte for byte; a proposal is only what
 * the model wants. Code alone sets `author`, so that no text of the model passes for a notice.
 */

import * as z from 'zod/mini';
import { hashOf } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { JsonObject } from '../base/json.ts';
import { ChannelId } from './channels.ts';
import type { ReplyRoute } from './signal.ts';

export const Target = z.enum([...ChannelId.options, 'webhook', 'tool', 'system']);
export type Target = z.infer<typeof Target>;

/** Lower-case words joined by `-`, as `normaliseName` makes them. */
export const ToolName = z.string().check(z.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/), z.maxLength(64));

/** `Call_Webhook ` → `call-webhook`: the one spelling of a tool or target. */
export const normaliseName = (name: string): string =>
  name
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');

export const Action = z.strictObject({
  target: Target,
  /** Always set for `tool` and `webhook` (`call-webhook`). */
  tool: z.optional(ToolName),
  args: z.optional(JsonObject),
  text: z.optional(z.string()),
  /** Chat id, console session, or webhook's name; filled in before the first gate (I4). */
  to: z.optional(z.string()),
  /** Topic of the Telegram chat. Filled in before the first gate (I4). */
  topic: z.optional(z.int()),
  /** The only links a reader can tap; absent: the channel decides. Only the gates set it. */
  links: z.optional(z.array(z.string())),
  /** Configured address of an outgoing webhook, filled in before the first gate (I4). */
  url: z.optional(z.string()),
  explanation: z.string(),
  /** The model, code (a text from a template), or a person by a command (`/remember …`). */
  author: z.enum(['model', 'code', 'owner']),
  /** Name of the template of a `code` text. */
  template: z.optional(z.string()),
  /** The approval whose card this text is; the channel adds buttons. Only of author `code`. */
  card: z.optional(z.string()),
  /** Epoch milliseconds at which the card shows the bounds for similar actions. */
  similarAt: z.optional(z.int()),
  /** Codes of the numbered choices that the text ends with. Only with author `code`. */
  choices: z.optional(z.array(z.string())),
  /** The language of the text, and of its buttons; English if absent. Only with author `code`. */
  language: z.optional(z.string()),
  /** The message whose text this one replaces. Only with author `code`. */
  edits: z.optional(z.strictObject({ message: z.int() })),
});
export type Action = z.infer<typeof Action>;

export const actionHash = (action: Action): string => hashOf('action', action);

/** With the name of its webhook in the one spelling that decides which is called. */
export const withOneName = (action: Action): Action =>
  action.tool === 'call-webhook' && action.args?.webhook
    ? { ...action, args: { ...action.args, webhook: action.to ?? '' } }
    : action;

/** True for a text, false for a call of a tool or webhook. */
export const isText = (action: Action): boolean => action.target !== 'tool' && action.target !== 'webhook';

/** The fields of an action that name where its text goes. */
type Place = Pick<Action, 'target' | 'to' | 'topic'>;

export const placeOf = ({ target, to, topic }: ReplyRoute): Place => ({
  target,
  to: to === '' ? 'log' : to,
  ...defined({ topic }),
});

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.target === other.target && one.to === other.to && one.topic === other.topic;

export const replyAction = (text: string, reply: ReplyRoute): Action => ({
  ...placeOf(reply),
  text,
  explanation: '',
  author: 'model',
});
