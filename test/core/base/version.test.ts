import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { VERSION } from '../../../lib/core/base/version.ts';

describe('VERSION', () => {
  it.each(['package.json', 'package-lock.json'])('is that of %s', (file) => {
    expect(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))).toMatchObject({ version: VERSION });
  });
});
