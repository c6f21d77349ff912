/**
 * Gates are pure (I9): what their files import, and which words their code uses, is checked here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missesOf } from '../../support/misses.ts';
import { codeOf } from './source.ts';

/** Rooms whose code judges: all of it is pure. */
const JUDGING = ['core/gates', 'features/runner/shell', 'core/text'];
const LIB = new URL('../../../lib/', import.meta.url);
const FILES = JUDGING.flatMap((room) =>
  readdirSync(new URL(room, LIB), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${room}/${name}`),
);
const code = (name: string): string => codeOf(readFileSync(new URL(name, LIB), 'utf8'));

const ALLOWED_IMPORT =
  /^(?:\.\/|(?:\.\.\/)+(?:core\/)?(?:base|signal|text|shell|gates|rules|engine)\/)[a-z/-]+\.ts$|^\.\.\/limits\.ts$|^(?:zod\/mini|unbash|punycode\/punycode\.js)$/;
/** Of Node's `net` only what compares addresses. */
const ADDRESS_IMPORT = "import { BlockList, isIPv4, isIPv6 } from 'node:net';";
const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
/** Clocks, chance, the machine, the network, and ways to reach any of them by another name. */
const IMPURE =
  /\b(?:Date|Math\s*\.\s*random|process|fetch(?!-)|performance|crypto|globalThis|global|setTimeout|setInterval|setImmediate|queueMicrotask|require|eval|Function|WebSocket|XMLHttpRequest|navigator|Intl|toLocale\w*|localeCompare|import\s*\()\b/;

/**
 * Words a rule searches for are no words the rule uses: quoted texts and patterns are taken out.
 */
const withoutTexts = (source: string): string =>
  source
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/(^|[(,=:?&|![]|=>|return)\s*\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/gm, '$1 0');

describe('the rooms that judge', () => {
  it('is read by this test', () => {
    expect(FILES).toContain('core/gates/engine/verify.ts');
    expect(FILES).toContain('core/gates/rules/network.ts');
  });

  it('import only what cannot act', () => {
    const misses = missesOf(FILES, (name) => {
      const imports = [...code(name).replace(ADDRESS_IMPORT, '').matchAll(IMPORT)].map((match) => match[1] ?? '');
      expect(imports.filter((path) => !ALLOWED_IMPORT.test(path))).toStrictEqual([]);
    });
    expect(misses).toEqual([]);
  });

  it('read no clock, chance, machine or network', () => {
    const misses = missesOf(FILES, (name) => {
      expect(withoutTexts(code(name)).match(IMPURE)?.[0]).toBeUndefined();
    });
    expect(misses).toEqual([]);
  });

  it('keep no state between runs', () => {
    const misses = missesOf(FILES, (name) => {
      expect(code(name)).not.toMatch(/^(?:export )?(?:let|var) /m);
    });
    expect(misses).toEqual([]);
  });

  it('wait for nothing, except where facts are gathered', () => {
    const misses = missesOf(
      FILES.filter((name) => name !== 'core/gates/engine/verify.ts'),
      (name) => {
        expect(code(name)).not.toMatch(/\b(?:async|await|Promise)\b/);
      },
    );
    expect(misses).toEqual([]);
  });
});
