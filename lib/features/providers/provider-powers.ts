/**
 * Adds, tries, orders and removes model providers for Act. The owner's settings `PROVIDERS` and
 * `PROVIDER_CASCADE` hold them, each change with its leaf; the vault holds keys, each for one name
 * and one address. A provider that does not answer is not added.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { isObject, readJson } from '../../core/base/json.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { liveField } from '../../core/ledger/live-settings.ts';
import { loadOwnerSettings, settingOf } from '../../core/ledger/owner-settings.ts';
import { parseConfigured, parseVault, vaultKeyOf } from '../../core/llm/configured-providers.ts';
import { BUILT_IN_NAMES } from '../../core/llm/provider-table.ts';
import { latestDataWrite } from '../../core/store/data-version.ts';
import { isLoopback } from '../../core/store/setting-forms.ts';
import type { Table } from '../../core/store/table.ts';
import type { ToolContext, ToolOutput } from '../../core/tools/tool.ts';
import { type AnsweredForm, askModel, type Endpoint, listModels } from './ask-provider.ts';
import type { OfferedModel } from './offered-models.ts';
import type { ProviderArgs } from './tools.ts';

interface Wanted extends ProviderArgs {
  /** Addresses of its host that the gate judged; absent for this machine. */
  readonly addresses?: readonly string[] | undefined;
  readonly signal: string;
  readonly by: string;
  readonly now: number;
}

export interface PowerParts {
  readonly table: Pick<Table, 'load' | 'transact'>;
  readonly space: string;
  /** The vault as it is now. */
  readonly loadVault: () => Promise<string>;
  /** At home a provider may be on this machine. */
  readonly isLocal: boolean;
}

/** Of the models that an answer names. */
const NAMED_MAX = 20;

const trimmed = (url: string): string => url.replace(/\/+$/, '');

const set = (
  { table, space }: PowerParts,
  { signal: id, by, now: receivedAt }: Wanted,
  field: 'PROVIDERS' | 'PROVIDER_CASCADE',
  value: string,
) =>
  changeOwnerSetting(table, { id, space, sender: { id: by, isApprover: true }, receivedAt }, liveField(field), value, [
    latestDataWrite(space),
  ]);

const storedProviders = async ({ table, space }: PowerParts): Promise<Readonly<Record<string, unknown>>> => {
  const stored = readJson(settingOf(await loadOwnerSettings(table, space), liveField('PROVIDERS')) || '{}');
  return isObject(stored) ? { ...stored } : {};
};

const endpointOf = async (parts: PowerParts, { name, url, addresses }: Wanted): Promise<Endpoint> => {
  const baseUrl = trimmed(url);
  if (addresses === undefined && !parts.isLocal)
    throw new ProtocolError('a provider on this machine can be added only where the agent runs at home');
  const key = vaultKeyOf(parseVault(await parts.loadVault()), { name, baseUrl });
  return { url: baseUrl, key, addresses };
};

const nameModels = (offers: readonly OfferedModel[]): string => {
  const names = offers.slice(0, NAMED_MAX).map(({ model }) => model);
  const rest = offers.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
};

const CURES: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/key/, (name) => `type a valid key in a terminal: npx passepartout provider key ${name}`],
  [/credit/, () => 'top up the account there'],
  [/no such model|404/, () => 'name another model, or mend the address, which often ends in /v1'],
  [/redirect/, () => 'give the address that it leads to'],
  [/reachable|in time/, () => 'see that the address is right and that it runs'],
  [/format/, () => 'mend the address, which often ends in /v1'],
];

/** @throws ProtocolError in our own words, with the cure */
const fail = (name: string, fault: string): never => {
  const cure = CURES.find(([words]) => words.test(fault))?.[1](name) ?? 'try again later';
  throw new ProtocolError(`${name} ${fault}; ${cure}`);
};

const listOffers = async (endpoint: Endpoint, name: string): Promise<readonly OfferedModel[]> => {
  const listed = await listModels(endpoint);
  return 'found' in listed ? listed.found : fail(name, listed.fault);
};

const ask = async (endpoint: Endpoint, name: string, model: string): Promise<AnsweredForm> => {
  const asked = await askModel(endpoint, model);
  return 'found' in asked ? asked.found : fail(name, asked.fault);
};

/** The models that were named, or the only one that is offered. @throws ProtocolError */
const chooseModels = (name: string, models: string, offers: readonly OfferedModel[]): readonly string[] => {
  const named = models.split('|').filter((model) => model !== '');
  if (named.length > 0) return named;
  const [only, ...more] = offers;
  if (only !== undefined && more.length === 0) return [only.model];
  throw new ProtocolError(
    offers.length === 0
      ? `${name} lists no models; name the one to ask behind the address`
      : `${name} offers several models; name the one to ask behind the address: ${nameModels(offers)}`,
  );
};

