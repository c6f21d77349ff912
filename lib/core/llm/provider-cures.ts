/**
 * The cure of each kind of a provider's failure, and the finding about a provider that failed.
 * Holds no key, body or address. Pure.
 */

import type { ProviderFault } from '../base/errors.ts';
import { PROVIDER_UNWELL_MS } from '../base/limits.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { isPassing } from '../language/fault-texts.ts';
import { type Finding, finding } from '../language/finding.ts';
import { CURES, SET_UP } from '../language/finding-texts.ts';
import type { Item } from '../store/table.ts';
import { marksIn } from './provider-health.ts';
import { keyNameOf } from './provider-table.ts';

/** In place of the set-up, which asks nothing about an endpoint of one's own. */
const mendOf = (fault: ProviderFault, provider: string): string | undefined => {
  if (keyNameOf(provider) !== 'PROVIDER_KEYS') return undefined;
  return fault === 'auth' ? 'infra/operating.md#rotate-a-secret' : 'PROVIDERS in infra/README.md#settings';
};

/** @param place where the key stands; the name of its setting by default */
export const cureOf = (fault: ProviderFault, provider: string, place = keyNameOf(provider)): string =>
  CURES[fault](place, mendOf(fault, provider) ?? SET_UP);

/** The finding about a provider that failed. @param askedAt the moment, in words */
export const foundFault = (
  fault: ProviderFault,
  { name, model }: { readonly name: string; readonly model?: string | undefined },
  askedAt?: string,
): Finding => finding('modelProvider', fault, name, model, askedAt, keyNameOf(name), mendOf(fault, name));

/** Each provider whose last question failed. One that may pass is soon forgotten. */
export const findFaults = (item: Item | undefined, now: number): readonly Finding[] =>
  marksIn(item)
    .filter(({ fault, until }) => !isPassing(fault) || until > now)
    .map(({ fault, name, model, until }) => foundFault(fault, { name, model }, utcMinute(until - PROVIDER_UNWELL_MS)));
