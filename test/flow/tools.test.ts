/** The sandbox's tools on the real stack: bundled beside Act, started for a call, and their results back at the model. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelServerRequest, ScriptedAnswer } from '../support/model-server.ts';
import { call, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, type TestStack, until } from '../support/stack.ts';

const because = { explanation: 'the owner asked for exactly this' };

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const text = userTextOf(request);
  const results = toolResultsOf(request);
  if (results.length > 0) return say(`I read: ${results.join(' | ')}`);
  if (text.startsWith('work out ')) return call('calculate', { expression: text.slice(9), ...because });
  if (text.startsWith('run ')) return call('run-code', { language: 'javascript', code: text.slice(4), ...because });
  return say(`re ${text}`);
};

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({ script: answer, isPolling: false });
});
afterAll(() => world?.stop());

const ask = async (text: string) => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: 'tools' });
  return world.settled(body.id);
};

describe('calculate', () => {
  it('is worked out by Act without asking anybody, and the result reaches the model', async () => {
    const view = await ask('work out 2n ** 70n');
    expect(view).toMatchObject({ state: 'acted', effects: [{ actuator: 'tool', state: 'done' }] });
    expect(view.replies.join()).toContain('1180591620717411303424');
  });

  it('ends an endless script, says so, and leaves Act in working order', async () => {
    expect((await ask('work out for (;;) {}')).replies.join()).toContain('took too long and was ended');
    expect((await ask('work out 1 + 1')).replies.join()).toContain('state: done\n2');
  });
});

describe('run-code', () => {
  it('waits for a yes, then runs, and what it printed reaches the model', async () => {
    const view = await ask('run for (const n of [1, 2]) console.log("line", n)');
    expect(view).toMatchObject({ state: 'suspended', effects: [{ state: 'suspended' }] });
    const { body } = await world.api<{ approvals: { id: string }[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    const id = body.approvals[0]?.id ?? '';
    await world.api('POST', `/api/approvals/${id}`, { decision: 'approve' }, APPROVER_TOKEN);
    const effect = await until('the program ran', async () =>
      (await world.signal(view.id)).effects.find(({ state }) => state === 'done'),
    );
    expect(effect).toMatchObject({ output: 'line 1\nline 2\n' });
  });

  it('is refused, with the line, where the code does not parse', async () => {
    const view = await ask('run const = 3');
    expect(view.replies.join()).toContain('the javascript would be broken: it does not parse (line 1)');
  });
});
