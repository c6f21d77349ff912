/**
 * GET / → the console page: a small document with its style and a line that says that it loads. It
 * is asked for anew each time; GET /page/<hash>.js, its script, is cached for good by its content.
 * The policy allows exactly this style and these scripts by their hashes, so that text from outside
 * never becomes code, and connects to this server and the control function alone. GET /verifier.js
 * → the worker that verifies evidence, and GET /page/german.json → its words in German. GET
 * /manifest/<hash> → the manifest.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../core/base/limits.ts';
import type { ReadPart } from '../../core/edge/console/router.ts';
import {
  CONTROL_PATH,
  HttpError,
  type HttpResponse,
  respondHtml,
  respondJson,
  respondJsonText,
  respondScript,
} from '../../core/http/function-url.ts';

const readBeside: ReadPart = (name) => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');

const integrityOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const allow = (texts: readonly string[]): string => texts.map((text) => `'${integrityOf(text)}'`).join(' ');

const buildPolicy = (connectTo: string, scripts: readonly string[], style: string): string =>
  [
    "default-src 'none'",
    `script-src ${allow(scripts)}`,
    `style-src ${allow([style])}`,
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

const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);

/** The address has the hash of the content. */
const FOR_GOOD = { 'cache-control': 'max-age=31536000, immutable' } as const;

/** It lets a browser install the page as an app, with the page's own icon. */
const buildManifest = (html: string): { readonly text: string; readonly hash: string } => {
  const [, icon = ''] = /<link rel="icon" href="([^"]*)">/.exec(html) ?? [];
  const text = JSON.stringify({
    ...{ name: 'Passepartout', id: '/', start_url: '/', scope: '/', display: 'standalone' },
    background_color: '#f5f4f0',
    icons: [{ src: icon, sizes: 'any', type: 'image/svg+xml' }],
  });
  return { text, hash: nameOf(text) };
};

/** GET /manifest/<hash> → the manifest of this release's page. @throws HttpError 404 for another */
export const answerManifest = (asked: string, read = readBeside): HttpResponse => {
  const { text, hash } = buildManifest(read('page.html'));
  if (asked !== hash) throw new HttpError(404, 'not-found', 'there is no such manifest');
  return respondJsonText(text, 200, { 'content-type': 'application/manifest+json', ...FOR_GOOD });
};

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** It has a policy of its own: it asks this server, and nothing else. */
export const answerVerifier = (read = readBeside): HttpResponse =>
  respondScript(read('verifier.js'), "default-src 'none'; connect-src 'self'");

/** GET /page/german.json → the lists of its sentences: the speaker is in the worker. */
const answerGerman = async (): Promise<HttpResponse> => {
  const { EVIDENCE_FAULTS, EVIDENCE_PARTS } = await import('../../core/language/evidence-german.ts');
  return respondJson(200, { sentences: EVIDENCE_FAULTS, parts: EVIDENCE_PARTS });
};

/** GET /page/<hash>.js → the script of this release's page. @throws HttpError 404 for another */
export const answerScript = (asked: string, read = readBeside): HttpResponse => {
  const script = read('page.js');
  if (asked !== nameOf(script)) throw new HttpError(404, 'not-found', 'this is the script of another release');
  return respondScript(script, "default-src 'none'", FOR_GOOD);
};

/** GET /page/<name> → one of these two. @throws HttpError 404 for another */
export const answerPart = async (name: string, read = readBeside): Promise<HttpResponse> =>
  name === 'german.json' ? answerGerman() : answerScript(/^([0-9a-f]{12})\.js$/.exec(name)?.[1] ?? '', read);

/**
 * The inline script loads the page again if its script is not there, as in a change of releases.
 * @param controlOrigin an origin, so nothing that could end a directive of the policy
 * @param known `if-none-match` of the request: 304 if it is this document
 */
export const answerPage = (controlOrigin = '', read = readBeside, known = ''): HttpResponse => {
  const style = read('page.css');
  const script = read('page.js');
  const settings = {
    controlOrigin,
    controlPath: CONTROL_PATH.source,
    grantUses: GRANT_USES_DEFAULT,
    grantHours: GRANT_HOURS_DEFAULT,
  };
  const source = read('page.html');
  const [, reload = ''] = /<script>(.*?)<\/script>/s.exec(source) ?? [];
  const html = source
    .replace('href="manifest"', `href="/manifest/${buildManifest(source).hash}"`)
    .replace('content="settings"', () => `content="${escapeAttribute(JSON.stringify(settings))}"`)
    .replace('src="script" integrity="hash"', `src="/page/${nameOf(script)}.js" integrity="${integrityOf(script)}"`)
    .replace(/<style>.*?<\/style>/s, () => `<style>${style}</style>`);
  const response = respondHtml(html, buildPolicy(`'self' ${controlOrigin}`.trim(), [reload, script], style));
  // Weak, because a compressed body has other bytes.
  const etag = `W/"${nameOf(html)}"`;
  const headers = { ...response.headers, 'cache-control': 'no-cache', etag };
  return known === etag ? { statusCode: 304, headers, body: '' } : { ...response, headers };
};
