/** A skill's files under plain paths, with nothing hidden. Any change is another version. Pure. */
import { hash } from 'node:crypto';
import { hashOf } from '../base/canonical.ts';
import { type FileProblem, hiddenProblems } from '../base/file-problem.ts';
import { KIB } from '../base/limits.ts';
import { makeVisible } from '../base/make-visible.ts';
import { SKILL_FILE_BYTES_MAX, SKILL_FILES_MAX, type SkillFile } from './skill-change.ts';

/** A whole skill: a person is to read it before they say yes. */
const SKILL_BYTES_MAX = 2048 * KIB;
const PATH_CHARS_MAX = 200;

/** Words of letters, digits, `.`, `_` and `-` between slashes; none begins with a dot or a dash. */
const PATH = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*){0,5}$/;

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

const pathProblems = (files: readonly SkillText[]): readonly FileProblem[] => {
  const lower = files.map(({ path }) => path.toLowerCase());
  return files.flatMap(({ path }, index) => [
    ...(PATH.test(path) && path.length <= PATH_CHARS_MAX
      ? []
      : [
          {
            file: makeVisible(path.slice(0, PATH_CHARS_MAX)),
            problem: 'its path must be relative, of letters, digits, ".", "_" and "-", without hidden files',
          },
        ]),
    ...(lower.indexOf(path.toLowerCase()) === index ? [] : [{ file: path, problem: 'there are two such files' }]),
  ]);
};

/** The YAML between the two lines `---`, and all that follows. */
const FRONTMATTER = /^---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Undefined if the text does not begin with a frontmatter. */
export const splitFrontmatter = (text: string): { readonly yaml: string; readonly body: string } | undefined => {
  const found = FRONTMATTER.exec(text);
  return found === null ? undefined : { yaml: found[1] ?? '', body: text.slice(found[0].length).trim() };
};

/** The instructions in the text of a `SKILL.md`. */
export const bodyOf = (text: string): string => splitFrontmatter(text)?.body ?? '';

/** Everything that is wrong with the files as files. */
export const fileProblems = (files: readonly SkillText[]): readonly FileProblem[] => {
  const sizes = files.map(describeFile);
  return [
    ...(files.some(({ path }) => path === SKILL_FILE)
      ? []
      : [{ file: SKILL_FILE, problem: 'it is missing: every skill has one, so spelled' }]),
    ...(files.length > SKILL_FILES_MAX
      ? [{ file: 'the folder', problem: `it holds ${files.length} files, and ${SKILL_FILES_MAX} are allowed` }]
      : []),
    ...(bytesOf(sizes) > SKILL_BYTES_MAX
      ? [{ file: 'the folder', problem: `it holds ${bytesOf(sizes)} bytes, and ${SKILL_BYTES_MAX} are allowed` }]
      : []),
    ...sizes
      .filter(({ bytes }) => bytes > SKILL_FILE_BYTES_MAX)
      .map(({ path, bytes }) => ({
        file: path,
        problem: `it has ${bytes} bytes, and ${SKILL_FILE_BYTES_MAX} are allowed`,
      })),
    ...pathProblems(files),
    ...files.flatMap(({ path, text }) => hiddenProblems(path, text)),
  ];
};
