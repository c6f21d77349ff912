import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_FILE, buildBuiltIn } from '../../infra/list-skills.ts';

describe('buildBuiltIn', () => {
  it('gives what the repository holds: run `npm run skills`', () => {
    expect(buildBuiltIn()).toBe(readFileSync(BUILT_IN_FILE, 'utf8'));
  });
});
