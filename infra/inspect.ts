/**
 * Asks everything that a stack talks to with a key whether it takes it, and models, if wanted, one
 * small question. All at once, within seconds. Never throws for a wrong key or without a network,
 * and shows no secret: it says which setting to change, and where that is.
 */

import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import * as z from 'zod/mini';
import { defined } from '../lib/core/base/defined.ts';
import type { ProviderFault } from '../lib/core/base/errors.ts';
import { readJson } from '../lib/core/base/json.ts';
import { KIB, MINUTE_MS, SECOND_MS } from '../lib/core/base/limits.ts';
import { VERSION } from '../lib/core/base/version.ts';
import { buildOutgoingFetch } from '../lib/core/http/outgoing.ts';
import { FAULTS } from '../lib/core/language/fault-texts.ts';
import { SETTINGS_VERSION } from '../lib/core/ledger/live-settings.ts';
import { buildTranscriptionEndpoint } from '../lib/core/llm/audio-endpoint.ts';
import type { ModelRequest } from '../lib/core/llm/chat.ts';
import { MOST_EXPENSIVE, priceOf } from '../lib/core/llm/prices.ts';
import { cureOf } from '../lib/core/llm/provider-cures.ts';
import { classifyProviderError, faultOfStatus } from '../lib/core/llm/provider-failure.ts';
import { keyNameOf } from '../lib/core/llm/provider-table.ts';
import { buildCascade, PROVIDER_KEY_NAMES, type Provider, usableCascade, withTier } from '../lib/core/llm/providers.ts';
import { buildEndpoint } from '../lib/core/prompt/embeddings/embed-texts.ts';
import { VAULT_KEYS } from '../lib/core/store/secrets.ts';
import { SETTINGS, type Variables } from '../lib/core/store/settings.ts';
import { canonicalWebhooks, withPreset } from '../lib/core/tools/webhooks.ts';
import { CHANNEL_PROGRAMS, READ_OFFERS } from './features.ts';
import type { Endpoint, Inspection, ShownModel } from './inspection.ts';
import { keyBeside, recordingKey } from './local/settings.ts';
import { LOOK_TIMEOUT_MS, quotedWords, type Reachability, type SettingPlace, withRemedy } from './reachability.ts';

/** Signed requests are refused when the clocks differ by five minutes. */
const CLOCK_MS_MAX = 2 * MINUTE_MS;

/** The adapter to models is loaded only for a question. */
const loadLazy = async () => ({
  ...(await import('../lib/core/llm/openai-client.ts')),
  ...(await import('../lib/core/llm/parse-proposal.ts')),
});

/** Routers list hundreds of models, each with a description. */
const MODEL_LIST_BYTES_MAX = 8 * 1024 * KIB;

/** OpenAI and those that follow it, and Anthropic. */
const LIMITS: readonly (readonly [left: string, limit: string, of: string])[] = ['requests', 'tokens'].flatMap((of) => [
  [`x-ratelimit-remaining-${of}`, `x-ratelimit-limit-${of}`, of] as const,
  [`anthropic-ratelimit-${of}-remaining`, `anthropic-ratelimit-${of}-limit`, of] as const,
]);
/** Of what a key may ask for in a minute or a day. */
const SHARE_LEFT_MIN = 0.1;

/** The rest of the first limit that is nearly reached; empty if none is. */
const nearLimitOf = (headers: Headers): string => {
  const numberIn = (name: string): number => Number(headers.get(name) ?? Number.NaN);
  const near = LIMITS.find(([left, limit]) => numberIn(left) < numberIn(limit) * SHARE_LEFT_MIN);
  return near === undefined ? '' : `${numberIn(near[0])} of ${numberIn(near[1])} ${near[2]} left`;
};

/** The setting to change if the list lacks the model, and the text before a model in it. */
interface Remedy {
  readonly setting: string;
  readonly prefix?: string;
}

