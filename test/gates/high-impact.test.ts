/** Gates that look at what a tool is, and at what it would write. */
import { describe, expect, it } from 'vitest';
import { checkCodeValidity } from '../../lib/gates/code-validity.ts';
import { checkHighImpact } from '../../lib/gates/high-impact.ts';
import { factsFor, reply, toolCall, webhookCall } from './samples.ts';

const write = (path: string, content: string) => {
  const action = toolCall({ tool: 'write-file', args: { path, content } });
  return checkCodeValidity(action, factsFor(action));
};

describe('checkHighImpact', () => {
  it.each(['shell', 'forget', 'delete-file', 'create-grant', 'schedule-job'])(
    'asks before %s, also when allowed',
    (tool) => {
      const action = toolCall({ tool });
      expect(checkHighImpact(action, factsFor(action, { tier: 'allow' })).verdict).toBe('ask');
    },
  );
  it.each([[toolCall()], [reply()], [webhookCall()], [toolCall({ tool: 'read-file' })]])(
    'lets %j through',
    (action) => {
      expect(checkHighImpact(action, factsFor(action))).toStrictEqual({ verdict: 'pass', reason: '' });
    },
  );
});

describe('checkCodeValidity', () => {
  it.each([
    ['a.json', '{"a":1}'],
    ['a.json', '\ufeff[]'],
    ['a.jsonl', '{"a":1}\n\n{"a":2}\n'],
    ['tsconfig.json', '{ /* why */ "a": 1, }'],
    ['.vscode/settings.json', '// mine\n{}'],
    ['a.ts', 'const = ;'],
    ['a.json.md', '{'],
  ])('lets %s with %j through', (path, content) => {
    expect(write(path, content)).toStrictEqual({ verdict: 'pass', reason: '' });
  });
  it.each([
    ['a.json', '{"a":1,}', 'the content is not valid JSON'],
    ['A.JSON', '', 'the content is not valid JSON'],
    ['a.ipynb', "{'a': 1}", 'the content is not valid JSON'],
    ['a.jsonl', '{}\n{]\n', 'line 2 of the content is not valid JSON'],
  ])('stops %s with %j', (path, content, reason) => {
    expect(write(path, content)).toStrictEqual({ verdict: 'block', reason });
  });
});
