/**
 * Which code an action would hand on, and in which language: what `write-file` would write, by the name of the file, and
 * arguments that are declared to be code (`code`, `source` or `script` beside a `language`, or fenced with one). Everything
 * else is text, about which no parser has a say: notes, documents with examples in them, files that may hold comments
 * (`tsconfig.json`, `.vscode`) or are made into code later (templates). Pure and linear.
 */

import type { Action } from '../../signal/action.ts';
import type { CodeLanguage } from '../../signal/facts.ts';

/** What a parser is told besides the language: a dialect of it. */
export type CodeForm = 'plain' | 'lines' | 'declarations' | 'markup' | 'schema';

export interface ProposedCode {
  readonly language: CodeLanguage;
  readonly form: CodeForm;
  readonly text: string;
  /** Lines of the argument before the code: a fence has one. */
  readonly linesBefore: number;
}

type Kind = readonly [CodeLanguage, CodeForm];

const WRITING_TOOL = 'write-file';
/** Read by programs that take comments and trailing commas. */
const WITH_COMMENTS = /(?:^|\/)(?:[tj]sconfig[\w.-]*\.json|\.vscode\/[^/]*|devcontainer\.json|\.eslintrc\.json)$/i;
const EXTENSIONS: readonly (readonly [RegExp, Kind])[] = [
  [/\.(?:json|geojson|webmanifest|ipynb)$/i, ['json', 'plain']],
  [/\.(?:jsonl|ndjson)$/i, ['json', 'lines']],
  [/\.ya?ml$/i, ['yaml', 'plain']],
  [/\.d\.[cm]?ts$/i, ['typescript', 'declarations']],
  [/\.[cm]?ts$/i, ['typescript', 'plain']],
  [/\.tsx$/i, ['typescript', 'markup']],
  [/\.(?:[cm]?js|jsx)$/i, ['javascript', 'markup']],
  [/\.cedar$/i, ['cedar', 'plain']],
  [/\.cedarschema$/i, ['cedar', 'schema']],
];

const NAMES: ReadonlyMap<string, Kind> = new Map<string, Kind>([
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

/** A template's own marks: it is YAML only once it has been filled in. */
const TEMPLATE = /^[^#\n]*(?:\{\{|\{%|<%)/m;

const codeOf = (kind: Kind | undefined, text: string, linesBefore: number): ProposedCode | undefined => {
  if (kind === undefined || (kind[0] === 'yaml' && TEMPLATE.test(text))) return undefined;
  return { language: kind[0], form: kind[1], text, linesBefore };
};

const FENCE_START = /^\s*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n/;

/** A text that is one fenced block and nothing else; else the text itself, without a language of its own. */
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

/** The code an action would hand on; none where nothing of it is code. */
export const proposedCode = ({ tool, args }: Action): ProposedCode | undefined => {
  if (args === undefined) return undefined;
  return tool === WRITING_TOOL ? writtenCode(args.path, args.content) : declaredCode(args);
};
