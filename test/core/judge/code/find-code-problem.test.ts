/**
 * Code as actions propose it, through the real parsers: what is refused, what passes, and that
 * nothing of it is told.
 */

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../lib/core/base/json.ts';
import { findCodeProblem } from '../../../../lib/core/judge/code/find-code-problem.ts';
import { proposedCode } from '../../../../lib/core/judge/code/proposed-code.ts';
import { CodeProblem } from '../../../../lib/core/signal/facts.ts';
import { findTool } from '../../../../lib/core/tools/catalogue.ts';
import { fc } from '../../../support/fast-check.ts';
import { missesOfAsync } from '../../../support/misses.ts';
import { toolCall } from '../../gates/samples.ts';

const find = async (tool: string, args: JsonObject): Promise<CodeProblem | undefined> => {
  const code = proposedCode(toolCall({ tool, args }), findTool(tool)?.effects);
  return code === undefined ? undefined : findCodeProblem(code);
};
const write = (path: string, content: string) => find('write-file', { path, content });

/** Nine levels of nine uses each: 350 million values in 300 characters. */
const BOMB = [...'abcdefghi']
  .map((name, index, names) => {
    const inner = index === 0 ? 'x' : `*${names[index - 1]}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
  })
  .join('\n');

describe('findCodeProblem', () => {
  it('lets code that parses through, and files without code', async () => {
    const misses = await missesOfAsync(
      [
        ['a.json', '{"a":1}'],
        ['a.json', '\ufeff[]'],
        ['a.jsonl', '{"a":1}\n\n{"a":2}\n'],
        ['tsconfig.json', '{ /* why */ "a": 1, }'],
        ['.vscode/settings.json', '// mine\n{}'],
        ['a.json.md', '{'],
        ['README.md', '```json\n{ … }\n```'],
        ['README.md', '---\ntitle: A\n---\n- ```js\n  a {\n  ```\n\n    ```\n````md\n```\n````\n'],
        ['README.md', '---\n---\n> ~~~\n> x\n> ~~~\nIt has `` ``` `` in it.'],
        ['a.org', '* A\n:PROPERTIES:\n:ID: 1\n:END:\n#+BEGIN_SRC org\n#+end_quote\n* b\n#+end_src\n'],
        ['a.org', '#+begin_quote\n#+begin_src js\n}\n#+end_src\n#+END_QUOTE\n,#+begin_src\n'],
        ['a.yaml', 'a: 1\nb: [x, y]\n'],
        ['a.yml', 'kind: Pod\n---\nkind: Service\n'],
        ['a.yml', 'key: !Ref Bucket\nother: !Sub "\x24{A}"\n'],
        ['a.yml', 'base: &base {a: 1}\nderived:\n  <<: *base\n'],
        ['a.yml', '{{- if .Values.on }}\nkey: x\n{{- end }}\n'],
        ['a.yml', ''],
        ['a.js', 'module.exports = { a };'],
        ['a.js', 'import a from "b";\nawait a();\nexport default a;'],
        ['a.js', 'const view = <a href="x">it\u2019s</a>;'],
        ['a.cjs', 'if (a) return;\nwith (b) delete c;'],
        ['a.js', '// @flow\nconst a = (b: string): number => 1;'],
        ['bin/run.mjs', '#!/usr/bin/env node\nimport "a";'],
        ['a.jsx', 'export const A = () => <><b>don\u0027t</b></>;'],
        ['a.ts', 'enum A { X }\nexport type B = `a\x24{string}`;\nconst c = <T>(d as unknown) satisfies E;'],
        ['a.ts', '@d class A { constructor(@inject() private readonly x: string) {} accessor y = 1; }'],
        ['a.ts', 'import a = require("b");\nexport = a;'],
        ['a.d.ts', 'declare module "x" { export const a: number; }\nexport function f(): void;'],
        ['a.tsx', 'export const A = <T,>({ a }: { a: T }) => <b>{String(a)}</b>;'],
        ['a.cedar', '@id("x") permit (principal, action, resource) when { context.a > 1 };'],
        ['a.cedarschema', 'entity User; action go appliesTo { principal: User, resource: User };'],
        ['notes.txt', '{'],
        ['a.py', 'def ('],
      ],
      async ([path, content]) => {
        expect(await write(path, content)).toBeUndefined();
      },
    );
    expect(misses).toEqual([]);
  });

  it('refuses code that does not parse, and names the line', async () => {
    const misses = await missesOfAsync(
      [
        ['a.json', '{"a":1,}', { language: 'json', line: 1, problem: 'it is not JSON' }],
        ['A.JSON', '', { language: 'json', line: 1, problem: 'it is not JSON' }],
        ['a.ipynb', "{'a': 1}", { language: 'json', line: 1, problem: 'it is not JSON' }],
        ['a.jsonl', '{}\n{]\n', { language: 'json', line: 2, problem: 'it is not JSON' }],
        ['a.yaml', 'a: 1\nb: [1, 2\n', { language: 'yaml', line: 3, problem: 'its indentation does not fit' }],
        ['a.yaml', 'a: 1\n b: 2\n', { language: 'yaml', line: 1, problem: 'it is not YAML' }],
        ['a.yaml', 'a: 1\nb: 2\na: 3\n', { language: 'yaml', line: 3, problem: 'a key is given twice' }],
        ['a.yaml', 'a:\n\tb: 1\n', { language: 'yaml', line: 2, problem: 'it is indented with tabs' }],
        ['a.yaml', 'a: 1\n---\nb: *nobody\n', { language: 'yaml', line: 2, problem: 'its aliases cannot be resolved' }],
        ['a.yaml', BOMB, { language: 'yaml', line: 1, problem: 'its aliases cannot be resolved' }],
        ['a.yaml', '```yaml\na: 1\n```\n', { language: 'yaml', line: 1, problem: 'it is not YAML' }],
        [
          'a.ts',
          `${'<T>('.repeat(40)}x${')'.repeat(40)}`,
          { language: 'typescript', line: 1, problem: 'it takes too long to be judged' },
        ],
        ['a.yaml', '['.repeat(2_000), { language: 'yaml', line: 1, problem: 'it is nested too deeply to be judged' }],
        ['a.js', 'const a = 1;\nconst b = {;\n', { language: 'javascript', line: 2, problem: 'it does not parse' }],
        ['a.js', 'const a: string = "";', { language: 'javascript', line: 1, problem: 'it does not parse' }],
        ['a.mjs', 'let a;\nlet a;', { language: 'javascript', line: 2, problem: 'it does not parse' }],
        ['a.jsx', 'const a = <b>;', { language: 'javascript', line: 1, problem: 'it does not parse' }],
        ['a.ts', 'const a: = 1;', { language: 'typescript', line: 1, problem: 'it does not parse' }],
        [
          'a.tsx',
          'export const A = () => (\n  <b>\n);',
          { language: 'typescript', line: 2, problem: 'it does not parse' },
        ],
        [
          'a.js',
          '['.repeat(40_000),
          { language: 'javascript', line: 1, problem: 'it is nested too deeply to be judged' },
        ],
        [
          'a.ts',
          'a=>{'.repeat(10_000),
          { language: 'typescript', line: 1, problem: 'it is nested too deeply to be judged' },
        ],
        [
          'a.cedar',
          'permit (principal, action,\n  resource',
          { language: 'cedar', line: 2, problem: 'it does not parse' },
        ],
        [
          'a.org',
          '* A\n#+begin_src js\nlet a;\n',
          { language: 'org', line: 2, problem: 'a block that begins here is not closed' },
        ],
        ['a.org', 'x\n#+end_src\n', { language: 'org', line: 2, problem: 'a block ends here that was not begun' }],
        [
          'a.org',
          '* A\n:PROPERTIES:\n:ID: 1\n* B\n',
          { language: 'org', line: 2, problem: 'a property drawer is not closed' },
        ],
        ['a.md', '---\na: [1\n---\n', { language: 'markdown', line: 3, problem: 'its indentation does not fit' }],
        [
          'a.md',
          '# A\n\n```ts\nconst a = 1;\n',
          { language: 'markdown', line: 3, problem: 'a code block that begins here is not closed' },
        ],
        ['a.cedarschema', 'entity User {;', { language: 'cedar', line: 1, problem: 'it does not parse' }],
      ],
      async ([path, content, expected]) => {
        expect(await write(path, content)).toStrictEqual(expected);
      },
    );
    expect(misses).toEqual([]);
  });

  it('judges as before after code that no parser bears', async () => {
    await write('a.ts', '('.repeat(48_000));
    expect(await write('a.ts', 'export const a: number = 1;')).toBeUndefined();
  });

  it.each([
    [{ language: 'YAML', code: 'a: [1' }, 'yaml', 1],
    [{ lang: 'js', source: 'a b' }, 'javascript', 1],
    [{ code: '```ts\nconst a: = 1;\n```\n' }, 'typescript', 2],
    [{ language: 'json', script: '\n~~~~\n{\n~~~~' }, 'json', 3],
    [{ language: 'typescript', code: 'const a: = 1;', args: {} }, 'typescript', 1],
  ])('judges declared and fenced code of any tool: %j', async (args, language, line) => {
    const found = await find('run-code', args);
    expect([found?.language, found?.line]).toStrictEqual([language, line]);
  });

  it.each([
    { code: 'const a: = 1;' },
    { code: '```\n{\n```' },
    { code: '```ts\nconst a: = 1;' },
    { language: 'python', code: 'def (' },
    { language: 'json', code: 404 },
    { language: 'json', text: '{' },
    { language: 'yaml', code: '```yaml\na: 1\n```' },
  ])('has no opinion on what is not declared, or parses: %j', async (args) => {
    expect(await find('run-code', args)).toBeUndefined();
  });

  it('leaves what is longer than an action to the gate for sizes', async () => {
    expect(await write('a.json', '{'.repeat(60_000))).toBeUndefined();
  });

  it('always ends with a fact, whatever the code, and never tells a part of it', async () => {
    const name = fc.constantFrom('a.json', 'a.jsonl', 'a.yaml', 'a.js', 'a.ts', 'a.tsx', 'a.d.ts', 'a.cedar');
    const piece = fc.constantFrom(
      '{',
      '[',
      '"',
      "'",
      '`',
      '${',
      '*a',
      '&a',
      ':',
      '- ',
      '\n',
      '\t',
      '<a>',
      '/*',
      '\u2028',
    );
    const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(name, text, async (path, parts) => {
        const found = await write(path, `${parts.join('')}zebra${parts.join('')}`);
        if (found === undefined) return;
        expect(CodeProblem.parse(found)).toStrictEqual(found);
        expect(found.line).toBeGreaterThan(0);
        expect(found.problem).not.toContain('zebra');
      }),
      { numRuns: 300 },
    );
  });
});
