/**
 * Opens a web page and gives its text. Act performs it, over the addresses that the gate `network`
 * judged a moment before. The text is a stranger's (I13), and the owner is asked first: the address
 * itself tells the other side something.
 */
import * as z from 'zod/mini';
import { quoted } from '../text/quoted.ts';
import { defineTool, loadParts } from './tool.ts';

/** Browsers and servers take no longer address everywhere. */
const URL_CHARS_MAX = 2_000;

export const fetchUrl = defineTool({
  name: 'fetch-url',
  description:
    'Open a public https address and read its text: HTML, plain text, Markdown, JSON or XML. The owner is asked first.',
  sentence: ({ url }) => `Open the page ${quoted(url)} and read it`,
  args: z.strictObject({ url: z.string().check(z.minLength(1), z.maxLength(URL_CHARS_MAX)) }),
  loadForm: async () => (await loadParts()).FETCH_FORM,
  tier: 'ask',
  effects: { opensUrl: 'url', connectsTo: 'url' },
  kind: 'read',
  outputOrigin: 'outside',
  run: async ({ url }, { addresses = [] }) => ({
    output: await (await loadParts()).fetchPage(url, addresses),
    origin: 'outside',
  }),
});
