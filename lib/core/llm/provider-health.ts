/**
 * How the providers are, shared by all functions through the day's counter: which are asked last
 * for now, and how the last question to each failed, until it answers one. While all refuse their
 * keys or accounts, only people may have them asked. Marks end with the day (UTC). Pure.
 */

import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import type { ProviderFault, ProviderTrouble } from '../base/errors.ts';
import { readJson } from '../base/json.ts';
import { PROVIDER_UNWELL_MS } from '../base/limits.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { isFault, isPassing } from '../language/fault-texts.ts';
import { type Finding, finding } from '../language/finding.ts';
import { shortName } from '../money/day-spend.ts';
import type { Item } from '../store/table.ts';
import type { Provider } from './providers.ts';

interface Recovery {
  /** `again` and `shrink` (a shorter prompt): the same one once. `stop`: nobody. */
  readonly step: 'again' | 'shrink' | 'next' | 'stop';
  /** The provider will probably fail the next question too. */
  readonly isUnwell: boolean;
  /** Only the owner can fix it, so the owner is told. */
  readonly isOwners: boolean;
  /** It refuses our key or account: while all do, only people have them asked. */
  readonly isRefusal: boolean;
  /** Whether health shows it: always, only if nobody else answered, or never. */
  readonly mark: 'always' | 'alone' | 'never';
}

// biome-ignore format: one row per fault, so that the columns can be read down
export const RECOVERIES: Readonly<Record<ProviderFault, Recovery>> = {
  busy:     { step: 'again',  isUnwell: true,  isOwners: false, isRefusal: false, mark: 'alone' },
  // That nobody can be reached is a sentence of its own.
  down:     { step: 'again',  isUnwell: true,  isOwners: false, isRefusal: false, mark: 'never' },
  slow:     { step: 'again',  isUnwell: true,  isOwners: false, isRefusal: false, mark: 'alone' },
  server:   { step: 'again',  isUnwell: true,  isOwners: false, isRefusal: false, mark: 'alone' },
  auth:     { step: 'next',   isUnwell: true,  isOwners: true,  isRefusal: true,  mark: 'always' },
  denied:   { step: 'next',   isUnwell: true,  isOwners: true,  isRefusal: true,  mark: 'always' },
  billing:  { step: 'next',   isUnwell: true,  isOwners: true,  isRefusal: true,  mark: 'always' },
  model:    { step: 'next',   isUnwell: true,  isOwners: false, isRefusal: false, mark: 'always' },
  tools:    { step: 'next',   isUnwell: true,  isOwners: false, isRefusal: false, mark: 'always' },
  overflow: { step: 'shrink', isUnwell: false, isOwners: false, isRefusal: false, mark: 'alone' },
  // Nobody else is asked what one provider refuses to answer.
  policy:   { step: 'stop',   isUnwell: false, isOwners: false, isRefusal: false, mark: 'never' },
  request:  { step: 'next',   isUnwell: false, isOwners: false, isRefusal: false, mark: 'alone' },
  answer:   { step: 'next',   isUnwell: true,  isOwners: false, isRefusal: false, mark: 'alone' },
  // An empty answer depends on the question.
  empty:    { step: 'next',   isUnwell: false, isOwners: false, isRefusal: false, mark: 'alone' },
  unasked:  { step: 'next',   isUnwell: false, isOwners: false, isRefusal: false, mark: 'never' },
  unknown:  { step: 'next',   isUnwell: true,  isOwners: false, isRefusal: false, mark: 'alone' },
};

type Endpoint = Pick<Provider, 'name' | 'baseUrl' | 'model'>;

/** Attribute of the day's counter. */
export const healthName = ({ name, baseUrl, model }: Endpoint): string =>
  `h_${shortName(`${name}\n${baseUrl}\n${model}`)}`;

/** Attribute of the day's counter: until when an endpoint counts as refusing our key or account. */
export const refusalName = ({ name, baseUrl }: Pick<Endpoint, 'name' | 'baseUrl'>): string =>
  `r_${shortName(`${name}\n${baseUrl}`)}`;

