/** Gates that look at what a tool is, and at what was found in what it would write. */
import { describe, expect, it } from 'vitest';
import { checkCodeValidity } from '../../../../lib/core/gates/rules/code-validity.ts';
import { checkHighImpact } from '../../../../lib/core/gates/rules/high-impact.ts';
import type { ToolEffects } from '../../../../lib/core/signal/facts.ts';
import { factsFor, reply, toolCall, webhookCall } from '../samples.ts';

describe('checkHighImpact', () => {
  it.each<[ToolEffects, string]>([
    [{ runsCommand: 'cmd' }, 'can do anything on the machine'],
    [{ runsCode: true }, 'can do anything on the machine'],
    [{ destroys: true }, 'destroys or replaces data'],
    [{ changesAuthority: true }, 'changes who may do what'],
  ])('asks before a tool that declares %j, also when allowed: it %s', (effects, impact) => {
    const action = toolCall({ tool: 'made-for-this' });
    expect(checkHighImpact(action, factsFor(action, { effects, tier: 'allow' }))).toStrictEqual({
      verdict: 'ask',
      reason: `the tool made-for-this ${impact}`,
    });
  });

  it('stops a change of rights that a model proposes from outside text, and nothing but that', () => {
    const effects = { changesAuthority: true } as const;
    const proposed = toolCall({ tool: 'schedule-job' });
    const doubt = { votes: 2, agreeing: 1, others: ['two'] };
    for (const consensus of [undefined, doubt])
      expect(
        checkHighImpact(proposed, {
          ...factsFor(proposed, { effects, origin: 'outside' }),
          ...(consensus && { consensus }),
        }),
      ).toStrictEqual({
        verdict: 'block',
        reason:
          'the tool schedule-job changes who may do what: never from what others wrote. The person must say it in a message of their own, or type a command (/help)',
      });
    for (const origin of ['owner', 'agent'] as const)
      expect(checkHighImpact(proposed, factsFor(proposed, { effects, origin })).verdict).toBe('ask');
    const typed = toolCall({ tool: 'schedule-job', author: 'owner' });
    expect(checkHighImpact(typed, factsFor(typed, { effects, origin: 'outside' })).verdict).toBe('ask');
    const other = toolCall({ tool: 'forget' });
    expect(checkHighImpact(other, factsFor(other, { origin: 'outside' })).verdict).toBe('ask');
  });

  it("lets an owner's own command through, where the permissions allow it, and nothing like it", () => {
    const typed = toolCall({ tool: 'forget', author: 'owner' });
    expect(checkHighImpact(typed, factsFor(typed))).toStrictEqual({
      verdict: 'pass',
      reason: "its owner's own command",
    });
    expect(checkHighImpact(typed, factsFor(typed, { origin: 'outside' })).verdict).toBe('ask');
    expect(checkHighImpact(typed, factsFor(typed, { tier: 'ask' })).verdict).toBe('ask');
    const proposed = toolCall({ tool: 'forget' });
    expect(checkHighImpact(proposed, factsFor(proposed)).verdict).toBe('ask');
  });

  it.each([
    [{ votes: 2, agreeing: 2, others: [] }, undefined],
    [{ votes: 3, agreeing: 2, others: ['two'] }, undefined],
    [{ votes: 2, agreeing: 1, others: ['two'] }, 'the models do not agree: of 2 asked, two proposed something else'],
    [
      { votes: 3, agreeing: 1, others: ['two', 'three'] },
      'the models do not agree: of 3 asked, two and three proposed something else',
    ],
    [{ votes: 1, agreeing: 1, others: [] }, 'no second model could be asked about it'],
  ])('asks about a call where several models were asked and most did not propose it: %j', (consensus, reason) => {
    const action = webhookCall();
    const expected = reason === undefined ? { verdict: 'pass', reason: '' } : { verdict: 'ask', reason };
    expect(checkHighImpact(action, factsFor(action, { consensus }))).toStrictEqual(expected);
    const said = reply();
    expect(checkHighImpact(said, factsFor(said, { consensus, isPlainReply: true })).verdict).toBe('pass');
    const tool = toolCall({ tool: 'forget' });
    const both = `the tool forget destroys or replaces data${reason === undefined ? '' : `; ${reason}`}`;
    expect(checkHighImpact(tool, factsFor(tool, { consensus }))).toStrictEqual({ verdict: 'ask', reason: both });
  });

  it('has no opinion on what is no tool call', () => {
    for (const action of [webhookCall({ tool: 'shell' }), reply({ tool: 'shell' })])
      expect(checkHighImpact(action, factsFor(action)).verdict).toBe('pass');
  });

  it.each([[toolCall()], [reply()], [webhookCall()], [toolCall({ tool: 'read-file' })]])(
    'lets %j through',
    (action) => {
      expect(checkHighImpact(action, factsFor(action))).toStrictEqual({ verdict: 'pass', reason: '' });
    },
  );
});

describe('checkCodeValidity', () => {
  const action = toolCall({ tool: 'write-file', args: { path: 'a.json', content: '{' } });

  it('stops code that was found not to parse, and says where', () => {
    const facts = factsFor(action, { codeProblem: { language: 'json', line: 3, problem: 'it is not JSON' } });
    expect(checkCodeValidity(action, facts)).toStrictEqual({
      verdict: 'block',
      reason: 'the json would be broken: it is not JSON (line 3)',
    });
  });

  it('judges by the fact alone', () => {
    expect(checkCodeValidity(action, factsFor(action))).toStrictEqual({ verdict: 'pass', reason: '' });
  });
});
