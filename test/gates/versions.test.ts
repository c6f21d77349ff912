/**
 * Decisions name the gate-set version they were made under, and replay relies on it (I9): code that decides differently
 * under the same version makes old evidence worthless. So each gate's version is pinned to the code behind it: its file,
 * the helpers it imports from this folder, and the values of the limits it uses. Comments do not count.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as limits from '../../lib/base/limits.ts';
import { ENGINE_NAME, ENGINE_VERSION } from '../../lib/gates/engine/build-gate-set.ts';
import { GATES } from '../../lib/gates/engine/gate-set.ts';
import { SHELL_RULES_VERSION } from '../../lib/gates/rules/find-shell-dangers.ts';
import { codeOf } from './source.ts';

// biome-ignore format: one line per pin
const PINS: Readonly<Record<string, { readonly version: number; readonly sha256: string }>> = {
  'kill-switch': { version: 1, sha256: '9eb3ecc2ffc84aa30cfd3d43b84439ee7674c73a4f5f8083ee83223cc71c5c09' },
  'flood': { version: 1, sha256: '938b763fa34a7df9457a2c7074c43db85a8fa1e26fe3b15713c186ac02d8a39f' },
  'access': { version: 1, sha256: '76e3c0f03f3e726adde5db371c1b3252927482a031eedd229e9ba9c8a8bb932f' },
  'permissions': { version: 2, sha256: '2b81e214e153cbac212338bcc5bc3daed662026777caa492ff0a8c8a064a4a86' },
  'explanation': { version: 2, sha256: '1a4372e0e3848c3664bbe017e2a285d22664dca44a615c8fe9073f38f821b860' },
  'configured-secrets': { version: 1, sha256: 'cbedd8f06bf7df9f7a8f76a490b2dea30d0554f32964ad0341062f20c3368b13' },
  'network': { version: 5, sha256: '22a0ed42dbeab551117ecae44e35eb86213f421713aaec6cb1c0c19d9306e3b4' },
  'secret-formats': { version: 4, sha256: 'f5deb65e82bd2643bb723b854c11697070ab49de6da4a544f6983d39c89eeb5e' },
  'provenance': { version: 4, sha256: '356b16ea02762c2d5f66540ca4340460e26f7e56177748e38f42f4e48837eaec' },
  'protocol-schema': { version: 5, sha256: '5bf8311281ee62476e8955e571cd3d6841fb106ac8b8c2cbfdf9a8abaffb9730' },
  'tool-arguments': { version: 1, sha256: 'ae58f5a9eb2b4b04096e724b0322b444c7e24f752ff7ccc403154e4b71e11951' },
  'code-validity': { version: 2, sha256: '5a8162e42179351ccadef1c83471d2d60fb76458856af266df848a28f1783c40' },
  'high-impact': { version: 3, sha256: '51e4380d54168d2e3501160becc14233bb0aad9d13a7262cd88cd8cf799b48f5' },
  'secret-paths': { version: 2, sha256: '574ee721ba7899365d12c8d8701dabe7039fc80e1e34f55db551f43bf8f46a05' },
  'shell-safety': { version: 1, sha256: '67ffa9cf5b11a3a29049f8a3dc3f284f32333a153b64ef61b526a730cabd3f7d' },
  'privacy': { version: 4, sha256: 'bfccbb5966e2b43bba1ecfeb3a51e364073839734a4200845ca5c7e770f49473' },
  'repeat': { version: 2, sha256: 'b28039c65ca1755cf39f85a50fe33204b8e58cc8fc0b2f95acc3ebba4114f2e0' },
  'standing-invariants': { version: 8, sha256: 'aa7789e66fb7e6ace39c82ae5d6644fb6beab231408eeba28701a6d5c63324cd' },
  'budget': { version: 1, sha256: '8734328874bf7037675284415c67ebf2dea730e9a60402a1689cad0ccd975c15' },
  'hidden-characters': { version: 1, sha256: 'bcac379082039d2c672c4a0b7e226b087f73a81958d1002b592022d4cbf5204d' },
  'gate-set': { version: 3, sha256: 'c31e17eb257fe9ad46072ae8b6058b6f67084210802d40932e0299c49607afb2' },
};

/** The rules behind a fact that gates judge: named in the fact itself. */
const SHELL_RULES_PIN = {
  version: 4,
  sha256: '6bbd4175dfb6d6bfb141e891aa1f4f4eae88515f6a441fab4c925e51c05db380',
};

