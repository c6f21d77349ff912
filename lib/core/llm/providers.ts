/**
 * The cascade: from the table of providers, settings and secrets to the list that is tried in
 * order, and the same list for a tier. All unknown names, missing keys and unusable addresses are
 * one ConfigError. Without any provider the list is empty. Pure.
 */
import { defined } from '../base/defined.ts';
import { ConfigError } from '../base/errors.ts';
import { PROMPT_TOKENS_MAX } from '../base/limits.ts';
import { VAULT_KEYS } from '../store/secrets.ts';
import { parseModelRules, unknownNames } from './choose-model.ts';
import { parseConfigured, parseProviderKeys, parseVault, vaultKeyOf } from './configured-providers.ts';
import { answerTokensOf } from './prices.ts';
import {
  BUILT_IN_NAMES,
  CUSTOM_ROW as CUSTOM,
  type ModelOffer,
  type ProviderFeatures,
  type ProviderRow,
  PROVIDER_TABLE as TABLE,
  type Thinking,
  type Tier,
} from './provider-table.ts';

/** `model` is the one for `cognition`. Holds its key: never log one whole. */
export interface Provider extends Omit<ProviderRow, 'keyName' | 'features'> {
  readonly key: string;
  /** Absent: everything but embeddings. */
  readonly features?: ProviderFeatures;
  /** The tier it is asked for; `cognition` if absent. */
  readonly tier?: Tier;
  /** False if the large tier is to answer without thinking first. */
  readonly isThinking?: boolean;
}

/** Sent if no key is needed, because the client insists on one. */
const PLACEHOLDER_KEY = 'none';

/** Secret with the keys of configured providers: JSON, name → key. */
const CONFIGURED_KEYS = 'PROVIDER_KEYS';

/** The secrets that a cascade may need. */
export const PROVIDER_KEY_NAMES: readonly string[] = [
  ...TABLE.map((row) => row.keyName).filter((name) => name !== ''),
  CONFIGURED_KEYS,
];

/** As the environment has them (`lib/core/store/settings.ts`). Empty text counts as unset. */
export type CascadeSettings = {
  readonly [Name in
    | 'OPENAI_BASE_URL'
    | 'OPENAI_MODEL'
    | 'PROVIDER_CASCADE'
    | 'PROVIDERS'
    | 'OLLAMA_BASE_URL'
    | 'OLLAMA_MODEL'
    | 'OLLAMA_CONTEXT_LENGTH']?: string | undefined;
};

interface Wish {
  readonly name: string;
  readonly model: string;
}

const trimmed = (value: string | undefined): string => value?.trim() ?? '';

const parseBaseUrl = (variable: string, value: string, problems: string[]): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    problems.push(`${variable} is not an http or https address`);
    return value;
  }
  if (url.username !== '' || url.password !== '') problems.push(`${variable} must not hold a user name or password`);
  return value.replace(/\/+$/, '');
};

const isOpenAi = (baseUrl: string): boolean => baseUrl === TABLE.find((row) => row.name === 'openai')?.baseUrl;

/** The table with the settings' addresses. Another endpoint makes `openai` into `custom`. */
const buildRows = (
  settings: CascadeSettings,
  configured: readonly ProviderRow[],
  problems: string[],
): readonly ProviderRow[] => {
  const openaiUrl = trimmed(settings.OPENAI_BASE_URL);
  const baseUrl = openaiUrl === '' ? '' : parseBaseUrl('OPENAI_BASE_URL', openaiUrl, problems);
  const ollamaUrl = trimmed(settings.OLLAMA_BASE_URL);
  const contextTokens = Number(trimmed(settings.OLLAMA_CONTEXT_LENGTH));
  const rows = TABLE.map((row): ProviderRow => {
    if (row.name !== 'ollama') return row;
    const url = ollamaUrl === '' ? row.baseUrl : parseBaseUrl('OLLAMA_BASE_URL', ollamaUrl, problems);
    return {
      ...row,
      baseUrl: url.endsWith('/v1') ? url : `${url}/v1`,
      model: trimmed(settings.OLLAMA_MODEL) || row.model,
      contextTokens: Number.isSafeInteger(contextTokens) && contextTokens > 0 ? contextTokens : row.contextTokens,
    };
  });
  // Endpoints that the owner typed in come first.
  if (baseUrl === '' || isOpenAi(baseUrl)) return [...configured, ...rows];
  // The key belongs to this address: OpenAI's own is not asked with it.
  return [{ ...CUSTOM, baseUrl }, ...configured, ...rows.filter((row) => row.name !== 'openai')];
};

