/**
 * Asks a provider for its list of models, which costs nothing: whether it is there and takes our
 * key. Bounded in time and bytes; never throws. The result holds no key and no text of the answer.
 */
import * as z from 'zod/mini';
import { KIB } from '../../lib/base/limits.ts';
import { buildOutgoingFetch } from '../../lib/http/outgoing.ts';
import { classifyProviderError } from '../../lib/llm/provider-failure.ts';
import type { Provider } from '../../lib/llm/providers.ts';

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

const judge = (status: number, text: string, wanted: readonly string[]): Reachability => {
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
    return judge(answer.status, await answer.text(), wanted);
  } catch (error) {
    return { isReachable: false, detail: classifyProviderError(error).reason };
  }
};
