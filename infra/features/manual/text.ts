/** The manual's file beside bundles, made by a program of its own: it loads all that there is. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { once } from '../../../lib/core/base/once.ts';
import { MANUAL_FILE } from '../../../lib/features/manual/manual.ts';
import type { TextBeside } from '../../bundling.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = fileURLToPath(new URL('./print-manual.ts', import.meta.url));
/** Twenty times what it has. */
const BYTES_MAX = 8 * 1024 * 1024;

export const MANUAL_TEXT: TextBeside = {
  name: MANUAL_FILE,
  functions: ['act', 'perceive'],
  sources: () => ['README.md', ...globSync('infra/**/*.md', { cwd: ROOT })],
  make: once(() => execFileSync(process.execPath, [PROGRAM], { encoding: 'utf8', maxBuffer: BYTES_MAX })),
};
