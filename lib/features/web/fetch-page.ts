/**
 * Fetches one page over addresses that were judged, and gives its text. Bounded in time, types, and
 * bytes, also those that come out of packed ones; follows redirects within the same place only,
 * three at most, each judged anew. Throws ProtocolError in fixed words: a page's own words are
 * never a reason.
 */
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { decodePage } from '../../core/base/decode-text.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { VERSION } from '../../core/base/version.ts';
import { outsideUrlProblem } from '../../core/gates/rules/network.ts';
import { buildOutgoingFetch, type OutgoingFetch } from '../../core/http/outgoing.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import type { ToolForm } from '../../core/tools/tool.ts';
import { fetchUrl } from './tools.ts';

/** An address with a fault stays as it is written, so that the gate sees the fault. */
const canonical = (written: string): string => {
  const url = outsideUrlProblem(written) === undefined ? URL.parse(written) : null;
  if (url === null) return written;
  url.hash = '';
  return url.href;
};

/** One spelling of the address before the first gate (I4), without `#`. */
export const FETCH_FORM: ToolForm = {
  complete: async (args) => (typeof args.url === 'string' ? { ...args, url: canonical(args.url) } : args),
  findProblems: async (args) => {
    const problems = argumentProblems(fetchUrl, args);
    if (problems.length > 0) return problems;
    return /^https:/i.test(String(args.url)) ? [] : ['url must be a whole address that begins with https://'];
  },
  describe: async ({ url }) => [
    `Opens the address: ${String(url)}`,
    'The other side learns this address. What it answers is outside text.',
  ],
};

/** One page: the largest articles have some hundred KB. */
export const PAGE_BYTES_MAX = 2 * 1024 * KIB;
/** A person waits for it. */
const PAGE_TIMEOUT_MS = 15 * SECOND_MS;
/** From `/docs` to `/docs/` and the like. */
const REDIRECTS_MAX = 3;

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT = /^(?:text\/(?:plain|markdown|xml|csv)|application\/(?:json|xml|[\w.-]+\+(?:json|xml)))$/;

const typeOf = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Some stores send a page packed as it lies there, though plain bytes are asked for. */
const UNPACKERS: Readonly<Record<string, (packed: Uint8Array, bounds: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

const unpack = (response: Response, bytes: Uint8Array): Uint8Array => {
  const packing = response.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (packing === '' || packing === 'identity') return bytes;
  const unpacker = Object.hasOwn(UNPACKERS, packing) ? UNPACKERS[packing] : undefined;
  if (unpacker === undefined) throw new ProtocolError('the page is packed in a way that is not read');
  try {
    return unpacker(bytes, { maxOutputLength: PAGE_BYTES_MAX });
  } catch (error) {
    const isBomb = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (isBomb) throw new ProtocolError(`the page is larger than ${PAGE_BYTES_MAX} bytes once it is unpacked`);
    throw new ProtocolError('the page is packed wrongly');
  }
};

/** By its header, or by the page itself. */
const decode = async (response: Response): Promise<string> => {
  const [, charset] = /charset="?([\w-]{1,40})/i.exec(response.headers.get('content-type') ?? '') ?? [];
  return decodePage(unpack(response, new Uint8Array(await response.arrayBuffer())), charset).text;
};

interface PageResponse {
  readonly url: string;
  readonly response: Response;
}

/** @returns the page, or the address elsewhere that it is said to be at */
const open = async (
  fetch: OutgoingFetch,
  first: string,
  init: RequestInit,
): Promise<PageResponse | { readonly elsewhere: string }> => {
  let url = new URL(first);
  for (let count = 0; count <= REDIRECTS_MAX; count += 1) {
    const response = await fetch(url.href, init);
    if (response.status < 300 || response.status >= 400) return { url: url.href, response };
    const next = URL.parse(response.headers.get('location') ?? '', url.href);
    if (next === null) throw new ProtocolError('the page answered with a redirect to nowhere');
    if (next.origin !== url.origin) return { elsewhere: next.href };
    // A user name in it would be sent.
    if (outsideUrlProblem(next.href) !== undefined)
      throw new ProtocolError('the page answered with a redirect that is not followed');
    url = next;
  }
  throw new ProtocolError(`the page answered with more than ${REDIRECTS_MAX} redirects`);
};

const readText = async (response: Response): Promise<string> => {
  const type = typeOf(response);
  if (response.status !== 200) throw new ProtocolError(`the page answered with status ${response.status}`);
  const isHtml = HTML.test(type);
  if (!isHtml && !TEXT.test(type)) throw new ProtocolError('the page is of a type that is not read as text');
  const text = await decode(response);
  return (isHtml ? (await import('../../core/base/html-text.ts')).htmlText(text) : text).toWellFormed();
};

/** Messages of sockets and TLS name hosts and certificates, so only their codes are told. */
const wordsFor = (error: unknown, signal: AbortSignal): string => {
  if (error instanceof ProtocolError) return error.problem;
  if (signal.aborted) return 'the page took too long';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `the page could not be opened${/^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : ''}`;
};

/** @param addresses literal IP addresses that the gate judged: no others are connected to */
export const fetchPage = async (
  url: string,
  addresses: readonly string[],
  timeoutMs = PAGE_TIMEOUT_MS,
): Promise<string> => {
  if (addresses.length === 0) throw new ProtocolError('the host of the page has no address');
  const bounds = { peer: 'the page', bytesMax: PAGE_BYTES_MAX, addresses, areRedirectsGiven: true };
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = {
    accept: 'text/html, text/*;q=0.9, application/json;q=0.8, */*;q=0.1',
    'user-agent': `passepartout/${VERSION}`,
  };
  try {
    const found = await open(buildOutgoingFetch(bounds), url, { headers, signal });
    if ('elsewhere' in found)
      return `The page is said to be at another address, which was not opened: ${found.elsewhere}`;
    return `${found.url}\n\n${await readText(found.response)}`;
  } catch (error) {
    throw new ProtocolError(wordsFor(error, signal), { cause: error });
  }
};
