/**
 * GET / → the console page: one self-contained document, made of the parts beside the bundle
 * (`infra/bundling.ts` makes the script of the modules beside this file). The policy allows exactly
 * this style and this script by their hashes, so that text from outside never becomes code. The
 * page may connect to its own server, and to the control function if that has an address of its
 * own. GET /verifier.js → the worker that verifies evidence. GET /manifest/<hash> → the manifest.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../../base/limits.ts';
import {
  CONTROL_PATH,
  HttpError,
  type HttpResponse,
  respondHtml,
  respondJsonText,
  respondScript,
} from '../../../http/function-url.ts';

/** Gives a part of the page by its name. */
export type ReadPart = (name: 'page.html' | 'page.css' | 'page.js' | 'verifier.js') => string;

const readBeside: ReadPart = (name) => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');

const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const buildPolicy = (connectTo: string, script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    `connect-src ${connectTo}`,
    // The icon is part of the page, and of the manifest.
    'img-src data:',
    "manifest-src 'self'",
    // The verifier, by the one policy that may name a script.
    "worker-src 'self'",
    'trusted-types verifier',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const HASH_CHARS = 12;

/** It lets a browser install the page as an app, with the page's own icon. */
const buildManifest = (html: string): { readonly text: string; readonly hash: string } => {
  const [, icon = ''] = /<link rel="icon" href="([^"]*)">/.exec(html) ?? [];
  const text = JSON.stringify({
    ...{ name: 'Passepartout', id: '/', start_url: '/', scope: '/', display: 'standalone' },
    background_color: '#f5f4f0',
    icons: [{ src: icon, sizes: 'any', type: 'image/svg+xml' }],
  });
  return { text, hash: createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS) };
};

/** GET /manifest/<hash> → the manifest of this release's page. @throws HttpError 404 for another */
export const answerManifest = (asked: string, read = readBeside): HttpResponse => {
  const { text, hash } = buildManifest(read('page.html'));
  if (asked !== hash) throw new HttpError(404, 'not-found', 'there is no such manifest');
  const headers = { 'content-type': 'application/manifest+json', 'cache-control': 'max-age=31536000, immutable' };
  return respondJsonText(text, 200, headers);
};

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** It has a policy of its own: it asks this server, and nothing else. */
export const answerVerifier = (read = readBeside): HttpResponse =>
  respondScript(read('verifier.js'), "default-src 'none'; connect-src 'self'");

/** @param controlOrigin an origin, so nothing that could end a directive of the policy */
export const answerPage = (controlOrigin = '', read = readBeside): HttpResponse => {
  const style = read('page.css');
  const script = read('page.js');
  const settings = {
    controlOrigin,
    controlPath: CONTROL_PATH.source,
    grantUses: GRANT_USES_DEFAULT,
    grantHours: GRANT_HOURS_DEFAULT,
  };
  const source = read('page.html');
  const html = source
    .replace('href="manifest"', `href="/manifest/${buildManifest(source).hash}"`)
    .replace('content="settings"', () => `content="${escapeAttribute(JSON.stringify(settings))}"`)
    .replace(/<style>.*?<\/style>/s, () => `<style>${style}</style>`)
    .replace(/<script>.*?<\/script>/s, () => `<script>${script}</script>`);
  return respondHtml(html, buildPolicy(`'self' ${controlOrigin}`.trim(), script, style));
};
