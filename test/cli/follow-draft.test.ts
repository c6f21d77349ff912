import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { buildDraftPrinter, followDraft } from '../../infra/cli/follow-draft.ts';

const textEvent = (id: string, text: string): string =>
  `id: ${id}\nevent: text\ndata: ${JSON.stringify({ type: 'text', text })}\n\n`;
const END = 'event: end\ndata: {"type":"end","state":"acted"}\n\n';

const follow = async (answers: readonly (string | Error)[], isOver = (): boolean => false) => {
  const asked: string[] = [];
  const texts: string[] = [];
  const stream = async (_: string, last: string): Promise<string> => {
    const answer = answers[asked.push(last) - 1];
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked once too often');
    return answer;
  };
  await followDraft(
    { client: { stream }, onText: (text) => texts.push(text), isOver, sleep: async () => undefined },
    'con-1',
  );
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

  it.each([[new Error('gone')], ['data: no JSON\n\n'], ['data: {"type":"other"}\n\n']])(
    'ends quietly with %s',
    async (answer) => {
      expect((await follow([answer])).texts).toStrictEqual([]);
    },
  );

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
    const printer = buildDraftPrinter(output, () => {
      prompts += 1;
    });
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
});
