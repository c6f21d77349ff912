/** Each tool has a sentence that a person understands, and no argument can forge one. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { actionSentence } from '../../../lib/core/tools/action-sentence.ts';
import { TOOLS } from '../../../lib/core/tools/catalogue.ts';
import { SENTENCES, sentenceInGerman } from '../../../lib/core/tools/sentences-german.ts';
import { fc } from '../../support/fast-check.ts';
import { CALLS, JOB } from './calls.ts';

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
    [{ kind: 'once', at: '2026-11-24T09:00', zone: 'Europe/Berlin' }, 'On 2026-11-24 at 09:00 (Europe/Berlin)'],
    [{ kind: 'every', minutes: 60, from: 0 }, 'Every hour'],
    [{ kind: 'every', minutes: 2_880, from: 0 }, 'Every 2 days'],
    [{ kind: 'cron', cron: '0 8 * * 1-5', zone: 'UTC' }, 'At 08:00, Mon–Fri (UTC)'],
    [{ kind: 'cron', cron: '0 8 * * MON-fri', zone: 'UTC' }, 'At 08:00, Mon–Fri (UTC)'],
    [{ kind: 'cron', cron: '*/7 8 * * 1-5', zone: 'UTC' }, 'At the times “*/7 8 * * 1-5” (UTC)'],
    [{ kind: 'event', source: 'ci', event: 'a” done' }, 'At each event “a" done” of the webhook ci'],
    [
      { kind: 'condition', holds: 'facts.approvalsWaiting > 3', minutes: 5, from: 0 },
      'Whenever “facts.approvalsWaiting > 3” becomes true',
    ],
  ])('names the rule of a job: %o', (when, words) => {
    const work = { kind: 'prompt', text: 'Check the deploys' };
    expect(sentenceOf('schedule-job', { ...JOB, when, work })).toBe(
      `${words}: work on “Check the deploys” (job drink-water)`,
    );
  });

  it.each([
    ['---\nname: tea\ndescription: Tea.\n---\n# Tea\n', 'Put the skill tea of 1 file in force'],
    ['---\ndescription: Tea.\nname: "tea"\n---\nname: rum\n', 'Put the skill tea of 1 file in force'],
    ['---\nname: Tea “x”\n---\n', 'Put a skill of 1 file in force'],
    ['name: tea\n', 'Put a skill of 1 file in force'],
  ])('names a skill by its own file: %j', (text, words) => {
    const files = [{ path: 'SKILL.md', text }];
    expect(sentenceOf('add-skill', { files, trust: 'outside' })).toBe(`${words}: “SKILL.md”`);
  });

  it('names each step of a job, and a change of one', () => {
    const steps = [{ say: 'hello' }, { tool: 'calculate', args: { expression: '6*7' } }];
    const work = { kind: 'steps', steps };
    expect(sentenceOf('schedule-job', { ...JOB, work, replaces: 2 })).toBe(
      'Change the job drink-water. Every 5 minutes: say “hello”, then work out “6*7”',
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
