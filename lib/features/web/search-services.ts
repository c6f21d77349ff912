/**
 * The services that search the web, a row each: where a search goes and how, and where its results
 * are in the answer, as the makers' documents say it, November 2026 (test/foreign/search). The
 * tool, the set-up and `doctor` read this table. Pure.
 */
import type { JsonObject } from '../../core/base/json.ts';

/** Results of a search; each service has as many or more on a first page. */
export const RESULTS_MAX = 10;

export interface SearchService {
  /** For people. */
  readonly title: string;
  readonly url: string;
  /** Header of the key: the key alone, but behind `Bearer` in `authorization`. */
  readonly keyHeader: string;
  /** The fields are a JSON body, and else the query of the address. */
  readonly isPosted?: true;
  /** Field of the words. */
  readonly words: string;
  readonly fields: JsonObject;
  /** Path to the results in the answer. */
  readonly results: readonly string[];
  /** Field of a result with its snippet; `title` and `url` are the same with all. */
  readonly snippet: string;
  /** An answer that refuses the key, as status and body; 401 and 403 unless given. */
  readonly refusal?: RegExp;
}

const NAMED: Readonly<Record<string, SearchService>> = {
  brave: {
    title: 'Brave Search',
    url: 'https://api.search.brave.com/res/v1/web/search',
    keyHeader: 'x-subscription-token',
    words: 'q',
    fields: { count: `${RESULTS_MAX}`, result_filter: 'web', text_decorations: 'false' },
    results: ['web', 'results'],
    snippet: 'description',
    // A wrong request under a right key is 422 too.
    refusal: /^(?:40[13]|422.*(?:SUBSCRIPTION_TOKEN|x-subscription-token))/is,
  },
  tavily: {
    title: 'Tavily',
    url: 'https://api.tavily.com/search',
    keyHeader: 'authorization',
    isPosted: true,
    words: 'query',
    fields: { max_results: RESULTS_MAX, search_depth: 'basic' },
    results: ['results'],
    snippet: 'content',
  },
  kagi: {
    title: 'Kagi',
    url: 'https://kagi.com/api/v1/search',
    keyHeader: 'authorization',
    isPosted: true,
    words: 'query',
    fields: { workflow: 'search', limit: RESULTS_MAX },
    results: ['data', 'search'],
    snippet: 'snippet',
  },
};

/** A SearXNG is at an address of its owner's. */
const searxngAt = (address: string): SearchService | undefined => {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '')
    return undefined;
  return {
    title: `the SearXNG at ${address}`,
    url: new URL('search', url.href.replace(/\/*$/, '/')).href,
    keyHeader: 'authorization',
    words: 'q',
    fields: { format: 'json' },
    results: ['results'],
    snippet: 'content',
    // It answers 403 if it gives no JSON.
    refusal: /^401/,
  };
};

/** @param service as SEARCH has it @returns undefined for none that there is */
export const findService = (service: string): SearchService | undefined =>
  Object.hasOwn(NAMED, service) ? NAMED[service] : searxngAt(service);

export const SEARCH_PARSERS = {
  SEARCH: (text: string): string | SearchService =>
    findService(text) ?? `must be ${Object.keys(NAMED).join(', ')}, or the http or https address of a SearXNG`,
} as const;
