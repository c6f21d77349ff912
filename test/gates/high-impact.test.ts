/** Gates that look at what a tool is, and at what was found in what it would write. */
import { describe, expect, it } from 'vitest';
import { checkCodeValidity } from '../../lib/gates/code-validity.ts';
import { checkHighImpact } from '../../lib/gates/high-impact.ts';
import { factsFor, reply, toolCall, webhookCall } from './samples.ts';

describe('checkHighImpact', () => {
  it.each(['shell', 'forget', 'delete-file', 'create-grant', 'schedule-job'])(
    'asks before %s, also when allowed',
    (tool) => {
      const action = toolCall({ tool });
      expect(checkHighImpact(action, factsFor(action, { tier: 'allow' })).verdict).toBe('ask');
    },
  );
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
