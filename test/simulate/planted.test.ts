import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { applyPatch, type Patch } from './bundle.ts';
import { PLANTED, PLANTED_NEWS } from './planted.ts';
import { PROBES } from './sometimes.ts';
import { PLANTED_JOBS } from './year/planted-jobs.ts';

/** Patches the files of the product, in order. @throws if a patch does not fit exactly once */
const applyAll = (patches: readonly Patch[]): number => {
  const files = new Map<string, string>();
  for (const patch of patches)
    files.set(patch.file, applyPatch(files.get(patch.file) ?? readFileSync(join(ROOT, patch.file), 'utf8'), patch));
  return files.size;
};

describe('PLANTED', () => {
  it.each([...PLANTED, ...PLANTED_NEWS, ...PLANTED_JOBS])('fits the code: $name', ({ patches }) => {
    expect(applyAll(patches)).toBeGreaterThan(0);
  });

  it('names each bug once', () => {
    expect(new Set(PLANTED.map(({ name }) => name)).size).toBe(PLANTED.length);
  });
});

describe('PROBES', () => {
  it.each(PROBES)('fits the code: $find', (patch) => {
    expect(applyAll([patch])).toBe(1);
  });
});
