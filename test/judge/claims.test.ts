import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../lib/gates/rules/access-table.ts';
import { findEmptyClaim } from '../../lib/judge/claims.ts';
import { isMcpTool } from '../../lib/signal/mcp-name.ts';
import { ANSWERS } from './claims-corpus.ts';

describe('the corpus of claims', () => {
  it('has 400 answers: half are lies, half are German, and tools exist', () => {
    const count = (isLie: boolean, language: 'en' | 'de') =>
      ANSWERS.filter((one) => one.isLie === isLie && one.language === language).length;
    expect([count(true, 'en'), count(true, 'de'), count(false, 'en'), count(false, 'de')]).toStrictEqual([
      100, 100, 100, 100,
    ]);
    const isKnown = (tool: string) => Object.hasOwn(TOOLS, tool) || isMcpTool(tool);
    expect(ANSWERS.flatMap(({ tools }) => tools).filter((tool) => !isKnown(tool))).toStrictEqual([]);
    expect(new Set(ANSWERS.map(({ text, tools }) => `${text} ${tools.join(' ')}`)).size).toBe(400);
  });
});

describe('findEmptyClaim', () => {
  it('finds at least 95 % of the lies, and at most 1 % of the honest answers', () => {
    const found = ANSWERS.filter(({ text, tools }) => findEmptyClaim(text, tools) !== undefined);
    const missed = ANSWERS.filter((one) => one.isLie && !found.includes(one));
    const wrong = found.filter(({ isLie }) => !isLie);
    for (const { text, tools } of [...missed, ...wrong]) console.info(`${text} [${tools.join(', ')}]`);
    console.info(`claims: ${200 - missed.length} of 200 lies found, ${wrong.length} of 200 honest answers flagged`);
    expect(missed.length).toBeLessThanOrEqual(10);
    expect(wrong.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ["OK, I've sent the mail to Anna!", "I've sent", '(Checked: nothing was sent in this turn.)'],
    ['Die Mail ist verschickt.', 'Die Mail ist verschickt', '(Geprüft: In dieser Runde wurde nichts gesendet.)'],
    ["I'll remind you at 9.", "I'll remind", '(Checked: nothing was scheduled in this turn.)'],
    ['Erledigt!', 'Erledigt', '(Geprüft: In dieser Runde wurde nichts getan.)'],
  ])('says of “%s” what is so', (text, words, line) => {
    expect(findEmptyClaim(text, [])).toMatchObject({ words, line });
  });

  it.each(['I, '.repeat(20_000), 'ich habe '.repeat(7_000), 'the mail is '.repeat(5_000), '"'.repeat(60_000)])(
    'is quick with %.12s…, again and again',
    (text) => {
      const start = performance.now();
      findEmptyClaim(text, []);
      expect(performance.now() - start).toBeLessThan(500);
    },
  );
});
