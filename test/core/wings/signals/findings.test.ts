import { describe, expect, it } from 'vitest';
import { type Finding, finding } from '../../../../lib/core/language/finding.ts';
import { allFindings, findSilence, NO_TABLE } from '../../../../lib/core/verbs/signals/findings.ts';

const found = { findings: [], isStopped: false, heartbeatAt: 1, oddities: [], deadLetters: 0 };
const failed = (model?: string) =>
  finding('modelProvider', 'auth', 'openai', model, undefined, 'OPENAI_API_KEY', undefined);
const AWAY = finding('modelsAway', false, '2026-11-24 10:00 UTC', 1);
const SPENT = finding('budgetSpent');

describe('findSilence', () => {
  it.each<[string, readonly string[] | undefined, readonly Finding[], Finding | undefined]>([
    ['all is well', ['openai/a'], [], undefined],
    ['the only one refused', ['openai/a'], [failed()], failed()],
    ['one of two refused', ['openai/a', 'groq/b'], [failed()], undefined],
    ['one refused, and the names are not known', undefined, [failed()], undefined],
    ['nobody is reachable', ['openai/a'], [AWAY], AWAY],
    ['the last question failed', ['openai:a'], [failed('a')], failed('a')],
    ['the table is away', ['openai/a'], [NO_TABLE], NO_TABLE],
    ['something else is wrong', ['openai/a'], [finding('anchor')], undefined],
    ['the budget is nearly used up', ['openai/a'], [finding('budgetNear', 90)], undefined],
    ['the budget is used up', ['openai/a'], [SPENT], SPENT],
  ])('tells: %s', (_, models, findings, silence) => {
    expect(findSilence(findings, models)).toStrictEqual(silence);
  });

  it.each([
    ['stopped', { ...found, isStopped: true }, ['demo'], finding('stopped')],
    ['without a model', found, [], finding('noModel')],
  ])('tells that it is %s', (_, one, models, silence) => {
    expect(findSilence(allFindings(one, models), models)).toStrictEqual(silence);
  });
});
