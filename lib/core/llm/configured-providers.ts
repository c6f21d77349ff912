/**
 * Providers that the owner configures: `PROVIDERS`, a JSON object of name → endpoint and models,
 * and the secret `PROVIDER_KEYS`, name → key. A problem is a sentence with the name and never a
 * value. Pure.
 */
import * as z from 'zod/mini';
import { JsonObject, readJson } from '../base/json.ts';
import { once } from '../base/once.ts';
import { BUILT_IN_NAMES, type ModelOffer, type ProviderRow, type Thinking, type TokenPrice } from './provider-table.ts';

/** Nobody has keys for more providers. */
const CONFIGURED_PROVIDERS_MAX = 16;
/** Nearly all models have such a window, and a prompt here is far smaller. */
const PROVIDER_WINDOW_TOKENS_DEFAULT = 32_000;

/** More than any server takes, and little beside a prompt. */
const EXTRA_BODY_CHARS_MAX = 2_000;
/** Fields of a request that are ours, and those that would have one question paid several times. */
const OUR_FIELDS: readonly string[] = [
  ...['model', 'messages', 'tools', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens'],
  ...['n', 'best_of'],
];

const Configured = once(() => {
  const Model = z.string().check(z.regex(/^[\w.:/@-]{1,128}$/));
  /** US dollars for a million tokens. */
  const Dollars = z.number().check(z.nonnegative(), z.maximum(100_000));
  const Prices = z.strictObject({ prompt: Dollars, cached: z.optional(Dollars), completion: Dollars });
  return z.strictObject({
    baseUrl: z.string(),
    /** Answers the tier `cognition`, and both tiers if there is no `reasoningModel`. */
    model: Model,
    reasoningModel: z.optional(Model),
    /** Window of both models. */
    contextTokens: z.optional(z.int().check(z.minimum(2_048), z.maximum(100_000_000))),
    /** False for models that cannot call tools. */
    tools: z.optional(z.boolean()),
    jsonSchema: z.optional(z.boolean()),
    streaming: z.optional(z.boolean()),
    embeddings: z.optional(z.boolean()),
    images: z.optional(z.boolean()),
    /** How the reasoning tier asks for thinking: over the Responses API, or by this field. */
    thinking: z.optional(z.enum(['responses', 'reasoning_effort'])),
    answerTokensField: z.optional(z.enum(['max_tokens', 'max_completion_tokens'])),
    /** Further fields of each request, such as what a server takes for its template. */
    extraBody: z.optional(
      JsonObject.check(
        z.refine((body) => JSON.stringify(body).length <= EXTRA_BODY_CHARS_MAX),
        z.refine((body) => !Object.keys(body).some((name) => OUR_FIELDS.includes(name))),
      ),
    ),
    prices: z.optional(Prices),
    reasoningPrices: z.optional(Prices),
  });
});
type Configured = z.infer<ReturnType<typeof Configured>>;

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const value = readJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
};

/** Keys by provider name. Values that are no text are left out, and then named as missing. */
export const parseProviderKeys = (text: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(parseObject(text ?? '{}') ?? {}).flatMap(([name, key]): [string, string][] =>
      typeof key === 'string' && key.trim() !== '' ? [[name, key.trim()]] : [],
    ),
  );

/** The vault: name → a key, and the one address it goes to. `secretValuesOf` reads `token`. */
const Vault = z.record(z.string(), z.object({ token: z.string(), baseUrl: z.string(), at: z.optional(z.int()) }));
export type Vault = z.infer<typeof Vault>;

/** @param text of the vault; empty, or what cannot be read, holds no key */
export const parseVault = (text: string | undefined): Vault => Vault.safeParse(readJson(text || '{}')).data ?? {};

/** The key that was added for exactly this provider at exactly this address; empty for none. */
export const vaultKeyOf = (vault: Vault, { name, baseUrl }: Pick<ProviderRow, 'name' | 'baseUrl'>): string => {
  const found = Object.hasOwn(vault, name) ? vault[name] : undefined;
  return found?.baseUrl === baseUrl ? found.token : '';
};

