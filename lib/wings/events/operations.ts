/** The verbs of webhooks that come in: what services sent, and what became of it. */
import * as z from 'zod/mini';
import { NEWS } from '../../ledger/subscriptions.ts';
import type { Change, Look } from '../../operations/operation.ts';

const rights = { needs: 'owner', where: 'named' } as const;
const event = z.string().check(z.minLength(1), z.maxLength(128), z.describe('id of the event, or its start'));

const ShownEvent = z.looseObject({
  id: z.string(),
  source: z.string(),
  event: z.string(),
  at: z.int(),
  /** The line of the event, by its form or as JSON. Untrusted. */
  text: z.string(),
  state: z.string(),
  /** Its outcome, if that is unusual or a job has it. */
  because: z.optional(z.string()),
});
export type ShownEvent = z.infer<typeof ShownEvent>;

export const hooksList = {
  kind: 'look',
  name: 'hooks list',
  summary: 'which services sent events lately over webhooks, how many today, and why a request was refused',
  args: z.strictObject({}),
  data: z.looseObject({
    services: z.array(
      z.looseObject({
        name: z.string(),
        /** Its newest event, and when it came. Epoch milliseconds. */
        event: z.optional(z.string()),
        at: z.optional(z.int()),
        /** Events of today. */
        count: z.int(),
        /** Requests of today that did not prove who sent them, and why the last did not. */
        refused: z.optional(z.int()),
        because: z.optional(z.string()),
        /** The same as a code, with its value if it has one. */
        refusal: z.optional(z.readonly(z.array(z.union([z.string(), z.int()])))),
        /** The one to look at: `secret`, `time` or `body`. */
        cure: z.optional(z.string()),
      }),
    ),
  }),
  ...rights,
  isDefault: true,
} as const satisfies Look;

export const hooksEvents = {
  kind: 'look',
  name: 'hooks events',
  summary: 'the newest events, of one service or of all, and what became of each',
  args: z.strictObject({ source: z.optional(z.string().check(z.maxLength(30), z.describe('name of the service'))) }),
  words: ['source'],
  data: z.looseObject({ events: z.array(ShownEvent) }),
  ...rights,
} as const satisfies Look;

export const hooksShow = {
  kind: 'look',
  name: 'hooks show',
  summary: 'one event: what it says, what became of it, and its body',
  args: z.strictObject({ event }),
  words: ['event'],
  data: z.extend(ShownEvent, { body: z.looseObject({}) }),
  ...rights,
} as const satisfies Look;

export const hooksAdd = {
  kind: 'look',
  name: 'hooks add',
  summary: 'connect a service that sends events: makes its secret, and says where that and the address go',
  args: z.strictObject({
    service: z.optional(z.string().check(z.regex(/^[a-z-]{1,30}$/), z.describe('such as github'))),
  }),
  words: ['service'],
  data: z.looseObject({ command: z.string() }),
  ...rights,
} as const satisfies Look;

export const hooksSendAgain = {
  kind: 'change',
  name: 'hooks send-again',
  summary: 'let a stored event come once more, as if its service had sent it now',
  args: z.strictObject({ event }),
  words: ['event'],
  needs: 'approver',
  where: 'named',
  isTypedYes: true,
} as const satisfies Change;

export const hooksTry = {
  kind: 'look',
  name: 'hooks try',
  summary: 'the line that a form of yours would make of a stored event',
  args: z.strictObject({
    event,
    form: z.string().check(z.minLength(1), z.maxLength(1000), z.describe('such as "{{service}} failed: {{url}}"')),
  }),
  words: ['event', 'form…'],
  data: z.looseObject({ text: z.string() }),
  ...rights,
} as const satisfies Look;

const target = z
  .string()
  .check(z.toLowerCase(), z.regex(/^[a-z0-9_-]{1,40}$/), z.describe('a name of WEBHOOK_TARGETS'));

export const hooksSubscriptions = {
  kind: 'look',
  name: 'hooks subscriptions',
  summary: 'which webhooks are told news of me, of which kinds, and whether they take it',
  args: z.strictObject({}),
  data: z.looseObject({
    /** Every kind there is. */
    kinds: z.array(z.string()),
    subscriptions: z.array(
      z.looseObject({
        target: z.string(),
        news: z.array(z.string()),
        by: z.string(),
        /** Epoch milliseconds, as `failingSince`. */
        at: z.int(),
        failingSince: z.optional(z.int()),
      }),
    ),
  }),
  ...rights,
} as const satisfies Look;

export const hooksDeliveries = {
  kind: 'look',
  name: 'hooks deliveries',
  summary: 'the newest news that a webhook was told, and whether it took each',
  args: z.strictObject({ target: z.optional(target) }),
  words: ['target'],
  data: z.looseObject({
    deliveries: z.array(
      z.looseObject({ id: z.string(), at: z.int(), state: z.string(), because: z.optional(z.string()) }),
    ),
  }),
  ...rights,
} as const satisfies Look;

const subscription = { kind: 'change', needs: 'approver', where: 'named', isTypedYes: true } as const;

export const hooksSubscribe = {
  ...subscription,
  name: 'hooks subscribe',
  summary: `tell a webhook my news: all, or some of ${NEWS.join(', ')}`,
  args: z.strictObject({ target, news: z.string().check(z.minLength(1), z.maxLength(200)) }),
  words: ['target', 'news…'],
  restores: ({ kind, name, before }) => (kind === 'hook' && before !== '' ? { target: name, news: before } : undefined),
} as const satisfies Change;

export const hooksUnsubscribe = {
  ...subscription,
  name: 'hooks unsubscribe',
  summary: 'tell a webhook no more news',
  args: z.strictObject({ target }),
  words: ['target'],
  restores: ({ kind, name, before }) => (kind === 'hook' && before === '' ? { target: name } : undefined),
} as const satisfies Change;

export const EVENT_OPERATIONS = [
  hooksList,
  hooksEvents,
  hooksShow,
  hooksAdd,
  hooksSendAgain,
  hooksTry,
  hooksSubscriptions,
  hooksDeliveries,
  hooksSubscribe,
  hooksUnsubscribe,
] as const;
