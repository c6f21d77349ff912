/**
 * Writes `lib/skills/built-in.ts` from the folders in `lib/skills/built-in`, so that a bundle holds
 * the built-in skills read and checked. `npm run skills` runs it; a test holds that the file is
 * current.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSkill } from '../lib/skills/parse-skill.ts';
import { problemWords, type SkillText } from '../lib/skills/skill-files.ts';

const ROOM = join(import.meta.dirname, '..', 'lib', 'skills');
const FOLDERS = join(ROOM, 'built-in');
export const BUILT_IN_FILE = join(ROOM, 'built-in.ts');

const HEAD = `/**
 * The built-in skills, read from the folders in \`built-in\`. Written by \`npm run skills\`; do not
 * change it by hand.
 */
import type { BuiltInSkill } from './skills.ts';
`;

const textsOf = (folder: string): readonly SkillText[] =>
  readdirSync(join(FOLDERS, folder))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(FOLDERS, folder, path), 'utf8') }));

/** One skill as a line of code. @throws if it does not parse */
const lineOf = (folder: string): string => {
  const files = textsOf(folder);
  const parsed = parseSkill(files, folder);
  if (parsed.kind === 'problems') throw new Error(`${folder}: ${parsed.problems.map(problemWords).join('; ')}`);
  return JSON.stringify({ definition: parsed.definition, files });
};

export const buildBuiltIn = (): string => {
  const skills = readdirSync(FOLDERS).map(lineOf);
  return `${HEAD}\n// biome-ignore format: written by a program\nexport const BUILT_IN: readonly BuiltInSkill[] = [\n${skills.map((skill) => `  ${skill},\n`).join('')}];\n`;
};

if (import.meta.main) writeFileSync(BUILT_IN_FILE, buildBuiltIn());
