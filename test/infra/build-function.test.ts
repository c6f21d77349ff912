import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltFunction, buildCode } from '../../infra/build-function.ts';
import { ROOT } from '../../infra/bundling.ts';
import { FUNCTION_NAMES } from '../../infra/functions.ts';

const KB = 1024;

let folder = '';
const built = new Map<string, BuiltFunction>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-function-'));
  for (const name of FUNCTION_NAMES) built.set(name, await buildCode(name, join(folder, name)));
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

  it.each(FUNCTION_NAMES)('starts %s from one file', (name) => {
    expect(entryOf(name)).not.toMatch(/(?:from|import)\s*"\.\.?\//);
  });

  it('links every chunk for later with the start it shares its modules with', () => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const later = FUNCTION_NAMES.flatMap((name) =>
      readdirSync(join(folder, name))
        .filter((file) => file.endsWith('.mjs') && file !== 'index.mjs')
        .map((file) => join(folder, name, file)),
    );
    expect(later.length).toBeGreaterThan(40);
    const variables = ['PERCEIVE', 'REASON', 'ACT', 'LOG'].map((name) => [
      `${name}_QUEUE_URL`,
      'http://127.0.0.1:9/0/q',
    ]);
    const env = {
      ...{ SPACE: 'default', TABLE_NAME: 'table', AWS_REGION: 'us-east-1', QUEUE_URL: 'http://127.0.0.1:9/0/q' },
      ...{ DLQ_URL: 'http://127.0.0.1:9/0/q', ...Object.fromEntries(variables) },
    };
    const program = `for (const file of ${JSON.stringify(later)}) await import(file); console.log('linked'); process.exit(0);`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' });
    expect(said).toBe('linked\n');
  });

  it('starts every function but Reason with at most 400 KB, and Reason with at most 620', () => {
    const over = FUNCTION_NAMES.filter((name) => {
      const { startBytes = Number.POSITIVE_INFINITY } = built.get(name) ?? {};
      return startBytes > (name === 'reason' ? 620 : 400) * KB;
    });
    expect(over).toStrictEqual([]);
  });
});
