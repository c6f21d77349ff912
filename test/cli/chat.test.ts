import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { buildDraftPrinter, followDraft } from '../../infra/cli/chat/follow-draft.ts';
import { buildQuestions } from '../../infra/cli/chat/questions.ts';
import { readLines } from '../../infra/cli/chat/read-lines.ts';
import { renderMarkdown, stablePart } from '../../infra/cli/chat/render-markdown.ts';
import { waitingCardLines } from '../../infra/cli/describe-action.ts';
import type { ShownApproval } from '../../lib/core/verbs/approvals/operations.ts';
import { fc } from '../support/fast-check.ts';
import { until } from '../support/stack.ts';

const textEvent = (id: string, text: string): string =>
  `id: ${id}\nevent: text\ndata: ${JSON.stringify({ type: 'text', text })}\n\n`;
const END = 'event: end\ndata: {"type":"end","state":"acted"}\n\n';

const follow = async (answers: readonly (string | Error)[], isOver = (): boolean => false) => {
  const asked: string[] = [];
  const texts: string[] = [];
  const loadEvents = async (last: string): Promise<string> => {
    const answer = answers[asked.push(last) - 1];
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked once too often');
    return answer;
  };
  await followDraft({
    loadEvents,
    onText: (text) => texts.push(text),
    onNext: (replies) => texts.push(`next after ${replies.join(', ')}`),
    isOver,
    sleep: async () => undefined,
  });
  return { asked, texts };
};

describe('followDraft', () => {
  it('reads on from where it left off until the end', async () => {
    expect(
      await follow([
        `retry: 1\n\n${textEvent('1.0', 'a')}${textEvent('1.1', 'b\n\nc')}`,
        'retry: 1\n\n',
        textEvent('1.2', 'd'),
        END,
      ]),
    ).toStrictEqual({ asked: ['', '1.1', '1.1', '1.2'], texts: ['a', 'b\n\nc', 'd'] });
  });

  it('tells where the next answer of the turn begins, and reads on from there', async () => {
    const next = `event: next\ndata: ${JSON.stringify({ type: 'next', replies: ['One.'] })}\n\n`;
    expect(await follow([textEvent('1.0', 'On'), `${next}${textEvent('1/1/1.1.0', 'Two')}`, END])).toStrictEqual({
      asked: ['', '1.0', '1/1/1.1.0'],
      texts: ['On', 'next after One.', 'Two'],
    });
  });

  it.each([[new Error('gone')], ['data: no JSON\n\n'], ['data: {"type":"other"}\n\n']])(
    'ends quietly with %s',
    async (answer) => {
      expect((await follow([answer])).texts).toStrictEqual([]);
    },
  );

  it('asks no more once it gave way: it would only push out another', async () => {
    const gaveWay = 'event: gave-way\ndata: {"type":"gave-way","message":"m"}\n\n';
    expect(await follow([textEvent('1.0', 'a'), gaveWay])).toStrictEqual({ asked: ['', '1.0'], texts: ['a'] });
  });

  it('tells nothing more once it is over', async () => {
    let asks = 0;
    const isOver = (): boolean => {
      asks += 1;
      return asks > 1;
    };
    expect(await follow([textEvent('1.0', 'late')], isOver)).toStrictEqual({ asked: [''], texts: [] });
  });
});

