/**
 * A grant: a person's bounded standing yes. It covers one tool with the exact arguments of the
 * action it was made from, unless a person loosened single ones; so many times, until a time, under
 * the same rules, if the same gates ask, and outside text only of the same source. One for a task
 * holds in its turn alone. A use is spent in the transaction that claims the action. It never
 * covers a blocked action: every gate still runs. Pure.
 */
import * as z from 'zod/mini';
import { JsonObject } from '../base/json.ts';
import { Target } from '../signal/action.ts';
import { Shape } from './shape.ts';

/** Arguments that one grant may loosen, and characters of a path: a person can picture them. */
export const GRANT_LOOSENED_MAX = 8;
const GRANT_PATH_CHARS_MAX = 256;
const GRANT_TEMPLATE_CHARS_MAX = 1_000;
/** Unknown words in one text: a matcher of more could take long. */
export const GRANT_WORDS_MAX = 3;

/** An argument not compared whole. `path` is an RFC 6901 pointer into the arguments. */
export const Loosened = z.discriminatedUnion('kind', [
  z.strictObject({ path: z.string().check(z.maxLength(GRANT_PATH_CHARS_MAX)), kind: z.literal('any') }),
  z.strictObject({
    path: z.string().check(z.maxLength(GRANT_PATH_CHARS_MAX)),
    kind: z.literal('prefix'),
    prefix: z.string().check(z.minLength(1), z.maxLength(GRANT_PATH_CHARS_MAX)),
  }),
  /** A text in which each `{{…}}` stands for one word. */
  z.strictObject({
    path: z.string().check(z.maxLength(GRANT_PATH_CHARS_MAX)),
    kind: z.literal('words'),
    template: z.string().check(z.maxLength(GRANT_TEMPLATE_CHARS_MAX)),
  }),
  /** A text with one `{{…}}`, whose value must be of this shape. */
  z.strictObject({
    path: z.string().check(z.maxLength(GRANT_PATH_CHARS_MAX)),
    kind: z.literal('shape'),
    template: z.string().check(z.maxLength(GRANT_TEMPLATE_CHARS_MAX)),
    shape: Shape,
  }),
]);
export type Loosened = z.infer<typeof Loosened>;

export const Grant = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  space: z.string(),
  /** The conversation or the one turn (`turnScope`) it holds in; absent for all of the space. */
  session: z.optional(z.string()),
  /** The conversation of that turn. */
  askedIn: z.optional(z.string()),
  policyVersion: z.string(),
  /** Gates whose question it answers. */
  gates: z.array(z.string()),
  target: Target,
  tool: z.optional(z.string()),
  to: z.optional(z.string()),
  url: z.optional(z.string()),
  text: z.optional(z.string()),
  args: z.optional(JsonObject),
  loosened: z.array(Loosened).check(z.maxLength(GRANT_LOOSENED_MAX)),
  /** Source of outside text that it covers, as the card named it; absent if it covers none. */
  taintSource: z.optional(z.string()),
  /** Its exact arguments were approved before outside text was read, which has no part in them. */
  isBeforeOutside: z.optional(z.literal(true)),
  usesMax: z.int(),
  uses: z.int(),
  state: z.enum(['live', 'revoked']),
  createdAt: z.int(),
  /** Sender id of the person. */
  createdBy: z.string(),
  /** Signal and action it was made from. */
  fromSignal: z.string(),
  fromN: z.int(),
  expiresAtMs: z.int(),
  revokedBy: z.optional(z.string()),
  /** When its arguments were forgotten, after it had ended: it covers nothing since. */
  forgottenAt: z.optional(z.int()),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
});
export type Grant = z.infer<typeof Grant>;

/**
 * Stands in place of the conversation in a grant for one turn and all it causes. A release that
 * knows no such grants takes it for a conversation that does not exist.
 */
export const turnScope = (root: string): string => `turn:${root}`;

type Json = unknown;

export const isPlainObject = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the pointer names a value in these arguments. A person cannot see a bound on nothing. */
export const hasArgument = (args: Json, path: string): boolean => {
  if (!path.startsWith('/')) return false;
  let at: Json = args;
  for (const part of path.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^\d{1,6}$/.test(name) ? at[Number(name)] : undefined;
    else at = isPlainObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    if (at === undefined) return false;
  }
  return true;
};

/** `body.ref` of the path `/body/ref`: a word with a slash before it is a command in a chat. */
export const argumentName = (path: string): string => path.slice(1).replaceAll('/', '.');

export const isUsable = (grant: Grant, now: number): boolean =>
  grant.state === 'live' && grant.uses < grant.usesMax && now < grant.expiresAtMs;
