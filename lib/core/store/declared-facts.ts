/**
 * The facts about a call that only its target's declaration names: who receives it, how much, in
 * which currency. Each is a path into the call's fields, such as `payment.amount`. A path must
 * lead to one plain value of the target's schema, or nobody could say what it counts. That is
 * checked once, when the owner declares it. Pure.
 */
import { PRESETS } from '../../features/presets.ts';
import { isObject } from '../base/json.ts';
import type { WebhookForm } from './setting-forms.ts';

export const FACT_NAMES = ['recipient', 'amount', 'currency'] as const;
export type FactName = (typeof FACT_NAMES)[number];

const FIELD_PATH = /^[\w-]{1,64}(?:\.[\w-]{1,64}){0,3}$/;

export type DeclaredFacts = { readonly [name in FactName]?: string | undefined };

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The value at a path; undefined where there is none. */
export const valueAt = (value: unknown, path: string): unknown => path.split('.').reduce(own, value);

const schemaAt = (schema: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => own(own(at, 'properties'), name), schema);

const PLAIN: readonly unknown[] = ['string', 'number', 'integer'];

const isPlain = (schema: unknown): boolean => {
  const choices = own(schema, 'enum');
  const isChoice = Array.isArray(choices) && choices.every((one) => PLAIN.includes(typeof one));
  return PLAIN.includes(own(schema, 'type')) || isChoice;
};

/** Amounts of two currencies have no sum. */
const isOneChoice = (schema: unknown): boolean => {
  const choices = own(schema, 'enum');
  return Array.isArray(choices) && choices.length === 1 && typeof choices[0] === 'string';
};

/** Why a fact cannot be taken from there; undefined if it can. */
const problemOf = (name: FactName, path: string, schema: unknown): string | undefined => {
  const at = FIELD_PATH.test(path) ? schemaAt(schema, path) : undefined;
  if (at === undefined) return 'is no field of its schema';
  if (name === 'currency') return isOneChoice(at) ? undefined : 'needs an "enum" with one currency in its schema';
  return isPlain(at) ? undefined : 'needs the type string, number or integer in its schema';
};

interface FactProblem {
  readonly name: FactName;
  readonly problem: string;
}

/** @param isSent whether a field, by its first name, is part of what is really sent */
export const findFactProblems = (
  facts: DeclaredFacts,
  schema: unknown,
  isSent: (field: string) => boolean = () => true,
): readonly FactProblem[] =>
  FACT_NAMES.flatMap((name) => {
    const path = facts[name];
    if (path === undefined) return [];
    const [field = ''] = path.split('.');
    const problem = problemOf(name, path, schema) ?? (isSent(field) ? undefined : 'is not part of what is sent');
    return problem === undefined ? [] : [{ name, problem }];
  });

/** Whether a field is part of what is sent, in the address or in the body. */
export const isFieldSent = (webhook: WebhookForm & { readonly fixed?: object | undefined }) => {
  const { url = '', send, method } = { ...PRESETS[webhook.preset ?? ''], ...webhook };
  const hasBody = webhook.reads !== true && method !== 'GET';
  const fixed = [...(webhook.hides ?? []), ...Object.keys(webhook.fixed ?? {})];
  return (field: string): boolean => {
    if (url.includes(`{${field}}`)) return true;
    if (!hasBody) return false;
    return send === undefined ? !fixed.includes(field) : JSON.stringify(send).includes(`{{${field}}}`);
  };
};

/** @returns lines such as `recipient is no field of its schema` */
export const findWebhookProblems = (webhook: Parameters<typeof isFieldSent>[0]): readonly string[] => {
  const schema = webhook.body ?? PRESETS[webhook.preset ?? '']?.body;
  return findFactProblems(webhook, schema, isFieldSent(webhook)).map(({ name, problem }) => `${name} ${problem}`);
};

const pathsIn = (schema: unknown, before = ''): readonly string[] => {
  const properties = own(schema, 'properties');
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, one]) => [
    `${before}${name}`,
    ...pathsIn(one, `${before}${name}.`),
  ]);
};

/** The first field that could be this fact, one of that name before others. */
export const suggestPath = (
  name: FactName,
  schema: unknown,
  isSent: (field: string) => boolean,
): string | undefined => {
  const able = pathsIn(schema).filter((path) => findFactProblems({ [name]: path }, schema, isSent).length === 0);
  const named = (path: string): boolean => COMMON_NAMES[name].includes(path.split('.').at(-1)?.toLowerCase() ?? '');
  const isNumber = (path: string): boolean => own(schemaAt(schema, path), 'type') !== 'string';
  return able.find(named) ?? (name === 'amount' ? able.find(isNumber) : able[0]);
};

/** Names that such a field often has. */
export const COMMON_NAMES: Readonly<Record<FactName, readonly string[]>> = {
  recipient: ['to', 'recipient', 'email', 'address', 'account', 'iban'],
  amount: ['amount', 'sum', 'total', 'price'],
  currency: ['currency'],
};
