/**
 * A feature is deleted by its folder and its rows: what is left type-checks, and answers a message.
 * The copy is made of the files that a person would edit, and edited as a person would.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { changeFile, copyTree } from '../../support/copy-tree.ts';

const LISTS = [
  'lib/features/*.ts',
  'functions/*/{features,lazy}.ts',
  'infra/cli/{command-table,feature-german,features,doctor/feature-checks,setup/feature-steps}.ts',
  'infra/{browser-parts,features,local/features}.ts',
];
/** Folders of `infra` with the programs of a feature. */
const PROGRAMS: Readonly<Record<string, string>> = { runner: 'runner' };
/** Rows of tools, by name, in tables of the core. */
const TABLES = ['lib/core/gates/rules/access-table.ts', 'lib/core/signal/changing-tools.ts'];
/** Files that lie beside bundles: a row each. */
const PARTS = 'infra/bundling.ts';
/** A message in, its answer out, with notes kept and an approval given. */
const TRIED = [
  'test/flow/spine.test.ts',
  'test/core/operations/handlers.test.ts',
  'test/core/tools/action-sentence.test.ts',
];

/** Channels have functions, share `chats` and `webhooks`, and core reads Telegram's settings. */
const STAYING = ['chats', 'mail', 'signal', 'slack', 'telegram', 'webhooks'];
/** The row of a function that stays empty: settings of the core name it. */
const FUNCTION = 'function.ts';
const FEATURES = readdirSync(join(ROOT, 'lib/features'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && !STAYING.includes(entry.name) ? [entry.name] : [],
);

const BLOCK = /^ {2}\{\n(?: {4,}.*\n)* {2}\},\n/gm;

/** Takes away what is imported of a feature, and each row that names it or loads its folder. */
const withoutRows =
  (feature: string) =>
  (text: string): string => {
    const program = PROGRAMS[feature];
    const paths = [`'./${feature}/`, `/features/${feature}/`, ...(program === undefined ? [] : [`../${program}/`])];
    const isOf = (block: string): boolean => [`name: '${feature}',`, ...paths].some((path) => block.includes(path));
    const found = new RegExp(`^(?:import|export) [^;']*'?[^;']*(?:${paths.join('|')})[^';]*';\\n`, 'gm');
    const late = new RegExp(`^ {2}['\\w -]+: .*import\\([^)]*(?:${paths.join('|')}).*\\n`, 'gm');
    const names = [...text.matchAll(found)].flatMap(([line]) => line.match(/(?<=[{,]\s*)\w+(?=\s*[,}])/g) ?? []);
    const row = new RegExp(`(?:\\b\\w+: )?\\.{0,3}\\b(${names.join('|')})\\b(?:\\(\\w+\\))?,?\\s*`, 'g');
    const left = text
      .replace(found, '')
      .replace(BLOCK, (block) => (isOf(block) ? '' : block))
      .replace(late, '');
    const rest = names.length === 0 ? left : left.replace(row, '');
    return /^export/m.test(rest) ? rest : `${rest}export {};\n`;
  };

const withoutTools =
  (names: readonly string[]) =>
  (text: string): string =>
    text.replace(new RegExp(`^ {2}'?(${names.join('|')})'?:.*\\n(?: {3,}.*\\n)*(?: {2}\\},\\n)?`, 'gm'), '');

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const deleteFeature = (feature: string): void => {
  const tools = globSync(`lib/features/${feature}/{*,tools/*}.ts`, { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}name: '([a-z-]+)'/gm)].map(([, name = '']) => name),
  );
  const program = PROGRAMS[feature];
  rmSync(join(folder, 'lib/features', feature), { recursive: true });
  for (const file of globSync(`infra/features/${feature}/*`, { cwd: folder }))
    if (!file.endsWith(FUNCTION)) rmSync(join(folder, file), { recursive: true });
  if (program !== undefined) rmSync(join(folder, 'infra', program), { recursive: true });
  for (const list of globSync(LISTS, { cwd: folder })) changeFile(join(folder, list), withoutRows(feature));
  changeFile(join(folder, PARTS), (text) => text.replaceAll(new RegExp(`^.*'lib/features/${feature}/.*\\n`, 'gm'), ''));
  if (tools.length > 0) for (const table of TABLES) changeFile(join(folder, table), withoutTools(tools));
};

/** What a command says, which is all that a person sees if it fails. */
const said = (...words: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
};

describe('features', () => {
  it('are deleted by their folders and rows, and the rest checks and answers', () => {
    folder = copyTree('without');
    for (const feature of FEATURES) deleteFeature(feature);
    changeFile(join(folder, 'tsconfig.json'), (text) => text.replace(', "test"', ''));
    expect(said('node_modules/typescript/bin/tsc')).toBe('');
    expect(said('node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...TRIED)).toBe('');
  });
});
