/**
 * One HTTP request to the Bot API, taken apart: bot token, method (any case) and parameters from
 * query, JSON or form.
 */
import type { IncomingMessage } from 'node:http';

export type Params = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  readonly token: string;
  readonly method: string;
  readonly params: Params;
}

/** Far above anything a test sends, and an end for what should not be sent. */
const REQUEST_BYTES_MAX = 1024 * 1024;

const readBytes = async (request: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.byteLength;
    if (bytes > REQUEST_BYTES_MAX) throw new Error('Request Entity Too Large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

export const readBody = async (request: AsyncIterable<Uint8Array>): Promise<string> =>
  (await readBytes(request)).toString('utf8');

/** A file of a form: its name, type and content as text. */
const readForm = async (contentType: string, body: Uint8Array<ArrayBuffer>): Promise<Params> => {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  const fields = [...form].map(async ([key, value]) => [
    key,
    typeof value === 'string' ? value : { file_name: value.name, mime_type: value.type, text: await value.text() },
  ]);
  return Object.fromEntries(await Promise.all(fields)) as Params;
};

const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseBody = (contentType: string, body: string): Params => {
  if (body === '') return {};
  if (contentType.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  const value: unknown = JSON.parse(body);
  return isObject(value) ? value : {};
};

/** Undefined where the path is not `/bot<token>/<method>`. */
export const parseApiRequest = async (request: IncomingMessage): Promise<ApiRequest | undefined> => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const body = await readBytes(request);
  const match = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(url.pathname);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const type = request.headers['content-type'] ?? 'application/json';
  const params = type.startsWith('multipart/form-data')
    ? await readForm(type, body)
    : parseBody(type, body.toString('utf8'));
  return {
    token: decodeURIComponent(match[1]),
    method: match[2],
    params: { ...Object.fromEntries(url.searchParams), ...params },
  };
};

export const textParam = (params: Params, name: string): string => {
  const value = params[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};

/** Out-of-range numbers are moved into the range, as on Telegram. */
export const numberParam = (params: Params, name: string, fallback: number, min: number, max: number): number => {
  const value = Number.parseInt(textParam(params, name), 10);
  return Math.min(max, Math.max(min, Number.isNaN(value) ? fallback : value));
};

/** Structured parameters may come as JSON text, as in forms. Undefined where absent or not JSON. */
export const jsonParam = (params: Params, name: string): unknown => {
  const value = params[name];
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

export const objectParam = (params: Params, name: string): Params | undefined => {
  const value = jsonParam(params, name);
  return isObject(value) ? value : undefined;
};
