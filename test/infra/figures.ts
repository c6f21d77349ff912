/**
 * `npx node test/infra/figures.ts`: the size and the seams of the code, as numbers to compare
 * before and after a change. Counts lines of TypeScript, lazy imports, the folders a feature lies
 * in, and the fields of the widest objects.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ChannelId } from '../../lib/core/signal/channels.ts';

const filesOf = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`)).sort();
const read = (path: string): string => readFileSync(path, 'utf8');
const linesOf = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);

const PRODUCT = filesOf('lib', 'functions', 'infra');
const LIB = filesOf('lib');

/** Folders with a file whose name or folder has the feature's word. */
const foldersOf = (feature: RegExp): number =>
  new Set(PRODUCT.filter((path) => feature.test(path)).map((path) => dirname(path))).size;

/** Fields at the top of an interface; what it extends is not counted. */
const fieldsOf = (path: string, name: string): number => {
  const body =
    read(path)
      .split(new RegExp(`export interface ${name}\\b[^{]*\\{\\n`))[1]
      ?.split('\n}')[0] ?? '';
  return body.match(/^ {2}(?:readonly )?\w+\??:/gm)?.length ?? 0;
};

const named = new RegExp(`['"\`](?:${ChannelId.options.join('|')})['"\`:]`);
const FIGURES: Readonly<Record<string, number>> = {
  'lines of product code': linesOf(PRODUCT),
  'lines in lib': linesOf(LIB),
  'lines in lib/core': linesOf(filesOf('lib/core')),
  'lines in lib/features': linesOf(filesOf('lib/features')),
  'lines in lib/core/stages': linesOf(filesOf('lib/core/stages')),
  'files of the core that read a list of features': filesOf('lib/core').filter((path) =>
    /from '(?:\.\.\/)+features\//.test(read(path)),
  ).length,

  'lines in infra': linesOf(filesOf('infra')),
  'lines of tests': linesOf(filesOf('test')),
  'lazy imports': PRODUCT.reduce((sum, path) => sum + (read(path).match(/\bimport\(/g)?.length ?? 0), 0),
  'folders of jobs': foldersOf(/\bjobs?\b/),
  'folders of runbooks': foldersOf(/\b(?:runbooks?|run)\b/),
  'folders of runners': foldersOf(/\brunners?\b/),
  'folders of skills': foldersOf(/\bskills?\b/),
  'other files that name a channel': LIB.filter((path) => !path.startsWith('lib/core/channels/')).filter((path) =>
    named.test(read(path)),
  ).length,
  'fields of FactSources': fieldsOf('lib/core/judge/fact-sources.ts', 'FactSources'),
  // It leaves out four of the actuator's and declares one of them anew.
  'fields of ToolContext':
    fieldsOf('lib/core/tools/tool.ts', 'ToolSurroundings') +
    fieldsOf('lib/core/signal/actuator.ts', 'ActuatorContext') -
    3,
  'fields of LoadedTurn': fieldsOf('lib/core/stages/reason/load-turn.ts', 'LoadedTurn'),
};

for (const [name, value] of Object.entries(FIGURES)) process.stdout.write(`${name.padEnd(36)}${value}\n`);