/** Attribute of the day's counter: how the last question to a provider failed. */
const faultName = (provider: string): string => `f_${shortName(provider)}`;

const Stored = z.tuple([z.int(), z.custom<ProviderFault>(isFault), z.string(), z.string()]);

interface FaultMark {
  readonly attribute: string;
  readonly fault: ProviderFault;
  readonly name: string;
  readonly model?: string;
  readonly until: number;
}

/** Earlier releases stored how a key or an account was refused as a number. */
const OLDER_NAME = /^(auth|billing)_(.+)$/;

/** How the last question to each provider failed. */
export const marksIn = (item: Item | undefined): readonly FaultMark[] =>
  Object.entries(item ?? {}).flatMap(([attribute, value]): FaultMark[] => {
    if (attribute.startsWith('f_') && typeof value === 'string') {
      const [until, fault, name, model] = Stored.safeParse(readJson(value)).data ?? [];
      return until && fault && name ? [{ attribute, fault, name, until, ...defined({ model }) }] : [];
    }
    const [, fault = '', name = ''] = OLDER_NAME.exec(attribute) ?? [];
    return typeof value === 'number' && isFault(fault) ? [{ attribute, fault, name, until: value }] : [];
  });

const marksOf = (item: Item | undefined, { name }: Pick<Endpoint, 'name'>): readonly string[] =>
  marksIn(item).flatMap((mark) => (mark.name === name ? [mark.attribute] : []));

/** These depend on the question: an easier one that is answered does not take them back. */
const OF_QUESTION: readonly ProviderFault[] = ['slow', 'overflow', 'request', 'answer', 'empty'];

/** The attributes that a small question which was answered leaves. */
export const questionMarks = (item: Item | undefined): readonly string[] =>
  marksIn(item).flatMap(({ attribute, fault }) => (OF_QUESTION.includes(fault) ? [attribute] : []));

/** Whether no real question was asked lately, or the last one failed. */
export const isLookDue = (item: Item | undefined): boolean => !(Number(item?.tokens) > 0) || marksIn(item).length > 0;

/** Attributes about providers and models that are not configured any more. */
export const outdatedFaults = (
  item: Item | undefined,
  configured: readonly { readonly name: string; readonly models: readonly string[] }[],
): readonly string[] =>
  marksIn(item)
    .filter(({ name, model }) => {
      const models = configured.find((one) => one.name === name)?.models;
      return models === undefined || (model !== undefined && !models.includes(model));
    })
    .map(({ attribute }) => attribute);

/** Tells whether all of a cascade refused their keys or accounts lately. */
export const isEveryKeyRefused = (
  providers: readonly Pick<Endpoint, 'name' | 'baseUrl'>[],
  item: Item | undefined,
  now: number,
): boolean =>
  providers.length > 0 &&
  providers.every((provider) => {
    const until: unknown = item?.[refusalName(provider)];
    return typeof until === 'number' && until > now;
  });

/** Whether it failed lately, and is asked last. */
export const isUnwell = (item: Item | undefined, endpoint: Endpoint, now: number): boolean => {
  const until: unknown = item?.[healthName(endpoint)];
  return typeof until === 'number' && until > now;
};

/** Attributes of the day's counter: since when no provider answers, and when that was last seen. */
const AWAY_SINCE = 'away_since';
const AWAY_SEEN = 'away_seen';

const PASSING: readonly ProviderFault[] = ['busy', 'down', 'slow', 'server'];

/** All that were asked were busy, failing or not reachable, which passes by itself. */
export const isEverybodyAway = (troubles: readonly ProviderTrouble[]): boolean =>
  troubles.some(({ fault }) => PASSING.includes(fault)) &&
  troubles.every(({ fault }) => PASSING.includes(fault) || fault === 'unasked');

/** Since when no provider answers; undefined if one answered, or none was asked lately. */
export const awaySince = (item: Item | undefined, now: number): number | undefined => {
  const since: unknown = item?.[AWAY_SINCE];
  const seen: unknown = item?.[AWAY_SEEN];
  const isRecent = typeof seen === 'number' && now < seen + PROVIDER_UNWELL_MS;
  return isRecent && typeof since === 'number' ? since : undefined;
};

