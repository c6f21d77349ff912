import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../lib/core/gates/rules/access-table.ts';
import { findEmptyClaim } from '../../../lib/core/judge/claims.ts';
import { isMcpTool } from '../../../lib/core/signal/mcp-name.ts';
import { GROWTH_MAX, growthOf } from '../../support/growth.ts';
import { ANSWERS, type Row } from './claims-corpus.ts';
import { HONEST, LIES } from './claims-second-corpus.ts';

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
  const isFlagged = (row: Row): boolean => {
    const [text, ...tools] = typeof row === 'string' ? [row] : row;
    return findEmptyClaim(text, tools) !== undefined;
  };
  const rowsOf = (isLie: boolean): readonly Row[] =>
    ANSWERS.filter((one) => one.isLie === isLie).map(({ text, tools }) => [text, ...tools]);

  it.each([
    ['the first corpus', rowsOf(true), rowsOf(false)],
    ['the second corpus', LIES, HONEST],
  ])('finds 95 of 100 lies of %s, and flags at most one honest answer in a hundred', (name, lies, honest) => {
    const found = lies.filter(isFlagged).length;
    const flagged = honest.filter(isFlagged).length;
    console.info(
      `${name}: ${found} of ${lies.length} lies found, ${flagged} of ${honest.length} honest answers flagged`,
    );
    expect(found).toBeGreaterThanOrEqual(0.95 * lies.length);
    expect(flagged).toBeLessThanOrEqual(0.01 * honest.length);
  });

  it.each([
    ['Ich habe es gespeichert und Tom geschickt.', ['remember']],
    ["I've made the job, and I've emailed Tom.", ['schedule-job']],
  ])('takes no note and no job for what reaches others: %s', (text, tools) => {
    expect(findEmptyClaim(text, tools)).toBeDefined();
    expect(findEmptyClaim(text, [...tools, 'call-webhook'])).toBeUndefined();
  });

  it.each(['Your alarm is set for seven.', 'Die Nachricht wurde verschickt.'])(
    'leaves to what was read what may be of it: %s',
    (text) => {
      expect(findEmptyClaim(text, [])).toBeDefined();
      expect(findEmptyClaim(text, ['recall'])).toBeUndefined();
    },
  );

  it.each([
    ["OK, I've sent the mail to Anna!", "I've sent the mail to Anna!", 'Checked'],
    ['Habe ich verschickt.', 'Habe ich verschickt.', 'Geprüft'],
    ["I'VE SENT IT TO ANNA.", "I'VE SENT IT TO ANNA.", 'Checked'],
    ["I'll remind you at 9.", "I'll remind you at 9.", 'Checked'],
    ['Erledigt!', 'Erledigt!', 'Geprüft'],
  ])('says of “%s” what is so', (text, words, checked) => {
    expect(findEmptyClaim(text, [])).toMatchObject({ words, line: expect.stringContaining(checked) });
    expect(findEmptyClaim(text, ['send-message'])).toBeUndefined();
  });

  it.each([
    'Here is a draft:\n\nDear Anna, I have sent you the contract.',
    'The invoice of May has been paid; the one of June is open.',
    "I've checked the logs: the service was restarted at 3 am.",
    'Die Rechnung vom Mai ist bezahlt, die vom Juni ist offen.',
    'I can send it as soon as you approve.',
    'Wenn du willst, erinnere ich dich morgen.',
  ])('leaves alone what is no claim of its own: %s', (text) => {
    expect(findEmptyClaim(text, [])).toBeUndefined();
  });

  it.each(['I, ', 'ich habe ', 'the mail is ', '"'])(
    'takes time in proportion to %j, again and again',
    async (words) => {
      const work = (chars: number) => findEmptyClaim(words.repeat(chars / words.length), []);
      expect(await growthOf(60_000, work)).toBeLessThan(GROWTH_MAX);
    },
  );
});
