/**
 * The tools of the web. Act performs them: it opens a page over the addresses that the gate
 * `network` judged a moment before, and asks the search service that the owner configured. What
 * comes back is a stranger's (I13), and the owner is asked first: an address and words tell the
 * other side something.
 */
import * as z from 'zod/mini';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, loadFeatureParts, powerOf } from '../../core/tools/tool.ts';

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    /** @throws ProtocolError */
    readonly search?: (service: string, query: string, noteCost?: (usd: number) => void) => Promise<string>;
  }
}

/** Browsers and servers take no longer address everywhere. */
const URL_CHARS_MAX = 2_000;
/** Brave takes no longer one. */
const QUERY_CHARS_MAX = 400;

const textOf = (charsMax: number) => z.string().check(z.minLength(1), z.maxLength(charsMax));

const OF_THE_WEB = { tier: 'ask', kind: 'read', outputOrigin: 'outside' } as const;

export const fetchUrl = defineTool({
  name: 'fetch-url',
  ...OF_THE_WEB,
  description: 'Read a public https page. The owner is asked first.',
  sentence: ({ url }) => `Open the page ${quoted(url)} and read it`,
  args: z.strictObject({ url: textOf(URL_CHARS_MAX) }),
  loadForm: async () => (await loadFeatureParts()).FETCH_FORM,
  effects: { opensUrl: 'url', connectsTo: 'url' },
  run: async ({ url }, { addresses = [] }) => ({
    output: await (await loadFeatureParts()).fetchPage(url, addresses),
    origin: 'outside',
  }),
});

const query = textOf(QUERY_CHARS_MAX);

export const searchTool = defineTool({
  name: 'search-web',
  ...OF_THE_WEB,
  description: 'Search the web. The owner is asked first.',
  sentence: ({ query: words, service }) => `Ask ${service} for ${quoted(words)}`,
  draft: z.looseObject({ query }),
  args: z.strictObject({ query, service: textOf(URL_CHARS_MAX) }),
  loadForm: async () => (await loadFeatureParts()).SEARCH_FORM,
  effects: { asksService: 'query' },
  run: async ({ query: words, service }, { powers, noteCost }) => ({
    output: await powerOf(powers, 'search')(service, words, noteCost),
    origin: 'outside',
  }),
});

export const WEB_TOOLS = [fetchUrl, searchTool] as const;