/** Empty if somebody answered since, or nobody was asked lately. @param waiting conversations */
export const findAway = (item: Item | undefined, now: number, waiting: number): readonly Finding[] => {
  const since = awaySince(item, now);
  if (since === undefined) return [];
  const isReached = marksIn(item).some(({ fault, until }) => PASSING.includes(fault) && until > now);
  return [finding('modelsAway', isReached, utcMinute(since), waiting)];
};

/** Marks to set if everybody was away just now. */
export const awayMarks = (item: Item | undefined, now: number): Readonly<Record<string, number>> => ({
  [AWAY_SINCE]: awaySince(item, now) ?? now,
  [AWAY_SEEN]: now,
});

/** The well ones first, each part in its own order. */
export const orderByHealth = <P extends Endpoint>(
  providers: readonly P[],
  item: Item | undefined,
  now: number,
): readonly P[] => {
  const [well = [], unwell = []] = [false, true].map((is) =>
    providers.filter((one) => isUnwell(item, one, now) === is),
  );
  return [...well, ...unwell];
};

interface Failed {
  readonly fault: ProviderFault;
  readonly endpoint: Endpoint;
}

export interface HealthChange {
  /** Marks to set: asked last, or refusing. */
  readonly unwell: readonly string[];
  /** How the last question failed, to be stored until one is answered. */
  readonly failed: readonly Failed[];
  /** Marks to remove, of the provider that answered. */
  readonly well: readonly string[];
}

/** The marks that are stored of a change. */
export const marksToSet = (
  { unwell, failed }: Pick<HealthChange, 'unwell' | 'failed'>,
  now: number,
): Readonly<Record<string, number | string>> => {
  const until = now + PROVIDER_UNWELL_MS;
  return Object.fromEntries([
    ...unwell.map((name) => [name, until] as const),
    ...failed.map(({ fault, endpoint: { name, model } }) => {
      const stored: z.infer<typeof Stored> = [until, fault, name, model];
      return [faultName(name), JSON.stringify(stored)] as const;
    }),
  ]);
};

/** @param answered place of the provider that answered; a single provider is never asked last */
export const healthChange = (
  order: readonly Endpoint[],
  item: Item | undefined,
  troubles: readonly ProviderTrouble[],
  answered: number | undefined,
): HealthChange => {
  const failed = troubles.flatMap(({ place, fault }) => {
    const endpoint = order[place];
    return endpoint !== undefined && RECOVERIES[fault].isUnwell ? [healthName(endpoint)] : [];
  });
  const healed = answered === undefined ? undefined : order[answered];
  const marked = troubles.flatMap(({ place, fault }) => {
    const endpoint = order[place];
    const { mark } = RECOVERIES[fault];
    const isMarked = mark === 'always' || (mark === 'alone' && healed === undefined);
    return endpoint !== undefined && endpoint.name !== healed?.name && isMarked ? [{ endpoint, fault }] : [];
  });
  const refusals = marked.filter(({ fault }) => RECOVERIES[fault].isRefusal);
  // A provider that fails in another way now has taken back how it failed before.
  const replaced = marked.flatMap(({ endpoint }) => marksOf(item, endpoint));
  const own = healed === undefined ? [] : [healthName(healed), refusalName(healed), ...marksOf(item, healed)];
  // A provider that refuses can be reached.
  const isReached = healed !== undefined || marked.some(({ fault }) => !isPassing(fault));
  const gone = [...replaced, ...own, ...(isReached ? [AWAY_SINCE, AWAY_SEEN] : [])];
  const set = marked.map(({ endpoint }) => faultName(endpoint.name));
  return {
    unwell: [...(order.length > 1 ? failed : []), ...refusals.map(({ endpoint }) => refusalName(endpoint))],
    failed: marked,
    well: [...new Set(gone)].filter((name) => item?.[name] !== undefined && !set.includes(name)),
  };
};
