/**
 * What several models proposed, compared: what counts as the same, who wins, and that words never
 * decide.
 */

import { describe, expect, it } from 'vitest';
import { formOf, isHighImpact, takeProposal } from '../../../lib/core/llm/consensus.ts';
import { actionHash } from '../../../lib/core/signal/action.ts';
import type { Attempt, JudgedAction } from '../../../lib/core/signal/decision.ts';
import { fc } from '../../support/fast-check.ts';
import { factsFor, reply, toolCall, webhookCall } from '../gates/samples.ts';

type Verdict = 'pass' | 'ask' | 'block';
const judge = (action: JudgedAction['action'], verdict: Verdict = 'pass', isPlainReply = false): JudgedAction => ({
  action,
  hash: actionHash(action),
  outcome: verdict,
  trace: [{ gate: 'some-gate', verdict, reason: '' }],
  facts: [factsFor(action, { isPlainReply })],
});
const says = (text: string): JudgedAction => judge(reply({ text }), 'pass', true);
const hook = (ref: string, verdict: Verdict = 'pass', explanation = 'because it was asked for'): JudgedAction =>
  judge(webhookCall({ args: { webhook: 'deploys', body: { ref } }, explanation }), verdict);
const noted = (text: string): JudgedAction => judge(toolCall({ tool: 'remember', args: { text } }));

let numbers = 0;
const attempt = (provider: string, judged: JudgedAction[], problem?: string): Attempt => {
  numbers += 1;
  return {
    schemaVersion: 1,
    n: numbers,
    at: 1,
    provider,
    model: 'm',
    promptHash: 'p',
    judged,
    ...(problem === undefined ? {} : { problem }),
  };
};

describe('isHighImpact', () => {
  it.each<[string, JudgedAction[], boolean]>([
    ['a plain answer', [says('hello')], false],
    ['what a gate asks about', [noted('x'), judge(toolCall({ tool: 'forget' }), 'ask')], true],
    ['what leaves the space, also when allowed', [says('done'), hook('main')], true],
    ['a note', [noted('x')], false],
    ['a text to somebody else', [judge(reply({ to: '99' }), 'ask')], true],
  ])('knows %s', (_, judged, expected) => {
    expect(isHighImpact(judged)).toBe(expected);
  });
});

describe('formOf', () => {
  const form = (...judged: JudgedAction[]) => formOf(attempt('a', judged));
  it('is the same whatever is explained or said beside it', () => {
    expect(form(hook('main', 'pass', 'one reason'))).toBe(form(says('I do it now.'), hook('main', 'ask', 'another')));
    expect(form(says('yes'))).toBe(form(says('no')));
  });
  it('is another for other arguments, another order, one more action, and none at all', () => {
    const forms = [
      form(hook('main')),
      form(hook('next')),
      form(hook('main'), noted('x')),
      form(noted('x'), hook('main')),
      form(says('no')),
      form(judge(reply({ text: 'x', to: '99' }), 'ask')),
    ];
    expect(new Set(forms).size).toBe(forms.length);
  });
  it('is none of an answer that could not be used', () => {
    expect(formOf(attempt('a', [], 'empty answer'))).toBeUndefined();
    expect(formOf(attempt('a', []))).toBeUndefined();
  });
});

describe('takeProposal', () => {
  const take = (opening: Attempt, ...votes: Attempt[]) => {
    const { taken, consensus, facts } = takeProposal(opening, votes);
    return [taken.provider, consensus.outcome, facts.votes, facts.agreeing, facts.others];
  };
  it('takes what all, or most of those who answered, propose', () => {
    expect(take(attempt('a', [hook('x')]), attempt('b', [hook('x')]))).toStrictEqual(['a', 'agreed', 2, 2, []]);
    expect(take(attempt('a', [hook('x')]), attempt('b', [hook('y')]), attempt('c', [hook('y')]))).toStrictEqual([
      'b',
      'majority',
      3,
      2,
      ['a'],
    ]);
    expect(take(attempt('a', [hook('x')]), attempt('b', [], 'down'), attempt('c', [hook('x')]))).toStrictEqual([
      'a',
      'agreed',
      2,
      2,
      [],
    ]);
  });
  it.each<[string, JudgedAction[], JudgedAction[], string]>([
    ['a plain answer before an action', [hook('x')], [says('no')], 'b'],
    ['what stays here before what leaves', [hook('x')], [noted('x')], 'b'],
    ['less of it before more', [hook('x'), hook('y')], [hook('z')], 'b'],
    ['what no gate asks about first', [hook('x', 'ask')], [hook('y')], 'b'],
    ['the name where nothing else tells', [hook('x')], [hook('y')], 'a'],
    ['nothing that is blocked', [hook('x', 'ask')], [noted('x'), hook('y', 'block')], 'a'],
  ])('without a majority takes the safest: %s', (_, one, two, expected) => {
    expect(take(attempt('a', one), attempt('b', two)).slice(0, 2)).toStrictEqual([expected, 'safest']);
  });
  it('is alone where nobody else answers', () => {
    expect(take(attempt('a', [hook('x')]), attempt('b', [], 'down'))).toStrictEqual(['a', 'alone', 1, 1, []]);
    expect(take(attempt('a', [hook('x')]))).toStrictEqual(['a', 'alone', 1, 1, []]);
  });
  it('never takes what is blocked, and counts no more agreement than there is, whatever is proposed', () => {
    const action = fc.constantFrom(says('s'), hook('x'), hook('y'), hook('x', 'ask'), hook('y', 'block'), noted('x'));
    const vote = fc.record({
      name: fc.constantFrom('b', 'c', 'd'),
      judged: fc.array(action, { maxLength: 3 }),
      isDown: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(
          action.filter(({ outcome }) => outcome !== 'block'),
          { minLength: 1, maxLength: 3 },
        ),
        fc.array(vote, { maxLength: 2 }),
        (first, others) => {
          const opening = attempt('a', first);
          const votes = others.map(({ name, judged, isDown }) => attempt(name, judged, isDown ? 'down' : undefined));
          const { taken, consensus, facts } = takeProposal(opening, votes);
          expect(taken.judged.every(({ outcome }) => outcome !== 'block')).toBe(true);
          expect(taken.problem).toBeUndefined();
          const alike = [opening, ...votes].filter((one) => formOf(one) !== undefined && formOf(one) === formOf(taken));
          expect(facts.agreeing).toBe(alike.length);
          expect(facts.agreeing + facts.others.length).toBe(facts.votes);
          expect(consensus.votes).toHaveLength(votes.length + 1);
          const isMajority = consensus.outcome === 'agreed' || consensus.outcome === 'majority';
          expect(isMajority).toBe(facts.agreeing > 1 && facts.agreeing * 2 > facts.votes);
        },
      ),
    );
  });
});
