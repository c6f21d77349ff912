/**
 * Files that hold secrets are neither read nor written, however their path is spelled. A path is
 * performed as it was judged: in its canonical form.
 * - stops: private keys, `.env`, credentials, `/etc/shadow`, browser profiles, the data directory;
 *   paths without a canonical form
 * - changes: `./a/../b`, `%2e`, full-width letters, backslashes, `file:` URLs
 * - lets through: `.env.example`, `*.pub`, `tokenizer.ts`, every ordinary path
 */

import type { JsonObject } from '../../base/json.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { findSecretPath } from '../../text/find-secret-path.ts';
import { canonicalPath } from '../../text/path-canonical.ts';
import { effectsOf } from './tool-effects.ts';

/** Arguments that hold a path in any tool, besides those a tool declares. */
const PATH_FIELDS = [
  'path',
  'file',
  'filepath',
  'file-path',
  'filePath',
  'file_path',
  'filename',
  'directory',
] as const;

interface Judged {
  readonly problem?: string;
  readonly args: JsonObject;
  readonly isChanged: boolean;
}

const judgeArgs = (args: JsonObject, fields: ReadonlySet<string>): Judged => {
  let changed: JsonObject | undefined;
  for (const field of fields) {
    const value = Object.hasOwn(args, field) ? args[field] : undefined;
    if (typeof value !== 'string') continue;
    const canonical = canonicalPath(value);
    if (canonical === undefined) return { problem: `${field} has no canonical form`, args, isChanged: false };
    const place = findSecretPath(canonical);
    if (place !== undefined) return { problem: `${field} leads to ${place}`, args, isChanged: false };
    if (canonical !== value) changed = { ...(changed ?? args), [field]: canonical };
  }
  return { args: changed ?? args, isChanged: changed !== undefined };
};

export const checkSecretPaths = (action: Action, facts: Facts): Verdict => {
  if (action.target !== 'tool' || action.args === undefined) return PASS;
  const { readsFiles = [], writesFiles = [] } = effectsOf(action, facts);
  const fields = new Set([...PATH_FIELDS, ...readsFiles, ...writesFiles]);
  const { problem, args, isChanged } = judgeArgs(action.args, fields);
  if (problem !== undefined) return { verdict: 'block', reason: problem };
  if (!isChanged) return PASS;
  return { verdict: 'modify', reason: 'the path is given in its canonical form', action: { ...action, args } };
};
