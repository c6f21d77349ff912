/** The verbs of subscriptions: other systems that are told what happens here. */
import * as z from 'zod/mini';
import type { Change, Look } from '../../core/operations/operation.ts';
import { NEWS } from './subscriptions.ts';

const rights = { needs: 'owner', where: 'named' } as const;
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

export const SUBSCRIPTION_OPERATIONS = [hooksSubscriptions, hooksDeliveries, hooksSubscribe, hooksUnsubscribe] as const;
