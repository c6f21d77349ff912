/** `gates try`: what one line is answered, without a stack. */
import { describe, expect, it } from 'vitest';
import { tryLine } from '../../infra/cli/commands/try-line.ts';

const EXAMPLE =
  '{"action":{"target":"tool","tool":"remember","args":{"text":"milk"},"explanation":"The owner asked for it."}}';
const WHY = 'The owner asked for exactly this a minute ago.';
const line = (tool: string, args: unknown, more: object = {}): string =>
  JSON.stringify({ action: { target: 'tool', tool, args, explanation: WHY }, ...more });
const short = (answer: Awaited<ReturnType<typeof tryLine>>): unknown =>
  'error' in answer ? answer : [answer.verdict, ...answer.by];

describe('tryLine', () => {
  it.each([
    ['a text', JSON.stringify({ action: { target: 'telegram', text: 'Good morning.' } }), ['pass']],
    ['a read', line('read-file', { path: 'README.md' }), ['pass']],
    ['a catalogue tool', line('recall', { query: 'bike' }), ['pass']],
    ['another spelling of a name', line('Read_File', { path: 'README.md' }), ['pass']],
    ['a call to a name', line('call-webhook', { target: 'tickets', body: {} }), ['ask', 'permissions']],
    ['a call to an address', line('call-webhook', { url: 'https://example.com', body: {} }), ['ask', 'permissions']],
    [
      'a tainted call',
      line('call-webhook', { target: 'x', body: {} }, { tainted: true }),
      ['ask', 'permissions', 'provenance'],
    ],
    ['a call to this machine', line('call-webhook', { url: 'https://127.0.0.1/', body: {} }), ['block', 'network']],
    ['the same in hex', line('call-webhook', { target: 'https://0x7f.1/', body: {} }), ['block', 'network']],
    [
      'a file that does not parse',
      line('write-file', { path: 'a.yaml', content: 'a: [1' }),
      ['block', 'code-validity'],
    ],
    ['a file that does', line('write-file', { path: 'a.ts', content: 'export {};' }), ['ask', 'permissions']],
    [
      'a tool of an MCP server',
      line('mcp-call', { server: 'github', tool: 'create_issue', title: 'x' }),
      ['ask', 'permissions'],
    ],
    ['one whose name nobody can use', line('mcp-call', { server: '../x', tool: '' }), ['block', 'permissions']],
    ['an unknown tool', line('launch', {}), ['block', 'permissions']],
    ['arguments that do not fit', line('read-file', { file: 'x' }), ['block', 'tool-arguments']],
  ])('answers %s', async (_, text, expected) => {
    expect(short(await tryLine(text))).toStrictEqual(expected);
  });

  it('takes the form that an error shows', async () => {
    expect(short(await tryLine(EXAMPLE))).toStrictEqual(['pass']);
  });

  it.each([
    ['nonsense', { error: 'the line is not JSON' }],
    [
      '{"action":{"target":"moon","secret":1}}',
      { error: `not an action to try: action.target, action; such as ${EXAMPLE}` },
    ],
    ['[]', { error: `not an action to try: the line; such as ${EXAMPLE}` }],
  ])('answers %j with an error that quotes nothing', async (text, expected) => {
    expect(await tryLine(text)).toStrictEqual(expected);
  });
});
