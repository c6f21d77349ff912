import { describe, expect, it } from 'vitest';
import { normaliseName } from '../../../lib/core/signal/action.ts';
import { argumentProblems } from '../../../lib/core/tools/argument-problems.ts';
import { findTool, TOOLS } from '../../../lib/core/tools/catalogue.ts';
import { parametersOf, TOOL_DESCRIPTIONS } from '../../../lib/core/tools/describe-tools.ts';
import type { Tool } from '../../../lib/core/tools/tool.ts';

const toolOf = (name: string): Tool => {
  const tool = findTool(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};

describe('TOOLS', () => {
  it('says of each tool what it needs and where its output comes from', () => {
    expect(
      TOOLS.map(({ name, target, tier, kind, outputOrigin }) => [name, target, tier, kind, outputOrigin]),
    ).toStrictEqual([
      ['remember', 'tool', 'allow', 'idempotent', 'inputs'],
      ['recall', 'tool', 'allow', 'read', 'objects'],
      ['list-memory', 'tool', 'allow', 'read', 'objects'],
      ['start-project', 'tool', 'allow', 'idempotent', 'inputs'],
      ['forget', 'tool', 'ask', 'idempotent', 'inputs'],
      ['snapshot', 'tool', 'ask', 'idempotent', 'inputs'],
      ['auto-save', 'tool', 'allow', 'idempotent', 'clean'],
      ['rollback', 'tool', 'ask', 'idempotent', 'inputs'],
      ['revert', 'tool', 'allow', 'idempotent', 'inputs'],
      ['ingest', 'tool', 'allow', 'idempotent', 'inputs'],
      ['ingest-file', 'tool', 'ask', 'idempotent', 'inputs'],
      ['summarise-session', 'tool', 'allow', 'idempotent', 'inputs'],
      ['current-time', 'tool', 'allow', 'read', 'clean'],
      ['calculate', 'tool', 'allow', 'read', 'inputs'],
      ['run-code', 'tool', 'ask', 'read', 'inputs'],
      ['read-output', 'tool', 'allow', 'read', 'objects'],
      ['read-attachment', 'tool', 'allow', 'read', 'inputs'],
      ['add-mcp-server', 'tool', 'ask', 'idempotent', 'outside'],
      ['accept-mcp-server', 'tool', 'ask', 'idempotent', 'outside'],
      ['remove-mcp-server', 'tool', 'ask', 'idempotent', 'outside'],
      ['list-mcp-servers', 'tool', 'allow', 'read', 'outside'],
      ['pair-runner', 'tool', 'ask', 'idempotent', 'clean'],
      ['pause-runner', 'tool', 'ask', 'idempotent', 'clean'],
      ['resume-runner', 'tool', 'ask', 'idempotent', 'clean'],
      ['remove-runner', 'tool', 'ask', 'idempotent', 'clean'],
      ['list-runners', 'tool', 'allow', 'read', 'clean'],
      ['add-provider', 'tool', 'ask', 'idempotent', 'outside'],
      ['add-local-provider', 'tool', 'ask', 'idempotent', 'outside'],
      ['try-provider', 'tool', 'allow', 'read', 'outside'],
      ['try-local-provider', 'tool', 'allow', 'read', 'outside'],
      ['order-providers', 'tool', 'ask', 'idempotent', 'outside'],
      ['list-chats', 'tool', 'allow', 'read', 'clean'],
      ['remove-chat', 'tool', 'ask', 'idempotent', 'clean'],
      ['change-setting', 'tool', 'ask', 'idempotent', 'clean'],
      ['add-skill', 'tool', 'ask', 'idempotent', 'clean'],
      ['keep-skill-file', 'tool', 'allow', 'idempotent', 'clean'],
      ['remove-skill', 'tool', 'ask', 'idempotent', 'clean'],
      ['switch-skill-jobs', 'tool', 'ask', 'idempotent', 'clean'],
      ['read-skill', 'tool', 'allow', 'read', 'objects'],
      ['run-skill', 'tool', 'allow', 'read', 'inputs'],
      ['edit-skill', 'tool', 'ask', 'idempotent', 'inputs'],
      ['look-for-habits', 'tool', 'allow', 'read', 'clean'],
      ['accept-offer', 'tool', 'ask', 'idempotent', 'clean'],
      ['schedule-job', 'tool', 'ask', 'idempotent', 'inputs'],
      ['list-jobs', 'tool', 'allow', 'read', 'clean'],
      ['pause-job', 'tool', 'ask', 'idempotent', 'inputs'],
      ['resume-job', 'tool', 'ask', 'idempotent', 'inputs'],
      ['remove-job', 'tool', 'ask', 'idempotent', 'inputs'],
      ['run-job', 'tool', 'ask', 'idempotent', 'inputs'],
      ['run-runbook', 'tool', 'ask', 'idempotent', 'clean'],
      ['list-runbooks', 'tool', 'allow', 'read', 'objects'],
      ['ask-person', 'tool', 'ask', 'read', 'clean'],
      ['give-answer', 'tool', 'allow', 'read', 'inputs'],
      ['call-webhook', 'webhook', 'ask', 'idempotent', 'outside'],
      ['delegate', 'tool', 'allow', 'idempotent', 'inputs'],
      ['propose-plan', 'tool', 'ask', 'idempotent', 'clean'],
      ['fetch-url', 'tool', 'ask', 'read', 'outside'],
      ['search-web', 'tool', 'ask', 'read', 'outside'],
      ['shell', 'tool', 'ask', 'once', 'outside'],
      ['read-file', 'tool', 'allow', 'read', 'outside'],
      ['write-file', 'tool', 'ask', 'idempotent', 'outside'],
      ['edit-file', 'tool', 'ask', 'once', 'outside'],
      ['list-files', 'tool', 'allow', 'read', 'outside'],
      ['search-files', 'tool', 'allow', 'read', 'outside'],
      ['tend-memory', 'tool', 'allow', 'read', 'objects'],
      ['mend-memory', 'tool', 'ask', 'idempotent', 'objects'],
      ['gather-turns', 'tool', 'allow', 'read', 'objects'],
      ['keep-notes', 'tool', 'allow', 'idempotent', 'inputs'],
      ['pick-notes', 'tool', 'allow', 'read', 'objects'],
      ['keep-insight', 'tool', 'ask', 'idempotent', 'inputs'],
      ['read-notes', 'tool', 'allow', 'read', 'objects'],
      ['arrange-notes', 'tool', 'ask', 'idempotent', 'objects'],
      ['write-plan', 'tool', 'allow', 'idempotent', 'inputs'],
      ['run-plan', 'tool', 'ask', 'idempotent', 'clean'],
      ['mark-plan', 'tool', 'allow', 'idempotent', 'clean'],
      ['send-message', 'text', 'ask', 'once', 'clean'],
      ['send-file', 'text', 'ask', 'once', 'clean'],
      ['edit-memory', 'tool', 'ask', 'idempotent', 'objects'],
    ]);
  });

  it('gives every tool a name of its own in its one spelling', () => {
    expect(new Set(TOOLS.map((tool) => tool.name)).size).toBe(TOOLS.length);
    for (const tool of TOOLS) expect(normaliseName(tool.name)).toBe(tool.name);
  });
});

describe('findTool', () => {
  it.each([['Remember'], ['remember '], ['constructor'], ['__proto__'], ['']])('knows no tool %j', (name) => {
    expect(findTool(name)).toBeUndefined();
  });
});

describe('parametersOf', () => {
  it('gives a JSON schema without explanation, dialect, other fields, or that a text is not empty', () => {
    expect(parametersOf(toolOf('remember'))).toStrictEqual({
      type: 'object',
      properties: {
        text: { type: 'string', maxLength: 32768 },
        tags: { type: 'array', maxItems: 16, items: { type: 'string', minLength: 1, maxLength: 64 } },
      },
      required: ['text'],
      additionalProperties: false,
    });
    expect(parametersOf(toolOf('current-time'))).toStrictEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  it('is what the model is told of every tool it may call', () => {
    expect(TOOL_DESCRIPTIONS).toStrictEqual(
      TOOLS.filter(
        ({ isForPeople, isMaintenance, onlyFor }) =>
          isForPeople !== true && isMaintenance !== true && onlyFor === undefined,
      ).map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: parametersOf(tool),
      })),
    );
  });
});