const parseWishes = (cascade: string, names: readonly string[], problems: string[]): readonly Wish[] =>
  cascade
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): Wish => {
      const colon = part.indexOf(':');
      const name = (colon < 0 ? part : part.slice(0, colon)).trim().toLowerCase();
      if (!names.includes(name)) {
        problems.push(`PROVIDER_CASCADE names "${name.slice(0, 32)}", which is none of ${names.join(', ')}`);
      }
      return { name, model: colon < 0 ? '' : part.slice(colon + 1).trim() };
    });

const namesOf = (providers: string | undefined): readonly string[] => [
  ...BUILT_IN_NAMES,
  ...parseConfigured(trimmed(providers), new Map(), []).map(({ name }) => name),
];

/**
 * Names in a cascade that no provider has, as problems in words. @param usable those that have a
 * key, such as `openai/gpt-6,groq/fast`; empty if that is not known
 */
export const cascadeProblems = (cascade: string, providers: string | undefined, usable = ''): readonly string[] => {
  const problems: string[] = [];
  const withKey = usable.split(',').map((part) => part.split('/')[0] ?? '');
  parseWishes(cascade, usable === '' ? namesOf(providers) : withKey, problems);
  return problems;
};

/** Finds rules that name a provider which does not exist. */
export const ruleProblems = (rules: string | undefined, providers: string | undefined): readonly string[] => {
  const parsed = parseModelRules(rules);
  const problems = typeof parsed === 'string' ? [] : unknownNames(parsed, namesOf(providers));
  return problems.map((problem) => `MODEL_RULES: ${problem}`);
};

const findRow = (rows: readonly ProviderRow[], name: string): ProviderRow | undefined =>
  rows.find((row) => row.name === name) ??
  (name === 'openai' ? rows.find((row) => row.name === CUSTOM.name) : undefined);

type RequestFields = Pick<ModelOffer, 'extraBody' | 'thinking'>;

const requestFields = ({ extraBody, thinking }: ModelOffer): RequestFields => ({
  extraBody,
  ...defined({ thinking }),
});

/**
 * Another model may refuse the fields of the table's models, except OpenAI's rule for tools.
 * Thinking is asked of any model: one that refuses it is asked again without.
 */
const fieldsFor = (row: Omit<ProviderRow, 'keyName' | 'features'>, model: string): RequestFields => {
  if (model === row.large?.model) return requestFields(row.large);
  // The owner's fields of an endpoint hold for all of its models.
  const isLike = !BUILT_IN_NAMES.includes(row.name) || (row.name === 'openai' && /^gpt-([6-9]|\d\d)/.test(model));
  const fields = requestFields(row);
  return model === row.model || isLike ? fields : { ...fields, extraBody: {} };
};

/** How this provider is asked to think; undefined if it is not. */
export const thinkingOf = ({ tier, isThinking, thinking }: Provider): Thinking | undefined =>
  tier === 'reasoning' && isThinking !== false ? thinking : undefined;

/** The same provider with one model for everything. */
const withModel = (provider: Provider, model: string): Provider => {
  const { large, thinking: _, ...own } = provider;
  const contextTokens = model === large?.model ? large.contextTokens : own.contextTokens;
  return { ...own, model, contextTokens, ...fieldsFor(provider, model) };
};

/** The provider with the model and tier wanted. A cascade may name it with several models. */
export const findProvider = (
  providers: readonly Provider[],
  wanted: Pick<Provider, 'name' | 'model' | 'tier' | 'isThinking'>,
): readonly Provider[] => {
  const named = providers.filter(({ name }) => name === wanted.name);
  const own = named.find(({ model, large }) => wanted.model === model || wanted.model === large?.model) ?? named[0];
  if (own === undefined) return [];
  return [{ ...withModel(own, wanted.model), ...defined({ tier: wanted.tier, isThinking: wanted.isThinking }) }];
};

/** @param wish `model` or `small|large`; empty for the table's own models */
const buildProvider = ({ keyName: _, ...row }: ProviderRow, wish: string, key: string): Provider => {
  const [small = '', large = ''] = wish.split('|').map((part) => part.trim());
  const provider = { ...row, key: key || PLACEHOLDER_KEY };
  if (small === '' && large === '') return provider;
  const own = withModel(provider, small || provider.model);
  if (large === '' || large === own.model) return own;
  const other = withModel(provider, large);
  return { ...own, large: { model: large, contextTokens: other.contextTokens, ...requestFields(other) } };
};

