/**
 * GET / → the console page: one self-contained document. Nothing is loaded from anywhere else, and
 * the policy allows exactly this style and this script by their hashes, so that text from outside
 * can never become code. It may connect to its own server, and to the control function if that has
 * an address of its own. Pure.
 */
import { createHash } from 'node:crypto';
import { type HttpResponse, respondHtml } from '../../function-url.ts';
import { MARKUP } from './markup.ts';
import { SCRIPT_API } from './script-api.ts';
import { SCRIPT_APPROVALS } from './script-approvals.ts';
import { SCRIPT_CONTROLS } from './script-controls.ts';
import { SCRIPT_DECISIONS } from './script-decisions.ts';
import { SCRIPT_DOM } from './script-dom.ts';
import { SCRIPT_HEALTH } from './script-health.ts';
import { SCRIPT_MAIN } from './script-main.ts';
import { SCRIPT_STREAM } from './script-stream.ts';
import { SCRIPT_TALK } from './script-talk.ts';
import { SCRIPT_TRACE } from './script-trace.ts';
import { STYLE } from './style.ts';

const PARTS = [
  SCRIPT_DOM,
  SCRIPT_API,
  SCRIPT_HEALTH,
  SCRIPT_TRACE,
  SCRIPT_DECISIONS,
  SCRIPT_STREAM,
  SCRIPT_TALK,
  SCRIPT_APPROVALS,
  SCRIPT_CONTROLS,
  SCRIPT_MAIN,
];

/** The page's script: its parts in one scope of their own. */
export const PAGE_SCRIPT = `(() => {\n'use strict';\n${PARTS.join('\n')}\n})();`;

const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const buildPolicy = (connectTo: string): string =>
  [
    "default-src 'none'",
    `script-src ${sourceHash(PAGE_SCRIPT)}`,
    `style-src ${sourceHash(STYLE)}`,
    `connect-src ${connectTo}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const buildPage = (controlOrigin: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="control" content="${controlOrigin}">
<title>Passepartout</title>
<style>${STYLE}</style>
</head>
<body>
${MARKUP}
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;

/** @param controlOrigin an origin, so nothing that could end an attribute or a directive */
export const answerPage = (controlOrigin = ''): HttpResponse =>
  respondHtml(buildPage(controlOrigin), buildPolicy(`'self' ${controlOrigin}`.trim()));
