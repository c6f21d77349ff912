/**
 * Finds the code that an action would hand on, and its language. A tool that writes files is judged
 * by the name of the file, other tools by arguments declared to be code (`code`, `source` or
 * `script` beside a `language`, or fenced with one). All else is text, which no parser sees. Pure.
 */

import type { Action } from '../../signal/action.ts';
import type { CodeLanguage, ToolEffects } from '../../signal/facts.ts';

/** A dialect of the language. */
type CodeForm = 'plain' | 'lines' | 'declarations' | 'markup' | 'schema';

export interface ProposedCode {
  readonly language: CodeLanguage;
  readonly form: CodeForm;
  readonly text: string;
  /** Lines of the argument before the code: one for a fence. */
  readonly linesBefore: number;
}

type CodeKind = readonly [CodeLanguage, CodeForm];

/** Files that may hold comments and trailing commas. */
const WITH_COMMENTS = /(?:^|\/)(?:[tj]sconfig[\w.-]*\.json|\.vscode\/[^/]*|devcontainer\.json|\.eslintrc\.json)$/i;
const EXTENSIONS: readonly (readonly [RegExp, CodeKind])[] = [
  [/\.(?:json|geojson|webmanifest|ipynb)$/i, ['json', 'plain']],
  [/\.(?:jsonl|ndjson)$/i, ['json', 'lines']],
  [/\.ya?ml$/i, ['yaml', 'plain']],
  [/\.d\.[cm]?ts$/i, ['typescript', 'declarations']],
  [/\.[cm]?ts$/i, ['typescript', 'plain']],
  [/\.tsx$/i, ['typescript', 'markup']],
  [/\.(?:[cm]?js|jsx)$/i, ['javascript', 'markup']],
  [/\.cedar$/i, ['cedar', 'plain']],
  [/\.cedarschema$/i, ['cedar', 'schema']],
  [/\.org$/i, ['org', 'plain']],
  [/\.(?:md|markdown)$/i, ['markdown', 'plain']],
];

const NAMES: ReadonlyMap<string, CodeKind> = new Map<string, CodeKind>([
  ['json', ['json', 'plain']],
  ['jsonl', ['json', 'lines']],
  ['ndjson', ['json', 'lines']],
  ['yaml', ['yaml', 'plain']],
  ['yml', ['yaml', 'plain']],
  ['ts', ['typescript', 'plain']],
  ['typescript', ['typescript', 'plain']],
  ['tsx', ['typescript', 'markup']],
  ['js', ['javascript', 'markup']],
  ['jsx', ['javascript', 'markup']],
  ['javascript', ['javascript', 'markup']],
  ['mjs', ['javascript', 'markup']],
  ['node', ['javascript', 'markup']],
  ['cedar', ['cedar', 'plain']],
]);

/** Marks of a template: it is YAML only after it is filled in. */
const TEMPLATE = /^[^#\n]*(?:\{\{|\{%|<%)/m;

const codeOf = (kind: CodeKind | undefined, text: string, linesBefore: number): ProposedCode | undefined => {
  if (kind === undefined || (kind[0] === 'yaml' && TEMPLATE.test(text))) return undefined;
  return { language: kind[0], form: kind[1], text, linesBefore };
};

const FENCE_START = /^\s*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n/;

/** Opens a text that is one fenced block and nothing else; other texts stay, without a language. */
const unfence = (text: string): { readonly name: string; readonly code: string; readonly linesBefore: number } => {
  const [start = '', fence = '', name = ''] = FENCE_START.exec(text) ?? [];
  const body = text.slice(start.length).trimEnd();
  if (fence === '' || !body.endsWith(fence)) return { name: '', code: text, linesBefore: 0 };
  return { name, code: body.slice(0, -fence.length), linesBefore: start.split('\n').length - 1 };
};

const writtenCode = (path: unknown, content: unknown): ProposedCode | undefined => {
  if (typeof path !== 'string' || typeof content !== 'string' || WITH_COMMENTS.test(path)) return undefined;
  return codeOf(EXTENSIONS.find(([name]) => name.test(path))?.[1], content, 0);
};

const declaredCode = (args: NonNullable<Action['args']>): ProposedCode | undefined => {
  const text = [args.code, args.source, args.script].find((value) => typeof value === 'string');
  if (typeof text !== 'string') return undefined;
  const { name, code, linesBefore } = unfence(text);
  const declared = args.language ?? args.lang;
  const language = typeof declared === 'string' ? declared : name;
  return codeOf(NAMES.get(language.trim().toLowerCase()), code, linesBefore);
};

/** @returns undefined if no part of the action is code */
export const proposedCode = (
  { args }: Action,
  { writesFiles: [path] = [] }: ToolEffects = {},
): ProposedCode | undefined => {
  if (args === undefined) return undefined;
  return path === undefined ? declaredCode(args) : writtenCode(args[path], args.content);
};
