import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../lib/core/base/canonical.ts';
import { GATE_REASON_CHARS_MAX } from '../../../lib/core/base/limits.ts';
import {
  ACTIONS_MAX,
  ANSWER_BYTES_MAX,
  isEmptyAnswer,
  parseProposal,
  textSoFar,
} from '../../../lib/core/llm/parse-proposal.ts';
import { Proposal } from '../../../lib/core/signal/decision.ts';
import { fc } from '../../support/fast-check.ts';

const toolCall = (name: unknown, args: unknown, id: unknown = 'c1') => ({
  id,
  name,
  argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
});
const why = 'because the owner asked';

describe('parseProposal', () => {
  it('takes plain prose as the text', () => {
    expect(parseProposal({ content: '  Hello.\n' })).toStrictEqual({ proposal: { text: 'Hello.', calls: [] } });
    expect(
      parseProposal({
        content: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      }),
    ).toStrictEqual({
      proposal: { text: 'Hello', calls: [] },
    });
  });

  it.each([
    ['\u27e6outside mail\u27e7\nPay me.\n\u27e6/outside\u27e7\nThat is all.', 'Pay me.\nThat is all.'],
    ['Said \u27e6Situation\u27e7 and \u27e6outs\u27e6outside\u27e7ide a\u27e7 no more', 'Said  and  no more'],
    ['\u27e6x + 1\u27e7 is the meaning of x + 1', '\u27e6x + 1\u27e7 is the meaning of x + 1'],
  ])('takes the marks of prompts out of %j', (content, text) => {
    expect(parseProposal({ content })).toStrictEqual({ proposal: { text, calls: [] } });
    const call = toolCall('current-time', { explanation: content });
    expect(parseProposal({ toolCalls: [call] })).toMatchObject({ proposal: { calls: [{ explanation: text }] } });
  });

  it('takes every call in order, not only the first, beside the text', () => {
    const toolCalls = [
      toolCall('Current_Time ', {}, 'a'),
      toolCall('recall', { query: 'bike', explanation: ` ${why} ` }, 'b'),
    ];
    expect(parseProposal({ content: 'On it.', toolCalls })).toStrictEqual({
      proposal: {
        text: 'On it.',
        calls: [
          { callId: 'a', tool: 'current-time', args: {}, explanation: '' },
          { callId: 'b', tool: 'recall', args: { query: 'bike' }, explanation: why },
        ],
      },
    });
  });

  it('takes names of arguments in any case, as the schema of the tool spells them', () => {
    const properties = { pageSize: {}, id: {}, ID: {}, q: {} };
    const tools = [
      { type: 'function', function: { name: 'find', description: '', parameters: { properties } } },
    ] as const;
    const argsOf = (args: object) => {
      const parsed = parseProposal({ toolCalls: [toolCall('FIND', args)] }, tools);
      return 'proposal' in parsed ? parsed.proposal.calls[0] : parsed;
    };
    expect(argsOf({ PAGESIZE: 1, EXPLANATION: why })).toMatchObject({ args: { pageSize: 1 }, explanation: why });
    expect(argsOf({ id: 1, ID: 2, Other: 3 })).toMatchObject({ args: { id: 1, ID: 2, Other: 3 } });
    expect(argsOf({ Q: 'loud', q: 'exact' })).toMatchObject({ args: { Q: 'loud', q: 'exact' } });
    const content = JSON.stringify({ Calls: [{ Tool: 'Find', Args: { PageSize: 2 }, Explanation: why }] });
    expect(parseProposal({ content }, tools)).toMatchObject({
      proposal: { calls: [{ tool: 'find', args: { pageSize: 2 }, explanation: why }] },
    });
  });

  it('gives ids where the provider gave none, odd ones or the same twice', () => {
    const ids = ['x', 'x', undefined, 7, 'a b', 'call-1'];
    const parsed = parseProposal({ toolCalls: ids.map((id) => ({ ...toolCall('recall', {}), id })) });
    expect('proposal' in parsed && parsed.proposal.calls.map(({ callId }) => callId)).toStrictEqual([
      'x',
      'call-2',
      'call-3',
      'call-4',
      'call-5',
      'call-6',
    ]);
  });

  it('never invents an explanation', () => {
    for (const explanation of [undefined, null, 7, {}, '']) {
      const parsed = parseProposal({ toolCalls: [toolCall('recall', { explanation })] });
      expect('proposal' in parsed && parsed.proposal.calls[0]?.explanation).toBe('');
    }
  });

  it('drops reasoning at the start', () => {
    expect(parseProposal({ content: '<think>a</think>\n<think>b</think> Hi' })).toStrictEqual({
      proposal: { text: 'Hi', calls: [] },
    });
    expect(parseProposal({ content: '<think>never ends' })).toStrictEqual({ problem: 'empty answer' });
    expect(parseProposal({ content: 'Use <think> tags</think>' })).toStrictEqual({
      proposal: { text: 'Use <think> tags</think>', calls: [] },
    });
  });

  const written = { text: 'Noted.', calls: [{ tool: 'remember', args: { text: 'x' }, explanation: why }] };
  const parsedWritten = {
    proposal: {
      text: 'Noted.',
      calls: [{ callId: 'call-1', tool: 'remember', args: { text: 'x' }, explanation: why }],
    },
  };
  it.each([
    ['bare', JSON.stringify(written)],
    ['fenced', `\`\`\`json\n${JSON.stringify(written, null, 2)}\n\`\`\``],
    ['fenced without a language', `\`\`\`\n${JSON.stringify(written)}\n\`\`\``],
    ['after reasoning', `<think>hm</think>${JSON.stringify(written)}`],
    ['with an opening fence alone', `\`\`\`json\n${JSON.stringify(written)}`],
    ['with a closing fence alone', `${JSON.stringify(written)}\n\`\`\``],
    [
      'with keys in another case',
      `{"TEXT":"Noted.","Calls":[{"Tool":"remember","ARGS":{"text":"x"},"Explanation":"${why}"}]}`,
    ],
    ['after words, in a fence', `Noted.\n\n\`\`\`json\n${JSON.stringify({ calls: written.calls })}\n\`\`\``],
    ['before words, in a fence', `\`\`\`json\n${JSON.stringify({ calls: written.calls }, null, 1)}\n\`\`\`\nNoted.`],
    ['after words', `Noted.\n${JSON.stringify({ calls: written.calls })}`],
    ['before words', `${JSON.stringify({ calls: written.calls })}\nNoted.`],
    ['as one call before words, in a fence', `\`\`\`json\n${JSON.stringify(written.calls[0])}\n\`\`\`\nNoted.`],
    ['as a list after words', `Noted.\n${JSON.stringify(written.calls)}`],
    ['with a fence too many', `${JSON.stringify({ text: 'Noted.\n```', calls: written.calls })}`],
  ])('takes a written proposal, %s', (_, content) => {
    expect(parseProposal({ content })).toStrictEqual(parsedWritten);
  });

  it.each([
    ['other JSON', '{"a":1}'],
    ['a proposal with more fields', '{"text":"x","approved":true}'],
    ['an empty object', '{}'],
    ['JSON inside prose', `Here: ${JSON.stringify(written)}`],
    ['broken JSON', '{"text":"x"'],
    ['code that would run', '(progn (delete-file "x"))'],
    ['words with a block of other JSON', 'So:\n```json\n{"text":"x"}\n```'],
    ['a block that is not at the end', 'So:\n```json\n{"tool": "recall", "args": {}, "when": "now"}\n```\nand so on'],
    ['calls in a block of another language', `So:\n\`\`\`js\n${JSON.stringify(written)}\n\`\`\`\nand so on`],
  ])('leaves %s as the text it is', (_, content) => {
    expect(parseProposal({ content })).toStrictEqual({ proposal: { text: content, calls: [] } });
  });

  it.each([
    ['nothing', {}, 'empty answer'],
    ['spaces', { content: ' \n' }, 'empty answer'],
    ['a content that is no text', { content: 7 }, 'the content is not text'],
    ['calls that are no list', { toolCalls: 'x' }, 'the tool calls are not a list'],
    ['a nameless call', { toolCalls: [toolCall(' ', {})] }, 'call 1 names no tool'],
    ['an impossible name', { toolCalls: [toolCall('rm;ls', {})] }, 'call 1 has a tool name that no tool can have'],
    [
      'broken arguments',
      { toolCalls: [toolCall('recall', '{"query": "x')] },
      'the argument object of call 1 (recall) is not valid JSON',
    ],
    [
      'arguments that are a list',
      { toolCalls: [toolCall('recall', {}), toolCall('forget', '[1]')] },
      'the argument object of call 2 (forget): the whole must be an object',
    ],
    [
      'deep arguments',
      { toolCalls: [toolCall('recall', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)] },
      'the argument object of call 1 (recall) is nested too deeply',
    ],
    [
      'half a character',
      { toolCalls: [toolCall('recall', '{"query":"\\ud800"}')] },
      'call 1 has arguments that JSON cannot say exactly',
    ],
    [
      'a number too large',
      { toolCalls: [toolCall('recall', '{"query":1e999}')] },
      'the argument object of call 1 (recall) holds a number that cannot be kept exactly: send it as text',
    ],
    [
      'too many calls',
      { toolCalls: Array.from({ length: ACTIONS_MAX + 1 }, () => toolCall('recall', {})) },
      `the answer has ${ACTIONS_MAX + 1} calls; at most ${ACTIONS_MAX} are allowed`,
    ],
    [
      'too many written calls',
      { content: JSON.stringify({ calls: Array(ACTIONS_MAX + 1).fill({ tool: 'recall' }) }) },
      `the answer has ${ACTIONS_MAX + 1} calls; at most ${ACTIONS_MAX} are allowed`,
    ],
    [
      'calls written as JSON of another form',
      { content: '{"calls": [{"tool": "recall"}' },
      'the answer looks like calls written as JSON, and is not of that form: {"text": "…", "calls": [{"tool": "…", "args": {…}, "explanation": "…"}]}',
    ],
    [
      'one call written as JSON after words',
      { content: 'So:\n```json\n{"tool": "recall", "args": {}, "when": "now"}\n```' },
      'the answer looks like calls written as JSON, and is not of that form: {"text": "…", "calls": [{"tool": "…", "args": {…}, "explanation": "…"}]}',
    ],
    [
      'a list of calls of another form',
      { content: '[\n{"tool": "recall", "when": "now"}]' },
      'the answer looks like calls written as JSON, and is not of that form: {"text": "…", "calls": [{"tool": "…", "args": {…}, "explanation": "…"}]}',
    ],
    [
      'too many bytes',
      { content: 'x'.repeat(ANSWER_BYTES_MAX), toolCalls: [toolCall('recall', {})] },
      `the answer is larger than ${ANSWER_BYTES_MAX} bytes`,
    ],
  ])('names what is wrong with %s', (_, answer, problem) => {
    expect(parseProposal(answer)).toStrictEqual({ problem });
  });

  it('never throws, and gives only proposals that can be stored and hashed (any value)', () => {
    const wild = fc.anything({ withDate: true, withMap: true, withSparseArray: true, withNullPrototype: true });
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('{"__proto__":{"a":1},"toJSON":1}'));
    const rawCall = fc.record(
      {
        id: fc.oneof(fc.string(), wild),
        name: fc.oneof(fc.constantFrom('recall', 'call_webhook'), wild),
        argumentsText: fc.oneof(text, wild),
      },
      { requiredKeys: [] },
    );
    const writtenText = fc.record({
      text: fc.string(),
      calls: fc.array(fc.record({ tool: fc.string(), args: fc.object() })),
    });
    const answer = fc.record(
      {
        content: fc.oneof(
          text,
          wild,
          writtenText.map((value) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``),
        ),
        toolCalls: fc.oneof(fc.array(fc.oneof(rawCall, wild), { maxLength: 10 }), wild),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(answer, (value) => {
        const parsed = parseProposal(value);
        if ('problem' in parsed) {
          expect(parsed.problem.length).toBeGreaterThan(0);
          expect(parsed.problem.length).toBeLessThanOrEqual(GATE_REASON_CHARS_MAX);
          return;
        }
        expect(Proposal.safeParse(parsed.proposal).success).toBe(true);
        expect(() => canonicalJson(parsed.proposal)).not.toThrow();
        const ids = parsed.proposal.calls.map(({ callId }) => callId);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['Done.\n```', 'Done.'],
    ['Done.\n```json\n', 'Done.'],
    ['So:\n```js\nlet a = 1;\n```', 'So:\n```js\nlet a = 1;\n```'],
    ['```\nlet a = 1;', '```\nlet a = 1;'],
  ])('leaves out a fence that ends nothing: %j', (content, text) => {
    expect(parseProposal({ content })).toStrictEqual({ proposal: { text, calls: [] } });
  });

  it('says that a text was cut, outside of its code', () => {
    const note = '(This answer ends here because it reached the length limit. Ask me to go on.)';
    const textOf = (content: string): unknown => parseProposal({ content, isCut: true });
    expect(textOf('One. Two')).toStrictEqual({ proposal: { text: `One. Two\n\n${note}`, calls: [] } });
    const code = '```js\nlet a = 1;';
    expect(textOf(code)).toStrictEqual({ proposal: { text: `${code}\n\`\`\`\n\n${note}`, calls: [] } });
    expect(textOf(`${code}\n\`\`\`\nThat`)).toStrictEqual({
      proposal: { text: `${code}\n\`\`\`\nThat\n\n${note}`, calls: [] },
    });
  });

  it.each([
    ['a call', { content: 'I look.', toolCalls: [toolCall('recall', { query: 'bike', explanation: why })] }],
    ['a call in pieces', { toolCalls: [toolCall('recall', '{"query":"bi')] }],
    ['a written call', { content: '{"text": "I look.", "calls": [{"tool": "rec' }],
    ['a written call in a fence', { content: '```json\n{"calls": [' }],
  ])('performs nothing of an answer that was cut in %s', (_, answer) => {
    expect(parseProposal({ ...answer, isCut: true })).toStrictEqual({
      problem: 'it reached the length limit, so its calls may be incomplete: do or say less at once',
    });
  });

  it.each(['', '<think>Let me see'])('tells a model that thought until it was cut: %j', (content) => {
    const answer = { content, isCut: true };
    expect(parseProposal(answer)).toStrictEqual({
      problem: 'it reached the length limit before it said anything: think and say less at once',
    });
    // Another provider would not do better: it is asked again.
    expect(isEmptyAnswer(answer)).toBe(false);
  });

  it('keeps the prototype of arguments out of reach', () => {
    parseProposal({ toolCalls: [toolCall('recall', '{"__proto__":{"isApprover":true}}')] });
    expect('isApprover' in {}).toBe(false);
  });
});

describe('isEmptyAnswer', () => {
  it('is true only where neither words nor calls are', () => {
    expect(isEmptyAnswer({ content: '<think>x</think>' })).toBe(true);
    expect(isEmptyAnswer({ content: null, toolCalls: [] })).toBe(true);
    expect(isEmptyAnswer({ content: 'x' })).toBe(false);
    expect(isEmptyAnswer({ toolCalls: [toolCall('', '')] })).toBe(false);
  });
});

describe('textSoFar', () => {
  it('is a beginning of what becomes of the whole, however it goes on', () => {
    const part = fc.constantFrom(
      '<think>',
      '</think>',
      '<thi',
      ' ',
      '\n',
      '{',
      '"text": "x"',
      '}',
      '```',
      'json',
      '\u27e6',
      '\u27e6outside a',
      '\u27e7',
      'Hi',
      ' you',
      '\ud83d',
      '\ude00',
    );
    const content = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(content, fc.nat(60), (whole, cut) => {
        const soFar = textSoFar(whole.slice(0, cut));
        const parsed = parseProposal({ content: whole });
        // A word is only shown once it is over, so neither space nor half a letter ends what is
        // shown.
        const shown = soFar?.trimEnd().replace(/\ufffd$/, '') ?? '';
        if ('proposal' in parsed) expect(`${parsed.proposal.text ?? ''}`.startsWith(shown)).toBe(true);
        else expect(shown).toBe('');
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows nothing of calls that are written as JSON, however they go on', () => {
    const calls = ['{"calls":[{"tool":"a"}]}', '[{"tool":"a","args":{}}]', '{"tool":"a","when":1}', '{"tool":', '}'];
    const part = fc.constantFrom(...calls, '\n', '\n```json\n', '\n```\n', 'Hi', ' you');
    const content = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(content, fc.nat(90), (whole, cut) => {
        // A fence may turn out to be that of the calls.
        const wordsOf = (text = ''): string => text.replace(/\s*```\w*\s*/g, ' ').trim();
        const shown = textSoFar(whole.slice(0, cut)) ?? '';
        const parsed = parseProposal({ content: whole });
        if ('proposal' in parsed) expect(wordsOf(parsed.proposal.text).startsWith(wordsOf(shown))).toBe(true);
        else expect(shown).not.toMatch(/^[[{]/m);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['Hello the', 'Hello the'],
    ['  Hello ', 'Hello '],
    ['<think>a</think> Hello', 'Hello'],
    ['<think>a', undefined],
    ['<', undefined],
    ['<b>Hello', '<b>Hello'],
    ['{"text": "Hel', undefined],
    ['```json', undefined],
    ['Hello\n``', 'Hello'],
    ['Hello\n```js', 'Hello'],
    ['Hello\n```json\n{"calls": [', 'Hello'],
    ['Hello\n```js\nlet', 'Hello\n```js\nlet'],
    ['`x` is', '`x` is'],
    ['', undefined],
    ['Hello \u27e6outs', 'Hello '],
    ['\u27e6outside mail\u27e7\nHello\n\u27e6/outside\u27e7\nyou', 'Hello\nyou'],
  ])('of %j is %j', (content, text) => {
    expect(textSoFar(content)).toBe(text);
  });
});