const addressProblem = (baseUrl: string, hasKey: boolean): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'baseUrl is not an http or https address';
  if (url.username !== '' || url.password !== '') return 'baseUrl must not hold a user name or password';
  return url.protocol === 'http:' && hasKey && !LOOPBACK.has(url.hostname) ? 'its key would travel unencrypted' : '';
};

/** A dollar a million tokens is a thousand nano-dollars a token. */
const priceOf = (prices: NonNullable<Configured['prices']>): TokenPrice => {
  const nano = (dollars: number): number => Math.ceil(dollars * 1_000);
  return {
    prompt: nano(prices.prompt),
    cached: nano(prices.cached ?? prices.prompt),
    completion: nano(prices.completion),
  };
};

const pricesOf = ({ model, prices, reasoningModel = '', reasoningPrices }: Configured): Pick<ProviderRow, 'prices'> => {
  const priced = [
    [model, prices],
    [reasoningModel, reasoningPrices],
  ] as const;
  const known = priced.flatMap(([name, price]) => (name === '' || price === undefined ? [] : [[name, priceOf(price)]]));
  return known.length === 0 ? {} : { prices: Object.fromEntries(known) };
};

const THINKING: Readonly<Record<NonNullable<Configured['thinking']>, Thinking>> = {
  responses: { over: 'responses', effort: 'medium' },
  reasoning_effort: { over: 'chat', fields: { reasoning_effort: 'medium' } },
};

const rowOf = (name: string, given: Configured): ProviderRow => {
  const offer: ModelOffer = {
    model: given.model,
    contextTokens: given.contextTokens ?? PROVIDER_WINDOW_TOKENS_DEFAULT,
    extraBody: given.extraBody ?? {},
    ...(given.thinking === undefined ? {} : { thinking: THINKING[given.thinking] }),
  };
  return {
    ...offer,
    ...(given.reasoningModel === undefined ? {} : { large: { ...offer, model: given.reasoningModel } }),
    name,
    baseUrl: given.baseUrl.replace(/\/+$/, ''),
    keyName: '',
    answerTokensField: given.answerTokensField ?? 'max_tokens',
    callExtra: {},
    features: {
      hasTools: given.tools ?? true,
      hasJsonSchema: given.jsonSchema ?? false,
      hasStreaming: given.streaming ?? true,
      hasEmbeddings: given.embeddings ?? false,
      hasImages: given.images ?? false,
    },
    ...pricesOf(given),
  };
};

/** @param problems takes a sentence for everything that does not fit */
export const parseConfigured = (
  text: string,
  keys: ReadonlyMap<string, string>,
  problems: string[],
): readonly ProviderRow[] => {
  if (text.trim() === '') return [];
  const all = parseObject(text);
  if (all === undefined) {
    problems.push('PROVIDERS is not JSON: name → {"baseUrl", "model"}');
    return [];
  }
  const entries = Object.entries(all);
  if (entries.length > CONFIGURED_PROVIDERS_MAX)
    problems.push(`PROVIDERS has more than ${CONFIGURED_PROVIDERS_MAX} providers`);
  return entries.slice(0, CONFIGURED_PROVIDERS_MAX).flatMap(([name, value]) => {
    const shown = name.slice(0, 32);
    if (!NAME.test(name) || BUILT_IN_NAMES.includes(name)) {
      problems.push(`PROVIDERS: "${shown}" is no name for one (lower-case letters, digits, "-"; not a built-in one)`);
      return [];
    }
    const given = Configured().safeParse(value);
    if (!given.success) {
      const fields = given.error.issues.map((issue) => issue.path.map(String).join('.') || 'unknown fields');
      problems.push(`PROVIDERS: ${name} does not fit: ${[...new Set(fields)].join(', ')}`);
      return [];
    }
    const problem = addressProblem(given.data.baseUrl, keys.has(name));
    if (problem !== '') problems.push(`PROVIDERS: ${name}: ${problem}`);
    return [rowOf(name, given.data)];
  });
};