/** The provider with its model of a tier as its own. @param isThinking counts in the large tier */
export const withTier = <P extends Pick<Provider, 'model' | 'large' | 'tier' | 'isThinking'>>(
  provider: P,
  tier: Tier,
  isThinking = true,
): P =>
  tier === 'reasoning' ? { ...provider, ...provider.large, tier, ...(isThinking ? {} : { isThinking }) } : provider;

interface ProviderSources {
  readonly settings: CascadeSettings;
  readonly rows: readonly ProviderRow[];
  readonly configured: readonly ProviderRow[];
  readonly keyOf: (row: ProviderRow) => string;
  /** Whether the environment has its key: one of the vault alone makes no provider asked. */
  readonly hasOwnKey: (row: ProviderRow) => boolean;
  /** Takes a sentence for everything that does not fit. */
  readonly problems: string[];
}

interface ProviderChoice {
  readonly row: ProviderRow;
  readonly model: string;
}

const chooseWished = ({ rows, keyOf, problems }: ProviderSources, { name, model }: Wish): readonly ProviderChoice[] => {
  const row = findRow(rows, name);
  if (row === undefined) {
    if (name === CUSTOM.name) problems.push('PROVIDER_CASCADE names custom, but OPENAI_BASE_URL is not set');
    return [];
  }
  const isKeyNeeded = row.keyName !== '' && row.name !== CUSTOM.name;
  if (isKeyNeeded && keyOf(row) === '')
    problems.push(`PROVIDER_CASCADE names ${row.name}, but ${row.keyName} is not set`);
  return [{ row, model }];
};

/** The providers that have a key or an address. */
const choosePresent = ({ settings, rows, configured, hasOwnKey }: ProviderSources): readonly ProviderChoice[] =>
  rows
    .filter((row) => {
      if (row.name === 'ollama') return trimmed(settings.OLLAMA_BASE_URL) !== '';
      return row.name === CUSTOM.name || configured.includes(row) || hasOwnKey(row);
    })
    .map((row) => ({ row, model: '' }));

/** Those of `PROVIDER_CASCADE`, else all present. @throws ConfigError naming every fault */
export const buildCascade = (settings: CascadeSettings, secrets: ReadonlyMap<string, string>): readonly Provider[] => {
  const problems: string[] = [];
  const keys = parseProviderKeys(secrets.get(CONFIGURED_KEYS));
  const configured = parseConfigured(trimmed(settings.PROVIDERS), keys, problems);
  const rows = buildRows(settings, configured, problems);
  const vault = parseVault(secrets.get(VAULT_KEYS));
  const ownKeyOf = (row: ProviderRow): string => trimmed(secrets.get(row.keyName)) || (keys.get(row.name) ?? '');
  const hasOwnKey = (row: ProviderRow): boolean => ownKeyOf(row) !== '';
  const keyOf = (row: ProviderRow): string => ownKeyOf(row) || vaultKeyOf(vault, row);
  const sources = { settings, rows, configured, keyOf, hasOwnKey, problems };
  const names = [...BUILT_IN_NAMES, ...configured.map(({ name }) => name)];
  const wishes = parseWishes(trimmed(settings.PROVIDER_CASCADE), names, problems);
  const chosen = wishes.length === 0 ? choosePresent(sources) : wishes.flatMap((wish) => chooseWished(sources, wish));
  if (problems.length > 0) throw new ConfigError(problems);
  // OPENAI_MODEL names the model of one entry.
  const model = trimmed(settings.OPENAI_MODEL);
  const own =
    chosen.find(({ row }) => row.keyName === 'OPENAI_API_KEY') ?? chosen.find(({ row }) => !configured.includes(row));
  return chosen.map((choice) =>
    buildProvider(choice.row, choice.model || (choice === own ? model : ''), keyOf(choice.row)),
  );
};

/** The entries of a cascade that can be asked: one whose address or key is gone is left out. */
export const usableCascade = (settings: CascadeSettings, secrets: ReadonlyMap<string, string>): string =>
  trimmed(settings.PROVIDER_CASCADE)
    .split(',')
    .filter((entry) => {
      try {
        return entry.trim() !== '' && buildCascade({ ...settings, PROVIDER_CASCADE: entry }, secrets).length > 0;
      } catch {
        return false;
      }
    })
    .join(',');

/** A provider's window less its longest answer. */
export const windowOf = (provider: Provider): number =>
  provider.contextTokens - answerTokensOf({ ...provider, tier: 'reasoning' });

/** The room in the first provider's window. For others the prompt is shrunk. */
export const promptTokensMax = ([first]: readonly Provider[]): number =>
  first === undefined ? PROMPT_TOKENS_MAX : Math.min(PROMPT_TOKENS_MAX, windowOf(first));
