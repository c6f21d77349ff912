/**
 * A file that a program reads is written whole and readable, or not at all: a broken configuration is found when it is too
 * late. Judges what `write-file` would write, by the name of the file.
 * - stops: JSON that does not parse, also line by line in `.jsonl`
 * - lets through: valid JSON, files that may hold comments (`tsconfig.json`, `.vscode`, `.jsonc`, `.json5`), other files
 *
 * JSON is what can be judged exactly and cheaply. YAML, TypeScript and JavaScript would each need a parser of some hundred
 * kilobytes in every function, or one of Node's own that is not the same from version to version: they are not judged.
 */
import type { Action } from '../signal/action.ts';
import type { Facts } from './facts.ts';
import { PASS, type Verdict } from './gate.ts';

const WRITING_TOOL = 'write-file';
const JSON_FILE = /\.(?:json|geojson|webmanifest|ipynb)$/i;
const JSON_LINES_FILE = /\.(?:jsonl|ndjson)$/i;
/** Read by programs that take comments and trailing commas. */
const WITH_COMMENTS = /(?:^|\/)(?:[tj]sconfig[\w.-]*\.json|\.vscode\/[^/]*|devcontainer\.json|\.eslintrc\.json)$/i;

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Programs skip a byte order mark. */
const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

const problemOf = (path: string, content: string): string | undefined => {
  if (WITH_COMMENTS.test(path)) return undefined;
  if (JSON_FILE.test(path)) return parses(withoutMark(content)) ? undefined : 'the content is not valid JSON';
  if (!JSON_LINES_FILE.test(path)) return undefined;
  const bad = content.split('\n').findIndex((line) => line.trim() !== '' && !parses(line));
  return bad < 0 ? undefined : `line ${bad + 1} of the content is not valid JSON`;
};

export const checkCodeValidity = (action: Action, _facts: Facts): Verdict => {
  if (action.tool !== WRITING_TOOL) return PASS;
  const path = action.args?.path;
  const content = action.args?.content;
  if (typeof path !== 'string' || typeof content !== 'string') return PASS;
  const problem = problemOf(path, content);
  return problem === undefined ? PASS : { verdict: 'block', reason: problem };
};
