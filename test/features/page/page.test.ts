/** The page's policy allows exactly its style and scripts, which are cached by their content. */
import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerPage, answerPart, answerScript, answerVerifier } from '../../../lib/features/page/page.ts';
import { readPart, startConsole } from '../../core/edge/console/console-server.ts';

const CONTROL = 'https://control.example';
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('answerPage', () => {
  const { body, headers } = answerPage(CONTROL, readPart);
  const [, address = '', name = '', integrity = ''] =
    /<script src="(\/page\/([0-9a-f]{12})\.js)" integrity="(.*?)" defer>/.exec(body) ?? [];
  const script = answerScript(name, readPart);
  const [scripts, styles] = [/<script>(.*?)<\/script>/gs, /<style>(.*?)<\/style>/gs].map((pattern) =>
    [...body.matchAll(pattern)].map(([, text = '']) => text),
  );

  it('allows its own style and script by their hashes, and nothing else', () => {
    expect(headers['content-security-policy']?.split('; ')).toStrictEqual([
      "default-src 'none'",
      `script-src ${[...(scripts ?? []), script.body].map(hashOf).join(' ')}`,
      `style-src ${styles?.map(hashOf).join(' ')}`,
      `connect-src 'self' ${CONTROL}`,
      'img-src data:',
      "manifest-src 'self'",
      "worker-src 'self'",
      'trusted-types verifier',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });

  it('holds the whole script and style, with the verifier beside it in at most 120 KB, compressed', () => {
    expect(script.body).toMatch(/^"use strict";\(\(\)=>\{.*\}\)\(\);\n$/s);
    expect(`'${integrity}'`).toBe(hashOf(script.body));
    expect(styles?.[0]).toContain('.decisions');
    expect(body).not.toContain('<!--');
    const verifier = answerVerifier(readPart);
    expect(verifier.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(verifier.headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'");
    expect(gzipSync(body + script.body).byteLength + gzipSync(verifier.body).byteLength).toBeLessThanOrEqual(
      120 * 1024,
    );
  });

  it('keeps the German words of the verifier apart, for this page alone', async () => {
    const german = await answerPart('german.json', readPart);
    expect(german.body).toContain('["the signature of the key {1} does not fit","die Unterschrift');
    expect(answerVerifier(readPart).body).not.toContain('Unterschrift');
    expect(german.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(Object.keys(german.headers).filter((name) => name.startsWith('access-control'))).toStrictEqual([]);
  });

  it('hands the server’s values to the script as one attribute', () => {
    const [, content = ''] = /<meta name="settings" content="([^"]*)">/.exec(body) ?? [];
    expect(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toStrictEqual({
      controlOrigin: CONTROL,
      controlPath: '^\\/api\\/(?:stop|resume|approvals\\/[^/]+)$',
      grantUses: 10,
      grantHours: 24,
    });
  });

  it('says that it loads in a document of at most 6 KB, which is asked for anew each time', () => {
    expect(body).toMatch(/<div id="app"><p id="loading" role="status">Passepartout is loading/);
    expect(brotliCompressSync(body).byteLength).toBeLessThanOrEqual(6 * 1024);
    expect(headers['cache-control']).toBe('no-cache');
    expect(answerPage(CONTROL, readPart, headers.etag)).toStrictEqual({ statusCode: 304, headers, body: '' });
    expect(answerPage('', readPart, headers.etag).statusCode).toBe(200);
  });

  it('keeps the script for good under the hash of its content', () => {
    expect(script.headers).toMatchObject({ 'cache-control': 'max-age=31536000, immutable' });
    expect(() => answerScript('0'.repeat(12), readPart)).toThrow('another release');
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['identity', undefined],
    [undefined, undefined],
  ])('is sent to a browser that takes %s as %s, and a short answer as it is', async (accepted, encoding) => {
    const world = await startConsole();
    try {
      const ask = (path: string) =>
        world.answer({
          ...{ rawPath: path, requestContext: { http: { method: 'GET' } } },
          headers: { 'accept-encoding': accepted, authorization: 'Bearer none' },
        });
      const got = await ask(address);
      expect(got.headers['content-encoding']).toBe(encoding);
      expect(got.headers.vary).toBe('accept-encoding');
      const bytes = Buffer.from(got.body, got.isBase64Encoded === true ? 'base64' : 'utf8');
      const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
      expect(plain.toString()).toBe(script.body);
      expect((await ask('/api/none')).headers).not.toHaveProperty('content-encoding');
    } finally {
      await world.stop();
    }
  });
});
