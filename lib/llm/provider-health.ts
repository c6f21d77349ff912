/**
 * The providers that are asked last for now, shared by all functions through the day's counter:
 * until when, for each endpoint and model. A provider that refused a key or has no credit is marked
 * with all its models: while all are, only people may have them asked. Marks end with the day (UTC)
 * at the latest. Pure.
 */
import type { ProviderFault, ProviderTrouble } from '../base/errors.ts';
import { PROVIDER_UNWELL_MS } from '../base/limits.ts';
import { shortName } from '../money/day-spend.ts';
import type { Item } from '../store/table.ts';
import { keyNameOf } from './provider-table.ts';
import type { Provider } from './providers.ts';

interface Recovery {
  /** `again` and `shrink` (a shorter prompt): the same one once. `stop`: nobody. */
  readonly step: 'again' | 'shrink' | 'next' | 'stop';
  /** The provider will probably fail the next question too. */
  readonly isUnwell: boolean;
  /** Only the owner can fix it, so the owner is told. */
  readonly isOwners: boolean;
}

// biome-ignore format: one row per fault, so that the columns can be read down
export const RECOVERIES: Readonly<Record<ProviderFault, Recovery>> = {
  busy:     { step: 'again',  isUnwell: true,  isOwners: false },
  down:     { step: 'again',  isUnwell: true,  isOwners: false },
  auth:     { step: 'next',   isUnwell: true,  isOwners: true },
  billing:  { step: 'next',   isUnwell: true,  isOwners: true },
  model:    { step: 'next',   isUnwell: true,  isOwners: false },
  overflow: { step: 'shrink', isUnwell: false, isOwners: false },
  // Nobody else is asked what one provider refuses to answer.
  policy:   { step: 'stop',   isUnwell: false, isOwners: false },
  request:  { step: 'next',   isUnwell: false, isOwners: false },
  answer:   { step: 'next',   isUnwell: true,  isOwners: false },
  // An empty answer depends on the question.
  empty:    { step: 'next',   isUnwell: false, isOwners: false },
  unasked:  { step: 'next',   isUnwell: false, isOwners: false },
  unknown:  { step: 'next',   isUnwell: true,  isOwners: false },
};

type Endpoint = Pick<Provider, 'name' | 'baseUrl' | 'model'>;

/** Attribute of the day's counter. */
export const healthName = ({ name, baseUrl, model }: Endpoint): string =>
  `h_${shortName(`${name}\n${baseUrl}\n${model}`)}`;

/** Attribute of the day's counter: until when an endpoint counts as refusing our key or account. */
export const refusalName = ({ name, baseUrl }: Pick<Endpoint, 'name' | 'baseUrl'>): string =>
  `r_${shortName(`${name}\n${baseUrl}`)}`;

/** Attribute of the day's counter: a provider refused our key, or the account has no credit. */
const refusedName = (fault: 'auth' | 'billing', provider: string): string => `${fault}_${provider}`;

const REFUSED_NAME = /^(auth|billing)_(.+)$/;

/** Says what a provider refused and what the owner can do. @param when begins with a space */
export const describeRefusal = (fault: 'auth' | 'billing', provider: string, when = ''): string => {
  const key = keyNameOf(provider);
  // The set-up asks for no key of an endpoint of one's own.
  const mend = key === 'PROVIDER_KEYS' ? 'infra/operating.md#rotate-a-secret' : 'npx passepartout setup --only model';
  const what = fault === 'auth' ? `refused the key in ${key}` : 'had no credit left';
  const remedy =
    fault === 'auth'
      ? `put a valid key there (${mend})`
      : 'its account needs credit (infra/troubleshooting.md#the-model)';
  return `the model provider ${provider} ${what}${when}: ${remedy}`;
};

/** A sentence about each provider that refused us today and has not answered since. */
export const describeRefusals = (item: Item | undefined): readonly string[] =>
  Object.entries(item ?? {}).flatMap(([attribute, until]) => {
    const [, fault, provider = ''] = REFUSED_NAME.exec(attribute) ?? [];
    if (fault === undefined || typeof until !== 'number') return [];
    const time = new Date(until - PROVIDER_UNWELL_MS).toISOString().slice(11, 16);
    return [describeRefusal(fault === 'auth' ? fault : 'billing', provider, ` when it was last asked (${time} UTC)`)];
  });

/** Attributes about refusals of providers that are not configured any more. */
export const outdatedRefusals = (item: Item | undefined, configured: readonly string[]): readonly string[] =>
  Object.keys(item ?? {}).filter((attribute) => {
    const provider = REFUSED_NAME.exec(attribute)?.[2];
    return provider !== undefined && !configured.includes(provider);
  });

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

/** All that were asked were busy or not reachable, which passes by itself. */
export const isEverybodyAway = (troubles: readonly ProviderTrouble[]): boolean =>
  troubles.some(({ fault }) => fault === 'busy' || fault === 'down') &&
  troubles.every(({ fault }) => fault === 'busy' || fault === 'down' || fault === 'unasked');

/** Since when no provider can be reached; undefined if one answered, or none was asked lately. */
export const awaySince = (item: Item | undefined, now: number): number | undefined => {
  const since: unknown = item?.[AWAY_SINCE];
  const seen: unknown = item?.[AWAY_SEEN];
  const isRecent = typeof seen === 'number' && now < seen + PROVIDER_UNWELL_MS;
  return isRecent && typeof since === 'number' ? since : undefined;
};

/** Empty if somebody answered since, or nobody was asked lately. */
export const describeAway = (item: Item | undefined, now: number): readonly string[] => {
  const since = awaySince(item, now);
  if (since === undefined) return [];
  return [`no language model has been reachable since ${new Date(since).toISOString().slice(11, 16)} UTC`];
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

export interface HealthChange {
  /** Marks to set: asked last, or refusing. */
  readonly unwell: readonly string[];
  /** Marks to remove, of the provider that answered. */
  readonly well: readonly string[];
}

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
  const refusals = troubles.flatMap(({ place, fault }) => {
    const endpoint = order[place];
    return endpoint !== undefined && (fault === 'auth' || fault === 'billing') ? [{ endpoint, fault }] : [];
  });
  const refused = refusals.flatMap(({ endpoint, fault }) => [refusalName(endpoint), refusedName(fault, endpoint.name)]);
  // A provider that names another reason now has taken back the one of before.
  const replaced = refusals.map(({ endpoint, fault }) =>
    refusedName(fault === 'auth' ? 'billing' : 'auth', endpoint.name),
  );
  const healed = answered === undefined ? undefined : order[answered];
  const own =
    healed === undefined
      ? []
      : [
          healthName(healed),
          refusalName(healed),
          refusedName('auth', healed.name),
          refusedName('billing', healed.name),
        ];
  // A provider that refuses can be reached.
  const marks = healed === undefined && refused.length === 0 ? own : [...own, AWAY_SINCE, AWAY_SEEN];
  return {
    unwell: [...(order.length > 1 ? failed : []), ...refused],
    well: [...replaced, ...marks].filter((name) => typeof item?.[name] === 'number'),
  };
};
