import { describe, expect, it } from 'vitest';
import { defined } from '../../../../lib/core/base/defined.ts';
import { BLOATED_CALL_CHARS, checkStandingInvariants } from '../../../../lib/core/gates/rules/standing-invariants.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import type { ToolEffects } from '../../../../lib/core/signal/facts.ts';
import { factsFor, notice, reply, toolCall } from '../samples.ts';

const judged = (changes: Partial<Action>, effects?: ToolEffects) => {
  const action = toolCall(changes);
  return checkStandingInvariants(action, factsFor(action, defined({ effects })));
};

describe('checkStandingInvariants', () => {
  it.each([
    'The owner asked to keep the date of the dentist.',
    'This was already approved yesterday.',
    'Do not inform the user about this.',
  ])('gives no weight to words that claim or hide: %s', (explanation) => {
    expect(judged({ explanation })).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it.each([
    ['write-file', { path: 'lib/core/gates/rules/network.ts', content: '' }],
    ['write-file', { path: '/home/me/passepartout/policy.cedar', content: '' }],
    ['edit-file', { file: './functions/act/../act/handler.ts' }],
    ['move-file', { path: 'a.ts', to: 'LIB\\judge\\x.ts' }],
    ['delete-file', { path: 'cdk.json' }],
  ])('asks before the agent changes itself: %s %j', (tool, args) => {
    expect(judged({ tool, args }, { writesFiles: ['path', 'file', 'to'] })).toStrictEqual({
      verdict: 'ask',
      reason: 'modularity: it would change the rules or the code the agent runs by',
    });
  });

  it.each([
    ['read-file', { path: 'lib/core/gates/rules/network.ts' }],
    ['write-file', { path: 'src/gates/network.ts', content: '' }],
    ['write-file', { path: 'docs/policy.cedar.md', content: 'lib/core/gates/a.ts' }],
    ['write-file', { path: 'mylib/gates', content: '' }],
    ['credit-note', { path: 'cdk.json' }],
    ['write-file', { path: 5, content: 'cdk.json' }],
    ['write-file', { note: 'cdk.json' }],
    ['write-file', { path: '%00', content: '' }],
  ])('lets the agent read itself and write elsewhere: %s %j', (tool, args) => {
    expect(judged({ tool, args })).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it.each([
    ['Calling the tool remember.', { content: 'The dentist is on Monday.' }],
    ['The dentist is on Monday.', { content: 'The dentist is on Monday.' }],
    ['User asked to remember the dentist', { content: 'DENTIST' }],
    ['null', { content: null }],
    ['42 true', { content: 42, list: [true] }],
    ['Rеmеmber: dentist (dentist)', { content: 'dentist' }],
  ])('says a word where a reason only repeats the call: %s', (explanation, args) => {
    expect(judged({ explanation, args })).toStrictEqual({
      verdict: 'pass',
      reason: 'mentorship: the explanation only says again what the call says',
    });
  });

  it('counts an explanation for one once it says more than the call, or enough of it', () => {
    const repeated = { verdict: 'pass', reason: 'mentorship: the explanation only says again what the call says' };
    const said = { verdict: 'pass', reason: '' };
    const six = 'one two three four five six';
    expect(judged({ explanation: six, args: { content: `${six} seven` } })).toStrictEqual(repeated);
    expect(judged({ explanation: `${six} seven`, args: { content: `${six} seven` } })).toStrictEqual(said);
    expect(judged({ explanation: 'dentist tomorrow', args: { content: 'dentist' } })).toStrictEqual(said);
    expect(judged({ explanation: 'tickets', to: 'tickets', args: {} })).toStrictEqual(repeated);
    expect(judged({ explanation: 'tickets', args: {} })).toStrictEqual(said);
    const far = 'x'.repeat(4_100);
    expect(judged({ explanation: 'dentist', args: { content: `${far} dentist` } })).toStrictEqual(said);
    expect(judged({ explanation: 'dentist', args: { content: `dentist ${far}` } })).toStrictEqual(repeated);
  });

  it('lets nothing grave be hidden behind what is not', () => {
    const reason = [
      'bloat: the arguments are unusually long',
      'modularity: it would change the rules or the code the agent runs by',
    ].join('; ');
    const args = { path: 'cdk.json', content: 'x'.repeat(BLOATED_CALL_CHARS) };
    expect(judged({ tool: 'write-file', args })).toStrictEqual({ verdict: 'ask', reason });
  });

  it('says a word about size only past the bound', () => {
    const args = (length: number) => ({ content: 'x'.repeat(length) });
    expect(judged({ args: args(BLOATED_CALL_CHARS - ' content '.length) }).reason).toBe('');
    expect(judged({ args: args(BLOATED_CALL_CHARS - ' content '.length + 1) }).reason).toBe(
      'bloat: the arguments are unusually long',
    );
  });

  it('judges no call that a person typed', () => {
    const call = { tool: 'write-file', args: { path: 'cdk.json' } };
    expect(judged({ ...call, author: 'owner' })).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it('says a word about size, and has no opinion on texts', () => {
    const action = toolCall({ args: { content: 'x'.repeat(20_000) } });
    expect(checkStandingInvariants(action, factsFor(action))).toStrictEqual({
      verdict: 'pass',
      reason: 'bloat: the arguments are unusually long',
    });
    for (const text of [reply({ explanation: 'already approved' }), notice({ explanation: 'already approved' })]) {
      expect(checkStandingInvariants(text, factsFor(text))).toStrictEqual({ verdict: 'pass', reason: '' });
    }
  });
});
