/** Gates are pure (I9): what their files import, and which words their code uses, is checked here. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf } from './source.ts';

const FOLDER = new URL('../../lib/gates/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
const code = (name: string): string => codeOf(readFileSync(new URL(name, FOLDER), 'utf8'));

const ALLOWED_IMPORT =
  /^(?:\.\/[a-z-]+\.ts|\.\.\/signal\/[a-z-]+\.ts|\.\.\/(?:limits|errors|evidence\/canonical)\.ts|zod\/mini|unbash)$/;
/** Of Node's `net` only what compares addresses. */
const ADDRESS_IMPORT = "import { BlockList, isIPv4, isIPv6 } from 'node:net';";
const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
/** Clocks, chance, the machine, the network, and ways to reach any of them by another name. */
const IMPURE =
  /\b(?:Date|Math\s*\.\s*random|process|fetch(?!-)|performance|crypto|globalThis|global|setTimeout|setInterval|setImmediate|queueMicrotask|require|eval|Function|WebSocket|XMLHttpRequest|navigator|Intl|toLocale\w*|localeCompare|import\s*\()\b/;

/** Words a rule searches for are no words the rule uses: quoted texts and patterns are taken out. */
const withoutTexts = (source: string): string =>
  source
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/(^|[(,=:?&|![]|=>|return)\s*\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/gm, '$1 0');

describe('lib/gates', () => {
  it('is read by this test', () => {
    expect(FILES).toContain('verify.ts');
    expect(FILES).toContain('network.ts');
  });

  it.each(FILES)('%s imports only what cannot act', (name) => {
    const imports = [...code(name).replace(ADDRESS_IMPORT, '').matchAll(IMPORT)].map((match) => match[1] ?? '');
    expect(imports.filter((path) => !ALLOWED_IMPORT.test(path))).toStrictEqual([]);
  });

  it.each(FILES)('%s reads no clock, chance, machine or network', (name) => {
    expect(withoutTexts(code(name)).match(IMPURE)?.[0]).toBeUndefined();
  });

  it.each(FILES)('%s keeps no state between runs', (name) => {
    expect(code(name)).not.toMatch(/^(?:export )?(?:let|var) /m);
  });

  it.each(FILES.filter((name) => name !== 'verify.ts'))('%s waits for nothing', (name) => {
    expect(code(name)).not.toMatch(/\b(?:async|await|Promise)\b/);
  });
});
