/**
 * `models`: each configured provider with its models, windows and prices, and whether it answers
 * from this machine, or why not; the endpoint that makes vectors too. Asks all at once, within a
 * few seconds. Shows no key. Exit 1 if one of them is not usable.
 */
import * as z from 'zod/mini';
import { defined } from '../../../lib/base/defined.ts';
import { ConfigError } from '../../../lib/base/errors.ts';
import { KIB, SECOND_MS } from '../../../lib/base/limits.ts';
import { buildOutgoingFetch } from '../../../lib/http/outgoing.ts';
import { priceOf } from '../../../lib/llm/prices.ts';
import { classifyProviderError } from '../../../lib/llm/provider-failure.ts';
import { buildCascade, PROVIDER_KEY_NAMES, type Provider, withTier } from '../../../lib/llm/providers.ts';
import { buildEndpoint } from '../../../lib/prompt/embeddings/embed-texts.ts';
import { keyBeside } from '../../local/settings.ts';
import type { Command } from '../command.ts';
import { readVariables, type Variables } from '../stack.ts';
import { CliError, EXIT, type PaintWord, paintWith, printable, show } from '../terminal.ts';

/** A person waits for all providers at once. */
const PROVIDER_LOOK_TIMEOUT_MS = 5 * SECOND_MS;

/** Routers list hundreds of models, each with a description. */
const MODEL_LIST_BYTES_MAX = 8 * 1024 * KIB;

export interface Reachability {
  readonly isReachable: boolean;
  /** A short phrase: `reachable`, or why the provider is not usable. */
  readonly detail: string;
  /** The provider refuses the key. */
  readonly isRefused?: true;
}

const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Anthropic has its own header names for key and version. */
const headersFor = ({ name, key }: Pick<Provider, 'name' | 'key'>): Readonly<Record<string, string>> =>
  name === 'anthropic' ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' } : { authorization: `Bearer ${key}` };

const parseList = (text: string): readonly string[] | undefined => {
  try {
    const listed = Listed.safeParse(JSON.parse(text));
    return listed.success ? listed.data.data.map(({ id }) => id) : undefined;
  } catch {
    return undefined;
  }
};

const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: 'refuses the key',
  402: 'says that there is no credit left',
  403: 'refuses the key',
  429: 'is there, and says that it is asked too often',
};

/** Names differ in prefix and date: Gemini's list says `models/x`, Ollama's `x:latest`. */
const isListed = (ids: readonly string[], model: string): boolean =>
  ids.some((id) => id === model || id === `models/${model}` || id === `${model}:latest`);

const judgeAnswer = (status: number, text: string, wanted: readonly string[]): Reachability => {
  // An endpoint without a list may still answer questions.
  if (status === 404) return { isReachable: true, detail: 'is there, and lists no models' };
  if (status !== 200) {
    const detail = STATUS_WORDS[status] ?? `answers with status ${status}`;
    return { isReachable: false, detail, ...(status === 401 || status === 403 ? { isRefused: true } : {}) };
  }
  const ids = parseList(text);
  if (ids === undefined) return { isReachable: false, detail: 'answers with something else than a list of models' };
  const missing = wanted.filter((model) => !isListed(ids, model));
  return missing.length === 0
    ? { isReachable: true, detail: 'reachable' }
    : { isReachable: false, detail: `does not list ${missing.join(', ')}` };
};

