/**
 * Asks a service that searches the web. It may be anywhere, as a model provider may: the owner
 * alone names it. No redirect is followed, so the key goes nowhere else, and no result is opened.
 * Answers are strangers' words. Faults are told in fixed words.
 */
import * as z from 'zod/mini';
import { PassingError, ProtocolError } from '../../core/base/errors.ts';
import { htmlText } from '../../core/base/html-text.ts';
import { isObject, readJson } from '../../core/base/json.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { VERSION } from '../../core/base/version.ts';
import { readFetchFailure } from '../../core/http/fetch-failure.ts';
import { buildOutgoingFetch } from '../../core/http/outgoing.ts';
import { RESULTS_MAX, type SearchService } from './search-services.ts';

/** Brave's first page has some hundred KB. */
export const SEARCH_BYTES_MAX = 1024 * KIB;
/** A person waits for it. */
const SEARCH_TIMEOUT_MS = 15 * SECOND_MS;
/** As `URL_CHARS_MAX` of a page that is opened. */
const RESULT_URL_CHARS_MAX = 2_000;
const TITLE_CHARS_MAX = 200;
/** Tavily gives three pieces of some 500 characters. */
const SNIPPET_CHARS_MAX = 1_500;
/** Of an answer that refuses: its reason stands at the beginning. */
const REFUSAL_CHARS_MAX = 2_000;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** @param query without it the service refuses, which shows whether it takes the key */
const ask = async (service: SearchService, key: string, query: string | undefined, signal: AbortSignal) => {
  const { url, keyHeader, isPosted, words } = service;
  const fields = { ...service.fields, ...(query === undefined ? {} : { [words]: query }) };
  const proof = keyHeader === 'authorization' ? `Bearer ${key}` : key;
  const init = {
    signal,
    headers: {
      accept: 'application/json',
      'user-agent': `passepartout/${VERSION}`,
      ...(key === '' ? {} : { [keyHeader]: proof }),
      ...(isPosted ? { 'content-type': 'application/json' } : {}),
    },
    ...(isPosted ? { method: 'POST', body: JSON.stringify(fields) } : {}),
  };
  const to = new URL(url);
  if (!isPosted) for (const [name, value] of Object.entries(fields)) to.searchParams.set(name, String(value));
  const response = await buildOutgoingFetch({ peer: service.title, bytesMax: SEARCH_BYTES_MAX })(to, init);
  return { status: response.status, text: await response.text() };
};

const REFUSED = /^40[13]/;
/** Tavily's 432 and 433 are limits of a plan. */
const LIMIT = /^(?:402|429|43[23])/;

/** @returns undefined if it took the key, though perhaps not the request */
export const faultOf = (
  { title, refusal = REFUSED }: SearchService,
  { status, text }: Answer,
): { readonly words: string; readonly isKey?: true; readonly passes?: true } | undefined => {
  const said = `${status} ${text.slice(0, REFUSAL_CHARS_MAX)}`;
  if (refusal.test(said)) return { words: `${title} refuses the key: put a valid one in SEARCH_API_KEY`, isKey: true };
  if (status === 403) return { words: `${title} gives no JSON: add json to search.formats in its settings.yml` };
  if (LIMIT.test(said)) return { words: `${title} takes no more searches now (status ${status})`, passes: true };
  if (status >= 500) return { words: `${title} answered with status ${status}`, passes: true };
  return undefined;
};

const Result = z.object({ title: z.string(), url: z.string() });

const short = (value: unknown, charsMax: number): string => {
  const text = typeof value === 'string' ? value.slice(0, 2 * charsMax) : '';
  return htmlText(text).replace(/\s+/g, ' ').trim().slice(0, charsMax).toWellFormed();
};

/** @returns its lines; undefined if it has no address of a page */
const resultLines = (value: unknown, snippet: string): string | undefined => {
  const found = Result.safeParse(value);
  if (!found.success || !isObject(value)) return undefined;
  const url = URL.parse(found.data.url)?.href ?? '';
  if (!/^https?:/.test(url) || url.length > RESULT_URL_CHARS_MAX) return undefined;
  const lines = [short(found.data.title, TITLE_CHARS_MAX) || url, url, short(value[snippet], SNIPPET_CHARS_MAX)];
  return lines.filter((line) => line !== '').join('\n');
};

/** Titles, addresses and snippets. @throws ProtocolError for an answer of another form */
export const readResults = ({ title, results, snippet }: SearchService, text: string): readonly string[] => {
  const answer = readJson(text);
  let found: unknown = answer;
  for (const name of results) found = isObject(found) ? found[name] : undefined;
  // Brave and Kagi leave out a kind of results that there are none of.
  if (found === undefined && isObject(answer) && results.length > 1) return [];
  if (!Array.isArray(found)) throw new ProtocolError(`${title} answered with something else than results`);
  return found.flatMap((value) => resultLines(value, snippet) ?? []).slice(0, RESULTS_MAX);
};

/** Asks without a query, which costs nothing. @returns a fault; undefined if it would search */
export const tryService = async (service: SearchService, key: string, timeoutMs = SEARCH_TIMEOUT_MS) => {
  try {
    return faultOf(service, await ask(service, key, undefined, AbortSignal.timeout(timeoutMs)));
  } catch (error) {
    return { words: wordsFor(service, error), passes: true } as const;
  }
};

const wordsFor = ({ title }: SearchService, error: unknown): string => {
  if (error instanceof ProtocolError) return error.problem;
  if (error instanceof Error && error.name === 'TimeoutError') return `${title} took too long`;
  const { code } = readFetchFailure(error);
  return `${title} is not reachable${code === undefined ? '' : ` (${code})`}`;
};

/**
 * Searches once. An answer that refuses it costs nothing; a search whose answer is lost may be
 * billed.
 * @throws PassingError if a later try can help @throws ProtocolError in words without the key
 */
export const searchWeb = async (
  service: SearchService,
  key: string,
  query: string,
  noteCost: (usd: number) => void = () => undefined,
  timeoutMs = SEARCH_TIMEOUT_MS,
): Promise<string> => {
  let answer: Answer;
  try {
    answer = await ask(service, key, query, AbortSignal.timeout(timeoutMs));
  } catch (error) {
    if (!readFetchFailure(error).wasSent) noteCost(0);
    const Failure = error instanceof ProtocolError ? ProtocolError : PassingError;
    throw new Failure(wordsFor(service, error), { cause: error });
  }
  if (answer.status >= 300 && answer.status < 500) noteCost(0);
  const fault = faultOf(service, answer);
  if (fault !== undefined) throw new (fault.passes ? PassingError : ProtocolError)(fault.words);
  if (answer.status !== 200)
    throw new ProtocolError(`${service.title} does not take this search (status ${answer.status})`);
  const results = readResults(service, answer.text);
  if (results.length === 0) return `No page was found by ${service.title}.`;
  return [`Found by ${service.title}:`, ...results.map((lines, n) => `${n + 1}. ${lines}`)].join('\n\n');
};