describe('argumentProblems', () => {
  it.each([
    ['remember', { text: 'a' }],
    ['remember', { text: 'a', tags: [] }],
    ['recall', { query: 'a' }],
    ['list-memory', {}],
    ['forget', { id: '0123456789abcdef0123456789abcdef' }],
    ['current-time', {}],
    ['calculate', { expression: '1 + 1' }],
    ['run-code', { language: 'javascript', code: '1 + 1' }],
    ['read-output', { id: 'con-1/1#0', from: 4096 }],
    ['send-message', { to: 'mum', text: 'Hello' }],
    ['send-file', { name: 'a.md', content: 'Hello' }],
    ['call-webhook', { webhook: 'lights', body: { on: true, nested: [1, null, 'x'] } }],
  ])('finds nothing wrong: %s %j', (name, args) => {
    expect(argumentProblems(toolOf(name), args)).toStrictEqual([]);
  });

  it.each([
    ['remember', {}, ['text is missing']],
    ['remember', { text: 7 }, ['text must be a text']],
    ['remember', { text: ' ' }, ['text must match /\\S/']],
    ['remember', { text: 'x'.repeat(32769) }, ['text must have at most 32768 characters']],
    ['remember', { text: 'a', tags: 'b' }, ['tags must be a list']],
    ['remember', { text: 'a', tags: ['b', '', 3] }, ['tags[1] must not be empty', 'tags[2] must be a text']],
    ['remember', { text: 'a', tags: Array(17).fill('t') }, ['tags must have at most 16 items']],
    ['remember', { text: 'a', origin: 'owner' }, ['it takes no other fields than text, tags, scope, project']],
    ['current-time', { zone: 'x' }, ['it takes no fields']],
    ['run-code', { language: 'python', code: '1' }, ['language has a wrong form']],
    ['forget', { id: '../x' }, ['id must match /^[0-9a-f]{32}$/']],
    ['call-webhook', { webhook: 'a', body: [] }, ['body must be an object']],
    ['call-webhook', { webhook: 'a', body: null }, ['body must be an object']],
  ])('names the field and what it must be: %s', (name, args, problems) => {
    expect(argumentProblems(toolOf(name), args)).toStrictEqual(problems);
  });

  it('never repeats what the model wrote (I11)', () => {
    const secret = 'sk-live-1234567890';
    for (const tool of TOOLS)
      for (const args of [
        { [secret]: 1 },
        { text: [secret] },
        { id: secret },
        { body: secret, webhook: { [secret]: 1 } },
      ])
        expect(argumentProblems(tool, args).join()).not.toContain(secret);
  });
});

it('asks about every tool that leaves the space', () => {
  expect(TOOLS.filter(({ target, tier }) => target === 'webhook' && tier !== 'ask')).toStrictEqual([]);
});
