/**
 * `models`: each configured provider with its models, windows and prices, and whether it answers
 * from this machine, or why not; the endpoint that makes vectors too. Asks all at once, within a
 * few seconds. Shows no key. Exit 1 if one of them is not usable.
 */
import { defined } from '../../../lib/base/defined.ts';
import { ConfigError } from '../../../lib/base/errors.ts';
import { SECOND_MS } from '../../../lib/base/limits.ts';
import { priceOf } from '../../../lib/llm/prices.ts';
import { buildCascade, PROVIDER_KEY_NAMES, type Provider, withTier } from '../../../lib/llm/providers.ts';
import { buildEndpoint } from '../../../lib/prompt/embeddings/embed-texts.ts';
import { keyBeside } from '../../local/settings.ts';
import type { Command } from '../command.ts';
import { readModelList } from '../read-model-list.ts';
import { readVariables, type Variables } from '../stack.ts';
import { CliError, EXIT, type PaintWord, paintWith, printable, show } from '../terminal.ts';

/** A person waits for all providers at once. */
const PROVIDER_LOOK_TIMEOUT_MS = 5 * SECOND_MS;

interface ShownModel {
  readonly tier: string;
  readonly model: string;
  readonly contextTokens: number;
  /** US dollars for a million tokens. */
  readonly price: { readonly prompt: number; readonly cached: number; readonly completion: number };
}

const dollars = (nanoDollars: number): number => nanoDollars / 1_000;

const modelOf = (provider: Provider, tier: 'cognition' | 'reasoning'): ShownModel => {
  const chosen = withTier(provider, tier);
  const { prompt, cached, completion } = priceOf(chosen);
  const price = { prompt: dollars(prompt), cached: dollars(cached), completion: dollars(completion) };
  return { tier, model: chosen.model, contextTokens: chosen.contextTokens, price };
};

const featuresOf = ({ features, thinking, large }: Provider): readonly string[] => [
  ...(features?.hasTools === false ? [] : ['tools']),
  ...(features?.hasJsonSchema === false ? [] : ['JSON schema']),
  ...(features?.hasStreaming === false ? [] : ['streaming']),
  ...((large ?? { thinking }).thinking === undefined ? [] : ['thinking']),
  ...(features?.hasEmbeddings === true ? ['embeddings'] : []),
];

const look = async (provider: Provider) => {
  const models = [modelOf(provider, 'cognition'), ...(provider.large ? [modelOf(provider, 'reasoning')] : [])];
  const { isReachable, detail } = await readModelList(
    provider,
    models.map(({ model }) => model),
    PROVIDER_LOOK_TIMEOUT_MS,
  );
  const { name, baseUrl } = provider;
  return { name, address: baseUrl, isReachable, detail, features: featuresOf(provider), models };
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
const lookAtEmbeddings = async (variables: Variables) => {
  const { EMBEDDING_API_KEY: key = '' } = { ...variables, ...keyBeside(variables) };
  const endpoint = buildEndpoint(variables, () => key);
  if (endpoint === undefined) return undefined;
  const { baseUrl, model } = endpoint;
  const looked = await readModelList({ name: 'embeddings', baseUrl, key }, [model], PROVIDER_LOOK_TIMEOUT_MS);
  const detail = looked.isRefused === true ? `${looked.detail}: set EMBEDDING_API_KEY` : looked.detail;
  return { address: baseUrl, model, isReachable: looked.isReachable, detail };
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
    const [embeddings, ...providers] = await Promise.all([lookAtEmbeddings(variables), ...cascade.map(look)]);
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