const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Anthropic has its own header names for key and version. */
const headersFor = ({ name, key }: Pick<Provider, 'name' | 'key'>): Readonly<Record<string, string>> =>
  name === 'anthropic' ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' } : { authorization: `Bearer ${key}` };

const parseList = (text: string): readonly string[] | undefined =>
  Listed.safeParse(readJson(text)).data?.data.map(({ id }) => id);

/** Names differ in prefix and date: Gemini's list says `models/x`, Ollama's `x:latest`. */
const isListed = (ids: readonly string[], model: string): boolean =>
  ids.some((id) => id === model || id === `models/${model}` || id === `${model}:latest`);

/** An id that fits a terminal and a setting. */
const MODEL_ID = /^[\w.:/@+-]{1,100}$/;

const describeUnlisted = (ids: readonly string[], missing: readonly string[], remedy: Remedy): string => {
  const example = ids.map((id) => id.replace(/^models\//, '')).find((id) => MODEL_ID.test(id));
  const { setting, prefix = '' } = remedy;
  const advice = example === undefined ? `set ${setting}` : `set ${setting}, for example to ${prefix}${example}`;
  return `does not list ${missing.join(', ')}: ${advice}`;
};

const Refusal = z.object({ error: z.object({ message: z.string(), code: z.optional(z.unknown()) }) });

const judgeAnswer = (
  { status, text, key }: { readonly status: number; readonly text: string; readonly key: string },
  wanted: readonly string[],
  remedy: Remedy,
): Reachability => {
  // An endpoint without a list may still answer questions.
  if (status === 404) return { isReachable: true, detail: 'is there, and lists no models' };
  if (status !== 200) {
    const { message = '', code } = Refusal.safeParse(readJson(text)).data?.error ?? {};
    const fault = faultOfStatus(status, code, message);
    const words = quotedWords(message, key);
    // An endpoint that lists no models may say so in its own way.
    if (fault === 'request') return { isReachable: false, detail: `answers with status ${status}${words}` };
    const refused = fault === 'auth' ? { isRefused: true as const } : {};
    return { isReachable: false, fault, detail: `${FAULTS[fault]}${words}`, ...refused };
  }
  const ids = parseList(text);
  if (ids === undefined) return { isReachable: false, detail: 'answers with something else than a list of models' };
  const missing = wanted.filter((model) => !isListed(ids, model));
  const offers = READ_OFFERS.flatMap((read) => read(text));
  return missing.length === 0
    ? { isReachable: true, detail: 'reachable', offers }
    : { isReachable: true, isUnlisted: true, detail: describeUnlisted(ids, missing, remedy), offers };
};

const clockOf = (date: string | null, now: number): Pick<Reachability, 'clockAheadS'> => {
  const aheadMs = now - Date.parse(date ?? '');
  return Math.abs(aheadMs) >= CLOCK_MS_MAX ? { clockAheadS: Math.round(aheadMs / SECOND_MS) } : {};
};

const readModelList = async (
  provider: Pick<Provider, 'name' | 'baseUrl' | 'key'>,
  wanted: readonly string[],
  remedy: Remedy,
): Promise<Reachability> => {
  const timeoutMs = LOOK_TIMEOUT_MS;
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
    const clock = clockOf(answer.headers.get('date'), Date.now());
    const given = { status: answer.status, text: await answer.text(), key: provider.key };
    const judged = { ...judgeAnswer(given, wanted, remedy), ...clock };
    const near = nearLimitOf(answer.headers);
    return near === '' || !judged.isReachable
      ? judged
      : { ...judged, isNearLimit: true, detail: `${judged.detail}; ${near}` };
  } catch (error) {
    const { fault, reason } = classifyProviderError(error);
    return { isReachable: false, fault, isAway: true, detail: reason };
  }
};

/** It has a tool, as each real question has, and any model can answer it. */
const QUESTION: ModelRequest = {
  system: 'Answer in one word.',
  messages: [{ role: 'user', content: 'Are you ready? Answer with: ready' }],
  tools: [
    {
      type: 'function',
      function: { name: 'ring', description: 'Rings a bell.', parameters: { type: 'object', properties: {} } },
    },
  ],
  tokens: 100,
};

interface ProviderReply {
  /** Undefined if it answered. */
  readonly fault?: ProviderFault;
  readonly detail: string;
}

const askQuestion = async (provider: Provider): Promise<ProviderReply> => {
  const { buildOpenAiAsk, isEmptyAnswer } = await loadLazy();
  try {
    const answer = await buildOpenAiAsk()(provider, QUESTION, LOOK_TIMEOUT_MS);
    return isEmptyAnswer(answer) ? { fault: 'empty', detail: FAULTS.empty } : { detail: '' };
  } catch (error) {
    const { fault, reason } = classifyProviderError(error);
    return { fault, detail: reason };
  }
};

/** The answer of a model is worth more than its provider's list. */
const withAnswer = (listed: Reachability, asked: ProviderReply | undefined): Reachability & { hasAnswered?: true } => {
  if (asked === undefined) return listed;
  const { fault, detail } = asked;
  const { fault: _, isRefused: __, isAway: ___, ...rest } = listed;
  if (fault === undefined)
    return { ...rest, isReachable: true, hasAnswered: true, detail: listed.isReachable ? listed.detail : 'reachable' };
  // A large model may still be loading.
  if (fault === 'slow' && listed.isReachable) return { ...listed, detail: `${listed.detail}; ${NO_ANSWER_YET}` };
  if (!listed.isReachable && listed.fault !== undefined) return listed;
  const refused = fault === 'auth' ? { isRefused: true as const } : {};
  const unlisted = listed.isUnlisted === true ? ` (${listed.detail})` : '';
  return { ...rest, isReachable: false, fault, detail: `${detail}${unlisted}`, ...refused };
};

const NO_ANSWER_YET = `it has not answered a small question within ${LOOK_TIMEOUT_MS / SECOND_MS} seconds`;

const dollars = (nanoDollars: number): number => nanoDollars / 1_000;

const describeModel = (provider: Provider, tier: 'cognition' | 'reasoning') => {
  const chosen = withTier(provider, tier);
  const known = priceOf(chosen);
  const { prompt, cached, completion } = known;
  const price = { prompt: dollars(prompt), cached: dollars(cached), completion: dollars(completion) };
  const shown: ShownModel = { tier, model: chosen.model, contextTokens: chosen.contextTokens, price };
  return { shown, isPriceKnown: known !== MOST_EXPENSIVE };
};

const listFeatures = ({ features, thinking, large }: Provider): readonly string[] => [
  ...(features?.hasTools === false ? [] : ['tools']),
  ...(features?.hasJsonSchema === false ? [] : ['JSON schema']),
  ...(features?.hasStreaming === false ? [] : ['streaming']),
  ...((large ?? { thinking }).thinking === undefined ? [] : ['thinking']),
  ...(features?.hasEmbeddings === true ? ['embeddings'] : []),
];

const modelRemedy = (provider: string, { PROVIDER_CASCADE: cascade }: Variables): Remedy => {
  if (!cascade && (provider === 'openai' || provider === 'custom')) return { setting: 'OPENAI_MODEL' };
  if (!cascade && provider === 'ollama') return { setting: 'OLLAMA_MODEL' };
  return { setting: 'PROVIDER_CASCADE', prefix: `${provider}:` };
};

const describeUnpriced = (models: readonly string[]): string =>
  `no price of ${models.join(' and ')} is known, so it counts as the most expensive (“prices” in PROVIDERS says it)`;

const inspectProvider = async (provider: Provider, variables: Variables, place: SettingPlace, isAsking: boolean) => {
  const described = [
    describeModel(provider, 'cognition'),
    ...(provider.large ? [describeModel(provider, 'reasoning')] : []),
  ];
  const models = described.map(({ shown }) => shown);
  const unpriced = described.filter(({ isPriceKnown }) => !isPriceKnown).map(({ shown }) => shown.model);
  const names = models.map(({ model }) => model);
  const [listed, asked] = await Promise.all([
    readModelList(provider, names, modelRemedy(provider.name, variables)),
    isAsking ? askQuestion(provider) : undefined,
  ]);
  const answer = withAnswer(listed, asked);
  const { name, baseUrl } = provider;
  const counted = unpriced.length === 0 || !answer.isReachable ? '' : `; ${describeUnpriced(unpriced)}`;
  const keyPlace = place(keyNameOf(name));
  // No advice is due if the settings were just typed.
  const cure = answer.fault === undefined || keyPlace === '' ? '' : `: ${cureOf(answer.fault, name, keyPlace)}`;
  const reach = { ...answer, offers: answer.offers ?? [], detail: `${answer.detail}${cure}${counted}` };
  return { name, address: baseUrl, ...reach, features: [...listFeatures(provider)], models };
};

/** Asks with the key that the local stack would use. */
const inspectEmbeddings = async (variables: Variables, place: SettingPlace) => {
  const { EMBEDDING_API_KEY: key = '' } = { ...variables, ...keyBeside(variables) };
  const endpoint = buildEndpoint(variables, () => key);
  if (endpoint === undefined) return undefined;
  const { baseUrl, model } = endpoint;
  const answer = await readModelList({ name: 'embeddings', baseUrl, key }, [model], {
    setting: 'EMBEDDING_MODEL',
  });
  return { name: 'embeddings', address: baseUrl, ...withRemedy(answer, place('EMBEDDING_API_KEY')), model };
};

/** Asks with the key that Act would use. */
const AUDIO = { TRANSCRIPTION_MODEL: 'recordings', SPEECH_MODEL: 'voice answers' } as const;

/** Both have one address and one key. */
const inspectAudio = async (
  setting: keyof typeof AUDIO,
  variables: Variables,
  place: SettingPlace,
): Promise<Endpoint | undefined> => {
  const { TRANSCRIPTION_API_KEY: key = '' } = { ...variables, ...recordingKey(variables) };
  const endpoint = buildTranscriptionEndpoint({ ...variables, TRANSCRIPTION_MODEL: variables[setting] }, key);
  if (endpoint === undefined) return undefined;
  const { baseUrl, model } = endpoint;
  const answer = await readModelList({ name: AUDIO[setting], baseUrl, key }, [model], { setting });
  return { name: AUDIO[setting], address: baseUrl, ...withRemedy(answer, place('TRANSCRIPTION_API_KEY')) };
};

const inspectChannels = async (variables: Variables, place: SettingPlace, isRunning: boolean) => {
  const found = await Promise.all(
    Object.entries(CHANNEL_PROGRAMS).map(
      async ([id, { inspect }]) => [id, await inspect(variables, place, isRunning)] as const,
    ),
  );
  return Object.fromEntries(found.flatMap(([id, one]) => (one === undefined ? [] : [[id, one]])));
};

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'passepartout', version: VERSION } },
});

