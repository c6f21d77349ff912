/** Each tool has a sentence that a person understands, and no argument can forge one. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { actionSentence } from '../../../lib/core/tools/action-sentence.ts';
import { TOOLS } from '../../../lib/core/tools/catalogue.ts';
import { SENTENCES, sentenceInGerman } from '../../../lib/core/tools/sentences-german.ts';
import { fc } from '../../support/fast-check.ts';
import { CALLS } from './calls.ts';

/** Words of the program that say nothing to a person. */
const JARGON = /\b(?:args|JSON|null|undefined|tool|target|idempotent|payload)\b/;

const sentenceOf = (tool: string, args: JsonObject): string => actionSentence({ target: 'tool', tool, args });

describe('actionSentence', () => {
  it('names a call of each tool, in a sentence without words of the program', () => {
    expect(Object.fromEntries(TOOLS.map(({ name }) => [name, sentenceOf(name, CALLS[name]?.[0] ?? {})]))).toStrictEqual(
      Object.fromEntries(TOOLS.map(({ name }) => [name, CALLS[name]?.[1]])),
    );
    for (const [name, [, sentence]] of Object.entries(CALLS)) {
      expect(sentence).not.toMatch(JARGON);
      if (name.includes('-')) expect(sentence).not.toContain(name);
      expect(sentence).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  it('has a German sentence for each tool, and none for a tool that is not there', () => {
    expect(Object.keys(SENTENCES).toSorted()).toStrictEqual(TOOLS.map(({ name }) => name).toSorted());
    const german = TOOLS.map(({ name: tool }) =>
      sentenceInGerman({ target: 'tool', tool, args: CALLS[tool]?.[0] ?? {} }),
    );
    for (const sentence of german) expect(sentence).toMatch(/^[A-ZÄÖÜ„].*[^.]$/);
    expect(german.filter((sentence) => Object.values(CALLS).some(([, english]) => english === sentence))).toStrictEqual(
      [],
    );
  });

  it.each([
    [{ target: 'telegram', to: '7', text: 'hi\nthere' }, 'Send this text to the Telegram chat 7: “hi ⏎ there”'],
    [{ target: 'console', to: 'main', text: 'hi' }, 'Send this text to the console main: “hi”'],
    [
      { target: 'mcp-tracker', tool: 'mcp-tracker-create-issue', args: { title: 'a' } },
      'Use the tool create-issue of the server tracker: title “a”',
    ],
    [
      { target: 'webhook', to: 'mcp-tracker', tool: 'mcp-tracker-list-issues', args: {} },
      'Use the tool list-issues of the server tracker',
    ],
    [{ target: 'tool', tool: 'forget', args: { id: 7 } }, 'Use forget: id “7”'],
    [{ target: 'tool', tool: 'launch-missiles', args: {} }, 'Use launch-missiles'],
  ])('names %o', (action, sentence) => {
    expect(actionSentence(action)).toBe(sentence);
  });

  it('lets no argument close its quotes, add a line or hide', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', ' ', '”', '“', '\n', '\r', '\u2028', '\u202e', '\u200b', '»'),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const sentence = sentenceOf('launch-missiles', { a: text, b: text });
        expect(sentence).toMatch(/^Use launch-missiles: a “[^“”]*”, b “[^“”]*”$/u);
        expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(sentenceOf('remember', { text: 'pаypal' })).toBe('Keep the note “pаypal [“а” is a Cyrillic letter]”');
  });

  it('cuts a long value, and says how long it is', () => {
    expect(sentenceOf('remember', { text: 'x'.repeat(500) })).toBe(
      `Keep the note “${'x'.repeat(160)}…” (500 characters)`,
    );
  });
});
