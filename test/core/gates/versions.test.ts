/**
 * Decisions name the gate-set version they were made under, and replay relies on it (I9): code that
 * decides differently under the same version makes old evidence worthless. So each gate's version
 * is pinned to the code behind it: its file, the helpers it imports from the rooms that judge, and
 * the values of the limits it uses. Comments do not count.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as limits from '../../../lib/core/base/limits.ts';
import { ENGINE_NAME, ENGINE_VERSION } from '../../../lib/core/gates/engine/build-gate-set.ts';
import { GATES } from '../../../lib/core/gates/engine/gate-set.ts';
import { SHELL_RULES_VERSION } from '../../../lib/features/runner/shell/classify-command.ts';
import { codeOf } from './source.ts';

// biome-ignore format: one line per pin
const PINS: Readonly<Record<string, { readonly version: number; readonly sha256: string }>> = {
  'kill-switch': { version: 1, sha256: '0cfc84e73c5be27e4f52c2defe09b0f30e716eb060ade13aee90f8cc62b9b1ae' },
  'flood': { version: 1, sha256: '38ab7da1e567da5a304c0690e2b20757b8eedb3508bbf098d57fb0823df68373' },
  'access': { version: 6, sha256: '9efbbb275ee40dd3a3dbe6db950203cb3412f3131911ad12e8b3811783ad7588' },
  'permissions': { version: 2, sha256: '6caea033dc9491ee9dff9a264f7b38c8adb2a082d071f756c26d6df5736796a7' },
  'explanation': { version: 2, sha256: '7aab74ea742d3f3ac1a11377dd276d9154103d4e74244a30af71a21f43a5cf9a' },
  'configured-secrets': { version: 1, sha256: 'e7d72e75ce0b3e9d5b7da7942af3b2161b32efb93b2acce90b8a2740910f1c0c' },
  'network': { version: 7, sha256: 'de4cc2dc7b49dc2f6628a5ef99c90f63823e1500ce87571947b3e7c161114200' },
  'secret-formats': { version: 8, sha256: 'b3c9ff51ae85b8369d3c3e51b91a889b027bd1f2d44af74d8295b640e6da5bde' },
  'provenance': { version: 4, sha256: '5f74d87b287a3b3a120615e06d5617b21afa21876d5597a0c85c0f4fcde21e58' },
  'protocol-schema': { version: 8, sha256: 'ab607cbff4fbb82d3d3a1f0485d986680c870556de04d1c9e5a0215de0d4746a' },
  'tool-arguments': { version: 1, sha256: '7a8dc2b84a3588dcb69fe0fd2e2f74fc7806733dc3c846f34a3430d4e8d842f9' },
  'code-validity': { version: 2, sha256: '8f59ffef2faddf38e8be7a9d84d644942242ac358d92b035a12d1f6a8f371282' },
  'high-impact': { version: 5, sha256: '386cfa09b23ce21d8b04d9ee4a6569d7d001b181ea677c20f9b7c98a8f3d2a95' },
  'secret-paths': { version: 7, sha256: '007a4499c95f41c39ae365dbcf51fa920e5085d559a3c7fbad58e3db5e4c546b' },
  'shell-safety': { version: 2, sha256: '02a338047276133ce286894313ec847f3714ffa6d60a5904d69899e83364eb5f' },
  'privacy': { version: 6, sha256: '440f02972510f2037527d33d62f2d9d597b4055058f8ada20b1e88ba079ff9fe' },
  'repeat': { version: 2, sha256: 'b2de90f65997fe60b271f938897ab3e7f45e9ed591e14ff1ea8fb062af68a418' },
  'standing-invariants': { version: 11, sha256: '7658efe391ce3cdbe8355f2f2cfb814896c8c3514cd94e326d05d5cf163f8bf0' },
  'budget': { version: 1, sha256: '2f4195fa934e744af4437ecad0720c0b1d68ec0459421735ac3a0a45ffefd5b0' },
  'hidden-characters': { version: 1, sha256: '60edd4858b6be50ee5c8331dbdecef19877f56dea4353fa6a5e6c150e35336e7' },
  'confinement': { version: 7, sha256: 'af79bfb1180ef4be697e69c6fd13aa245519876d2b8b2ce24422e754cb9e60d3' },
  'command-class': { version: 3, sha256: '0e8f041cce48e01661995c9611638dd437fe15044cfa51d612ca224bd1b80916' },
  'gate-set': { version: 4, sha256: '4f0cc3874e462b3f8b7df6e60e8db2730865bcf559531880400dac864cd482f2' },
};

/** The rules behind a fact that gates judge: named in the fact itself. */
const SHELL_RULES_PIN = {
  version: 13,
  sha256: '9247831f52e6fe5cc675dbb14062490d50f8a5d74c3cf8fe2171624c157b9265',
};

