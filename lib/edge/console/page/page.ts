/**
 * GET / → the console page: one self-contained document, made of the parts beside the bundle
 * (`infra/bundling.ts` makes the script of the modules beside this file). The policy allows exactly
 * this style and this script by their hashes, so that text from outside never becomes code. The
 * page may connect to its own server, and to the control function if that has an address of its
 * own. GET /verifier.js → the worker that verifies evidence.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../../base/limits.ts';
import { CONTROL_PATH, type HttpResponse, respondHtml, respondScript } from '../../../http/function-url.ts';

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
    // The icon is part of the page.
    'img-src data:',
    // The verifier, by the one policy that may name a script.
    "worker-src 'self'",
    'trusted-types verifier',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

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
  const html = read('page.html')
    .replace('content="settings"', () => `content="${escapeAttribute(JSON.stringify(settings))}"`)
    .replace(/<style>.*?<\/style>/s, () => `<style>${style}</style>`)
    .replace(/<script>.*?<\/script>/s, () => `<script>${script}</script>`);
  return respondHtml(html, buildPolicy(`'self' ${controlOrigin}`.trim(), script, style));
};
