import { describe, expect, it } from 'vitest';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { compilePolicy } from '../../../lib/features/policy/compile-policy.ts';
import { happenedIn, tryPolicy } from '../../../lib/features/policy/try-policy.ts';
import { notice, reply, toolCall, webhookCall } from '../../core/gates/samples.ts';
import { judgeSample, sampleEvidence } from '../../core/stages/sample-evidence.ts';

const cedar = await importCedar();
const remember = toolCall({ args: { text: 'The dentist is on Monday.' } });
const tickets = webhookCall({ args: { webhook: 'tickets', body: { title: 'Disk is full' } } });

const evidence = async () =>
  sampleEvidence('con-1', [
    await judgeSample(reply()),
    await judgeSample(remember),
    await judgeSample(tickets, { tier: 'ask' }),
    await judgeSample(notice()),
  ]);

const flipsOf = async (text: string) => {
  const { actionCount, flips } = tryPolicy(GATE_SET, compilePolicy(cedar, text), await evidence());
  return {
    actionCount,
    flips: flips.map(({ where, before, after, isWidening }) => [where, before, after, isWidening]),
  };
};

describe('tryPolicy', () => {
  it.each<[string, string, readonly (readonly [string, string, string, boolean])[]]>([
    [
      'nothing where the policy says the same',
      '@ask("") permit(principal, action in Action::"any-webhook", resource);',
      [],
    ],
    [
      'a permit that lifts a question: wider',
      'permit(principal, action, resource);',
      [['action 2', 'ask', 'pass', true]],
    ],
    [
      'a forbid: narrower',
      'forbid(principal, action == Action::"remember", resource);',
      [['action 1', 'pass', 'block', false]],
    ],
    [
      'everything under a policy that cannot be used, but what code says',
      'permit(',
      [
        ['action 0', 'pass', 'block', false],
        ['action 1', 'pass', 'block', false],
        ['action 2', 'ask', 'block', false],
      ],
    ],
  ])('names %s', async (_, text, flips) => {
    expect(await flipsOf(text)).toStrictEqual({ actionCount: 3, flips });
  });

  it('counts of the past what a model did, and nothing of code', async () => {
    const done = await Promise.all([remember, notice()].map((one) => judgeSample(one, { isPlainReply: false })));
    const { id, session, decision, attempts, isForgotten } = sampleEvidence('con-1', done);
    const past = happenedIn({ id, session, decision, attempts, isForgotten });
    expect(past.map(({ id }) => id)).toStrictEqual(['con-1#0']);
  });

  it('lifts no block of another gate', async () => {
    const stopped = sampleEvidence('con-1', [await judgeSample(remember, { isStopped: true })]);
    const { flips } = tryPolicy(GATE_SET, compilePolicy(cedar, 'permit(principal, action, resource);'), stopped);
    expect(flips).toStrictEqual([]);
  });

  it('shows both traces, the new one with the rule', async () => {
    const policy = compilePolicy(cedar, '@id("no-notes") forbid(principal, action == Action::"remember", resource);');
    const [flip] = tryPolicy(GATE_SET, policy, await evidence()).flips;
    expect(flip?.traceBefore.every(({ verdict }) => verdict === 'pass')).toBe(true);
    expect(flip?.traceAfter.at(-1)).toStrictEqual({
      gate: 'permissions',
      verdict: 'block',
      reason: expect.stringContaining('(policy: no-notes)'),
    });
  });
});
