/**
 * The answers to the verbs of providers. Each change is the call of a tool with the whole order
 * that then holds, so that its card says all of it. Nothing here knows a key.
 */
import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import { loadOwnerSettings, type OwnerSettings } from '../../core/ledger/owner-settings.ts';
import { withNames } from '../../core/ledger/provider-names.ts';
import { parseConfigured } from '../../core/llm/configured-providers.ts';
import { BUILT_IN_NAMES, PROVIDER_TABLE, type ProviderRow } from '../../core/llm/provider-table.ts';
import type { CodeAnswer, CodeContext } from '../../core/operations/code-context.ts';
import { change, type Handler, look } from '../../core/operations/operation.ts';
import { isLoopback } from '../../core/store/setting-forms.ts';
import type { Variables } from '../../core/store/settings.ts';
import { looksLikeKey } from '../../core/text/typed-key.ts';
import { checkSetting } from '../../core/verbs/settings/config.ts';
import { settingTexts } from '../../core/verbs/settings/texts.ts';
import {
  providerAdd,
  providerList,
  providerOff,
  providerOn,
  providerOrder,
  providerRemove,
  providerTry,
} from './operations.ts';
import { entriesInForce, nameIn, orderFirst, without } from './order.ts';
import { type ProviderTexts, providerTexts } from './texts.ts';
import type { ProviderArgs } from './tools.ts';

interface Standing {
  readonly configured: Variables;
  readonly settings: OwnerSettings;
  /** Those that were configured by the environment or added, by name. */
  readonly rows: readonly ProviderRow[];
  /** Names of those that the environment configures. */
  readonly ofEnvironment: readonly string[];
  readonly entries: readonly string[];
  readonly say: ProviderTexts;
}

const rowsIn = (providers: string | undefined): readonly ProviderRow[] =>
  parseConfigured(providers ?? '', new Map(), []);

const standingIn = (configured: Variables, settings: OwnerSettings): Omit<Standing, 'say'> => ({
  configured,
  settings,
  rows: rowsIn(withNames(configured, settings).PROVIDERS),
  ofEnvironment: rowsIn(configured.PROVIDERS).map(({ name }) => name),
  entries: entriesInForce(configured, settings),
});

const standingOf = async ({ table, signal, configured = {}, language }: CodeContext): Promise<Standing> => ({
  ...standingIn(configured, await loadOwnerSettings(table, signal.space)),
  say: await providerTexts.in(language),
});

const rowOf = ({ rows }: Pick<Standing, 'rows'>, name: string): ProviderRow | undefined =>
  [...rows, ...PROVIDER_TABLE].find((row) => row.name === name);

/** @throws NotFoundError naming those that there are */
const requireRow = (standing: Standing, name: string): ProviderRow => {
  const row = rowOf(standing, name);
  if (row !== undefined) return row;
  const { say, rows, entries } = standing;
  const those = new Set([...entries.map(nameIn), ...rows.map((one) => one.name)]);
  throw new NotFoundError(say.noProvider(name, [...those].join(', ')));
};

const callOf = (tool: 'add' | 'try', url: string, args: Omit<ProviderArgs, 'url'>): CodeAnswer => {
  const href = new URL(url).href;
  const isLocal = isLoopback(new URL(href));
  return { call: { tool: isLocal ? `${tool}-local-provider` : `${tool}-provider`, args: { ...args, url: href } } };
};

/** @throws ProtocolError for an order that names a provider which cannot be asked */
const orderCall = async (
  context: CodeContext,
  { configured, settings }: Standing,
  entries: readonly string[],
): Promise<CodeAnswer> => {
  const order = entries.join(',');
  // The same look as for /config: an added provider counts as one that has its key.
  const all = withNames(configured, settings);
  const known = [
    configured.PROVIDER_NAMES,
    ...rowsIn(all.PROVIDERS).map(({ name }) => name),
    ...entriesInForce(configured, settings),
  ];
  const PROVIDER_NAMES = configured.PROVIDER_NAMES && [...new Set(known)].join(',');
  const stands = { ...configured, PROVIDERS: all.PROVIDERS, PROVIDER_NAMES };
  checkSetting('PROVIDER_CASCADE', order, stands, await settingTexts.in(context.language));
  return { call: { tool: 'order-providers', args: { name: '', url: '', models: '', order } } };
};

/** None, a small model, or a small and a large one. */
const MODELS = /^(?:[\w.:/@+-]{1,128}(?:[ ,|]+[\w.:/@+-]{1,128})?)?$/;

const smallAndLarge = (models: string): string =>
  models
    .split(/[ ,|]+/)
    .filter((one) => one !== '')
    .join('|');

