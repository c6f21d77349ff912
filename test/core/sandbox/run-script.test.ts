import { describe, expect, it } from 'vitest';
import { runScript, SCRIPT_OUTPUT_CHARS_MAX, scriptOutput } from '../../../lib/core/sandbox/run-script.ts';
import { fc } from '../../support/fast-check.ts';
import { missesOfAsync } from '../../support/misses.ts';

const NOW = Date.UTC(2026, 10, 22, 12);

/** Steps and memory end a script on any machine; the time is for what neither ends. */
const PATIENT_MS = 120_000;

const outputOf = async (code: string, timeoutMs = PATIENT_MS): Promise<string> =>
  scriptOutput(await runScript(code, NOW, { timeoutMs }));

describe('runScript', () => {
  it('gives the value of the last line or what was thrown', async () => {
    const misses = await missesOfAsync(
      [
        ['0.1 + 0.2', '0.30000000000000004'],
        ['2n ** 64n', '18446744073709551616'],
        ['const half = 21;\nhalf * 2', '42'],
        ['-0', '-0'],
        ['NaN', 'NaN'],
        ['undefined', 'undefined'],
        ['() => 1', 'a function'],
        ['Symbol("s")', 'a symbol'],
        ['[1, { a: 2n }]', '[\n 1,\n {\n  "a": "2"\n }\n]'],
        ['const o = {}; o.o = o; o', 'an object that JSON cannot say'],
        ['"naïve 😀".length', '8'],
        ['"a\\ud800".slice(0, 1)', 'a'],
        ['"😀é中"', '😀é中'],
        ['console.log("a", 1); console.log({ b: 2 }); 3', 'a 1\n{\n "b": 2\n}\n3'],
        ['console.log("only")', 'only\n'],
        ['Promise.resolve(4)', '4'],
        ['(async () => { await null; return 5 })()', '5'],
        ['new Promise(() => {})', 'a promise that nothing settles'],
        ['throw new Error("boo")', 'It ended with an error. Error: boo'],
        ['throw "boo"', 'It ended with an error. boo'],
        ['({}).x.y', "It ended with an error. TypeError: cannot read property 'y' of undefined"],
        ['Promise.reject(new RangeError("late"))', 'It ended with an error. RangeError: late'],
      ],
      async ([code, output]) => {
        expect(await outputOf(code)).toBe(output);
      },
    );
    expect(misses).toEqual([]);
  });

  it.each([
    ['new Date().toISOString()', '2026-11-22T12:00:00.000Z'],
    ['Date.now()', `${NOW}`],
    ['new Date(2026, 0, 2).toISOString()', '2026-01-02T00:00:00.000Z'],
    ['new (new Date().constructor)().getTime()', `${NOW}`],
    ['new (Object.getPrototypeOf(new Date()).constructor)().getTime()', `${NOW}`],
    ['(Date.parse("2026-12-24") - Date.UTC(2026, 10, 22)) / 864e5', '32'],
    ['[Math.random(), Math.random()].join()', '0.000022477936010098986,0.08503244914348818'],
  ])('has a clock that stands still and chance that repeats: %s', async (code, output) => {
    expect(await outputOf(code)).toBe(output);
  });

  it.each([
    ['for (;;) {}', 'took too many steps'],
    ['(async () => { for (;;) await 1 })()', 'took too many steps'],
    ['[3, 1].sort(() => { for (;;) {} })', 'took too many steps'],
    ['({ get a() { for (;;) {} } })', 'took too many steps'],
    ['const a = []; for (;;) a.push(a)', 'more memory'],
    ['Array(1e9).fill(0)', 'more memory'],
    ['(function f() { f() })()', 'too deeply'],
    ['let x = ;', 'does not parse (line 1)'],
    ['1;\n2;\nfoo bar', 'does not parse (line 3)'],
    ['import fs from "fs"', 'does not parse (line 1)'],
    ['await 1', 'does not parse'],
  ])('ends %s and says why in a plain sentence', async (code, sentence) => {
    await expect(outputOf(code)).rejects.toThrow(sentence);
  });

  it('ends what counts no step, such as a search in an endless list', async () => {
    await expect(outputOf('[].indexOf.call({ length: 2 ** 53 - 1 }, 1)', 1_500)).rejects.toThrow('took too many steps');
    await expect(outputOf('1n << 900000n', 1_500)).rejects.toThrow('took too many steps');
  });

  it.each([
    ['"x".repeat(1e6)'],
    ['for (let i = 0; i < 1e5; i++) console.log("y".repeat(99))'],
    ['throw new Error("z".repeat(1e6))'],
    ['({ toJSON: () => "w".repeat(1e6) })'],
  ])('bounds its output and says that it was cut: %s', async (code) => {
    const output = await outputOf(code);
    expect(output.length).toBeLessThan(SCRIPT_OUTPUT_CHARS_MAX + 100);
    expect(output).toContain('(cut here: the output was longer)');
  });

  it('finds nothing of the host', async () => {
    const names =
      'process,require,module,global,Buffer,fetch,XMLHttpRequest,WebSocket,WebAssembly,Worker,setTimeout,std,os';
    const code = `"${names}".split(",").filter((name) => typeof globalThis[name] !== "undefined")`;
    expect(await outputOf(code)).toBe('[]');
  });

  it.each([
    ['(() => {}).constructor("return typeof process")()', 'undefined'],
    ['console.log.constructor("return typeof process")()', 'undefined'],
    ['Date.constructor("return typeof require")()', 'undefined'],
    ['(async () => {}).constructor("return typeof fetch")().then((x) => x)', 'undefined'],
    ['new Function("return this")() === globalThis', 'true'],
    ['globalThis.__proto__ === Object.prototype', 'true'],
    ['({}).__proto__.constructor.constructor("return typeof global")()', 'undefined'],
  ])('lets nothing out through constructors and prototypes: %s', async (code, output) => {
    expect(await outputOf(code)).toBe(output);
  });

  it('cannot load modules', async () => {
    expect(await outputOf('import("fs")')).toContain('It ended with an error. ReferenceError');
  });

  it('shows its value whatever the script did to the language', async () => {
    const tricks = [
      'String.prototype.slice = () => 5; JSON.stringify = () => 6; String = () => 7; "abc"',
      'Object.prototype.toString = () => { throw 1 }; Reflect.apply = () => 8; "abc"',
      'Object.defineProperty(Object.prototype, "value", { get: () => { throw 9 } }); "abc"',
      'globalThis.console = null; delete globalThis.JSON; "abc"',
    ];
    for (const code of tricks) expect(await outputOf(code)).toBe('abc');
  });

  it('shares nothing with the script before it', async () => {
    await outputOf('globalThis.left = 1; Object.prototype.left = 2; Array.prototype.push = 3');
    expect(await outputOf('typeof left + typeof ({}).left + typeof [].push')).toBe('undefinedundefinedfunction');
  });

  it('never fails but in fixed words, whatever the text', async () => {
    const failures = /^the script (does not parse|took too many steps|needed more memory|calls itself too deeply)/;
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (code) => {
        const said = await outputOf(code).catch((error: unknown) =>
          String(error instanceof Error ? error.message : error),
        );
        expect(said.isWellFormed()).toBe(true);
        if (said.startsWith('the script ')) expect(said).toMatch(failures);
      }),
      { numRuns: 15 },
    );
  });
});