const FOLDER = new URL('../../lib/gates/', import.meta.url);
/** What the gates and the engine share: pinned once, with the engine. */
const SHARED = ['./gate.ts', './facts.ts', '../signal/action.ts'];
const ENGINE = ['./build-gate-set.ts', './verify.ts', './replay.ts'];

/** Rules of gates that stages use as well. */
const RULES = ['../signal/hidden-text.ts'];

const VALUE_IMPORT = /^import (?!type\b)\{?([^}]*?)\}? from '(\.[^']+)';$/gms;

/** The file and all it imports as values, in a fixed order; type imports decide nothing. */
const codeBehind = (path: string, seen: Set<string>): readonly string[] => {
  if (seen.has(path)) return [];
  seen.add(path);
  const code = codeOf(readFileSync(new URL(path, FOLDER), 'utf8'));
  const parts = [`${path}\n${code}`];
  for (const [, names = '', from = ''] of code.matchAll(VALUE_IMPORT)) {
    if (from === '../limits.ts') {
      const used = names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      for (const name of used) parts.push(`${name}=${JSON.stringify(Reflect.get(limits, name))}`);
    } else if ((from.startsWith('./') && path.startsWith('./')) || RULES.includes(from))
      parts.push(...codeBehind(from, seen));
  }
  return parts;
};

const pinOf = (paths: readonly string[], without: readonly string[]): string => {
  const seen = new Set(without);
  const parts = paths.flatMap((path) => codeBehind(path, seen));
  return createHash('sha256').update(parts.join('\n\n')).digest('hex');
};

const checkPin = (name: string, where: string, version: number, sha256: string): void => {
  const advice = [
    `The code behind "${name}" is not the code its version ${version} is pinned to.`,
    `If it decides anything differently than before, raise its version in ${where}.`,
    `Then write into PINS of this file: '${name}': { version: <its version>, sha256: '${sha256}' },`,
  ].join('\n');
  expect(PINS[name], advice).toStrictEqual({ version, sha256 });
};

describe('versions', () => {
  it.each(GATES.map(({ name, version }) => ({ name, version })))(
    'of the gate $name belongs to its code',
    ({ name, version }) => {
      checkPin(name, 'lib/gates/engine/gate-set.ts', version, pinOf([`./${name}.ts`], SHARED));
    },
  );

  it('of the engine belongs to its code', () => {
    checkPin(
      ENGINE_NAME,
      'ENGINE_VERSION of lib/gates/engine/build-gate-set.ts',
      ENGINE_VERSION,
      pinOf([...ENGINE, ...SHARED], []),
    );
  });

  it('of the shell rules belongs to their code', () => {
    const sha256 = pinOf(['./find-shell-dangers.ts'], SHARED);
    const advice = `If what is found changed, raise SHELL_RULES_VERSION. Then pin it: { version: <it>, sha256: '${sha256}' }`;
    expect({ version: SHELL_RULES_VERSION, sha256 }, advice).toStrictEqual(SHELL_RULES_PIN);
  });

  it('are pinned for gates that exist', () => {
    expect(Object.keys(PINS).sort()).toStrictEqual([...GATES.map(({ name }) => name), ENGINE_NAME].sort());
  });

  it('are pinned to helpers and limits too', () => {
    const behind = codeBehind('./explanation.ts', new Set(SHARED)).join('\n');
    expect(behind).toContain('./action-kind.ts');
    expect(behind).toContain('EXPLANATION_CHARS_MIN=11');
    expect(codeBehind('./secret-formats.ts', new Set(SHARED)).join('\n')).toContain('./secret-format-table.ts');
  });
});