const addressOf = ({ say, ofEnvironment }: Standing, name: string, url: string | undefined): string => {
  if (ofEnvironment.includes(name)) throw new ProtocolError(say.ofEnvironment(name));
  const known = BUILT_IN_NAMES.includes(name) ? PROVIDER_TABLE.find((row) => row.name === name)?.baseUrl : undefined;
  const given = url?.replace(/\/+$/, '');
  if (known === undefined && given === undefined) throw new ProtocolError(say.needsUrl(name));
  if (known !== undefined && given !== undefined && given !== known) throw new ProtocolError(say.otherUrl(name, known));
  return given ?? known ?? '';
};

export const PROVIDER_HANDLERS: readonly Handler[] = [
  look(providerList, async ({ table, space, configured = {}, providerNames = [], language }) => {
    const say = await providerTexts.in(language);
    const settings = await loadOwnerSettings(table, space);
    const standing = standingIn({ PROVIDER_NAMES: providerNames.join(','), ...configured }, settings);
    const shown = providerNames.map((entry) => ({ entry, state: 'asked' as const }));
    const names = shown.map(({ entry }) => nameIn(entry));
    const rest = standing.rows.filter(({ name }) => !names.includes(name));
    const all = [...shown, ...rest.map(({ name }) => ({ entry: name, state: 'off' as const }))].map(
      ({ entry, state }) => {
        const row = rowOf(standing, nameIn(entry));
        const isAdded =
          standing.rows.some(({ name }) => name === nameIn(entry)) && !standing.ofEnvironment.includes(nameIn(entry));
        const model = entry.slice(nameIn(entry).length + 1) || (row?.model ?? '');
        return {
          ...{ name: nameIn(entry), model, address: row?.baseUrl ?? '', state },
          from: isAdded ? ('added' as const) : ('environment' as const),
          ...(row === undefined ? {} : { contextTokens: row.contextTokens }),
          ...(row?.prices?.[model] === undefined ? {} : { price: row.prices[model] }),
        };
      },
    );
    const lines = all.map(({ name, model, address, state, contextTokens, price }, n) =>
      [
        `${state === 'off' ? `${say.off}:` : say.asked(n + 1)} ${[name, model].filter((part) => part !== '').join('/')}`,
        ...(address === '' ? [] : [address]),
        ...(contextTokens === undefined ? [] : [say.tokens(contextTokens)]),
        ...(price === undefined ? [] : [say.price(price.prompt / 1_000, price.completion / 1_000)]),
      ].join(' · '),
    );
    return { data: { providers: all }, lines: all.length === 0 ? [say.none] : [...lines, say.more] };
  }),
  change(providerAdd, async (context, { name, url, models = '' }) => {
    const standing = await standingOf(context);
    if (looksLikeKey(`${url ?? ''} ${models}`)) throw new ProtocolError(standing.say.keyInChat(name));
    if (!MODELS.test(models)) throw new ProtocolError(standing.say.oneOrTwo);
    const address = addressOf(standing, name, url);
    const { entries } = standing;
    const pair = smallAndLarge(models);
    // A provider of the table has its models in its entry, an added one in its row.
    const entry = BUILT_IN_NAMES.includes(name) && pair !== '' ? `${name}:${pair}` : name;
    const isAsked = entries.some((one) => nameIn(one) === name);
    const order = isAsked ? entries.map((one) => (nameIn(one) === name ? entry : one)) : [...entries, entry];
    return callOf('add', address, { name, models: pair, order: order.join(',') });
  }),
  change(providerTry, async (context, { name }) => {
    const row = requireRow(await standingOf(context), name);
    return callOf('try', row.baseUrl, {
      name,
      models: [row.model, row.large?.model ?? ''].filter(Boolean).join('|'),
      order: '',
    });
  }),
  change(providerOrder, async (context, { names }) => {
    const standing = await standingOf(context);
    return orderCall(context, standing, orderFirst(standing.entries, names));
  }),
  change(providerOff, async (context, { name }) => {
    const standing = await standingOf(context);
    const left = without(standing.entries, name);
    if (left.length === standing.entries.length) {
      requireRow(standing, name);
      throw new ProtocolError(standing.say.isOff(name));
    }
    if (left.length === 0) throw new ProtocolError(standing.say.lastOne);
    return orderCall(context, standing, left);
  }),
  change(providerOn, async (context, { name }) => {
    const standing = await standingOf(context);
    if (standing.entries.some((one) => nameIn(one) === name)) throw new ProtocolError(standing.say.isOn(name));
    requireRow(standing, name);
    return orderCall(context, standing, [...standing.entries, name]);
  }),
  change(providerRemove, async (context, { name }) => {
    const standing = await standingOf(context);
    const { say, rows, ofEnvironment, entries } = standing;
    requireRow(standing, name);
    if (!rows.some((row) => row.name === name) || ofEnvironment.includes(name))
      throw new ProtocolError(say.notAdded(name));
    const left = without(entries, name);
    // The environment's own order holds again once nobody else is named.
    return { call: { tool: 'order-providers', args: { name, url: '', models: '', order: left.join(',') } } };
  }),
];
