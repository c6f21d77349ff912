import { describe, expect, it } from 'vitest';
import { allFindings, findSilence, NO_TABLE } from '../../../lib/wings/signals/findings.ts';

const found = { findings: [], isStopped: false, heartbeatAt: 1, oddities: [], deadLetters: 0 };
const REFUSED = 'the model provider openai refuses the key: put a valid one in OPENAI_API_KEY';
const LAST = 'the model provider openai (a) gave an empty answer (asked at 2026-11-24 10:32 UTC): ask again';
const AWAY = 'no language model has been reachable since 2026-11-24 10:00 UTC';

describe('findSilence', () => {
  it.each<[string, readonly string[] | undefined, readonly string[], string | undefined]>([
    ['all is well', ['openai/a'], [], undefined],
    ['the only one refused', ['openai/a'], [REFUSED], REFUSED],
    ['one of two refused', ['openai/a', 'groq/b'], [REFUSED], undefined],
    ['one refused, and the names are not known', undefined, [REFUSED], undefined],
    ['nobody is reachable', ['openai/a'], [AWAY], AWAY],
    ['the last question failed', ['openai:a'], [LAST], LAST],
    ['the disk is full', ['openai/a'], ['nothing can be stored: x'], 'nothing can be stored: x'],
    ['the table is away', ['openai/a'], [NO_TABLE], NO_TABLE],
    ['something else is wrong', ['openai/a'], ['Telegram: no updates'], undefined],
    ['the budget is nearly used up', ['openai/a'], ["90 % of today's budget is used"], undefined],
    ['the budget is used up', ['openai/a'], ["today's budget is used up: x"], "today's budget is used up: x"],
  ])('tells: %s', (_, models, findings, silence) => {
    expect(findSilence(findings, models)).toBe(silence);
  });

  it.each([
    ['stopped', { ...found, isStopped: true }, ['demo'], /^stopped: .*\/resume$/],
    ['without a model', found, [], /^no language model is configured: npx passepartout setup --only model/],
  ])('tells that it is %s', (_, one, models, words) => {
    expect(findSilence(allFindings(one, models), models)).toMatch(words);
  });
});