const entryOf = (
  url: string,
  [small = '', large]: readonly string[],
  offers: readonly OfferedModel[],
  form: AnsweredForm,
): Readonly<Record<string, unknown>> => {
  const [first, second] = [small, large].map((model) => offers.find((one) => one.model === model));
  // One setting holds the window of both: the smaller one is safe for both.
  const windows = [first, second].flatMap((one) => one?.contextTokens ?? []);
  return {
    baseUrl: trimmed(url),
    model: small,
    ...(large === undefined ? {} : { reasoningModel: large }),
    ...(windows.length === 0 ? {} : { contextTokens: Math.max(2_048, Math.min(...windows)) }),
    ...(first?.prices === undefined ? {} : { prices: first.prices }),
    ...(large === undefined || second?.prices === undefined ? {} : { reasoningPrices: second.prices }),
    ...form,
  };
};

const add = async (parts: PowerParts, wanted: Wanted): Promise<readonly string[]> => {
  const { name, url, models, order } = wanted;
  const endpoint = await endpointOf(parts, wanted);
  const offers = await listOffers(endpoint, name);
  const isBuiltIn = BUILT_IN_NAMES.includes(name);
  const chosen = isBuiltIn && models === '' ? [] : chooseModels(name, models, offers);
  const [small] = chosen;
  const form = small === undefined ? {} : await ask(endpoint, name, small);
  const entry = entryOf(url, chosen, offers, form);
  if (!isBuiltIn) {
    const all = JSON.stringify({ ...(await storedProviders(parts)), [name]: entry });
    const problems: string[] = [];
    parseConfigured(all, new Map(endpoint.key === '' ? [] : [[name, endpoint.key]]), problems);
    const [problem] = problems;
    if (problem !== undefined) throw new ProtocolError(problem);
    await set(parts, wanted, 'PROVIDERS', all);
  }
  await set(parts, wanted, 'PROVIDER_CASCADE', order);
  const { contextTokens, prices } = offers.find(({ model }) => model === small) ?? {};
  return [
    small === undefined ? `${name} knows the key.` : `${name} answers, with ${small}. It is added.`,
    ...(contextTokens === undefined ? [] : [`It says its window: ${contextTokens} tokens.`]),
    ...(prices === undefined
      ? []
      : [`It says its price for a million tokens: ${prices.prompt} US dollars in, ${prices.completion} out.`]),
    `Providers are asked in this order within ten seconds: ${order.replaceAll(',', ', ')}`,
  ];
};

const tryOne = async (parts: PowerParts, wanted: Wanted): Promise<readonly string[]> => {
  const { name, models } = wanted;
  const endpoint = await endpointOf(parts, wanted);
  if (endpoint.key === '' && !Object.hasOwn(await storedProviders(parts), name))
    throw new ProtocolError(
      `the key of ${name} is in the environment, which I cannot read here; in a terminal: npx passepartout models`,
    );
  const offers = await listOffers(endpoint, name);
  const named = models.split('|').filter((model) => model !== '');
  for (const model of named) await ask(endpoint, name, model);
  const answered = named.length === 0 ? [] : [`${name} answers, with ${named.join(' and ')}.`];
  const offered =
    offers.length === 0 ? 'It lists no models.' : `It offers ${offers.length} models: ${nameModels(offers)}`;
  return [...answered, offered];
};

const order = async (parts: PowerParts, wanted: Wanted): Promise<readonly string[]> => {
  await set(parts, wanted, 'PROVIDER_CASCADE', wanted.order);
  return [`Providers are asked in this order within ten seconds: ${wanted.order.replaceAll(',', ', ')}`];
};

const remove = async (parts: PowerParts, wanted: Wanted): Promise<readonly string[]> => {
  const { name } = wanted;
  const { [name]: gone, ...rest } = await storedProviders(parts);
  if (gone === undefined) throw new ProtocolError(`${name} was not added here`);
  // First nobody asks it, and then nobody knows it.
  await set(parts, wanted, 'PROVIDER_CASCADE', wanted.order);
  await set(parts, wanted, 'PROVIDERS', Object.keys(rest).length === 0 ? '' : JSON.stringify(rest));
  return [
    `The provider ${name} is removed, and asked no more within ten seconds.`,
    `Its key counts no more. This erases it: npx passepartout provider remove ${name}`,
  ];
};

const isHere = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url));

/** Lines for the person. @throws ProtocolError: nothing was changed then */
const linesOf = (parts: PowerParts, tool: string, wanted: Wanted): Promise<readonly string[]> => {
  const isLocal = tool.includes('-local-');
  if (isLocal && !isHere(wanted.url)) throw new ProtocolError('this is no address of this machine');
  // A tool whose addresses no gate judged connects to none.
  const { addresses = [], ...rest } = wanted;
  const one = isLocal ? rest : { ...rest, addresses };
  if (tool === 'order-providers') return wanted.name === '' ? order(parts, one) : remove(parts, one);
  return tool.startsWith('add-') ? add(parts, one) : tryOne(parts, one);
};

export const performProviderTool = async (
  parts: PowerParts,
  tool: string,
  args: ProviderArgs,
  { addresses, signalId: signal, approvedBy, actor, now }: Omit<ToolContext, 'powers'>,
): Promise<ToolOutput> => ({
  output: (await linesOf(parts, tool, { ...args, addresses, signal, by: approvedBy ?? actor, now })).join('\n'),
  origin: 'outside',
});
