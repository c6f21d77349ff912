import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltFunction, buildCode } from '../../infra/build-function.ts';
import { FUNCTION_NAMES } from '../../infra/functions.ts';

const KB = 1024;

let folder = '';
const built = new Map<string, BuiltFunction>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-function-'));
  for (const name of FUNCTION_NAMES) built.set(name, buildCode(name, join(folder, name)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entryOf = (name: string): string => readFileSync(join(folder, name, 'index.mjs'), 'utf8');

describe('buildCode', () => {
  it.each(FUNCTION_NAMES)(
    'keeps the entry of %s in one byte a character: one other doubles what is read and parsed',
    (name) => {
      expect(entryOf(name).match(/[^\0-\xff]/u)?.[0]).toBeUndefined();
    },
  );

  it('gives each function an entry that exports its handler', () => {
    for (const name of FUNCTION_NAMES)
      expect(entryOf(name)).toMatch(/export\{[^}]*\bas handler\b[^}]*\}|export\{handler\b/);
  });

  it.each(['perceive', 'heartbeat'] as const)('starts %s without the gates and has them at hand', (name) => {
    const { startBytes = 0, allBytes = 0, inputs = [] } = built.get(name) ?? {};
    expect(inputs).toContain('lib/gates/gate-set.ts');
    expect(allBytes - startBytes).toBeGreaterThan(90 * KB);
  });

  it('starts every function but Reason with at most 400 KB, and Reason with at most 875', () => {
    const over = FUNCTION_NAMES.filter((name) => {
      const { startBytes = Number.POSITIVE_INFINITY } = built.get(name) ?? {};
      return startBytes > (name === 'reason' ? 875 : 400) * KB;
    });
    expect(over).toStrictEqual([]);
  });
});
