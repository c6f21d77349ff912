import { describe, expect, it } from 'vitest';
import { leaveOutOfProposal } from '../../../lib/core/judge/leave-out.ts';
import type { Proposal } from '../../../lib/core/signal/decision.ts';

const KEY = 'mk7Rq2xKd9TzB4nWc8YhJ5vLs3PfG6uEaQ1oZ0iXt';
const GITHUB = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const SECRETS = new Map([
  ['OPENAI_API_KEY', KEY],
  ['PIN', '48151623421080'],
]);
const MARK = '[a secret was left out here: OPENAI_API_KEY]';
const FORM = '[what looks like a secret was left out here: GitHub token]';
const callOf = (changes: object) => ({
  callId: 'call-1',
  tool: 'remember',
  args: {},
  explanation: 'asked',
  ...changes,
});

describe('leaveOutOfProposal', () => {
  it.each<[string, object, object]>([
    ['nothing', { args: { text: 'blue', n: 3 } }, { args: { text: 'blue', n: 3 } }],
    ['a value', { args: { text: `it is ${KEY}`, n: 3 } }, { args: { text: MARK, n: 3 } }],
    ['a nested value', { args: { a: [{ b: [GITHUB, null, true] }] } }, { args: { a: [{ b: [FORM, null, true] }] } }],
    ['a key', { args: { [KEY]: 1 } }, { args: { [MARK]: 1 } }],
    ['a number', { args: { n: 48151623421080 } }, { args: { n: null } }],
    ['an explanation', { explanation: GITHUB }, { explanation: FORM }],
    ['the id of a call', { callId: KEY }, { callId: 'call-1' }],
    ['the name of a tool', { tool: KEY.toLowerCase() }, { tool: 'a-secret-was-left-out' }],
    [
      'several arguments together',
      { args: { a: KEY.slice(0, 8), b: KEY.slice(8, 16), c: KEY.slice(16, 24) } },
      { args: { words: MARK } },
    ],
  ])('leaves a secret out of %s', (_, given, expected) => {
    const proposal: Proposal = { calls: [callOf(given)] };
    expect(leaveOutOfProposal(proposal, SECRETS)).toStrictEqual({ calls: [callOf(expected)] });
  });

  it('leaves it out of the text, and does nothing a second time', () => {
    const once = leaveOutOfProposal({ text: `Here: ${KEY}`, calls: [] }, SECRETS);
    expect(once).toStrictEqual({ text: MARK, calls: [] });
    expect(leaveOutOfProposal(once, SECRETS)).toStrictEqual(once);
  });
});
