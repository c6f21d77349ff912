/**
 * A step of `npm version`: writes `lib/core/base/version.ts`, because a bundle has no package.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'lib/core/base/version.ts');

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
writeFileSync(FILE, readFileSync(FILE, 'utf8').replace(/'[^']*'/, `'${version}'`));
