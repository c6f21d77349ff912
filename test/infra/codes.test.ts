/**
 * Code decides by codes, and never by a sentence of its own that it reads back. This looks for
 * words that code compares a text with: by `startsWith`, `includes`, `===`, or a pattern.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';

type Node = Record<string, unknown>;

/** These read the words of somebody else, a format, or records from before there was a code. */
const READERS: readonly string[] = [
  // Records and questions without a code: the one place for each.
  ...['lib/core/ledger/old-sentences.ts', 'lib/core/judge/old-choices.ts', 'lib/core/language/sentence-speaker.ts'],
  // Words of people and of models.
  ...[
    'lib/features/claims/asked-for.ts',
    'lib/features/claims/turn-line.ts',
    'lib/core/judge/code-choices.ts',
    'lib/core/text/choices.ts',
    'lib/core/stages/reason/mark-outside.ts',
  ],
  ...['lib/core/llm/choose-model.ts', 'lib/core/llm/thoughts.ts'],
  'infra/local/demo-script.ts',
  // Words by which front ends of others are known.
  'lib/features/responses/titles.ts',
  // Errors of providers, engines, services and programs.
  ...['lib/core/llm/provider-failure.ts', 'lib/core/store/classify-store-error.ts'],
  ...[
    'lib/core/store/run-function.ts',
    'lib/core/sandbox/sandbox-worker.ts',
    'lib/features/policy/cedar.ts',
    'lib/core/base/json.ts',
  ],
  ...['lib/features/telegram/deliver.ts', 'lib/features/webhooks/edge/webhook-body.ts'],
  // Formats: HTML, commands, certificates, the text of a policy, source of the product.
  ...['lib/features/documents/read-attachment.ts', 'lib/features/runner/tools/command-texts.ts'],
  ...[
    'lib/features/runner/shell/program-run.ts',
    'lib/features/webhooks/edge/schemes/sns.ts',
    'lib/features/page/page.ts',
  ],
  ...[
    'lib/features/policy/draft-rule.ts',
    'lib/core/actuators/leave-out.ts',
    'lib/core/text/drawing.ts',
    'infra/list-bounds.ts',
    'infra/releases.ts',
  ],
  // Marks that code leaves in a text which others hand on.
  ...[
    'lib/core/gates/rules/find-secrets.ts',
    'lib/core/gates/rules/secret-formats.ts',
    'lib/core/tools/long-output.ts',
  ],
  ...[
    'lib/core/text/cut-text.ts',
    'lib/core/signal/task-tools.ts',
    'lib/core/approvals/card-marks.ts',
    'lib/core/evidence/verifier/content.ts',
  ],
  ...['lib/features/page/app/talk.tsx', 'infra/cli/change.ts', 'infra/cli/commands/send.ts'],
  ...['infra/cli/chat/follow-turn.ts', 'infra/cli/setup/first-answer.ts'],
];

/** Constants that one process compares with themselves. No sentence is stored or sent between. */
const OWN: readonly RegExp[] = [
  /^lib\/features\/runner\/.*(?:NOT_KNOWN|DELETES|TAKES_AWAY)/,
  /error\.condition (?:===|!==) |reason === STALE/,
  /^lib\/features\/jobs\/dry-run.*NOT_EVALUATED/,
  /killSwitch\.by === RESTORE_ACTOR|=== NO_SUCH_NAME|=== OTHERS|error\.problem !== DAMAGED|=== COPY_EXPLANATION/,
  /^lib\/core\/gates\/rules\/confinement\.ts.*OUTSIDE|because === 'changed since'|problem === 'empty answer'|found === 'no file'/,
  /^lib\/core\/llm\/provider-cures|^lib\/core\/edge\/webhook\/schemes\/grafana/,
];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const nodesIn = (value: unknown): readonly Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : [];
};

/** Two words in a row, also with `\s` or an open group between them. */
const WORDS = /\p{L}{2,}(?: |\\s\+?)[^\n]*?\p{L}{2,}/u;

const wordsOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  const { type, value, pattern, quasis, expression } = node;
  if (type === 'StringLiteral') return String(value);
  if (type === 'RegExpLiteral') return String(pattern);
  if (Array.isArray(quasis)) return quasis.map((one) => one.value.cooked).join('…');
  return type === 'TSAsExpression' ? wordsOf(expression) : '';
};

const constantsIn = (nodes: readonly Node[]): ReadonlyMap<string, string> =>
  new Map(
    nodes.flatMap(({ type, id, init }) =>
      type === 'VariableDeclarator' && isNode(id) && wordsOf(init) !== '' ? [[String(id.name), wordsOf(init)]] : [],
    ),
  );

const COMPARING = ['startsWith', 'endsWith', 'includes', 'indexOf', 'match', 'matchAll', 'search'];

/** What a node compares a text with; empty if it compares none. */
const comparedWith = (node: Node, said: (node: unknown) => string): string => {
  const { type, callee, operator, left, right } = node;
  if (type === 'BinaryExpression' && /^[!=]==$/.test(String(operator))) return said(left) || said(right);
  if (type !== 'CallExpression' || !isNode(callee) || !isNode(callee.property)) return '';
  const name = String(callee.property.name);
  if (name === 'test' || name === 'exec') return said(callee.object);
  return COMPARING.includes(name) && Array.isArray(node.arguments) ? said(node.arguments[0]) : '';
};

interface Source {
  readonly file: string;
  readonly text: string;
  readonly nodes: readonly Node[];
}

const readSource = (file: string): Source => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const plugins = file.endsWith('x') ? (['typescript', 'jsx'] as const) : (['typescript'] as const);
  return { file, text, nodes: nodesIn(parse(text, { sourceType: 'module', plugins: [...plugins] }).program) };
};

/** `<file>:<line> <source of the line>` for each place that reads words back. */
const readBack = (sources: readonly Source[]): readonly string[] => {
  const shared = new Map<string, string>();
  for (const { text, nodes } of sources)
    for (const [name, words] of constantsIn(nodes)) if (text.includes(`export const ${name} `)) shared.set(name, words);
  return sources.flatMap(({ file, text, nodes }) => {
    const own = constantsIn(nodes);
    const isImported = (name: string): boolean => new RegExp(`import [^;]*\\b${name}\\b[^;]* from`).test(text);
    const said = (node: unknown): string => {
      const name =
        isNode(node) && node.type === 'Identifier' && /^[A-Z]/.test(String(node.name)) ? String(node.name) : '';
      return own.get(name) ?? (isImported(name) ? shared.get(name) : undefined) ?? wordsOf(node);
    };
    const lines = nodes.flatMap((node) => {
      const { loc } = node as { readonly loc?: { readonly start: { readonly line: number } } };
      return WORDS.test(comparedWith(node, said)) ? [loc?.start.line ?? 0] : [];
    });
    return [...new Set(lines)].map((line) => `${file}:${line} ${text.split('\n')[line - 1]?.trim() ?? ''}`);
  });
};

const SOURCES = globSync('{lib,functions,infra}/**/*.{ts,tsx}', { cwd: ROOT }).toSorted().map(readSource);

it('reads no sentence of its own back', () => {
  const found = readBack(SOURCES.filter(({ file }) => !READERS.includes(file)));
  const isOpen = (line: string): boolean => !OWN.some((one) => one.test(line));
  expect(found.filter(isOpen)).toStrictEqual([]);
});

it('names only readers that read something', () => {
  const found = readBack(SOURCES).join('\n');
  expect(READERS.filter((file) => !found.includes(`${file}:`))).toStrictEqual([]);
});

it('would find one', () => {
  const text = "const SAID = 'it is done';\nexport const isDone = (output: string) => output.startsWith(SAID);\n";
  const source = {
    file: 'a.ts',
    text,
    nodes: nodesIn(parse(text, { sourceType: 'module', plugins: ['typescript'] }).program),
  };
  expect(readBack([source])).toStrictEqual([
    'a.ts:2 export const isDone = (output: string) => output.startsWith(SAID);',
  ]);
});
