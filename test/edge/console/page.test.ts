/**
 * The page is one document: its policy allows exactly the style and the script that stand in it.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerPage, answerVerifier } from '../../../lib/edge/console/page/page.ts';
import { readPart } from './console-server.ts';

const CONTROL = 'https://control.example';
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('answerPage', () => {
  const { body, headers } = answerPage(CONTROL, readPart);
  const [scripts, styles] = [/<script>(.*?)<\/script>/gs, /<style>(.*?)<\/style>/gs].map((pattern) =>
    [...body.matchAll(pattern)].map(([, text = '']) => text),
  );

  it('allows its own style and script by their hashes, and nothing else', () => {
    expect(headers['content-security-policy']?.split('; ')).toStrictEqual([
      "default-src 'none'",
      `script-src ${scripts?.map(hashOf).join(' ')}`,
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
    expect(scripts?.[0]).toMatch(/^"use strict";\(\(\)=>\{.*\}\)\(\);\n$/s);
    expect(styles?.[0]).toContain('.decisions');
    expect(body).not.toContain('<!--');
    const verifier = answerVerifier(readPart);
    expect(verifier.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(verifier.headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'");
    expect(gzipSync(body).byteLength + gzipSync(verifier.body).byteLength).toBeLessThanOrEqual(120 * 1024);
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
});
