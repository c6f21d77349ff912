/** The verbs of model providers: see, add, try, order, switch off and on, remove. */
import * as z from 'zod/mini';
import type { Change, Look } from '../../core/operations/operation.ts';
import { SafeUrl } from '../../core/store/setting-forms.ts';

const changing = { kind: 'change', needs: 'approver', isTypedYes: true } as const;

export const ProviderName = z
  .string()
  .check(
    z.regex(/^[a-z][a-z0-9-]{0,31}$/, { error: 'must be one lower-case word of at most 32 letters, digits and "-"' }),
    z.describe('name of the provider'),
  );

/** Names, or `name:model`, as the cascade has them. */
const ORDER =
  /^[a-z][a-z0-9-]{0,31}(?::[\w.:/@+|-]{1,260})?(?:[ ,]+[a-z][a-z0-9-]{0,31}(?::[\w.:/@+|-]{1,260})?){0,31}$/;

const text = z.string();

export const providerList = {
  kind: 'look',
  name: 'provider list',
  summary: 'the model providers in the order in which they are asked, and those that are off',
  args: z.strictObject({}),
  data: z.looseObject({
    providers: z.array(
      z.looseObject({
        ...{ name: text, model: text, address: text, state: z.enum(['asked', 'off']) },
        from: z.enum(['added', 'environment']),
        contextTokens: z.optional(z.int()),
      }),
    ),
  }),
  needs: 'owner',
  isDefault: true,
} as const satisfies Look;

export const providerAdd = {
  ...changing,
  name: 'provider add',
  summary: 'add a model provider; its key is typed in a terminal or on the page, never in a chat',
  args: z.strictObject({
    name: ProviderName,
    url: z.optional(
      SafeUrl.check(
        z.maxLength(2_000),
        z.refine((text) => !/[?#@]/.test(text), 'must be an address alone'),
        z.describe('address, which often ends in /v1'),
      ),
    ),
    // Its form is checked once it is known to hold no key.
    models: z.optional(text.check(z.maxLength(1_000), z.describe('model, or a small and a large one'))),
  }),
  words: ['name', 'url', 'models…'],
} as const satisfies Change;

export const providerTry = {
  kind: 'change',
  name: 'provider try',
  summary: 'ask a provider one small question, and which models it offers',
  args: z.strictObject({ name: ProviderName }),
  words: ['name'],
  needs: 'approver',
} as const satisfies Change;

export const providerOrder = {
  ...changing,
  name: 'provider order',
  summary: 'say which providers are asked first; the others follow',
  args: z.strictObject({
    names: text.check(
      z.regex(ORDER, { error: 'must be names of providers' }),
      z.describe('names, the first one first'),
    ),
  }),
  words: ['names…'],
} as const satisfies Change;

export const providerOff = {
  ...changing,
  name: 'provider off',
  summary: 'ask a provider no more; it stays here',
  args: z.strictObject({ name: ProviderName }),
  words: ['name'],
} as const satisfies Change;

export const providerOn = {
  ...changing,
  name: 'provider on',
  summary: 'ask a provider again, after all others',
  args: z.strictObject({ name: ProviderName }),
  words: ['name'],
} as const satisfies Change;

export const providerRemove = {
  ...changing,
  name: 'provider remove',
  summary: 'take an added provider away; its key counts no more',
  args: z.strictObject({ name: ProviderName }),
  words: ['name'],
} as const satisfies Change;

export const PROVIDER_OPERATIONS = [
  ...[providerList, providerAdd, providerTry, providerOrder, providerOff, providerOn, providerRemove],
] as const;
