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
  'infra/cli/command-table.ts',
  'infra/cli/doctor/feature-checks.ts',
];
/** Rows of tools, by name, in tables of the core. */
const TABLES = ['lib/gates/rules/access-table.ts', 'lib/signal/changing-tools.ts'];
/** Files that lie beside bundles: a row each. */
const PARTS = 'infra/bundling.ts';
/** A message in, its answer out, with notes kept and an approval given. */
const TRIED = ['test/flow/spine.test.ts', 'test/operations/handlers.test.ts', 'test/tools/action-sentence.test.ts'];

/** Other rooms still speak of jobs. */
const STAYING = ['jobs'];
const FEATURES = readdirSync(join(ROOT, 'lib/features'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && !STAYING.includes(entry.name) ? [entry.name] : [],
);

/** Takes away what is imported of a feature, and each row that names it. */
const withoutRows =
  (feature: string) =>
  (text: string): string => {
    const found = new RegExp(`^(?:import|export) [^;']*'(?:[^']*features|\\.)/${feature}/[^']*';\\n`, 'gm');
    const block = new RegExp(`^ {2}\\{\\n {4}name: '${feature}',[^]*?^ {2}\\},\\n`, 'gm');
    const late = new RegExp(`^ {2}'?[\\w-]+'?: .*import\\('[^']*/${feature}/[^']*'\\).*\\n`, 'gm');
    const names = [...text.matchAll(found)].flatMap(([line]) => line.match(/(?<=[{,]\s*)\w+(?=\s*[,}])/g) ?? []);
    const row = new RegExp(`\\.{0,3}\\b(${names.join('|')})\\b(\\(\\w+\\))?,?\\s*`, 'g');
    const rest = text.replace(found, '').replace(block, '').replace(late, '');
    const left = names.length === 0 ? rest : rest.replace(row, '');
    return /^export/m.test(left) ? left : `${left}export {};\n`;
  };

const withoutTools =
  (names: readonly string[]) =>
  (text: string): string =>
    text.replace(new RegExp(`^ {2}'?(${names.join('|')})'?:.*\\n(?: {3,}.*\\n)*(?: {2}\\},\\n)?`, 'gm'), '');

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const deleteFeature = (feature: string): void => {
  const tools = globSync(`lib/features/${feature}/*.ts`, { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}name: '([a-z-]+)'/gm)].map(([, name = '']) => name),
  );
  for (const room of ['lib', 'infra'])
    rmSync(join(folder, room, 'features', feature), { recursive: true, force: true });
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
    expect(said('infra/list-skills.ts')).toBe('');
    changeFile(join(folder, 'tsconfig.json'), (text) => text.replace(', "test"', ''));
    expect(said('node_modules/typescript/bin/tsc')).toBe('');
    expect(said('node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...TRIED)).toBe('');
  });
});
