import { describe, expect, it } from 'vitest';
import {
  chooseTier,
  type ModelRule,
  parseModelRules,
  type Selection,
  type SelectorFacts,
  selectByRules,
  type TierFacts,
  unknownNames,
} from '../../../lib/core/llm/choose-model.ts';

const plain: TierFacts = {
  sensor: 'chat-message',
  textChars: 20,
  text: 'hello, how are you?',
  root: { sensor: 'chat-message', text: 'hello, how are you?' },
  depth: 0,
  lastAttempt: 'none',
  attempts: 0,
  lastActions: 'none',
};

describe('chooseTier', () => {
  it.each([
    ['an ordinary message', {}, 'cognition', 'nothing asks for more'],
    [
      'a webhook, whatever it says',
      { sensor: 'webhook', text: 'plan step by step' },
      'cognition',
      'nothing asks for more',
    ],
    [
      'a tool that was done',
      { sensor: 'tool-output', lastActions: 'done', depth: 1 },
      'cognition',
      'nothing asks for more',
    ],
    ['one tool', { text: 'remember that my bike is blue' }, 'cognition', 'nothing asks for more'],
    ['a proposal the rules rejected', { lastAttempt: 'rejected' }, 'reasoning', 'the rules rejected the answer before'],
    ['an answer nobody could read', { lastAttempt: 'unusable' }, 'reasoning', 'the answer before could not be used'],
    [
      'a skill that wants little',
      { skill: { skill: 'notes', tier: 'cognition', isSet: true }, textChars: 9_999 },
      'cognition',
      'an approver set it for the skill notes',
    ],
    [
      'a skill that wants much',
      { skill: { skill: 'programs', tier: 'reasoning', isSet: false } },
      'reasoning',
      'the skill programs asks for it',
    ],
    ['an error', { sensor: 'loop-error' }, 'reasoning', 'working on it failed before'],
    ['tools that failed', { lastActions: 'failed' }, 'reasoning', 'what was tried before failed'],
    ['the rest of a hard task', { before: 'reasoning' }, 'reasoning', 'the task was begun with it'],
    ['the rest of an easy one', { before: 'cognition' }, 'cognition', 'nothing asks for more'],
    ['a long chain', { depth: 3 }, 'reasoning', 'the task takes many steps'],
    ['a long message', { textChars: 2_001 }, 'reasoning', 'the message is long'],
    ['a long message at the bound', { textChars: 2_000 }, 'cognition', 'nothing asks for more'],
    [
      'a question to think through',
      { text: 'Compare these two.' },
      'reasoning',
      'the question asks to think it through',
    ],
    ['a word that only looks so', { text: 'planets and airplanes' }, 'cognition', 'nothing asks for more'],
  ] as const)('takes %s so', (_, facts, tier, because) => {
    const chosen = chooseTier({ ...plain, ...facts });
    expect(chosen).toStrictEqual({ tier, because, isThinking: chosen.isThinking });
  });

  const hard = { sensor: 'chat-message', text: 'Compare these two.' } as const;
  it.each([
    ['an ordinary message', {}, false],
    ['a question to think through', { text: hard.text, root: hard }, true],
    ['its next step', { sensor: 'tool-output', text: '', before: 'reasoning', depth: 1, root: hard }, true],
    ['a webhook that asks for thoughts', { sensor: 'webhook', root: { ...hard, sensor: 'webhook' } }, false],
    ['a long message', { textChars: 2_001 }, false],
    ['the next step of a long message', { sensor: 'tool-output', before: 'reasoning', depth: 1 }, false],
    ['a first rejection', { lastAttempt: 'rejected', attempts: 1 }, false],
    ['a second rejection', { lastAttempt: 'rejected', attempts: 2 }, true],
    ['an answer nobody could read', { lastAttempt: 'unusable', attempts: 1 }, false],
    ['a first rejection of a hard question', { lastAttempt: 'rejected', attempts: 1, root: hard }, true],
    ['a skill that wants much', { skill: { skill: 'programs', tier: 'reasoning', isSet: false } }, true],
    ['a skill that wants little', { skill: { skill: 'notes', tier: 'cognition', isSet: true }, root: hard }, false],
    ['an error', { sensor: 'loop-error' }, true],
    ['tools that failed', { lastActions: 'failed' }, true],
    ['a long chain', { before: 'reasoning', depth: 3 }, true],
  ] as const)('asks to think first by difficulty: %s', (_, facts, isThinking) => {
    expect(chooseTier({ ...plain, ...facts }).isThinking).toBe(isThinking);
  });
});

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
  shown(selectByRules(rules, { ...facts, ...change }));

describe('selectByRules', () => {
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