describe('buildDraftPrinter', () => {
  const open = () => {
    let out = '';
    let prompts = 0;
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        out += chunk.toString();
        done();
      },
    });
    const printer = buildDraftPrinter(
      output,
      () => {
        prompts += 1;
      },
      (_, text) => text,
    );
    // Without the sequences that clear the line.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
    return { printer, shown: () => [out.replace(/\u001b\[[0-9;]*[A-Z]/g, ''), prompts] as const };
  };

  it('writes what comes, then the rest of the reply', () => {
    const { printer, shown } = open();
    printer.write('a', 'The bike');
    printer.write('a', ' is\u001b blue');
    expect(printer.finish('a', 'The bike is\u001b blue, and old')).toBe(true);
    expect(shown()).toStrictEqual(['The bike is\\u{1b} blue, and old\n', 1]);
  });

  it('says that it was taken back where the reply is another one, or none came', () => {
    const { printer, shown } = open();
    printer.write('a', 'The key is');
    expect(printer.finish('a', 'I could not do that.')).toBe(false);
    printer.write('b', 'More');
    expect(printer.finish('b', undefined)).toBe(false);
    expect(shown()).toStrictEqual(['The key is\n(that was taken back)\nMore\n(that was taken back)\n', 2]);
  });

  it('writes one answer at a time, and finishes none that was not begun', () => {
    const { printer, shown } = open();
    printer.write('a', 'One');
    printer.write('b', 'Two');
    expect(printer.finish('b', 'Two')).toBe(false);
    expect(shown()).toStrictEqual(['One', 0]);
  });

  it('writes the next answer after the one before it was finished, and nothing more of that', () => {
    const { printer, shown } = open();
    printer.write('a', 'Let me');
    expect(printer.finish('a', 'Let me look.')).toBe(true);
    printer.write('a', ' look. Late');
    printer.next('a');
    printer.write('a', 'The bike');
    expect(printer.finish('a', 'The bike is blue.')).toBe(true);
    expect(shown()).toStrictEqual(['Let me look.\nThe bike is blue.\n', 2]);
  });

  it('takes back what nothing came of when the next answer begins', () => {
    const { printer, shown } = open();
    printer.write('a', 'Let me');
    printer.next('a');
    printer.write('a', 'The bike');
    expect(shown()).toStrictEqual(['Let me\n(that was taken back)\nThe bike', 1]);
  });

  it('writes nothing late of an answer whose reply is there already', () => {
    const { printer, shown } = open();
    expect(printer.finish('a', 'Two')).toBe(false);
    printer.write('a', 'Tw');
    expect(shown()).toStrictEqual(['', 0]);
  });
});

describe('stablePart', () => {
  const paint = (style: unknown, text: string): string => `<${String(style)}>${text}</>`;
  const PIECES = [
    '**bold**',
    '~~',
    'struck~~',
    '*',
    '`',
    'code`',
    '```\n',
    '\n',
    '\n\n',
    '- ',
    '# ',
    '| a | b |\n',
    '|---|---|\n',
    'word',
    ' ',
    '[a](https://example.org)',
    '\r\n',
    '😀',
  ];

  it('shows nothing that the rest of the text would show otherwise', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }), fc.nat(), (pieces, at) => {
        const text = pieces.join('');
        const begun = text.slice(0, at % (text.length + 1));
        for (const columns of [undefined, 12]) {
          const shown = renderMarkdown(stablePart(begun, columns !== undefined), paint, columns);
          expect(renderMarkdown(text, paint, columns).slice(0, shown.length)).toBe(shown);
        }
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ['a plain sentence under wa', 'a plain sentence under wa'],
    ['one\n\nand *tw', 'one\n\nand '],
    ['```\na\n\nb', ''],
    ['a\n- b', 'a\n'],
  ])('of %j is %j', (text, stable) => {
    expect(stablePart(text)).toBe(stable);
  });
});

describe('renderMarkdown', () => {
  const plain = (_: unknown, text: string): string => text;
  it('shows each mark in its style', () => {
    const styled = (style: unknown, text: string): string => `<${String(style)}>${text}</>`;
    expect(renderMarkdown('**a** *b* ~~c~~ `d`\n> e', styled)).toBe(
      '<bold>a</> <italic>b</> <strikethrough>c</> <cyan>d</>\n> e',
    );
  });

  it.each([
    ['between words', 'the bike is blue and old', 'the bike is\nblue and old'],
    ['not inside a link', 'see https://example.org/a-long-one there', 'see\nhttps://example.org/a-long-one\nthere'],
    ['not in code', '```\none two three four\n```', 'one two three four'],
    ['with the marks of a quote', '> one two three four', '> one two\n> three four'],
    ['after the lines that are there', 'one\ntwo\n\n- three four five', 'one\ntwo\n\n• three four\nfive'],
    ['by the columns of wide letters', '赤い 自転車 です', '赤い 自転車\nです'],
    ['nowhere in one long word', 'abcdefghijklmnopq', 'abcdefghijklmnopq'],
  ])('breaks lines %s', (_, source, shown) => {
    expect(renderMarkdown(source, plain, 12)).toBe(shown);
  });
});

