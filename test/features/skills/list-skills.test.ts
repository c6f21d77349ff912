import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildBuiltIn } from '../../../infra/features/skills/list-skills.ts';

describe('buildBuiltIn', () => {
  it('gives what the repository holds: run `npm run skills`', () => {
    const written = buildBuiltIn();
    const held = Object.keys(written).map((path) => [path, readFileSync(path, 'utf8')]);
    expect(Object.fromEntries(held)).toStrictEqual(written);
  });
});
