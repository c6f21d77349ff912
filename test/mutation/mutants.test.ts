import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { applyMutant, findMutants, type Mutant, noteMutants } from './mutants.ts';

const changesOf = (source: string, kind: Mutant['kind']): readonly string[] =>
  findMutants('lib/a.ts', source)
    .filter((mutant) => mutant.kind === kind)
    .map((mutant) => applyMutant(source, mutant));

describe('findMutants', () => {
  it.each<[Mutant['kind'], string, readonly string[]]>([
    ['condition', 'if (a && b) c();', ['if (!(a && b)) c();', 'if ((a)) c();', 'if ((b)) c();']],
    ['condition', 'x(allOf(a, b));', ['x(allOf(b));', 'x(allOf(a));']],
    ['condition', 'table.update(key, change, isOurs);', ['table.update(key, change);']],
    ['bound', 'const isOver = a < b;', ['const isOver = a <= b;']],
    ['bound', 'const WAIT_MS = 500;', ['const WAIT_MS = 5000;']],
    ['bound', "const text = a + 'b';", []],
    ['state', "set({ state: 'done' });", ["set({ state: 'failed' });"]],
    ['state', "const State = z.enum(['done', 'failed']);", []],
    ['state', "type State = 'done' | 'failed';", []],
    ['await', 'const f = async () => { await a(); return 1; };', ['const f = async () => { a(); return 1; };']],
    [
      'order',
      'const f = async () => { await a(); const b = await c(); };',
      ['const f = async () => { const b = await c(); await a(); };'],
    ],
    ['order', 'const f = async () => { const b = await c(); await a(b); };', []],
    ['order', 'const f = async () => { await a(); return await b(); };', []],
    ['field', 'f(() => a ?? b);', ['f(() => (a));', 'f(() => (b));']],
    [
      'field',
      'f(() => ({ a, b: c.d }));',
      ['f(() => ({ b: c.d }));', 'f(() => ({ a }));', 'f(() => ({ a: c.d, b: a }));'],
    ],
  ])('changes each %s: %s', (kind, source, changed) => {
    expect(changesOf(source, kind)).toStrictEqual(changed);
  });
});

describe('noteMutants', () => {
  const source = 'export const isOver = (a: number, b: number): boolean => a < b && b !== 7;\n';
  const mutants = findMutants('lib/a.ts', source).map((mutant, n) => [n, mutant] as const);
  const load = async (): Promise<{ readonly isOver: (a: number, b: number) => boolean }> =>
    import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(noteMutants(source, mutants)))}`);

  it('behaves as before, and notes the changes that would give another value', async () => {
    const noted = new Set<number>();
    Object.assign(globalThis, { noteMutant: (n: number) => noted.add(n) });
    const { isOver } = await load();
    expect([isOver(1, 2), isOver(2, 1)]).toStrictEqual([true, false]);
    const kinds = [...noted].map((n) => mutants[n]?.[1].put);
    // `a <= b` gives the same for both pairs.
    expect(kinds.toSorted()).toStrictEqual(['(b !== 7)', '8', 'b === 7'].toSorted());
    Reflect.deleteProperty(globalThis, 'noteMutant');
  });

  it('behaves as the change that is in force', async () => {
    const n = mutants.findIndex(([, { put }]) => put === 'a <= b');
    const { isOver } = await load();
    Object.assign(globalThis, { activeMutant: n });
    expect(isOver(2, 2)).toBe(true);
    Reflect.deleteProperty(globalThis, 'activeMutant');
    expect(isOver(2, 2)).toBe(false);
  });
});