const inspectMcpServer = async (name: string, url: string, token: string, place: SettingPlace): Promise<Endpoint> => {
  const server = { name, address: url };
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
  try {
    const fetch = buildOutgoingFetch({
      peer: 'the MCP server',
      connectTimeoutMs: LOOK_TIMEOUT_MS,
      bytesMax: MODEL_LIST_BYTES_MAX,
    });
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
    const { ok: isReachable, status, body } = await fetch(url, { method: 'POST', headers, body: INITIALIZE, signal });
    await body?.cancel();
    if (isReachable) return { ...server, isReachable, detail: 'reachable' };
    const isRefused = status === 401 || status === 403;
    const detail = isRefused ? 'refuses the token' : `answers with status ${status}`;
    const answer = { isReachable, detail, ...(isRefused ? { isRefused } : {}) } as const;
    return { ...server, ...withRemedy(answer, place('MCP_SERVERS')) };
  } catch {
    return { ...server, isReachable: false, isAway: true, detail: 'not reachable' };
  }
};

const inspectMcp = (variables: Variables, place: SettingPlace): Promise<Endpoint[]> =>
  Promise.all(
    Object.entries(SETTINGS.MCP_SERVERS.schema.safeParse(variables.MCP_SERVERS || '{}').data ?? {}).flatMap(
      ([name, { url, token }]) => (token === undefined ? [] : [inspectMcpServer(name, url, token, place)]),
    ),
  );

