/**
 * Says which kinds of action a change of power newly allows, or ends. A kind of power (a policy, a
 * grant, a server, a skill, a machine, a webhook, a token) gives its reach before the change and
 * after it; the lines stand on the card, or are told before a command applies it. Pure.
 */
import type { JsonObject } from '../base/json.ts';
import type { Facts } from '../signal/facts.ts';
import { showPlainly } from './show-plainly.ts';

type Tier = Facts['tier'];

/** Kinds of action in words, each with the furthest that one such action may come. */
export type Reach = ReadonlyMap<string, Tier>;

/** The permission of one call of the model, by the owner's policy and the defaults. */
export type TierOf = (tool: string, args: JsonObject, to?: string) => Tier;

const TIERS: readonly Tier[] = ['deny', 'ask', 'allow'];
export const isFurther = (left: Tier, right: Tier): boolean => TIERS.indexOf(left) > TIERS.indexOf(right);

export const REACH_UNKNOWN = 'Which kinds of action become possible cannot be told from hashes alone.';

/** Told where the policy in force is not known. */
export const UNDER_POLICY = 'Your policy may permit or deny such calls: npx passepartout policy show tells.';

const NO_REACH = 'No kind of action becomes possible that was not.';

/**
 * @param mark marks what a card never folds: not the line that nothing becomes possible
 * @returns at least one line
 */
export const sayReach = (before: Reach, after: Reach, mark = (line: string): string => line): readonly string[] => {
  const line = (words: string, isMeant: (was: Tier | undefined, is: Tier) => boolean): readonly string[] => {
    const kinds = [...new Set([...before.keys(), ...after.keys()])];
    const named = kinds.filter((kind) => isMeant(before.get(kind), after.get(kind) ?? 'deny')).map(showPlainly);
    return named.length === 0 ? [] : [mark(`${words}: ${named.join(', ')}.`)];
  };
  const becomes =
    (tier: Tier, isMore: boolean) =>
    (was: Tier = 'deny', is: Tier = 'deny') =>
      is === tier && is !== was && isFurther(is, was) === isMore;
  const more = [
    ...line('Newly possible without a question', becomes('allow', true)),
    ...line('Newly possible after your yes to each call', becomes('ask', true)),
  ];
  return [
    ...(more.length === 0 ? [NO_REACH] : more),
    ...line('Denied by your policy all the same', (was, is) => was === undefined && is === 'deny'),
    ...line('From now on only after your yes', becomes('ask', false)),
    ...line('No longer possible', becomes('deny', false)),
  ];
};

/** The kind of a call of a webhook. */
export const webhookKind = (name: string, method: string, url: string): string =>
  `the webhook ${name} (${method} to ${URL.parse(url)?.host ?? 'an address that is none'})`;

/** A grant lets an action pass that was asked about. @param how its bounds, in words */
export const sayGranted = (
  { tool = 'a text', to }: { readonly tool?: string | undefined; readonly to?: string | undefined },
  how: string,
  mark?: (line: string) => string,
): readonly string[] => {
  const kind = `${tool}${to === undefined ? '' : ` to ${to}`}, ${how}`;
  return sayReach(new Map([[kind, 'ask']]), new Map([[kind, 'allow']]), mark);
};
