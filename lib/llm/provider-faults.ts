/**
 * The name of each kind of a provider's failure, and its cure: the only place of these words, for
 * the start, the commands, health and the chat. Holds no key, body or address. Pure.
 */
import type { ProviderFault } from '../base/errors.ts';
import { keyNameOf } from './provider-table.ts';

interface Words {
  /** Follows the provider's name. */
  readonly says: string;
  /** The person's part. `<key>` stands for the setting that holds the key. */
  readonly cure: string;
  /** It may pass with nothing changed. */
  readonly passes: boolean;
}

const SET_UP = 'npx passepartout setup --only model, then start again';
const PAGE = 'infra/troubleshooting.md#the-model';

const words = (passes: boolean, says: string, cure: string): Words => ({ says, cure, passes });
const passing = (says: string, cure: string): Words => words(true, says, cure);
const lasting = (says: string, cure: string): Words => words(false, says, cure);

export const FAULT_WORDS: Readonly<Record<ProviderFault, Words>> = {
  busy: passing('limits how often it may be asked', `wait, or let it raise the limit of this key (${PAGE})`),
  down: passing('is not reachable', `it is tried again by itself; see to its address and the network (${PAGE})`),
  slow: passing('did not answer in time', `it is tried again by itself; a smaller model answers sooner (${SET_UP})`),
  server: passing('failed on its side', `it is tried again by itself; its own status page says more (${PAGE})`),
  auth: lasting('refuses the key', `put a valid one in <key> (${SET_UP})`),
  denied: lasting(
    'does not permit this, though it knows the key',
    `let it permit the model to your account, project and region, or choose another model (${SET_UP})`,
  ),
  billing: lasting('has no credit left', `add credit to its account (${PAGE})`),
  model: lasting('knows no such model at this address', `choose one that it has, or mend the address (${SET_UP})`),
  tools: lasting(
    'takes no tools',
    `choose a model that takes tools (${SET_UP}), or say "tools": false of it in PROVIDERS`,
  ),
  overflow: lasting('says the prompt is too long', `choose a model with a larger context window (${SET_UP})`),
  policy: lasting('refuses such content', `ask in other words, or choose another model (${SET_UP})`),
  request: lasting('refused the request', `choose another model or address (${SET_UP})`),
  answer: lasting('answers in another format', `mend the address, which often ends in /v1 (${SET_UP})`),
  empty: lasting('gave an empty answer', `ask again, or choose another model (${SET_UP})`),
  unasked: passing('was not asked', 'send it again'),
  unknown: passing('failed in an unknown way', `send it again; the log may say more (${PAGE})`),
};

export const isFault = (value: unknown): value is ProviderFault =>
  typeof value === 'string' && Object.hasOwn(FAULT_WORDS, value);

/** @param place where the key stands; the name of its setting by default */
export const cureOf = (fault: ProviderFault, provider: string, place = keyNameOf(provider)): string => {
  const { cure } = FAULT_WORDS[fault];
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