export const readModelList = async (
  provider: Pick<Provider, 'name' | 'baseUrl' | 'key'>,
  wanted: readonly string[],
  timeoutMs: number,
): Promise<Reachability> => {
  try {
    const fetch = buildOutgoingFetch({
      peer: 'the provider',
      connectTimeoutMs: timeoutMs,
      bytesMax: MODEL_LIST_BYTES_MAX,
    });
    const answer = await fetch(`${provider.baseUrl}/models`, {
      headers: headersFor(provider),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return judgeAnswer(answer.status, await answer.text(), wanted);
  } catch (error) {
    return { isReachable: false, detail: classifyProviderError(error).reason };
  }
};

interface ShownModel {
  readonly tier: string;
  readonly model: string;
  readonly contextTokens: number;
  /** US dollars for a million tokens. */
  readonly price: { readonly prompt: number; readonly cached: number; readonly completion: number };
}

const dollars = (nanoDollars: number): number => nanoDollars / 1_000;

const describeModel = (provider: Provider, tier: 'cognition' | 'reasoning'): ShownModel => {
  const chosen = withTier(provider, tier);
  const { prompt, cached, completion } = priceOf(chosen);
  const price = { prompt: dollars(prompt), cached: dollars(cached), completion: dollars(completion) };
  return { tier, model: chosen.model, contextTokens: chosen.contextTokens, price };
};

const listFeatures = ({ features, thinking, large }: Provider): readonly string[] => [
  ...(features?.hasTools === false ? [] : ['tools']),
  ...(features?.hasJsonSchema === false ? [] : ['JSON schema']),
  ...(features?.hasStreaming === false ? [] : ['streaming']),
  ...((large ?? { thinking }).thinking === undefined ? [] : ['thinking']),
  ...(features?.hasEmbeddings === true ? ['embeddings'] : []),
];

const inspectProvider = async (provider: Provider) => {
  const models = [
    describeModel(provider, 'cognition'),
    ...(provider.large ? [describeModel(provider, 'reasoning')] : []),
  ];
  const { isReachable, detail } = await readModelList(
    provider,
    models.map(({ model }) => model),
    PROVIDER_LOOK_TIMEOUT_MS,
  );
  const { name, baseUrl } = provider;
  return { name, address: baseUrl, isReachable, detail, features: listFeatures(provider), models };
};

/** @throws CliError (exit 2) naming everything that does not fit. */
const findCascade = (variables: Variables): readonly Provider[] => {
  const secrets = new Map(
    PROVIDER_KEY_NAMES.flatMap((name): [string, string][] => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  try {
    return buildCascade(variables, secrets);
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(EXIT.usage, error.message);
    throw error;
  }
};

/** Asks with the key that the local stack would use, and says what to do if that is refused. */
const inspectEmbeddings = async (variables: Variables) => {
  const { EMBEDDING_API_KEY: key = '' } = { ...variables, ...keyBeside(variables) };
  const endpoint = buildEndpoint(variables, () => key);
  if (endpoint === undefined) return undefined;
  const { baseUrl, model } = endpoint;
  const answer = await readModelList({ name: 'embeddings', baseUrl, key }, [model], PROVIDER_LOOK_TIMEOUT_MS);
  const detail = answer.isRefused === true ? `${answer.detail}: set EMBEDDING_API_KEY` : answer.detail;
  return { address: baseUrl, model, isReachable: answer.isReachable, detail };
};

const endpointLine = (
  name: string,
  {
    address,
    isReachable,
    detail,
  }: { readonly address: string; readonly isReachable: boolean; readonly detail: string },
  paint: PaintWord,
): string => {
  const word = isReachable ? 'ok' : 'wrong';
  return `${paint(word, word.padEnd(5))}  ${printable(name)}  ${printable(address)}  ${printable(detail)}`;
};

const modelLine = ({ tier, model, contextTokens, price }: ShownModel): string =>
  `       ${tier.padEnd(9)}  ${printable(model)}  ${contextTokens} tokens  $${price.prompt} in, $${price.cached} cached, $${price.completion} out for a million`;

export const models: Command = {
  name: 'models',
  usage: '',
  summary: 'the configured providers in order: models, windows, prices, and whether they answer',
  argCount: [0, 0],
  run: async ({ env, folder, terminal }) => {
    const variables = readVariables(env, folder);
    const cascade = findCascade(variables);
    if (cascade.length === 0)
      throw new CliError(
        EXIT.failed,
        'no provider is configured here',
        'set a key such as OPENAI_API_KEY, or OPENAI_BASE_URL; "npm start" alone uses an Ollama it finds, or the demo model',
      );
    const [embeddings, ...providers] = await Promise.all([
      inspectEmbeddings(variables),
      ...cascade.map(inspectProvider),
    ]);
    const paint = paintWith(terminal);
    show(terminal, { providers, ...defined({ embeddings }) }, [
      ...providers.flatMap((provider) => [
        endpointLine(provider.name, provider, paint),
        ...provider.models.map(modelLine),
        `       ${provider.features.join(', ')}`,
      ]),
      ...(embeddings === undefined
        ? []
        : [endpointLine('embeddings', embeddings, paint), `       ${printable(embeddings.model)}`]),
    ]);
    const all = [...providers, ...(embeddings === undefined ? [] : [embeddings])];
    return all.every(({ isReachable }) => isReachable) ? EXIT.ok : EXIT.failed;
  },
};
