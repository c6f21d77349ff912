/**
 * Asks an endpoint which models it offers, and one of them a small question: bounded in time and
 * bytes, over the addresses that the gate judged, without following a redirect. What it answers is
 * untrusted: only checked ids and numbers are taken of it, and never its words.
 */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { buildOutgoingFetch, type OutgoingFetch } from '../../core/http/outgoing.ts';
import { FAULTS } from '../../core/language/fault-texts.ts';
import { faultOfStatus } from '../../core/llm/provider-failure.ts';
import { type OfferedModel, readOffers } from './offered-models.ts';

/** Act has a minute; a model that is loaded first may take some seconds. */
const TRY_TIMEOUT_MS = 20 * SECOND_MS;
/** Routers list hundreds of models, each with a description. */
const LIST_BYTES_MAX = 8 * 1024 * KIB;
const ANSWER_BYTES_MAX = 256 * KIB;

export interface Endpoint {
  readonly url: string;
  /** Empty if it needs none. */
  readonly key: string;
  /** Checked addresses of its host; absent for this machine. */
  readonly addresses?: readonly string[] | undefined;
}

/** `fault` is a phrase of ours. */
export type Tried<T> = { readonly found: T } | { readonly fault: string; readonly isForm?: boolean };

const fetchOf = ({ addresses }: Endpoint, bytesMax: number): OutgoingFetch =>
  buildOutgoingFetch({
    peer: 'the provider',
    bytesMax,
    connectTimeoutMs: TRY_TIMEOUT_MS,
    ...(addresses === undefined ? {} : { addresses }),
  });

const headersOf = (key: string): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
});

const Refusal = z.object({ error: z.object({ message: z.optional(z.string()), code: z.optional(z.unknown()) }) });

/** Our own words about whatever went wrong: an error may quote address and key. */
const faultIn = (error: unknown): { readonly fault: string } => {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const problem = error instanceof Error && 'problem' in error ? String(error.problem) : undefined;
  if (problem?.startsWith('the provider ')) return { fault: problem.slice('the provider '.length) };
  return { fault: problem === undefined ? (isLate ? FAULTS.slow : FAULTS.down) : FAULTS.unknown };
};

const faultOf = (status: number, text: string): { readonly fault: string; readonly isForm: boolean } => {
  const { message = '', code } = Refusal.safeParse(readJson(text)).data?.error ?? {};
  const fault = faultOfStatus(status, code, message);
  return { fault: `${FAULTS[fault]} (${status})`, isForm: fault === 'request' || fault === 'tools' };
};

/** @returns no models for an endpoint that lists none */
export const listModels = async (endpoint: Endpoint): Promise<Tried<readonly OfferedModel[]>> => {
  try {
    const answer = await fetchOf(endpoint, LIST_BYTES_MAX)(`${endpoint.url}/models`, {
      headers: headersOf(endpoint.key),
      signal: AbortSignal.timeout(TRY_TIMEOUT_MS),
    });
    const text = await answer.text();
    // An endpoint without a list may still answer questions.
    if (answer.status === 404 || answer.status === 405) return { found: [] };
    return answer.status === 200 ? { found: readOffers(text) } : faultOf(answer.status, text);
  } catch (error) {
    return faultIn(error);
  }
};

const Answer = z.object({ choices: z.array(z.unknown()).check(z.minLength(1)) });

const TOOL = {
  type: 'function',
  function: { name: 'ring', description: 'Rings a bell.', parameters: { type: 'object', properties: {} } },
};

/** Differences from the usual form of a question, as `PROVIDERS` names them. */
export interface AnsweredForm {
  readonly answerTokensField?: 'max_completion_tokens';
  readonly tools?: false;
}

/** The usual form first, and simpler ones for endpoints that refuse it. A refusal costs nothing. */
const FORMS: readonly AnsweredForm[] = [
  {},
  { answerTokensField: 'max_completion_tokens' },
  { tools: false },
  { answerTokensField: 'max_completion_tokens', tools: false },
];

const askOnce = async (endpoint: Endpoint, model: string, form: AnsweredForm): Promise<Tried<AnsweredForm>> => {
  try {
    const answer = await fetchOf(endpoint, ANSWER_BYTES_MAX)(`${endpoint.url}/chat/completions`, {
      method: 'POST',
      headers: headersOf(endpoint.key),
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: 'Are you ready? Answer with: ready' }],
        [form.answerTokensField ?? 'max_tokens']: 16,
        ...(form.tools === false ? {} : { tools: [TOOL] }),
      }),
      signal: AbortSignal.timeout(TRY_TIMEOUT_MS),
    });
    const text = await answer.text();
    if (answer.status !== 200) return faultOf(answer.status, text);
    return Answer.safeParse(readJson(text)).success ? { found: form } : { fault: FAULTS.answer };
  } catch (error) {
    return faultIn(error);
  }
};

/** One small question, in the form that the endpoint takes. */
export const askModel = async (endpoint: Endpoint, model: string): Promise<Tried<AnsweredForm>> => {
  let last: Tried<AnsweredForm> = { fault: FAULTS.unknown };
  for (const form of FORMS) {
    last = await askOnce(endpoint, model, form);
    if ('found' in last || last.isForm !== true) return last;
  }
  return last;
};