const LIB = new URL('../../../lib/', import.meta.url);
/** Files that the gates and the engine share: pinned once, with the engine. */
const SHARED = ['core/signal/gate.ts', 'core/signal/facts.ts', 'core/signal/action.ts'];
const ENGINE = ['core/gates/engine/build-gate-set.ts', 'core/gates/engine/verify.ts', 'core/gates/engine/replay.ts'];
/** Code that decides what a gate decides: three rooms, and a rule that lower rooms use as well. */
const DECIDING = /^(?:core\/gates|features\/runner\/shell|core\/text)\/|^core\/base\/hidden-text\.ts$/;

/** Rooms that moved: a pin reads a file as if it lay where it was. */
const MOVED = /^(?:core\/|features\/runner\/(?=shell\/))/;

const VALUE_IMPORT = /^import (?!type\b)\{?([^}]*?)\}? from '(\.[^']+)';$/gms;

/** The file and all it imports as values, in a fixed order; type imports decide nothing. */
const codeBehind = (path: string, seen: Set<string>): readonly string[] => {
  if (seen.has(path)) return [];
  seen.add(path);
  const url = new URL(path, LIB);
  const code = codeOf(readFileSync(url, 'utf8'));
  const place = path.replace(MOVED, '');
  const parts = [`${place}\n${code.replaceAll("'../../../core/", "'../../")}`];
  for (const [, names = '', from = ''] of code.matchAll(VALUE_IMPORT)) {
    const imported = new URL(from, url).href.slice(LIB.href.length);
    if (imported === 'core/base/limits.ts') {
      const used = names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      for (const name of used) parts.push(`${name}=${JSON.stringify(Reflect.get(limits, name))}`);
    } else if (DECIDING.test(imported) && DECIDING.test(path)) parts.push(...codeBehind(imported, seen));
  }
  return parts;
};

const pinOf = (paths: readonly string[], without: readonly string[]): string => {
  const seen = new Set(without);
  const parts = paths.flatMap((path) => codeBehind(path, seen));
  return createHash('sha256').update(parts.join('\n\n')).digest('hex');
};

const checkPin = (name: string, where: string, version: number, sha256: string): void => {
  const changed = [
    `The code behind "${name}" is not the code its version ${version} is pinned to.`,
    `If it decides anything differently than before, raise its version in ${where}; a new fact alone decides nothing.`,
  ];
  const advice = [
    ...(name in PINS ? changed : [`The gate "${name}" is new.`]),
    `Write into PINS of this file: '${name}': { version: <its version>, sha256: '${sha256}' },`,
  ].join('\n');
  expect(PINS[name], advice).toStrictEqual({ version, sha256 });
};

describe('versions', () => {
  it.each(GATES.map(({ name, version }) => ({ name, version })))(
    'of the gate $name belongs to its code',
    ({ name, version }) => {
      checkPin(name, 'lib/core/gates/engine/gate-set.ts', version, pinOf([`core/gates/rules/${name}.ts`], SHARED));
    },
  );

  it('of the engine belongs to its code', () => {
    checkPin(
      ENGINE_NAME,
      'ENGINE_VERSION of lib/core/gates/engine/build-gate-set.ts',
      ENGINE_VERSION,
      pinOf([...ENGINE, ...SHARED], []),
    );
  });

  it('of the shell rules belongs to their code', () => {
    const sha256 = pinOf(['features/runner/shell/classify-command.ts'], SHARED);
    const advice = `If what is found changed, raise SHELL_RULES_VERSION. Then pin it: { version: <it>, sha256: '${sha256}' }`;
    expect({ version: SHELL_RULES_VERSION, sha256 }, advice).toStrictEqual(SHELL_RULES_PIN);
  });

  it('are pinned for gates that exist', () => {
    expect(Object.keys(PINS).sort(), 'PINS has one line for each gate').toStrictEqual(
      [...GATES.map(({ name }) => name), ENGINE_NAME].sort(),
    );
  });

  it('are pinned to helpers and limits too', () => {
    const behind = codeBehind('core/gates/rules/explanation.ts', new Set(SHARED)).join('\n');
    expect(behind).toContain('gates/rules/action-kind.ts');
    expect(behind).toContain('EXPLANATION_CHARS_MIN=11');
    expect(codeBehind('core/gates/rules/secret-formats.ts', new Set(SHARED)).join('\n')).toContain(
      'text/secret-format-table.ts',
    );
  });
});
