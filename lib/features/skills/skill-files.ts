/** A skill's files under plain paths. Any change is another version. Pure. */
import { hash } from 'node:crypto';
import { hashOf } from '../../core/base/canonical.ts';
import { type FileProblem, hiddenProblems } from '../../core/base/file-problem.ts';
import { KIB } from '../../core/base/limits.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import type { Sandbox } from '../../core/sandbox/sandbox.ts';
import {
  MACHINE_FILE_BYTES_MAX,
  MACHINE_FILES_BYTES_MAX,
  SKILL_FILE_BYTES_MAX,
  SKILL_FILES_MAX,
  type SkillFile,
} from './skill-change.ts';

/** A whole skill: a person is to read it before they say yes. */
const SKILL_BYTES_MAX = 2048 * KIB;
const PATH_CHARS_MAX = 200;

/** Names as people give them, between slashes. None is hidden or looks like an option. */
const NAME = String.raw`[\p{L}\p{N}_@#$+=([\{][\p{L}\p{M}\p{N} ._@#$+=()[\]\{\},;'!&~\-]{0,127}`;
const PATH = new RegExp(`^${NAME}(?:/${NAME}){0,11}$`, 'u');

export const SKILL_FILE = 'SKILL.md';
export const EXTENSION_FILE = 'passepartout.yaml';

export interface SkillText {
  /** Relative, with `/`. */
  readonly path: string;
  readonly text: string;
}

export const sha256Of = (text: string): string => hash('sha256', text);

export const describeFile = ({ path, text }: SkillText): SkillFile => ({
  path,
  sha256: sha256Of(text),
  bytes: Buffer.byteLength(text),
});

/** The version: a hash over the paths and contents of all files. */
export const versionOf = (files: readonly Pick<SkillFile, 'path' | 'sha256'>[]): string => {
  const pairs = files.map(({ path, sha256 }): readonly [string, string] => [path, sha256]);
  return hashOf(
    'skill-version',
    pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
};

export const bytesOf = (files: readonly Pick<SkillFile, 'bytes'>[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

export const isPlainPath = (path: string): boolean => PATH.test(path) && path.length <= PATH_CHARS_MAX;

const pathProblems = (files: readonly Pick<SkillFile, 'path'>[]): readonly FileProblem[] => {
  const lower = files.map(({ path }) => path.toLowerCase());
  return files.flatMap(({ path }, index) => [
    ...(isPlainPath(path)
      ? []
      : [
          {
            file: makeVisible(path.slice(0, PATH_CHARS_MAX)),
            problem: 'its path must be relative, of plain names, without hidden files',
          },
        ]),
    ...(lower.indexOf(path.toLowerCase()) === index ? [] : [{ file: path, problem: 'there are two such files' }]),
  ]);
};

/** The YAML between the two lines `---`, and all that follows. */
const FRONTMATTER = /^(\s*)---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Undefined if the text does not begin with a frontmatter. */
export const splitFrontmatter = (text: string): (FrontmatterText & { readonly body: string }) | undefined => {
  const found = FRONTMATTER.exec(text);
  if (found === null) return undefined;
  const [whole, before = '', yaml = ''] = found;
  return { yaml, linesBefore: before.split('\n').length, body: text.slice(whole.length).trim() };
};

/** The block of YAML, and the lines of the file before it. */
export interface FrontmatterText {
  readonly yaml: string;
  readonly linesBefore: number;
}

/** The instructions in the text of a `SKILL.md`. */
export const bodyOf = (text: string): string => splitFrontmatter(text)?.body ?? '';

/** Characters that nobody sees as their codes: a person and the model see the same. */
export const showHidden = (text: string): string => text.replace(/[^\t\r]+/g, (piece) => makeVisible(piece, true));

/** Files of instructions or settings. Others are shown with their hidden characters. */
const STRICT: ReadonlySet<string> = new Set([SKILL_FILE, EXTENSION_FILE]);

const tooLarge = (files: readonly SkillFile[], bytesMax: number): readonly FileProblem[] =>
  files
    .filter(({ bytes }) => bytes > bytesMax)
    .map(({ path, bytes }) => ({ file: path, problem: `it has ${bytes} bytes, and ${bytesMax} are allowed` }));

/** Everything that is wrong with the files as files. @param machineFiles those without a text */
export const fileProblems = (
  files: readonly SkillText[],
  machineFiles: readonly SkillFile[] = [],
): readonly FileProblem[] => {
  const sizes = files.map(describeFile);
  const count = files.length + machineFiles.length;
  return [
    ...machineFiles
      .filter(({ path }) => STRICT.has(path))
      .map(({ path }) => ({ file: path, problem: 'it must be a text in UTF-8' })),
    ...([...files, ...machineFiles].some(({ path }) => path === SKILL_FILE)
      ? []
      : [{ file: SKILL_FILE, problem: 'it is missing: every skill has one, so spelled' }]),
    ...(count > SKILL_FILES_MAX
      ? [{ file: 'the folder', problem: `it holds ${count} files, and ${SKILL_FILES_MAX} are allowed` }]
      : []),
    ...(bytesOf(sizes) > SKILL_BYTES_MAX
      ? [{ file: 'the folder', problem: `it holds ${bytesOf(sizes)} bytes, and ${SKILL_BYTES_MAX} are allowed` }]
      : []),
    ...(bytesOf(machineFiles) > MACHINE_FILES_BYTES_MAX
      ? [
          {
            file: 'the folder',
            problem: `its files for a machine have ${bytesOf(machineFiles)} bytes, and ${MACHINE_FILES_BYTES_MAX} are allowed`,
          },
        ]
      : []),
    ...tooLarge(sizes, SKILL_FILE_BYTES_MAX),
    ...tooLarge(machineFiles, MACHINE_FILE_BYTES_MAX),
    ...pathProblems([...files, ...machineFiles]),
    ...files.flatMap(({ path, text }) => (STRICT.has(path) ? hiddenProblems(path, text) : [])),
  ];
};

/** The faults of a runbook's file. @param sandbox checks that its expressions parse */
export type CheckRunbook = (file: string, text: string, sandbox?: Sandbox) => readonly FileProblem[];
