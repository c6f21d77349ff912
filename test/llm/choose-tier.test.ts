import { describe, expect, it } from 'vitest';
import { chooseTier, type TierFacts } from '../../lib/llm/choose-model.ts';

const plain: TierFacts = {
  sensor: 'chat-message',
  textChars: 20,
  text: 'hello, how are you?',
  depth: 0,
  toolNames: ['remember', 'recall', 'call-webhook', 'current-time'],
  lastAttempt: 'none',
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
    ['several tools', { text: 'recall the address and call the webhook' }, 'reasoning', 'several tools are likely'],
    [
      'words that are only parts of names',
      { text: 'the current time of a call' },
      'cognition',
      'nothing asks for more',
    ],
  ] as const)('takes %s so', (_, facts, tier, because) => {
    expect(chooseTier({ ...plain, ...facts })).toStrictEqual({ tier, because });
  });
});