describe('buildQuestions', () => {
  const card = (id: string, similarProblem = '') => ({ id, signalId: `s-${id}`, similarProblem }) as ShownApproval;

  it('asks about one card after the other, and takes a letter once the card could be read', () => {
    let now = 0;
    const questions = buildQuestions(() => now);
    expect([questions.prompt(), questions.take('y')]).toStrictEqual([undefined, undefined]);
    questions.add([card('a'), card('b', 'too much')]);
    questions.add([card('a')]);
    expect(questions.prompt()).toBe('a: [y]es, [n]o, [s]imilar, [l]ater, or [a]ll of it? > ');
    expect(questions.take('y')).toBeUndefined();
    now = 500;
    expect(questions.take('a')).toMatchObject({ answer: 'all', approval: { id: 'a' } });
    expect(questions.take('yes please')).toBeUndefined();
    expect(questions.take(' Yes')).toMatchObject({ answer: 'yes', approval: { id: 'a' }, next: { id: 'b' } });
    expect(questions.take('n')).toBeUndefined();
    expect(questions.prompt()).toBe('b: [y]es, [n]o, [l]ater, or [a]ll of it? > ');
    now = 1000;
    expect(questions.take('l')).toMatchObject({ answer: 'later', approval: { id: 'b' } });
    expect(questions.prompt()).toBeUndefined();
  });

  it('asks about the calls of one answer at once, and about one by its number', () => {
    let now = 0;
    const questions = buildQuestions(() => now);
    const [one, two, three] = ['a', 'b', 'c'].map((id) => ({ ...card(id), signalId: 's' })) as [
      ShownApproval,
      ShownApproval,
      ShownApproval,
    ];
    questions.add([one, two, three]);
    expect(questions.prompt()).toBe('1-3: [y]es to all, [n]o to all, a number for one, [l]ater, or [a]ll of it? > ');
    expect(questions.take('2')).toBeUndefined();
    now = 500;
    expect([questions.take('s'), questions.take('4'), questions.take('0')]).toStrictEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(questions.take('2')).toStrictEqual({ approval: two, answer: 'one' });
    expect(questions.prompt()).toBe('b: [y]es, [n]o, [s]imilar, [l]ater, or [a]ll of it? > ');
    now = 1_000;
    expect(questions.take('n')).toStrictEqual({ approval: two, answer: 'no', next: one });
    questions.prompt();
    now = 1_500;
    expect(questions.take('y')).toStrictEqual({ approval: one, others: [three], answer: 'yes', next: undefined });
    expect(questions.prompt()).toBeUndefined();
  });

  it('says what the answer t lets pass, before it is asked for', () => {
    const lines = (aboutTask: string, count = 1) =>
      waitingCardLines(
        Array.from({ length: count }, () => ({
          ...card('abcdef'),
          ...{ action: {}, reasons: [], sentence: 'Do it', unusual: [], stage: 'DENIED', aboutTask },
        })) as unknown as ShownApproval[],
        'prompt',
      );
    expect(lines('other words for a')).toStrictEqual([
      'This waits for your yes:',
      'abcdef  Do it   DENIED',
      '  t: other words for a',
    ]);
    expect(lines('', 2)).toStrictEqual([
      'These 2 wait for your yes:',
      '1. abcdef  Do it   DENIED',
      '2. abcdef  Do it   DENIED',
    ]);
  });

  it('forgets a card that was decided elsewhere', () => {
    let now = 0;
    const questions = buildQuestions(() => now);
    questions.add([card('a')]);
    questions.prompt();
    now = 500;
    questions.drop('s-a');
    expect([questions.take('y'), questions.prompt()]).toStrictEqual([undefined, undefined]);
  });
});

describe('readLines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-history-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('keeps typed lines for this account alone, but for a secret one and what was forgotten', async () => {
    const historyFile = join(folder, 'chat-history');
    const input = new PassThrough();
    const { messages, close } = readLines({ input, output: new PassThrough(), isTerminal: true, historyFile });
    const said: string[] = [];
    const read = (async () => {
      for await (const message of messages) said.push(message);
    })();
    const typed = ['my bike is blue', '/forget 1234', 'hello', ' the code is 7', 'bye'];
    for (const [n, line] of typed.entries()) {
      input.write(`${line}\r`);
      await until('it is read', () => said.length > n);
    }
    input.end();
    await read;
    close();
    expect(said).toStrictEqual(typed);
    expect(readFileSync(historyFile, 'utf8')).toBe('hello\nbye\n');
    expect(statSync(historyFile).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['that ends with a line', 'one\rtwo\r', '', 'one\ntwo'],
    ['whose last line is ended by hand', 'one\rtwo', '\r', 'one\ntwo'],
    ['at the end of the input', 'one\rtwo\r', undefined, 'one\ntwo'],
  ])('takes a paste without marks for one message: one %s', async (_, pasted, typed, message) => {
    const input = new PassThrough();
    const { messages, isBegun, close } = readLines({ input, output: new PassThrough(), isTerminal: true });
    input.write(pasted);
    if (typed === undefined) input.end();
    else if (typed !== '') {
      await until('the lines are read', isBegun);
      input.write(typed);
    }
    const { value } = await messages[Symbol.asyncIterator]().next();
    close();
    expect(value).toBe(message);
  });
});
