/**
 * Checks the comments of all sources, as a part of `npm run check`. A comment line has at most 100
 * columns. A comment cites only invariants that `lib/README.md` defines, only files and folders
 * that exist, and no numbered section of a document, unless it is a public standard's. In the
 * product it begins with no clause that hides its subject: for "What a form asks for" write "The
 * fields of a form"; and it stands above the line that it is about.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const COLUMNS_MAX = 100;

const FILES = globSync('{lib,functions,infra,test}/**/*', {
  cwd: ROOT,
  exclude: (path) => path.includes('node_modules'),
});
const INVARIANTS = new Set(readFileSync(join(ROOT, 'lib/README.md'), 'utf8').match(/(?<=\*\*)I\d+(?= )/g));

const INVARIANT = /\bI\d+\b/g;
const SECTION = /\b(?:design|section|chapter) \d+(?:\.\d+)*/gi;
const STANDARD = /RFC|C2SP|WHATWG|UTS|§/;
const PATH = /(?<![\w./-])(?:lib|infra|test|functions)\/[\w./-]*\.[a-z]+\b/g;
const FOLDER = /(?<=`)(?:lib|infra|test|functions)\/[\w./-]+(?=`)/g;
const SOURCE = /(?<=`)[\w.-]*[/-][\w./-]*\.ts(?=`)/g;

interface Comment {
  readonly line: number;
  /** The whole line, if the comment has it alone. */
  readonly whole: string;
  readonly text: string;
}

/** Lines of comments, also those that follow code on their line. */
const findComments = (source: string): readonly Comment[] => {
  const comments: Comment[] = [];
  let isInBlock = false;
  for (const [n, whole] of source.split('\n').entries()) {
    const text = whole.trim();
    const isComment = isInBlock || text.startsWith('//') || text.startsWith('/*');
    const trailing = /\s\/\/ (.*)$/.exec(whole)?.[1];
    if (isComment) comments.push({ line: n + 1, whole, text });
    else if (trailing !== undefined) comments.push({ line: n + 1, whole: '', text: trailing });
    if (isComment) isInBlock = (isInBlock || text.startsWith('/*')) && !text.includes('*/');
  }
  return comments;
};

/** A source in backticks may leave its first folders out. */
const isThere = (path: string): boolean => {
  const end = `/${path.replace(/^(?:\.\.?\/)+/, '')}`;
  return existsSync(join(ROOT, path)) || FILES.some((file) => `/${file}`.endsWith(end));
};

const findProblems = ({ whole, text }: Comment): readonly string[] => {
  const matches = (pattern: RegExp): readonly string[] => text.match(pattern) ?? [];
  const isLong = whole.length > COLUMNS_MAX && !/biome-ignore|^\/\/usr|https?:\/\/\S{60}/.test(whole);
  const lost = [...matches(PATH), ...matches(FOLDER), ...matches(SOURCE)].filter((path) => !isThere(path));
  return [
    ...(isLong ? [`This comment line has ${whole.length} columns; wrap it at ${COLUMNS_MAX}.`] : []),
    ...matches(INVARIANT)
      .filter((name) => !INVARIANTS.has(name))
      .map((name) => `lib/README.md defines no invariant ${name}.`),
    ...(STANDARD.test(text) ? [] : matches(SECTION)).map(
      (name) => `No document here has a "${name}"; say what it says.`,
    ),
    ...[...new Set(lost)].map((path) => `The path ${path} does not exist.`),
  ];
};

const HEADLESS = /^ *\/(?:\*\*(?:\n *\*)?|\/) (What|Who|Whose|Whom|Whatever|Whoever|Which|Where)\b(?![^.:]*\?)/gm;

const findHeadless = (source: string): readonly string[] =>
  [...source.matchAll(HEADLESS)].map(
    ([, word = ''], n, all) =>
      `${source.slice(0, all[n]?.index).split('\n').length}: Begin with a noun, not "${word}".`,
  );

/** The first comment of a file is about the file; each other one is about the line below it. */
const ORPHAN = /(?<=\n) *\/\*\*(?:(?!\*\/).)*\*\/\n(?= *(?:\n|\/\*\*))/gs;

const findOrphans = (source: string): readonly string[] =>
  [...source.matchAll(ORPHAN)].map(
    ({ index }) => `${source.slice(0, index).split('\n').length}: This comment stands above nothing.`,
  );

const found = FILES.filter((file) => /\.tsx?$/.test(file)).flatMap((file) => {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [
    ...findComments(source).flatMap((comment) => findProblems(comment).map((problem) => `${comment.line}: ${problem}`)),
    ...(file.startsWith('test/') ? [] : [...findHeadless(source), ...findOrphans(source)]),
  ].map((problem) => `${file}:${problem}`);
});
for (const line of found) process.stderr.write(`${line}\n`);
process.exitCode = found.length === 0 ? 0 : 1;
