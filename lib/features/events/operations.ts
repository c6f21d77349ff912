/** The verbs of webhooks that come in: what services sent, and what became of it. */
import * as z from 'zod/mini';
import type { Change, Look } from '../../core/operations/operation.ts';

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

export const EVENT_OPERATIONS = [hooksList, hooksEvents, hooksShow, hooksAdd, hooksSendAgain, hooksTry] as const;
