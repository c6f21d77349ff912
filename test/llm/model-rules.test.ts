/**
 * The owner's table of models: what applies, what is named, what is left out, and what a wrong
 * table is told.
 */
import { describe, expect, it } from 'vitest';
import {
  buildTableSelector,
  type ModelRule,
  parseModelRules,
  type Selection,
  type SelectorFacts,
  unknownNames,
} from '../../lib/llm/choose-model.ts';

const facts: SelectorFacts = {
  sensors: ['chat-message'],
  text: 'Please pay the invoice, and water the Rose-Garden.',
  tier: 'cognition',
  providers: ['one', 'two', 'three'],
  unwell: new Set(),
};
const shown = (selection: Selection | undefined) =>
  selection === undefined ? undefined : [selection.use, [...selection.skip], selection.because];
const select = (rules: readonly ModelRule[], change: Partial<SelectorFacts> = {}) =>
  shown(buildTableSelector(rules)({ ...facts, ...change }));

describe('buildTableSelector', () => {
  it.each<[string, ModelRule, Partial<SelectorFacts>, boolean]>([
    ['a rule without conditions', { use: 'two' }, {}, true],
    ['a word, however it is written', { words: ['INVOICE'], use: 'two' }, {}, true],
    ['words that stand together', { words: ['rose garden'], use: 'two' }, {}, true],
    ['one of several words', { words: ['tax', 'pay'], use: 'two' }, {}, true],
    ['no part of a word', { words: ['voice', 'garde'], use: 'two' }, {}, false],
    ['a sensor', { sensor: 'chat-message', use: 'two' }, {}, true],
    ['the sensor of the root', { sensor: 'webhook', use: 'two' }, { sensors: ['tool-output', 'webhook'] }, true],
    ['no other sensor', { sensor: 'webhook', use: 'two' }, {}, false],
    ['a tier', { tier: 'cognition', use: 'two' }, {}, true],
    ['no other tier', { tier: 'reasoning', use: 'two' }, {}, false],
    [
      'all conditions that are given, and not one of them',
      { tier: 'cognition', words: ['tax'], use: 'two' },
      {},
      false,
    ],
    ['nobody who is not there', { use: 'four' }, {}, false],
    ['nobody who failed lately', { use: 'two' }, { unwell: new Set(['two']) }, false],
  ])('follows %s', (_, rule, change, isFollowed) => {
    expect(select([rule], change)).toStrictEqual(isFollowed ? [{ provider: 'two' }, [], 'rule 1 asks two'] : undefined);
  });

  it('takes the first that names somebody, and all that leave somebody out', () => {
    const rules: readonly ModelRule[] = [
      { words: ['tax'], use: 'three' },
      { skip: ['one', 'four'] },
      { use: 'two/large:7b', skip: ['one'] },
      { use: 'three', skip: ['three'] },
    ];
    expect(select(rules)).toStrictEqual([
      { provider: 'two', model: 'large:7b' },
      ['one', 'three'],
      'rule 2 leaves out one; rule 3 asks two/large:7b; rule 4 leaves out three',
    ]);
  });

  it('asks nobody who is left out, also where a rule before names him', () => {
    expect(select([{ use: 'one' }, { skip: ['one'] }])).toStrictEqual([
      undefined,
      ['one'],
      'rule 1 asks one; rule 2 leaves out one',
    ]);
  });

  it('says nothing where no rule applies', () => {
    expect(select([])).toBeUndefined();
    expect(select([{ skip: ['four'] }])).toBeUndefined();
  });
});

describe('parseModelRules', () => {
  it('reads a table, and none', () => {
    const rules = [{ sensor: 'webhook', words: ['a'], tier: 'reasoning', use: 'openai/gpt-6-sol', skip: ['groq'] }];
    expect(parseModelRules(JSON.stringify(rules))).toStrictEqual(rules);
    expect(parseModelRules(undefined)).toStrictEqual([]);
    expect(parseModelRules('  ')).toStrictEqual([]);
  });

  it.each([
    ['no JSON', '[{'],
    ['no list', '{"use": "one"}'],
    ['too many rules', JSON.stringify(Array.from({ length: 33 }, () => ({ use: 'one' })))],
  ])('refuses %s', (_, text) => {
    expect(parseModelRules(text)).toMatch(/^must be JSON: a list of up to 32 rules/);
  });

  it.each([
    [{ sensor: 'smell', use: 'one' }, /rule 1: sensor$/],
    [{ words: [], use: 'one' }, /rule 1: words$/],
    [{ words: ['?!'], use: 'one' }, /rule 1: words$/],
    [{ tier: 'reflex', use: 'one' }, /rule 1: tier$/],
    [{ use: 'One' }, /rule 1: use$/],
    [{ use: 'one/a b' }, /rule 1: use$/],
    [{ skip: [] }, /rule 1: skip$/],
    [{ words: ['secret-word'] }, /rule 1: "use" or "skip" is missing/],
    [{ use: 'one', key: 'secret-word' }, /rule 1: .*a field too many$/],
    ['one', /rule 1: /],
  ])('names what does not fit in %j, and quotes nothing', (rule, problem) => {
    const said = parseModelRules(JSON.stringify([rule]));
    expect(said).toMatch(problem);
    expect(said).not.toContain('secret-word');
  });
});

describe('unknownNames', () => {
  it('names providers nobody knows, with their rule', () => {
    expect(unknownNames([{ use: 'one/x' }, { use: 'won', skip: ['two', 'tow'] }], ['one', 'two'])).toStrictEqual([
      'rule 2 names "won", which is none of one, two',
      'rule 2 names "tow", which is none of one, two',
    ]);
  });
});
