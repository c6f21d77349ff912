/**
 * The cure of each kind of a provider's failure, and the one sentence about a provider that failed.
 * Holds no key, body or address. Pure.
 */

import type { ProviderFault } from '../base/errors.ts';
import { PROVIDER_UNWELL_MS } from '../base/limits.ts';
import { utcMinute } from '../base/utc-minute.ts';
import type { Item } from '../store/table.ts';
import { FAULT_WORDS } from './provider-faults.ts';
import { marksIn } from './provider-health.ts';
import { keyNameOf } from './provider-table.ts';

const SET_UP = 'npx passepartout setup --only model, then start again';
const PAGE = 'infra/troubleshooting.md#the-model';

/** The person's part. `<key>` stands for the setting that holds the key. */
const CURES: Readonly<Record<ProviderFault, string>> = {
  busy: `wait, or let it raise the limit of this key (${PAGE})`,
  down: `it is tried again by itself; see to its address and the network (${PAGE})`,
  slow: `it is tried again by itself; a smaller model answers sooner (${SET_UP})`,
  server: `it is tried again by itself; its own status page says more (${PAGE})`,
  auth: `put a valid one in <key> (${SET_UP})`,
  denied: `let it permit the model to your account, project and region, or choose another model (${SET_UP})`,
  billing: `add credit to its account (${PAGE})`,
  model: `choose one that it has, or mend the address (${SET_UP})`,
  tools: `choose a model that takes tools (${SET_UP}), or say "tools": false of it in PROVIDERS`,
  overflow: `choose a model with a larger context window (${SET_UP})`,
  policy: `ask in other words, or choose another model (${SET_UP})`,
  request: `choose another model or address (${SET_UP})`,
  answer: `mend the address, which often ends in /v1 (${SET_UP})`,
  empty: `ask again, or choose another model (${SET_UP})`,
  unasked: 'send it again',
  unknown: `send it again; the log may say more (${PAGE})`,
};

/** @param place where the key stands; the name of its setting by default */
export const cureOf = (fault: ProviderFault, provider: string, place = keyNameOf(provider)): string => {
  const cure = CURES[fault];
  // The set-up asks nothing about an endpoint of one's own.
  const isOwn = keyNameOf(provider) === 'PROVIDER_KEYS';
  const mend = fault === 'auth' ? 'infra/operating.md#rotate-a-secret' : 'PROVIDERS in infra/README.md#settings';
  return (isOwn ? cure.replace(SET_UP, mend) : cure).replace('<key>', place);
};

/** The one sentence about a provider that failed. @param when begins with a space */
export const describeFault = (
  fault: ProviderFault,
  { name, model }: { readonly name: string; readonly model?: string | undefined },
  when = '',
): string => {
  const who = model === undefined ? name : `${name} (${model})`;
  return `the model provider ${who} ${FAULT_WORDS[fault].says}${when}: ${cureOf(fault, name)}`;
};

/**
 * A sentence about each provider whose last question failed. One that may pass is soon forgotten.
 */
export const describeFaults = (item: Item | undefined, now: number): readonly string[] =>
  marksIn(item)
    .filter(({ fault, until }) => !FAULT_WORDS[fault].passes || until > now)
    .map(({ fault, name, model, until }) =>
      describeFault(fault, { name, model }, ` (asked at ${utcMinute(until - PROVIDER_UNWELL_MS)})`),
    );