const HTTPS_PORT = 443;

/** Connects, with TLS if the address has it, and sends nothing. */
const tryConnection = ({ hostname, protocol, port }: URL): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const isTls = protocol === 'https:';
    const at = { host, port: Number(port) || (isTls ? HTTPS_PORT : 80), timeout: LOOK_TIMEOUT_MS };
    const socket: Socket = isTls
      ? connectTls({ ...at, ...(isIP(host) === 0 ? { servername: host } : {}) }, () => resolve(socket))
      : connect(at, () => resolve(socket));
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('it does not answer')));
  });

const inspectWebhook = async (name: string, address: string): Promise<Endpoint> => {
  const shown = { name, address: URL.canParse(address) ? new URL(address).origin : '' };
  try {
    (await tryConnection(new URL(address))).destroy();
    return { ...shown, isReachable: true, detail: 'takes a connection' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return { ...shown, isReachable: false, isAway: true, detail: `takes no connection${code}` };
  }
};

const inspectWebhooks = (variables: Variables): Promise<Endpoint[]> => {
  const targets = SETTINGS.WEBHOOK_TARGETS.schema.safeParse(variables.WEBHOOK_TARGETS || '{}').data ?? {};
  const found = Object.entries(canonicalWebhooks(targets, (target) => withPreset(target).url));
  return Promise.all(found.map(([name, url]) => inspectWebhook(name, url)));
};

/** The providers in the order in which they are asked. @throws as `buildCascade` does */
export const cascadeOf = (variables: Variables): readonly Provider[] => {
  const isSet = (name: string): [string, string][] => (variables[name] ? [[name, variables[name]]] : []);
  const secrets = new Map([...PROVIDER_KEY_NAMES, VAULT_KEYS].flatMap(isSet));
  const usable = variables[SETTINGS_VERSION] === undefined ? undefined : usableCascade(variables, secrets);
  return buildCascade({ ...variables, ...(usable ? { PROVIDER_CASCADE: usable } : {}) }, secrets);
};

interface InspectOptions {
  /** A stack takes the bots' messages: then none waits elsewhere. */
  readonly isRunning?: boolean;
  /** Each model is asked one small question. Its tokens are counted under no cap. */
  readonly isAsking?: boolean;
}

/** @throws ConfigError naming every setting of a provider that does not fit */
export const inspect = async (
  variables: Variables,
  place: SettingPlace,
  { isRunning = false, isAsking = false }: InspectOptions = {},
): Promise<Inspection> => {
  const [embeddings, transcription, speech, channels, mcp, webhooks, ...providers] = await Promise.all([
    inspectEmbeddings(variables, place),
    inspectAudio('TRANSCRIPTION_MODEL', variables, place),
    inspectAudio('SPEECH_MODEL', variables, place),
    inspectChannels(variables, place, isRunning),
    inspectMcp(variables, place),
    inspectWebhooks(variables),
    ...cascadeOf(variables).map((provider) => inspectProvider(provider, variables, place, isAsking)),
  ]);
  return { providers, channels, mcp, webhooks, ...defined({ embeddings, transcription, speech }) };
};
