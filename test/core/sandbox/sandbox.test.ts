import { beforeAll, describe, expect, it } from 'vitest';
import { evaluateCondition } from '../../../lib/core/sandbox/evaluate-condition.ts';
import { describeProblem, loadSandbox, type Sandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { fc } from '../../support/fast-check.ts';
import { HOSTILE } from './hostile-corpus.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await loadSandbox();
});

const run = (body: string, ...input: unknown[]) =>
  sandbox.run({ code: `function gate(action, facts) { ${body}\n}`, call: 'gate', input, timeoutMs: 2_000 });

describe('loadSandbox', () => {
  it.each<[string, unknown]>([
    ['return action.args.amount > 100 ? "much" : "little"', 'much'],
    ['return { list: [1, 2.5, null, "é😀"], is: facts.now === 7 }', { list: [1, 2.5, null, 'é😀'], is: true }],
    ['return Object.keys(action).sort().map((key) => key.toUpperCase())', ['ARGS', 'TOOL']],
    ['const seen = new Map([[1, 2]]); return [...seen].flat()', [1, 2]],
    ['return /^b(.)n/.exec("banana")[1]', 'a'],
    ['return JSON.parse(JSON.stringify({ a: 1n ? 2 : 3 }))', { a: 2 }],
    ['return [3, 1, 2].toSorted((a, b) => a - b)', [1, 2, 3]],
  ])('runs %s', (body, value) => {
    expect(run(body, { tool: 'pay', args: { amount: 200 } }, { now: 7 })).toStrictEqual({ kind: 'value', value });
  });

  it.each([
    ['const gate = () => 1;', { kind: 'value', value: 1 }],
    ['let a = 1; function gate() { return a + 1; }', { kind: 'value', value: 2 }],
    ['const rule = () => 1;', { kind: 'problem', why: 'missing' }],
    ['const gate = 5;', { kind: 'problem', why: 'missing' }],
    ['', { kind: 'problem', why: 'missing' }],
    ['\n\nfunction gate( {', { kind: 'problem', why: 'syntax', line: 3 }],
    ['import fs from "fs"; function gate() {}', { kind: 'problem', why: 'syntax', line: 1 }],
    ['export function gate() {}', { kind: 'problem', why: 'syntax', line: 1 }],
  ])('reads the file %j', (code, expected) => {
    expect(sandbox.run({ code, call: 'gate', input: [] })).toMatchObject(expected);
  });

  it.each(HOSTILE)('contains code that $name', ({ body, expected }) => {
    const [first, second] = [run(body, { tool: 'pay' }, { now: 7 }), run(body, { tool: 'pay' }, { now: 7 })];
    expect(first).toMatchObject(expected);
    if (first.kind === 'problem') expect(describeProblem(first)).toMatch(/^[a-z]+ [^\n]{5,70}$/);
    // The same again, and nothing is left of it.
    expect(second).toStrictEqual(first);
    expect(run('return [typeof left, [].left, ({}).left, Object.isFrozen(Array.prototype)]')).toStrictEqual({
      kind: 'value',
      value: ['undefined', null, null, false],
    });
  });

  it('takes the same number of steps on every machine', () => {
    const stepsOf = (body: string): number => {
      for (let stepsMax = 0; stepsMax < 99; stepsMax += 1)
        if (sandbox.run({ code: `function gate() { ${body} }`, call: 'gate', input: [], stepsMax }).kind === 'value')
          return stepsMax;
      return 99;
    };
    const steps = [
      'return 1',
      'for (let i = 0; i < 5e4; i += 1); return 1',
      'return /(a+)+b/.test("a".repeat(12))',
      'return Array.from({ length: 3e4 }, (_, n) => Math.sin(n)).length',
    ].map(stepsOf);
    expect(steps).toStrictEqual([1, 11, 2, 7]);
  });

  it('keeps to the bounds it is given', () => {
    const code = 'function gate(n) { let s = ""; for (let i = 0; i < n; i += 1) s += "x"; return s; }';
    const outcome = (n: number, bounds: object) => sandbox.run({ code, call: 'gate', input: [n], ...bounds });
    expect(outcome(100, { charsMax: 102 })).toMatchObject({ kind: 'value' });
    expect(outcome(101, { charsMax: 102 })).toStrictEqual({ kind: 'problem', why: 'output' });
    expect(outcome(50_000, { stepsMax: 2 })).toStrictEqual({ kind: 'problem', why: 'steps' });
    expect(outcome(10, { stepsMax: 2 })).toMatchObject({ kind: 'value' });
    const large = 'function gate(n) { return new Uint8Array(n).length; }';
    const lengthOf = (n: number) => sandbox.run({ code: large, call: 'gate', input: [n] });
    expect(lengthOf(300_000)).toStrictEqual({ kind: 'value', value: 300_000 });
    expect(lengthOf(40_000_000)).toStrictEqual({ kind: 'problem', why: 'memory' });
  });

  it('gives JSON or a problem, and the next run is unaffected, whatever the text', () => {
    const before = run('return 1');
    const pieces = fc.constantFrom(
      'return ',
      '{',
      '}',
      '(',
      ')',
      '[',
      'a',
      '=>',
      ';',
      '"',
      '`',
      '/',
      '...',
      'for',
      '0',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        expect(['value', 'problem']).toContain(run(parts.join('')).kind);
        expect(run('return 1')).toStrictEqual(before);
      }),
    );
  });
});

describe('evaluateCondition', () => {
  it.each<[string, object]>([
    ['facts.open > 3', { kind: 'value', value: true }],
    ['facts.open > 3 && facts.name.startsWith("b") // why', { kind: 'value', value: false }],
    ['facts.list.every((one) => one.isDone)', { kind: 'problem', problem: 'ended with an error' }],
    ['facts.open', { kind: 'problem', problem: 'gives neither true nor false' }],
    ['Date.now() > 5', { kind: 'problem', problem: 'ended with an error' }],
    ['(() => { for (;;); })()', { kind: 'problem', problem: 'took too many steps and was ended' }],
    ['', { kind: 'problem', problem: 'does not parse as one JavaScript expression' }],
  ])('evaluates %s', (expression, expected) => {
    expect(evaluateCondition(sandbox, expression, { open: 4, name: 'a' })).toStrictEqual(expected);
  });
});
