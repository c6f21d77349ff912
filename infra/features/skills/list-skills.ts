/**
 * `npm run skills`: writes `built-in.ts`, `built-in-cues.ts`, `built-in-tools.ts` and
 * `built-in-files.ts` of `lib/features/skills`, so that a bundle holds the built-in skills read and
 * checked. A test holds that they are current.
 */
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { problemWords } from '../../../lib/core/base/file-problem.ts';
import { parseSkill } from '../../../lib/features/skills/parse-skill.ts';
import type { SkillDefinition } from '../../../lib/features/skills/skill-definition.ts';
import type { SkillText } from '../../../lib/features/skills/skill-files.ts';

const LIB = join(import.meta.dirname, '..', '..', '..', 'lib');
const ROOM = join(LIB, 'features/skills');

/** The folder of each built-in skill: in `built-in`, or `skill` or in `skills` of a feature. */
const FOLDERS = globSync(['features/skills/built-in/*', 'features/*/{skill,skills/*}'], { cwd: LIB }).map((path) =>
  join(LIB, path),
);

const head = (what: string, imported?: string): string => `/**
 * ${what} the built-in skills, read from their folders. Written by
 * \`npm run skills\`; do not change it by hand.
 */
${
  imported === undefined
    ? ''
    : `${imported};
`
}
// biome-ignore format: written by a program
`;

const textsOf = (folder: string): readonly SkillText[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

/** Most skills have these: they stand once, because every function starts with the list. */
const BARE = {
  trigger: { sensors: [], words: [] },
  requires: [],
  tier: 'auto',
  mandates: [],
  jobs: [],
  settings: {},
  gates: [],
  handlers: [],
} as const;

interface DefinitionFiles {
  readonly definition: SkillDefinition;
  readonly files: readonly SkillText[];
}

/** @throws if it does not parse */
const readSkill = (folder: string): DefinitionFiles => {
  const files = textsOf(folder);
  const parsed = parseSkill(files);
  if (parsed.kind === 'problems') throw new Error(`${folder}: ${parsed.problems.map(problemWords).join('; ')}`);
  return { definition: parsed.definition, files };
};

/** Fields that each turn needs; the rest loads for whoever lists skills or runs them. */
const CUES = ['name', 'priority', 'trigger', 'mandates', 'tier'];
const usual = new Map(Object.entries(BARE).map(([name, value]) => [name, JSON.stringify(value)]));

/** One definition as a line of code: its cues, or what else it has. */
const definitionLine = ({ definition }: DefinitionFiles, isCue: boolean): string => {
  const own = Object.entries(definition).filter(
    ([name, value]) => name !== 'tools' && CUES.includes(name) === isCue && usual.get(name) !== JSON.stringify(value),
  );
  return isCue
    ? `  ${JSON.stringify(Object.fromEntries(own))},\n`
    : `  '${definition.name}': ${JSON.stringify(Object.fromEntries(own))},\n`;
};

/** Path → text of each file that is written. */
export const buildBuiltIn = (): Readonly<Record<string, string>> => {
  const read = FOLDERS.map(readSkill).toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  const cues = read.map((one) => definitionLine(one, true)).join('');
  const skills = read.map((one) => definitionLine(one, false)).join('');
  const tools = read
    .map(({ definition: { name, tools: own = [] } }) => `  '${name}': ${JSON.stringify(own)},\n`)
    .join('');
  const off = read.flatMap(({ definition: { name, isOff } }) => (isOff === true ? [name] : []));
  const owned = `export const BUILT_IN_TOOLS: Readonly<Record<string, readonly string[]>> = {\n${tools}};\n\n/** Off until the owner switches them on. */\nexport const OFF_AT_FIRST: ReadonlySet<string> = new Set([${off.map((name) => `'${name}'`).join(', ')}]);\n`;
  const files = read.map((one) => `  '${one.definition.name}': ${JSON.stringify(one.files)},\n`).join('');
  const isCue = ([name]: readonly [string, unknown]): boolean => CUES.includes(name);
  const bare = JSON.stringify(Object.fromEntries(Object.entries(BARE).filter((one) => !isCue(one))));
  const usualCues = JSON.stringify(Object.fromEntries(Object.entries(BARE).filter(isCue)));
  const cueList = `const USUAL: Omit<SkillCues, 'name' | 'priority'> = ${usualCues};\n\n// biome-ignore format: written by a program\nconst OWN: readonly (Pick<SkillCues, 'name' | 'priority'> & Partial<SkillCues>)[] = [\n${cues}];\n\nexport const BUILT_IN_CUES: readonly SkillCues[] = OWN.map((own) => ({ ...USUAL, ...own }));\n`;
  const definitions = `const BARE = ${bare};\n\n// biome-ignore format: written by a program\nconst REST: Readonly<Record<string, Pick<SkillDefinition, 'description'> & Partial<SkillDefinition>>> = {\n${skills}};\n\n// biome-ignore format: written by a program\nexport const BUILT_IN: readonly BuiltInSkill[] = BUILT_IN_CUES.map((cues) => ({ definition: { ...BARE, description: '', ...REST[cues.name], ...cues, tools: [...(BUILT_IN_TOOLS[cues.name] ?? [])] } }));\n`;
  const texts = `export const BUILT_IN_FILES: Readonly<Record<string, readonly SkillText[]>> = {\n${files}};\n`;
  return {
    [join(ROOM, 'built-in.ts')]:
      `${head('Definitions of', "import { BUILT_IN_CUES } from './built-in-cues.ts';\nimport { BUILT_IN_TOOLS } from './built-in-tools.ts';\nimport type { SkillDefinition } from './skill-definition.ts';\nimport type { BuiltInSkill } from './skills.ts'")}${definitions}`,
    [join(ROOM, 'built-in-cues.ts')]: `${head('Cues of', "import type { SkillCues } from './skills.ts'")}${cueList}`,
    [join(ROOM, 'built-in-tools.ts')]: `${head('Tools of')}${owned}`,
    [join(ROOM, 'built-in-files.ts')]:
      `${head('Files of', "import type { SkillText } from './skill-files.ts'")}${texts}`,
  };
};

if (import.meta.main) for (const [path, text] of Object.entries(buildBuiltIn())) writeFileSync(path, text);
