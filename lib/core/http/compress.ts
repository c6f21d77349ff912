/**
 * Compresses an answer as its reader takes it: `br`, else `gzip`, else not at all. A function URL
 * carries bytes as base64. No cookie opens an answer, so no other page can make a browser ask and
 * measure how long it gets.
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { HttpResponse } from './function-url.ts';

/** A shorter body is not worth it. */
const COMPRESSED_CHARS_MIN = 1024;
/** Near the best size at a tenth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const ENCODERS = {
  br: (body: string) => brotliCompressSync(body, BROTLI),
  gzip: (body: string) => gzipSync(body),
} as const;

/** @param accepted the request's `accept-encoding` */
export const compress = (response: HttpResponse, accepted = ''): HttpResponse => {
  if (response.isBase64Encoded === true || response.body.length < COMPRESSED_CHARS_MIN) return response;
  const names = accepted
    .split(',')
    .flatMap((one) => (/;\s*q=0(?:\.0*)?\s*$/.test(one) ? [] : one.split(';')[0]?.trim()));
  const headers = { ...response.headers, vary: 'accept-encoding' };
  const encoding = (['br', 'gzip'] as const).find((one) => names.includes(one));
  if (encoding === undefined) return { ...response, headers };
  return {
    ...response,
    headers: { ...headers, 'content-encoding': encoding },
    body: ENCODERS[encoding](response.body).toString('base64'),
    isBase64Encoded: true,
  };
};
