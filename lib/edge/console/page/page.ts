/**
 * GET / → the console page: one self-contained document, made of the files beside this one (beside
 * the bundle, once it is built). The policy allows exactly this style and this script by their
 * hashes, so that text from outside never becomes code. The page may connect to its own server, and
 * to the control function if that has an address of its own.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../../base/limits.ts';
import { CONTROL_PATH, type HttpResponse, respondHtml } from '../../../http/function-url.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const buildPolicy = (connectTo: string, script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    `connect-src ${connectTo}`,
    // The icon is part of the page.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** @param controlOrigin an origin, so nothing that could end a directive of the policy */
export const answerPage = (controlOrigin = ''): HttpResponse => {
  const style = read('./page.css');
  const parts = ['./page-basics.js', './page-turns.js', './page-controls.js'].map(read);
  const script = `(() => {\n'use strict';\n${parts.join('\n')}\n})();`;
  const settings = {
    controlOrigin,
    controlPath: CONTROL_PATH.source,
    grantUses: GRANT_USES_DEFAULT,
    grantHours: GRANT_HOURS_DEFAULT,
  };
  const html = read('./page.html')
    .replace('content="settings"', () => `content="${escapeAttribute(JSON.stringify(settings))}"`)
    .replace(/<style>.*?<\/style>/s, () => `<style>${style}</style>`)
    .replace(/<script>.*?<\/script>/s, () => `<script>${script}</script>`);
  return respondHtml(html, buildPolicy(`'self' ${controlOrigin}`.trim(), script, style));
};
